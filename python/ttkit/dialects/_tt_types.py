"""The types of tt as Python classes."""

from mlir import ir

from ttkit.dialects._type_base import LIBRARY, DialectType, type_at, type_pointer


class PointerType(DialectType, type_name="tt.ptr"):
    """`!tt.ptr<pointee, address_space>`: the address of a scalar, or, if the pointee is a tensor, of a block of one."""

    @classmethod
    def get(cls, pointee_type: ir.Type, address_space: int = 1) -> "PointerType":
        """The pointer type; address space 1 is global memory, 3 shared memory.

        Raises:
            ir.MLIRError: nothing can point to such a type.
        """
        pointer = LIBRARY.ttkitPointerTypeGet(type_pointer(pointee_type), address_space)
        return cls._made(pointer, lambda: f"!tt.ptr<{pointee_type}, {address_space}>", pointee_type.context)

    @property
    def pointee_type(self) -> ir.Type:
        """The type that it points to."""
        return type_at(LIBRARY.ttkitPointerTypeGetPointee(type_pointer(self)))

    @property
    def address_space(self) -> int:
        """The number of the memory: 1 global, 3 shared."""
        return LIBRARY.ttkitPointerTypeGetAddressSpace(type_pointer(self))


class TensorDescType(DialectType, type_name="tt.tensordesc"):
    """`!tt.tensordesc<block>`: the descriptor of a tensor in global memory that is read and written in such blocks."""

    @classmethod
    def get(cls, block_type: ir.RankedTensorType, is_im2col: bool = False) -> "TensorDescType":
        """The descriptor type.

        Args:
            is_im2col: whether it is of images, whose blocks are pixels with channels.

        Raises:
            ir.MLIRError: `block_type` is no ranked tensor.
        """
        pointer = LIBRARY.ttkitTensorDescTypeGet(type_pointer(block_type), is_im2col)
        flag = ", im2col" if is_im2col else ""
        return cls._made(pointer, lambda: f"!tt.tensordesc<{block_type}{flag}>", block_type.context)

    @property
    def is_im2col(self) -> bool:
        """Whether it is the descriptor of images."""
        return bool(LIBRARY.ttkitTensorDescTypeIsIm2col(type_pointer(self)))

    @property
    def block_type(self) -> ir.RankedTensorType:
        """The tensor that one access moves, with its layout in shared memory if it has one."""
        return type_at(LIBRARY.ttkitTensorDescTypeGetBlockType(type_pointer(self)))
