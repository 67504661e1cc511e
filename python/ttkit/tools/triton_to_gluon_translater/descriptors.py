"""Accesses of translated kernels through descriptors, by TMA."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import ttkit.language as tl
from ttkit.language import gluon as ttgl
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import Unsupported
from ttkit.language.gluon.nvidia.blackwell.tma import async_gather, async_scatter
from ttkit.language.gluon.nvidia.hopper import fence_async_shared, mbarrier, tma
from ttkit.language.gluon.tensor_descriptor import tensor_descriptor
from ttkit.language.tensor import tensor
from ttkit.runtime.gluon_descriptor import TensorDescriptor
from ttkit.tools.triton_to_gluon_translater.block_pointers import BlockPointer, tl_advance, tl_load, tl_store
from ttkit.tools.triton_to_gluon_translater.default_layouts import default, reset_to_default_layout, same_in_all_ctas


@builtin
def tl_make_tensor_descriptor(
    base: Any, shape: Any, strides: Any, block_shape: Any, padding_option: Any = "zero"
) -> Any:
    """`tl.make_tensor_descriptor`."""
    sizes = [unwrap(size) for size in block_shape]
    layout = layout_of_block(sizes, base.dtype.element_ty)
    return tma.make_tensor_descriptor(base, shape, strides, block_shape, layout, padding_option)


@builtin
def tl_obj_load(obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.load(...)`: a block of a descriptor by TMA; of other values their own method."""
    if isinstance(obj, (BlockPointer, tensor)):
        return tl_load(obj, *arguments, **named)
    if not isinstance(obj, tensor_descriptor):
        return reset_to_default_layout(obj.load(*arguments, **named))
    return tl_load_tensor_descriptor(obj, *arguments, *named.values())


@builtin
def tl_load_tensor_descriptor(obj: Any, offsets: Any) -> Any:
    """`tl.load_tensor_descriptor`."""
    tile = ttgl.allocate_shared_memory(obj.dtype, obj.block_shape, obj.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, obj.nbytes_per_cta)
    tma.async_copy_global_to_shared(obj, offsets, bar, tile)
    mbarrier.wait(bar, 0, deps=[tile])
    mbarrier.invalidate(bar)
    return tile.load(default(obj.block_shape))


@builtin
def tl_obj_store(obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.store(...)`, likewise."""
    if isinstance(obj, (BlockPointer, tensor)):
        return tl_store(obj, *arguments, **named)
    if not isinstance(obj, tensor_descriptor):
        return obj.store(*arguments, **named)
    return tl_store_tensor_descriptor(obj, *arguments, *named.values())


@builtin
def tl_store_tensor_descriptor(obj: Any, offsets: Any, value: Any) -> Any:
    """`tl.store_tensor_descriptor`."""
    _from_tile(tma.async_copy_shared_to_global, obj, offsets, value)


@builtin
def tl_obj_atomic(method: Any, obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.atomic_add(...)` and others, likewise."""
    name = str(unwrap(method))
    if not isinstance(obj, tensor_descriptor):
        return reset_to_default_layout(getattr(obj, name)(*arguments, **named))
    offsets, value = [*arguments, *named.values()]
    _from_tile(getattr(tma, f"async_{name}"), obj, offsets, value)
    return None


def _from_tile(copy: Any, obj: Any, offsets: Any, value: Any) -> None:
    """Writes a tensor to shared memory, and from there by TMA."""
    tile = ttgl.allocate_shared_memory(obj.dtype, obj.block_shape, obj.layout, value.to(obj.dtype))
    fence_async_shared()
    copy(obj, offsets, tile)
    tma.store_wait(0)
    tile._keep_alive()


@builtin
def tl_obj_advance(obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.advance(...)`: of block pointers; of other values their own method."""
    if isinstance(obj, BlockPointer):
        return tl_advance(obj, *arguments, **named)
    return reset_to_default_layout(obj.advance(*arguments, **named))


@builtin
def tl_obj_gather(obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.gather(...)`: of tensors; of descriptors, rows of a matrix by TMA, which begins with sm_100."""
    if not isinstance(obj, tensor_descriptor):
        return reset_to_default_layout(obj.gather(*arguments, **named))
    rows, column = [*arguments, *named.values()]
    shape = [unwrap(rows.type.shape[0]), unwrap(obj.block_shape[1])]
    tile = ttgl.allocate_shared_memory(obj.dtype, shape, obj.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, shape[0] * shape[1] * obj.dtype.primitive_bitwidth // 8)
    async_gather(obj, _rows(rows), column, bar, tile)
    mbarrier.wait(bar, 0, deps=[tile])
    mbarrier.invalidate(bar)
    return tile.load(default(shape))


@builtin
def tl_obj_scatter(obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.scatter(...)`, likewise."""
    if not isinstance(obj, tensor_descriptor):
        return obj.scatter(*arguments, **named)
    value, rows, column = [*arguments, *named.values()]
    _from_tile(lambda desc, _, tile: async_scatter(desc, _rows(rows), column, tile), obj, None, value)
    return None


def _rows(rows: Any) -> Any:
    """Numbers of rows in a layout where each warp has all of them, four a thread."""
    _refuse_before_sm_100()
    warps = unwrap(ttgl.num_warps())
    parent = ttgl.BlockedLayout([1, 4], [32, 1], [1, warps], [1, 0], same_in_all_ctas(2))
    return ttgl.convert_layout(rows, ttgl.SliceLayout(0, parent))


def _refuse_before_sm_100() -> None:
    target = builder().unit.options.target
    if not target.has_tma_gathers:
        reason = f"sm_{target.capability} has no copies of chosen rows by TMA, which begin with sm_100"
        raise Unsupported(function="translation to Gluon", reason=reason, advice="load the rows by pointers")


def layout_of_block(sizes: Any, dtype: Any, num_ctas: int | None = None) -> Any:
    """The layout in shared memory of blocks of a descriptor: the default one, and the same in all CTAs."""
    bases = same_in_all_ctas(len(sizes), num_ctas)
    found = ttgl.NVMMASharedLayout.get_default_for(sizes, dtype)
    return replace(found, cga_layout=bases) if bases else found


def convert_host_descriptor(desc: Any, num_ctas: int = 1) -> TensorDescriptor:
    """A descriptor of the tile language, made on the host, as one for the translated kernel.

    Args:
        num_ctas: with which the kernel is launched.
    """
    names = {"float16": "float16", "bfloat16": "bfloat16", "float32": "float32", "float64": "float64"}
    found = str(desc.base.dtype).rpartition(".")[2]
    element = getattr(tl, names.get(found, found))
    layout = layout_of_block(list(desc.block_shape), element, num_ctas)
    return TensorDescriptor(desc.base, desc.shape, desc.strides, desc.block_shape, layout, desc.padding)
