"""The types of ttg as Python classes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mlir import ir

from ttkit.dialects._layouts import attribute
from ttkit.dialects._type_base import (
    LIBRARY,
    DialectType,
    attribute_at,
    attribute_pointer,
    context_pointer,
    int64_array,
    type_at,
    type_pointer,
)

if TYPE_CHECKING:
    from ttkit.layout.encodings import Layout


class AsyncTokenType(DialectType, type_name="ttg.async.token"):
    """`!ttg.async.token`: ties an asynchronous operation to those that wait for it."""

    @classmethod
    def get(cls, context: ir.Context | None = None) -> "AsyncTokenType":
        """The token type of `context`, by default of the current one.

        Raises:
            ValueError: there is no context.
        """
        context = context or ir.Context.current
        if context is None:
            raise ValueError("no context given, and none is current")
        return type_at(LIBRARY.ttkitAsyncTokenTypeGet(context_pointer(context)))


class MemDescType(DialectType, type_name="ttg.memdesc"):
    """`!ttg.memdesc<shape x element, layout, space>`: a view of a tensor in shared or tensor memory."""

    @classmethod
    def get(
        cls,
        shape: Sequence[int],
        element_type: ir.Type,
        encoding: "ir.Attribute | Layout",
        memory_space: ir.Attribute | None = None,
        mutable: bool = False,
        alloc_shape: Sequence[int] | None = None,
    ) -> "MemDescType":
        """The descriptor type.

        Args:
            shape: elements per dimension of the view.
            encoding: the layout, as an attribute or as a `ttkit.layout` value.
            memory_space: by default `#ttg.shared_memory`, or `#ttng.tensor_memory` if `encoding` is one of its layouts.
            mutable: whether the memory may be written after its allocation.
            alloc_shape: elements per dimension of the allocation that is viewed; by default `shape`.

        Raises:
            ir.MLIRError: the parts do not fit together.
        """
        context = element_type.context
        if not isinstance(encoding, ir.Attribute):
            encoding = attribute(encoding, context)
        if memory_space is None:
            in_tensor_memory = str(encoding).startswith("#ttng.tensor_memory")
            space = "#ttng.tensor_memory" if in_tensor_memory else "#ttg.shared_memory"
            memory_space = ir.Attribute.parse(space, context)
        whole = list(shape if alloc_shape is None else alloc_shape)
        pointer = LIBRARY.ttkitMemDescTypeGet(
            *(len(shape), int64_array(shape), type_pointer(element_type), attribute_pointer(encoding)),
            *(attribute_pointer(memory_space), mutable, len(whole), int64_array(whole)),
        )

        def text() -> str:
            """The type as the IR has it; the shape of the whole allocation is left out if it is the view's."""
            parts = [f"{_dimensions(shape)}x{element_type}", str(encoding), str(memory_space)]
            parts += ["mutable"] * mutable + [_dimensions(whole)] * (whole != list(shape))
            return f"!ttg.memdesc<{', '.join(parts)}>"

        return cls._made(pointer, text, context)

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return LIBRARY.ttkitMemDescTypeGetRank(type_pointer(self))

    @property
    def shape(self) -> list[int]:
        """Elements along each dimension."""
        pointer = type_pointer(self)
        return LIBRARY.ttkitMemDescTypeGetShape(pointer)[: LIBRARY.ttkitMemDescTypeGetRank(pointer)]

    @property
    def alloc_shape(self) -> list[int]:
        """Elements along each dimension of the buffer that this is a view of."""
        pointer = type_pointer(self)
        return LIBRARY.ttkitMemDescTypeGetAllocShape(pointer)[: LIBRARY.ttkitMemDescTypeGetAllocRank(pointer)]

    @property
    def element_type(self) -> ir.Type:
        """The type of an element."""
        return type_at(LIBRARY.ttkitMemDescTypeGetElementType(type_pointer(self)))

    @property
    def encoding(self) -> ir.Attribute:
        """The layout attribute."""
        return attribute_at(LIBRARY.ttkitMemDescTypeGetEncoding(type_pointer(self)))

    @property
    def memory_space(self) -> ir.Attribute:
        """`#ttg.shared_memory` or `#ttng.tensor_memory`."""
        return attribute_at(LIBRARY.ttkitMemDescTypeGetMemorySpace(type_pointer(self)))

    @property
    def mutable(self) -> bool:
        """Whether it may be written after it was made."""
        return LIBRARY.ttkitMemDescTypeIsMutable(type_pointer(self))


def _dimensions(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape))
