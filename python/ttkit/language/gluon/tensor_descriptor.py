"""Tensor descriptors whose blocks have a layout in shared memory.

Ops: dialects/ttng/tma_ops.td
"""

from __future__ import annotations

from math import prod
from typing import Any

import ttkit.language.descriptor as tile_language
from ttkit.language.base import base_value
from ttkit.language.constexpr import constexpr
from ttkit.language.errors import UnknownType
from ttkit.language.tuples import tuple, tuple_type
from ttkit.language.types import block_type, int32, int64
from ttkit.layout.gluon.base import frozen
from ttkit.layout.gluon.from_text import layout_of_text
from ttkit.layout.gluon.shared_layouts import NVMMASharedLayout
from ttkit.layout.tile import part_of_block


class tensor_descriptor_type(tile_language.tensor_descriptor_type):
    """The type of a descriptor of blocks of `block_type`, which have a layout in shared memory.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [8, 32], shared)
        >>> isinstance(tensor.type, tma.tensor_descriptor_type), tensor.type.layout == shared
        (True, True)
    """

    is_im2col = False

    def __init__(self, block_type: block_type, shape_type: Any, strides_type: Any, layout: NVMMASharedLayout) -> None:
        super().__init__(block_type, shape_type, strides_type)
        self.layout = layout

    @property
    def ir(self) -> str:
        """The type in the IR."""
        return tile_language.descriptor_ir(self.block_type, self.layout.text, self.is_im2col)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and super().__eq__(other) and self.layout == getattr(other, "layout", None)

    def __hash__(self) -> int:
        return hash((self.block_type, self.layout, self.is_im2col))

    def __str__(self) -> str:
        return f"{self._value_class.__name__}<{self.block_type}, {self.layout}>"

    __repr__ = __str__

    @property
    def nbytes_per_cta(self) -> int:
        """Bytes of the part of a block that one CTA of a cluster copies."""
        sizes = part_of_block(self.block_type.shape, frozen(self.layout.cga_layout))
        return prod(sizes) * self.block_type.element_ty.primitive_bitwidth // 8

    def mangle(self) -> str:
        """Block and layout."""
        kind = "TDI" if self.is_im2col else "TD"
        return f"{kind}{self.block_type.mangle()}_{self.layout.mangle()}TD"

    @property
    def _value_class(self) -> Any:
        return tensor_descriptor

    def _unflatten_ir(self, handles: Any, cursor: int) -> Any:
        handle = handles[cursor]
        shape, cursor = self.shape_type._unflatten_ir(handles, cursor + 1)
        strides, cursor = self.strides_type._unflatten_ir(handles, cursor)
        return self._value_class(handle, shape.values, strides.values, self.block_type, self.layout), cursor


class tensor_descriptor_im2col_type(tensor_descriptor_type):
    """The type of a descriptor of images, whose blocks are pixels with channels.

    Example:
        >>> @gluon.jit
        ... def rank_of_images(images):
        ...     gl.static_assert(isinstance(images.type, tma.tensor_descriptor_im2col_type))
        ...     gl.static_print(len(images.shape))
        >>> kind = f"tensordesc_im2col<fp16[32, 64],input_rank=4,{gl.NVMMASharedLayout(128, 16, 2)!r}>"
        >>> with ttkit.Context():
        ...     made = ttkit.ASTSource(rank_of_images, {"images": kind}).make_ir(ttkit.GPUTarget("cuda", 90, 32))
        4
    """

    is_im2col = True

    @property
    def _value_class(self) -> Any:
        return tensor_descriptor_im2col


