"""Errors for layouts that are legal by themselves but do not suit their use."""


class UnsuitableLayout(ValueError):
    """A layout that can't be used for what is asked: found in the input, unlike a ValueError of the algebra."""


class UnsuitableShape(UnsuitableLayout):
    """A layout that cannot be given to a tensor of this shape."""
