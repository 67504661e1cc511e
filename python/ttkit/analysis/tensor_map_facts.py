"""Facts for the launcher, which encodes the tensor maps of a kernel's tensor descriptors.

They follow from the type of each descriptor in ttg, which has the layout of its blocks in shared memory: the swizzling
of TMA, the size and the kind of elements, and the box of one copy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Bytes of a row in which vectors are permuted -> CUtensorMapSwizzle.
_SWIZZLE = {0: 0, 32: 1, 64: 2, 128: 3}


def tensor_maps(parameters: Iterable[Any]) -> list[dict[str, Any] | None]:
    """For each tensor descriptor among a kernel's parameters the facts for its tensor map, by Triton's names.

    A descriptor without a layout has None.  The list is empty if no descriptor has a layout, as in tt.

    Args:
        parameters: the types of the parameters.

    Raises:
        ValueError: a block is narrower than its swizzling.
    """
    found = [tensor_map(kind) for kind in parameters if str(kind).startswith("!tt.tensordesc")]
    return found if any(one is not None for one in found) else []


def tensor_map(kind: Any) -> dict[str, Any] | None:
    """The facts for the tensor map of a descriptor's type.

    Raises:
        ValueError: rows of the block are narrower than its swizzling.
    """
    from ttkit.dialects._layouts import layout_of
    from ttkit.layout.encodings import NvmmaShared
    from ttkit.layout.shared_to_linear import im2col_block_shape, tma_block_shape
    from ttkit.layout.tensor_map import element_type
    from ttkit.layout.tile import part_of_cta

    layout = layout_of(kind)
    if not isinstance(layout, NvmmaShared):
        return None
    block = kind.block_type
    part = part_of_cta(block.shape, layout.cga_layout)
    box = im2col_block_shape(layout, tuple(part)) if kind.is_im2col else tma_block_shape(layout, tuple(part))
    if box is None:
        raise ValueError(f"TMA can't move blocks of {kind}: they are narrower than the swizzling")
    element = block.element_type
    im2col = {"is_im2col": True} if kind.is_im2col else {}
    return {
        **im2col,
        "swizzle": _SWIZZLE[layout.swizzling_byte_width],
        "elem_size": element.width // 8,
        "elem_type": element_type(str(element), element.width, layout.fp4_padded),
        "block_size": list(box),
        "fp4_padded": layout.fp4_padded,
    }
