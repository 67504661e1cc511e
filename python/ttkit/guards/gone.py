"""Classes of objects whose IR is gone: whatever is asked of one raises ValueError, and no memory is read."""

from __future__ import annotations

import ctypes
import functools
from typing import Any, NoReturn

TEXT = "this {} belongs to IR that was erased: get a new one from what is left of the module"

# What Python asks of a class and not of the object: none of them goes through __getattribute__.
_ASKED = (
    *("__str__", "__iter__", "__next__", "__len__", "__getitem__", "__setitem__", "__delitem__", "__contains__"),
    *("__add__", "__enter__", "__exit__"),
)
# Words of an object and of a type: its class; tp_basicsize, tp_flags and the functions that trace and free instances.
_CLASS, _SIZE, _FLAGS = 1, 4, 21
_DEALLOCATOR, _TRAVERSE, _CLEAR, _FREE = 6, 23, 24, 40
_COLLECTED = 1 << 14  # Py_TPFLAGS_HAVE_GC: such instances have words in front of them
_MADE: set[type] = set()


@functools.cache
def _gone_class(cls: type) -> type | None:
    """The class of the objects of `cls` that are gone; None where Python has types of another form."""

    def refuse(held: Any, *_arguments: Any) -> NoReturn:
        """Says what the object is of."""
        raise ValueError(TEXT.format(cls.__name__))

    def attribute(held: Any, name: str) -> Any:
        """Only its class is known."""
        if name == "__class__":
            return cls
        refuse(held)

    def text(held: Any) -> str:
        """A text that debuggers may show."""
        return f"<{cls.__name__} of IR that was erased>"

    names = dict.fromkeys(_ASKED, refuse) | {"__getattribute__": attribute, "__repr__": text, "__slots__": ()}
    names |= {"__eq__": object.__eq__, "__hash__": object.__hash__, "__module__": cls.__module__}
    made = type(cls)(f"Erased{cls.__name__}", (cls,), names)
    # The instances stay nanobind's, which frees them.
    words, old = ((ctypes.c_void_p * (_FREE + 1)).from_address(id(one)) for one in (made, cls))
    known = [words[_SIZE] == old[_SIZE] == cls.__basicsize__, words[_FLAGS] == made.__flags__]
    if cls.__flags__ & _COLLECTED or not all(known):
        return None
    words[_FLAGS] = made.__flags__ & ~_COLLECTED
    for word in (_DEALLOCATOR, _TRAVERSE, _CLEAR, _FREE):
        words[word] = old[word]
    _MADE.add(made)
    return made


def is_gone_class(cls: type) -> bool:
    """Whether it is a class of what is gone."""
    return cls in _MADE


def make_gone(held: Any) -> None:
    """Has an object say that it is gone, whatever is asked of it.  nanobind counts it as unusable already."""
    cls: Any = type(held)
    made = _gone_class(cls)
    if made is None:
        return
    # Python lets no __class__ be set where bases were made in C; a class of the same layout can take its place.
    (ctypes.c_void_p * (_CLASS + 1)).from_address(id(held))[_CLASS] = id(made)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(cls))