class described_blocks(base_value):
    """A tensor in global memory that TMA copies in blocks.

    Attributes:
        shape, strides: of the tensor, in elements, int32 and int64.
        block_type, block_shape, dtype: of a block.
        layout: of a block in shared memory.
    """

    type_class: Any

    def __init__(
        self, handle: Any, shape: Any, strides: Any, block_type: block_type, layout: NVMMASharedLayout
    ) -> None:
        self.handle = handle
        self.shape = tuple(shape)
        self.strides = tuple(strides)
        self.type = self.type_class(block_type, self.shape.type, self.strides.type, layout)

    def _flatten_ir(self, handles: list[Any]) -> None:
        handles.append(self.handle)
        self.shape._flatten_ir(handles)
        self.strides._flatten_ir(handles)

    @property
    def block_type(self) -> block_type:
        """Shape and element type of a block."""
        found: block_type = self.type.block_type
        return found

    @property
    def block_shape(self) -> Any:
        """Sizes of a block, in elements, as constexprs."""
        return tuple([constexpr(size) for size in self.type.block_type.shape])

    @property
    def dtype(self) -> Any:
        """Type of an element."""
        return self.type.block_type.element_ty

    @property
    def nbytes_per_cta(self) -> int:
        """Bytes of the part of a block that one CTA of a cluster copies, such as for `mbarrier.expect`."""
        found: int = self.type.nbytes_per_cta
        return found

    @property
    def layout(self) -> NVMMASharedLayout:
        """The layout of a block in shared memory."""
        found: NVMMASharedLayout = self.type.layout
        return found

    def __str__(self) -> str:
        return str(self.type)

    __repr__ = __str__


class tensor_descriptor(described_blocks):
    """A tensor in global memory that TMA copies in blocks, see `described_blocks`.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([8, 32], gl.float32)
        >>> matrix = np.arange(1024, dtype=np.float32).reshape(32, 32)
        >>> tensor = tma.make_tensor_descriptor(pointer(matrix), [32, 32], [32, 1], [8, 32], shared)
        >>> tensor.shape[0], tensor.strides[0], tensor.layout == shared
        (int32[] 32, int64[] 32, True)
    """

    type_class = tensor_descriptor_type


class tensor_descriptor_im2col(described_blocks):
    """A tensor of images, whose pixels TMA copies one after the other with some channels of each.

    `block_shape` is pixels and channels; `shape` and `strides` are those of the tensor, of rank 3 to 5.

    Example:
        >>> @gluon.jit
        ... def bytes_of_pixels(images):
        ...     gl.static_assert(isinstance(images, tma.tensor_descriptor_im2col))
        ...     gl.static_print(images.block_shape, images.nbytes_per_cta)
        >>> kind = f"tensordesc_im2col<fp16[32, 64],input_rank=4,{gl.NVMMASharedLayout(128, 16, 2)!r}>"
        >>> with ttkit.Context():
        ...     made = ttkit.ASTSource(bytes_of_pixels, {"images": kind}).make_ir(ttkit.GPUTarget("cuda", 90, 32))
        ['32', '64'] 4096
    """

    type_class = tensor_descriptor_im2col_type


def spelled_type(block: block_type, layout: str, image_rank: int = 0) -> tensor_descriptor_type:
    """The type that a signature spells "tensordesc<fp16[64, 64],NVMMASharedLayout(...)>", or of images
    "tensordesc_im2col<fp16[64, 64],input_rank=4,NVMMASharedLayout(...)>".

    Args:
        layout: text of the layout, as its repr.
        image_rank: dimensions of a tensor of images; 0 for other descriptors.

    Raises:
        UnknownType: not such a layout.
    """
    try:
        found = layout_of_text(layout)
    except ValueError as error:
        raise UnknownType(function="signature", reason=f"Type of a tensor descriptor: {error}") from None
    if not isinstance(found, NVMMASharedLayout):
        reason = f"Type of a tensor descriptor: TMA reads and writes blocks in an NVMMASharedLayout, found {found}"
        raise UnknownType(function="signature", reason=reason)
    rank = image_rank or len(block.shape)
    kind = tensor_descriptor_im2col_type if image_rank else tensor_descriptor_type
    return kind(block, tuple_type([int32] * rank), tuple_type([int64] * rank), found)
