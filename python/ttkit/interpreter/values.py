"""Values of many programs at a time.

A value is one numpy array with a leading dimension for the programs that run together:

    scalar i32                      int32[P]
    tensor<64x32xf16>               float16[P, 64, 32]
    !tt.ptr<f32>, or tensors of it  int64 addresses, likewise

P is 1 if the value is the same in all of them (constants, ranges): broadcasting does the rest.  Integers are signed, as
wide as the type; i1 is bool.  Operations that read them as unsigned view them so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
from mlir import ir

from ttkit.analysis.tensor_map_facts import tensor_map
from ttkit.dialects import tt

if TYPE_CHECKING:
    from typing_extensions import Self

DTYPES: dict[str, np.dtype] = {
    "i1": np.dtype(np.bool_),
    "i4": np.dtype(ml_dtypes.int4),
    **{f"{sign}{bits}": np.dtype(f"int{bits}") for sign in ("i", "si", "ui") for bits in (8, 16, 32, 64)},
    "index": np.dtype(np.int64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "f8E4M3FN": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8E4M3FNUZ": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "f8E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "f8E5M2FNUZ": np.dtype(ml_dtypes.float8_e5m2fnuz),
}
ADDRESS = np.dtype(np.int64)

# tf32 and the fp8 types have no arithmetic of their own: it is done in the next wider type and rounded.
FLOATS = {np.dtype(t) for t in (np.float16, np.float32, np.float64, ml_dtypes.bfloat16)} | {
    dtype for name, dtype in DTYPES.items() if name.startswith("f8")
}
UNSIGNED = {np.dtype(f"int{bits}"): np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)}


@dataclass(frozen=True)
class ValueType:
    """The type of a value: its shape without the program dimension, () for a scalar, and its element type.

    `element` is a numpy dtype; None for values that are not arrays: tokens, memory descriptors, tensor descriptors.
    `pointee` is the ValueType that a pointer points to, or of the block of a tensor descriptor; None for other types.
    `problem` says why there can be no such value; empty if there can.
    `tensor_map` has what tensor maps need (`analysis.tensor_maps`), for the block of a descriptor that has a layout.
    """

    shape: tuple[int, ...]
    element: Any
    text: str
    pointee: Any = None
    tensor_map: Any = field(default=None, compare=False)
    problem: str = field(default="", compare=False)

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def has_arrays(self) -> bool:
        """Whether values are arrays of elements; not those of tokens, buffers, descriptors and block pointers."""
        return self.element is not None and not self.text.startswith(
            ("!ttg.memdesc<", "!tt.tensordesc<", "!tt.ptr<tensor<")
        )

    @property
    def is_float(self) -> bool:
        """Whether elements are floats."""
        return self.element in FLOATS

    @property
    def size(self) -> int:
        """Elements of one program."""
        return math.prod(self.shape)


MEMDESC = re.compile(r"!ttg\.memdesc<((?:\d+x)*)([^,>]+)")

UNKNOWN = ValueType((), None, "?")
"""Elements that a pointer without an element type points to."""

_TYPES: dict[str, ValueType] = {}
"""Types that were read, by their text."""
MOST_TYPES = 10_000
"""Then all are forgotten."""


def value_type(type: ir.Type) -> ValueType:
    """Reads an MLIR type.  The text is the key: it means the same in every context."""
    text = str(type)
    found = _TYPES.get(text)
    if found is None:
        if len(_TYPES) >= MOST_TYPES:
            _TYPES.clear()
        found = _TYPES[text] = _read(type, text)
    return found


MOST_BYTES, MOST_BYTES_OF_BUFFER = 1 << 26, 1 << 24
"""Bytes of a tensor, and of a buffer in shared or tensor memory.  Triton's tensors have 2^20 elements; shared memory
has 228 KiB, tensor memory 256."""


def _read(type: ir.Type, text: str) -> ValueType:
    found = _without_problem(type, text)
    return replace(found, problem=_problem_of(type, found))


def _problem_of(type: ir.Type, kind: ValueType) -> str:
    """Why there can be no value of a type."""
    if isinstance(type, (ir.IntegerType, ir.FloatType, ir.ComplexType, ir.UnrankedTensorType)):
        return "" if kind.element is not None else f"the interpreter has no values of type {kind.text}"
    if kind.pointee is not None and kind.pointee.problem:
        return kind.pointee.problem
    is_buffer = kind.text.startswith("!ttg.memdesc<")
    if not is_buffer and not isinstance(type, (ir.RankedTensorType, ir.VectorType)):
        return ""
    if kind.element is None:
        return f"the interpreter has no values of the element type of {kind.text}"
    if any(size < 0 for size in kind.shape):
        return f"{kind.text} does not say how many elements it has"
    if is_buffer and not kind.size:
        return f"{kind.text} has no elements"
    size, most = kind.size * kind.element.itemsize, MOST_BYTES_OF_BUFFER if is_buffer else MOST_BYTES
    return f"{kind.text} has {size} bytes; the interpreter takes {most} at most" if size > most else ""


def _without_problem(type: ir.Type, text: str) -> ValueType:
    if isinstance(type, ir.RankedTensorType):
        element = value_type(type.element_type)
        return ValueType(tuple(type.shape), element.element, text, element.pointee)
    if isinstance(type, ir.VectorType):
        element = value_type(type.element_type)
        return ValueType(tuple(type.shape), element.element, text)
    if text.startswith("!llvm.ptr"):
        return ValueType((), ADDRESS, text, UNKNOWN)
    if text.startswith("!tt.ptr<"):
        return ValueType((), ADDRESS, text, value_type(tt.PointerType(type).pointee_type))
    if text.startswith("!tt.tensordesc<"):
        block = value_type(tt.TensorDescType(type).block_type)
        return ValueType((), None, text, replace(block, tensor_map=tensor_map_of(type)))
    if text.startswith("!ttg.memdesc<"):
        sizes, element = MEMDESC.match(text).groups()
        return ValueType(
            tuple(map(int, sizes.split("x")[:-1])),
            ADDRESS if element.startswith("!tt.ptr") else DTYPES.get(element),
            text,
        )
    return ValueType((), DTYPES.get(text), text)


def tensor_map_of(type: ir.Type) -> dict[str, Any] | None:
    """Facts by which the tensor map of a descriptor's type is encoded; None if it has no layout that TMA takes."""
    try:
        return tensor_map(type)
    except ValueError:
        return None


