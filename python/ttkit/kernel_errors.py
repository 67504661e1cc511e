"""The class of all errors of kernels, without the language that most of them are about."""


class TritonError(Exception):
    """Anything that goes wrong while a kernel is compiled or run."""
