"""Arguments that a function of the language can't work with, where it did not say so itself.

Functions refuse what they foresee (`language/errors.py`).  What else goes wrong inside of them shows as an error of
Python's about our own code, which tells the kernel's author nothing: here it becomes one about the call.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from opcode import opmap
from types import ModuleType
from typing import Any

import ttkit.language as language
from ttkit.installation import folders
from ttkit.language.constexpr import SIGNS, constexpr, unwrap
from ttkit.language.descriptor import tensor_descriptor_base, tensor_descriptor_base_type
from ttkit.language.errors import LanguageError, without_addresses
from ttkit.language.jit_function import JITCallable
from ttkit.language.tensor import tensor
from ttkit.language.tuples import is_sequence
from ttkit.language.types import dtype

_LONGEST = 60  # characters of a value


def text_of_call(fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], error: Exception) -> str:
    """The message for an error in a call: its own, if it is about what the kernel's author wrote.

    Args:
        fn: the function, called with args and kwargs.
    """
    of_constants = getattr(fn, "__module__", "") == constexpr.__module__  # whose methods are Python's
    of_the_call = re.match(r"\w+\(\) (got|missing|takes) ", str(error))
    if isinstance(error, LanguageError) or of_constants or of_the_call or not is_internal(error):
        return str(error)
    try:
        signature = inspect.signature(fn)
        bound = signature.bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return str(error)  # which says what is missing
    given = {name: value for name, value in bound.items() if not name.startswith("_") and name != "kwargs"}
    name = getattr(fn, "__name__", "this function").removeprefix("builtin_").strip("_")
    if sign := SIGNS.get(name):
        return f"the operator {sign} can't take {described(fn.__self__)} and {described(*args)}"
    called = name if getattr(fn, "__self__", None) is not None or not hasattr(language, name) else f"tl.{name}"
    # Numbers last: many functions take them for tensors.
    for parameter, value in sorted(given.items(), key=lambda item: isinstance(unwrap(item[1]), (int, float))):
        wanted = _wanted(signature.parameters[parameter], value)
        if wanted:
            return f"{called} needs {wanted} as its argument '{parameter}', found {described(value)}"
    listed = ", ".join(
        f"{'' if parameter == 'args' else f'{parameter} = '}{described(value)}" for parameter, value in given.items()
    )
    return f"{called} can't work with {listed or 'no arguments'}; see help({called})"


def _wanted(parameter: inspect.Parameter, value: Any) -> str:
    """Words for what an argument should have been; none if it may be that, as far as can be told."""
    plain = unwrap(value)
    if plain is parameter.default:
        return ""
    if parameter.annotation in ("tensor", tensor) and not isinstance(value, tensor):
        return "a tensor"
    for names, what, is_one in _KINDS:
        if parameter.name in names:
            return "" if is_one(plain) else what
    return ""


def _are_integers(value: Any) -> bool:
    return is_sequence(value) and all(map(_is_integer, map(unwrap, value)))


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) or (isinstance(value, tensor) and value.dtype.is_int() and not value.type.is_block())


_KINDS: tuple[tuple[frozenset[str], str, Callable[[Any], bool]], ...] = tuple(
    (frozenset(names.split()), what, is_one)
    for names, what, is_one in (
        ("dtype out_dtype", "a dtype, such as tl.float32,", lambda value: isinstance(value, dtype)),
        ("axis dim n_rounds pack num_bins max_num_imprecise_acc", "a constant integer",
         lambda value: isinstance(value, int)),
        ("shape strides offsets block_shape order dims boundary_check", "integers, such as [16, 16],", _are_integers),
        ("desc", "a tensor descriptor", lambda value: isinstance(value, tensor_descriptor_base)),
        ("combine_fn scalar_fn", "a function marked @jit", lambda value: isinstance(value, JITCallable)),
        ("asm constraints lhs_format rhs_format", "a text", lambda value: isinstance(value, str)),
        ("args", "a list of tensors", is_sequence),
        ("input a b src", "a tensor", lambda value: isinstance(value, tensor)),
        ("acc lhs_scale rhs_scale", "a tensor or None", lambda value: value is None or isinstance(value, tensor)),
        ("pointer base", "a pointer", lambda value: isinstance(value, tensor) and value.dtype.is_ptr()),
        ("x y z val cmp value mask other seed offset", "a tensor or a number",
         lambda value: isinstance(value, (tensor, int, float))),
    )
)  # fmt: skip
"""Names of parameters, which mean the same in all functions; what is said of them, and whether a value is that."""


def described(value: Any) -> str:
    """A value as the kernel's author knows it."""
    value = unwrap(value)
    if isinstance(value, tensor):
        if value.type.is_ptr() and value.type.element_ty.is_block():
            return "a block pointer"
        return f"a tensor {value}" if value.type.is_block() else f"a scalar {value.dtype}"
    if isinstance(getattr(value, "type", None), tensor_descriptor_base_type):
        return "a tensor descriptor"
    if isinstance(value, dtype):
        return f"the dtype {value}"
    if is_sequence(value):
        return f"({', '.join(map(described, value))})"
    if name := getattr(value, "__name__", ""):
        return f"the {'module' if isinstance(value, ModuleType) else 'function'} {name}"
    text = without_addresses(repr(value))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def is_internal(error: Exception) -> bool:
    """Whether Python, or MLIR, raised it in code of ours: not what a `raise` there, or the author's own code, says."""
    frame = error.__traceback__
    if type(error).__name__ not in _OF_PYTHON or frame is None:
        return False
    while frame.tb_next is not None:
        frame = frame.tb_next
    code = frame.tb_frame.f_code
    said = code.co_code[frame.tb_lasti] == opmap["RAISE_VARARGS"]
    return not said and any(code.co_filename.startswith(folder) for folder in folders())


_OF_PYTHON = frozenset(
    """
    AssertionError AttributeError IndexError KeyError MLIRError OverflowError TypeError UnboundLocalError
    """.split()
)