def unsigned(array: np.ndarray) -> np.ndarray:
    """The same bits, read as unsigned integers; bool stays."""
    return array.view(UNSIGNED[array.dtype]) if array.dtype in UNSIGNED else array


def take(value: object, lanes: np.ndarray) -> object:
    """The value for some of the programs; `lanes` indexes the leading dimension."""
    if isinstance(value, np.ndarray):
        return value if value.shape[0] == 1 else value[lanes]
    return value.take(lanes) if hasattr(value, "take") else value


def put(target: Any, value: Any, lanes: np.ndarray, count: int) -> Any:
    """`target`, for `count` programs, with the rows of `lanes` replaced by `value`; None starts an empty one.

    The value None is poison of a type without arrays: the value of `target` may stand for it.
    """
    if value is None:
        return target
    if not isinstance(value, np.ndarray):
        return value.put(target, lanes, count) if hasattr(value, "put") else value
    result = np.zeros((count, *value.shape[1:]), value.dtype)
    if isinstance(target, np.ndarray) and target.shape[1:] == value.shape[1:] and target.shape[0] in (1, count):
        result[:] = target
    result[lanes] = value
    return result


class PerProgram:
    """Base of dataclasses whose fields are, for each program, arrays [P] or tuples of such; others are of all."""

    def take(self, lanes: np.ndarray) -> Self:
        """Those of some programs alone."""
        return self._mapped(lambda _, field: take(field, lanes))

    def put(self, target: Any, lanes: np.ndarray, count: int) -> Self:
        """These, with those of other programs from `target`."""
        target = target if type(target) is type(self) else None
        return self._mapped(lambda old, new: put(old, new, lanes, count), target)

    def _mapped(self, merge: Callable[[Any, np.ndarray], Any], target: Any = None) -> Self:
        made: dict[str, Any] = {}
        for name, new in vars(self).items():
            old = getattr(target, name, None)
            if isinstance(new, np.ndarray):
                made[name] = merge(old, new)
            elif isinstance(new, tuple) and new and isinstance(new[0], np.ndarray):
                made[name] = tuple(map(merge, old or [None] * len(new), new))
        return replace(self, **made)  # type: ignore[type-var]


def align_rank(array: np.ndarray, rank: int) -> np.ndarray:
    """A scalar value [P] as [P, 1, ..., 1], to broadcast against tensors of `rank`."""
    return array.reshape(array.shape[0], *([1] * rank))
