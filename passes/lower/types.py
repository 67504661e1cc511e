"""What the values of each type become.

i32, f16...           the same; fp8 numbers are i8
!tt.ptr<T, space>     !llvm.ptr<space>
tensor<... x T>       vector<R x T>, R registers of a thread by the layout
!ttg.memdesc<...>     SharedView: a base pointer and an offset per dimension
!tt.tensordesc<...>   !llvm.ptr, to its tensor map
!ttg.async.token      nothing: an i32 that nobody looks at
"""

from typing import Any

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects._tt_types import PointerType, TensorDescType
from ttkit.dialects._ttg_types import AsyncTokenType, MemDescType
from ttkit.layout import LinearLayout, to_linear_layout
from ttkit.lazy_dataclass import dataclass
from ttkit.passes.lower.emitter import Emitter


@dataclass(frozen=True)
class SharedView:
    """A view of shared memory.

    base: pointer to the first element of the buffer that the view is of.
    offsets: an i32 for each dimension, in elements: where the view begins in the buffer's coordinates.
    """

    base: ir.Value
    offsets: tuple[ir.Value, ...]


@dataclass(frozen=True)
class StoredOperand:
    """What a ttg.local_load becomes whose elements stay in shared memory, until the products they are for read them.

    view: the memory.  type: of the view.
    """

    view: SharedView
    type: MemDescType


class TypeConverter:
    """Types of tt and ttg to those of llvm, each worked out once."""

    def __init__(self, emit: Emitter) -> None:
        self.emit = emit
        self._parts: dict[ir.Type, tuple[ir.Type, ...]] = {}
        self._layouts: dict[ir.Type, LinearLayout] = {}

    def layout(self, type: ir.Type) -> LinearLayout:
        """The linear layout of a tensor type."""
        found = self._layouts.get(type)
        if found is None:
            encoding = layout_of(type)
            assert encoding is not None, "the verifier of ttg asks for a layout"
            found = self._layouts[type] = to_linear_layout(type.shape, encoding)
        return found

    def registers(self, type: ir.Type) -> int:
        """How many elements of a tensor a thread holds."""
        return self.layout(type).in_size("register")

    def element(self, type: ir.Type) -> ir.Type:
        """What a scalar of this type, or an element of this tensor type, becomes."""
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
        """The types of the llvm values that a value of this type becomes, where it crosses between blocks."""
        found = self._parts.get(type)
        if found is None:
            found = self._parts[type] = self._split(type)
        return found

    def _split(self, type: ir.Type) -> tuple[ir.Type, ...]:
        if isinstance(type, ir.RankedTensorType):
            return (self.emit.vector(self.registers(type), self.element(type)),)
        if isinstance(type, MemDescType):
            return (self.emit.pointers[3], *[self.emit.i32] * len(type.shape))
        if isinstance(type, AsyncTokenType):
            return (self.emit.i32,)
        if isinstance(type, TensorDescType):
            return (self.emit.pointers[0],)
        return (self.element(type),)

    def join(self, type: ir.Type, parts: list[ir.Value]) -> Any:
        """What handlers see of a value, from its parts."""
        return SharedView(parts[0], tuple(parts[1:])) if isinstance(type, MemDescType) else parts[0]

    @staticmethod
    def flatten(value: Any) -> list[ir.Value]:
        """The parts of what handlers see."""
        return [value.base, *value.offsets] if isinstance(value, SharedView) else [value]
