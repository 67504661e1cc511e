"""Conversion of types and values to LLVM.

i32, f16...           the same; fp8 numbers are i8
!tt.ptr<T, space>     !llvm.ptr<space>
tensor<... x T>       vector<R x T>, R registers of a thread by the layout
tensor<... x T>       with the layout of wgmma's results, between blocks: its single registers (Fragment)
!ttg.memdesc<...>     SharedView: a base pointer and an offset per dimension; of tensor memory a TensorView: an i32
!tt.tensordesc<...>   !llvm.ptr, to its tensor map
!ttg.async.token      an i32 that no operation uses
types of packages     a tuple of values (`lowers_type`)
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects._tt_types import PointerType, TensorDescType
from ttkit.dialects._ttg_types import AsyncTokenType, MemDescType
from ttkit.layout import LinearLayout, to_linear_layout
from ttkit.layout.encodings import DotOperand, NvidiaMma, TensorMemoryLayout
from ttkit.passes.lower.emitter import Emitter
from ttkit.passes.lower.registry import types_of
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.records import dataclass
from ttkit.tuning.llvm import VECTOR_PART

WGMMA = 3
"""The version of the nvidia_mma layouts of wgmma."""


@dataclass(frozen=True)
class SharedView:
    """A view of shared memory.

    base: a pointer to the first element of the whole buffer.
    offsets: an i32 for each dimension, in elements: the coordinates of the view's first element in the buffer.
    """

    base: ir.Value
    offsets: tuple[ir.Value, ...]


@dataclass(frozen=True)
class TensorView:
    """A view of tensor memory.

    address: the address of its first element, i32: the row in the upper 16 bits, the column of 32 bits in the lower.
    """

    address: ir.Value


@dataclass(frozen=True)
class StoredOperand:
    """A lowered ttg.local_load whose elements stay in shared memory until dots read them.

    view: the memory.  type: its type.
    """

    view: SharedView
    type: MemDescType


MAX_ELEMENTS = 1 << 12
"""The largest number of elements of a tensor in a thread, which has 255 registers.  LLVM takes 20 s for half as many,
and its time grows with the square of the number (CPU, 2026-11)."""
MAX_ELEMENTS_IN_MEMORY = 1 << 15
"""The same for operands of dots without tensor cores, which are mostly read from shared memory in slices."""


@dataclass(frozen=True)
class Fragment:
    """A tensor as single registers of 32 bits, as asynchronous wgmmas read and write them.

    Only the handlers of wgmmas and of waits for them take a fragment; others get a vector (`as_vector`).

    registers: f32 or i32 values; for f16 elements, i32 values with two each.  element: type of the tensor's elements.
    """

    registers: tuple[ir.Value, ...]
    element: ir.Type


def is_in_tensor_memory(type: MemDescType) -> bool:
    """Whether a buffer is in tensor memory, not in shared memory."""
    return isinstance(layout_of(type), TensorMemoryLayout)


class TypeConverter:
    """Conversion of types of tt and ttg to those of llvm, cached.

    Attributes:
        widest: the largest number of elements of a tensor in a thread so far.
        buffers: types of several buffers and of one of them -> elements from one to the next, and their type.
    """

    def __init__(self, emit: Emitter) -> None:
        self.emit = emit
        self.widest = 0
        self.buffers: dict[tuple[ir.Type, ir.Type], tuple[int, ir.Type]] = {}
        self._parts: dict[ir.Type, tuple[ir.Type, ...]] = {}
        self._layouts: dict[ir.Type, LinearLayout] = {}
        self._fragments: dict[ir.Type, ir.Type | None] = {}

    def layout(self, type: ir.Type) -> LinearLayout:
        """The linear layout of a tensor type.  Raises CannotLower for too many elements a thread."""
        found = self._layouts.get(type)
        if found is None:
            encoding = layout_of(type)
            assert encoding is not None, "the verifier of ttg asks for a layout"
            found = to_linear_layout(type.shape, encoding)
            count, most = found.in_size("register"), MAX_ELEMENTS
            if isinstance(encoding, DotOperand) and not isinstance(encoding.parent, NvidiaMma):
                most = MAX_ELEMENTS_IN_MEMORY
            else:
                self.widest = max(self.widest, count)
            if count > most:
                raise CannotLower(f"a thread would hold {count} elements of {type}; at most {most} can be compiled")
            self._layouts[type] = found
        return found

    def registers(self, type: ir.Type) -> int:
        """The number of elements (registers) of a tensor in a thread."""
        return self.layout(type).in_size("register")

    def vector(self, type: ir.RankedTensorType) -> ir.Type:
        """The vector type of the elements of a tensor in a thread."""
        return self.emit.vector(self.registers(type), self.element(type))

    def element(self, type: ir.Type) -> ir.Type:
        """LLVM type of a scalar of this type, or of an element of this tensor type."""
        if isinstance(type, ir.RankedTensorType):
            type = type.element_type
        if isinstance(type, PointerType):
            return self.emit.pointers[type.address_space]
        if isinstance(type, ir.IndexType):
            return self.emit.i32
        if isinstance(type, ir.FloatType) and type.width == 8:
            return self.emit.i8
        return type

    def parts(self, type: ir.Type) -> tuple[ir.Type, ...]:
        """The types of the llvm values for a value of this type that passes between blocks."""
        found = self._parts.get(type)
        if found is None:
            found = self._parts[type] = self._split(type)
        return found

    def _split(self, type: ir.Type) -> tuple[ir.Type, ...]:
        if isinstance(getattr(type, "pointee_type", None), ir.RankedTensorType):
            raise CannotLower(f"found a block pointer, {type}; run triton-rewrite-tensor-pointer first")
        element = self.element(type)
        is_tensor = isinstance(type, ir.RankedTensorType)
        if is_tensor and str(element).startswith("!") and not str(element).startswith("!llvm."):
            raise CannotLower(f"found a value of type {type}, whose elements are neither numbers nor pointers")
        if is_tensor:
            register = self.fragment_register(type)
            count = self.registers(type)
            if register is not None:
                return (register,) * (count * self.element(type).width // 32)
            return (self.vector(type),)
        if isinstance(type, MemDescType):
            if is_in_tensor_memory(type):
                return (self.emit.i32,)
            return (self.emit.pointers[3], *[self.emit.i32] * len(type.shape))
        if isinstance(type, AsyncTokenType):
            return (self.emit.i32,)
        if isinstance(type, TensorDescType):
            return (self.emit.pointers[0],)
        if (of_package := self._of_package(type)) is not None:
            return tuple(of_package(self, type))
        element = self.element(type)
        if (text := str(element)).startswith("!") and not text.startswith("!llvm."):
            raise CannotLower(f"found a value of type {type} where it would have to pass from one block to another")
        if not text.startswith("!") and not isinstance(element, (ir.IntegerType, ir.FloatType, ir.VectorType)):
            raise CannotLower(f"found a value of type {type}; kernels have numbers, pointers, tensors and descriptors")
        return (element,)

    @staticmethod
    def _of_package(type: ir.Type) -> Any:
        """The function that says what a type of another package consists of; None for other types."""
        name = getattr(type, "spelling", "")
        return types_of(name[1:]) if name else None

    def join(self, type: ir.Type, parts: list[ir.Value]) -> Any:
        """The lowered value for handlers, assembled from its parts."""
        if isinstance(type, MemDescType):
            return TensorView(parts[0]) if is_in_tensor_memory(type) else SharedView(parts[0], tuple(parts[1:]))
        if self._of_package(type) is not None:
            return tuple(parts)
        return Fragment(tuple(parts), self.element(type)) if self.fragment_register(type) is not None else parts[0]

    def flatten(self, type: ir.Type, value: Any) -> Sequence[ir.Value]:
        """The parts of a lowered value that a handler takes or returns."""
        if isinstance(value, SharedView):
            return [value.base, *value.offsets]
        if isinstance(value, TensorView):
            return [value.address]
        if isinstance(value, tuple):
            return value
        if isinstance(value, Fragment) or self.fragment_register(type) is not None:
            return self.as_fragment(value).registers
        return [value]

    # --- Fragments ----------------------------------------------------------------------------------------------------
    def fragment_register(self, type: ir.Type) -> ir.Type | None:
        """The type of the registers if a value of `type` is a fragment between blocks, else None."""
        if type not in self._fragments:
            self._fragments[type] = self._find_fragment_register(type)
        return self._fragments[type]

    def _find_fragment_register(self, type: ir.Type) -> ir.Type | None:
        if not isinstance(type, ir.RankedTensorType):
            return None
        layout, element = layout_of(type), self.element(type)
        if not isinstance(layout, NvidiaMma) or layout.version_major != WGMMA:
            return None
        return {self.emit.f32: self.emit.f32, self.emit.i32: self.emit.i32, self.emit.f16: self.emit.i32}.get(element)

    def as_fragment(self, value: ir.Value | Fragment) -> Fragment:
        """A vector as a fragment: f32 and i32 elements unchanged, others packed in words."""
        if isinstance(value, Fragment):
            return value
        emit, element = self.emit, value.type.element_type
        words = value
        if element.width < 32:
            words = emit.bitcast(value, emit.vector(value.type.shape[0] * element.width // 32, emit.i32))
        return Fragment(tuple(emit.unpack(words)), element)

    def as_vector(self, fragment: Fragment) -> ir.Value:
        """A fragment as one vector."""
        emit, registers = self.emit, fragment.registers
        is_splat = all(register == registers[0] for register in registers)
        # The time of LLVM's scalarizer grows with the square of a chain's length: two chains save 3.6 ms (2026-11).
        vector = emit.splat(registers[0], len(registers)) if is_splat else emit.pack(registers, 2 * VECTOR_PART)
        count = vector.type.shape[0] * 32 // fragment.element.width
        return emit.bitcast(vector, emit.vector(count, fragment.element))
