"""Parameters of jitted functions, and how signatures spell their types."""

from __future__ import annotations

import inspect
import re
from functools import cached_property
from typing import Any

_CANONICAL_TYPES = {
    "bool": "u1",
    "int1": "u1",
    "uint1": "u1",
    "i1": "u1",
    "float8e4nv": "fp8e4nv",
    "float8_e4m3fn": "fp8e4nv",
    "float8e5": "fp8e5",
    "float8_e5m2": "fp8e5",
    "float8e4b15": "fp8e4b15",
    "float8e4b8": "fp8e4b8",
    "float8_e4m3fnuz": "fp8e4b8",
    "float8e5b16": "fp8e5b16",
    "float8_e5m2fnuz": "fp8e5b16",
    "half": "fp16",
    "float16": "fp16",
    "bfloat16": "bf16",
    "float": "fp32",
    "float32": "fp32",
    "double": "fp64",
    "float64": "fp64",
    "int": "i32",
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
    "void": "void",
}
_SPELLED_LIKE_NUMPY = re.compile(rf"(?<![A-Za-jl-z0-9_])({'|'.join(set(_CANONICAL_TYPES) - {'i1'})})(?![A-Za-z0-9_])")
_TYPE_NAMES = frozenset(_CANONICAL_TYPES.values())


class const:
    """Annotation of a pointer parameter through which nothing is stored."""


def canonical_type_name(annotation: Any) -> str:
    """Spelling in a signature of the type that an annotation names; other annotations as text."""
    if isinstance(annotation, str):
        text = annotation.strip()
        if text.startswith("const "):
            return "*k" + canonical_type_name(text.removeprefix("const"))[1:]
        if text.endswith("*"):
            return "*" + canonical_type_name(text[:-1])
        if text.startswith("*"):
            return "*" + canonical_type_name(text[1:])
        if text.startswith("tl."):
            return canonical_type_name(text.removeprefix("tl."))
    elif hasattr(annotation, "element_ty"):
        return f"*{canonical_type_name(annotation.element_ty)}"
    elif hasattr(annotation, "primitive_bitwidth"):
        text = annotation.name
    else:
        text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return _CANONICAL_TYPES.get(text.replace("_t", ""), text)


def canonical_signature(spelled: Any) -> Any:
    """The type of an argument as the compiler spells it, where it is spelled as in numpy: "*fp32" for "*float32"."""
    if isinstance(spelled, tuple):
        items = [canonical_signature(item) for item in spelled]
        return type(spelled)(*items) if hasattr(spelled, "_fields") else tuple(items)
    if not isinstance(spelled, str):
        return spelled
    return _SPELLED_LIKE_NUMPY.sub(lambda found: _CANONICAL_TYPES[found[0]], spelled)


def is_type_name(name: str) -> bool:
    """Whether a signature may spell a scalar type so."""
    return name in _TYPE_NAMES


class KernelParam:
    """A parameter of a jitted function: its name, its annotation, and what specialization may look at."""

    def __init__(
        self, num: int, param: inspect.Parameter, do_not_specialize: bool, do_not_specialize_on_alignment: bool
    ) -> None:
        self.num = num
        self._param = param
        self.do_not_specialize = do_not_specialize
        self.do_not_specialize_on_alignment = do_not_specialize_on_alignment
        self.name = param.name

    @cached_property
    def annotation(self) -> str:
        """The annotation as a signature spells it; empty without one."""
        given = self._param.annotation
        return "" if given is inspect.Parameter.empty or not given else canonical_type_name(given)

    @cached_property
    def annotation_type(self) -> str:
        """The annotation if it is the type of an argument, else empty."""
        pointee = re.sub(r"^\*k?", "", self.annotation)
        return self.annotation if pointee in _TYPE_NAMES else ""

    @cached_property
    def is_constexpr(self) -> bool:
        """Whether it is annotated as `tl.constexpr`: a kernel is compiled for each value."""
        return "constexpr" in self.annotation

    @cached_property
    def is_const(self) -> bool:
        """Whether it is annotated as a pointer that is not written through."""
        return not self.is_constexpr and ("const" in self.annotation or self.annotation.startswith("*k"))

    @property
    def default(self) -> Any:
        """Its default value; `inspect.Parameter.empty` for none."""
        return self._param.default

    @property
    def has_default(self) -> bool:
        """Whether it has a default value."""
        return self._param.default is not inspect.Parameter.empty
