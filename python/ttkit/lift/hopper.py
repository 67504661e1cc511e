"""Since sm_90: wgmma, copies by TMA, barriers that count bytes, fences."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.dialects._tt_enums import DescriptorReduceKind
from ttkit.lift.newer import cache_policy, routing
from ttkit.lift.registry import writes
from ttkit.lift.tensors import PRECISIONS, imprecise
from ttkit.lift.values import condition, refuse

_HOPPER = "gl.nvidia.hopper"
_TMA = f"{_HOPPER}.tma"


@writes("ttng.warp_group_dot")
def product(writer: Any, op: Any) -> str:
    """A product; one that is not waited for gives an accumulator, see `pending.py`."""
    text = ", ".join(map(writer.ref, list(op.operands)[:3]))
    text += condition(writer, "use_acc", list(op.operands)[3:])
    precision = PRECISIONS[writer.integer(op, "inputPrecision", 2)]
    if precision != "tf32":
        text += f', precision="{precision}"'
    text += imprecise(writer, op)
    if "isAsync" in op.attributes and ir.BoolAttr(op.attributes["isAsync"]).value:
        text += ", is_async=True"
    return f"{_HOPPER}.warpgroup_mma({text})"


@writes("ttng.warp_group_dot_wait")
def wait(writer: Any, op: Any) -> str:
    """Waiting for products."""
    deps = ", ".join(map(writer.ref, op.operands))
    return f"{_HOPPER}.warpgroup_mma_wait({writer.integer(op, 'pendings')}, deps=[{deps}])"


@writes("ttng.fence_async_shared")
def fence(writer: Any, op: Any) -> None:
    """A fence between threads and asynchronous units."""
    cluster = "cluster=True" if ir.BoolAttr(op.attributes["bCluster"]).value else ""
    writer.line(f"{_HOPPER}.fence_async_shared({cluster})")


@writes("ttng.barrier_expect")
def expect(writer: Any, op: Any) -> None:
    """An arrival that announces bytes."""
    barrier, *predicate = op.operands
    size = writer.integer(op, "size")
    options = condition(writer, "pred", predicate) + routing(writer, op)
    writer.line(f"{_HOPPER}.mbarrier.expect({writer.ref(barrier)}, {size}{options})")


@writes("ttng.cluster_arrive", "ttng.cluster_wait", "ttng.cluster_barrier", "ttng.fence_mbarrier_init_release_cluster")
def cluster(writer: Any, op: Any) -> None:
    """Barriers of a cluster."""
    if op.name == "ttng.fence_mbarrier_init_release_cluster":
        writer.line(f"{_HOPPER}.mbarrier.fence_init_release_cluster()")
        return
    relaxed = "relaxed" in op.attributes and str(op.attributes["relaxed"]) != "false"
    name = op.name.removeprefix("ttng.cluster_")
    writer.line(f"{_HOPPER}.cluster.{name}({'relaxed=True' if relaxed else ''})")


# --- Copies by TMA ---------------------------------------------------------------------------------------------------
def _place(writer: Any, coordinates: Any) -> str:
    return f"[{', '.join(map(writer.literal_or_ref, coordinates))}]"


@writes("ttng.async_tma_copy_global_to_local")
def copy_in(writer: Any, op: Any) -> None:
    """A block to a buffer."""
    source, *places, barrier, buffer, predicate = op.operands
    if writer.integer(op, "cache", 1) != 1 or writer.integer(op, "evict", 1) != 1:
        refuse(op, "copies by TMA have no options of the cache")
    coordinates = [place for place in places if str(place.type) == "i32"]
    offsets = places[len(coordinates) :]
    arguments = [writer.ref(source), _place(writer, coordinates), writer.ref(barrier), writer.ref(buffer)]
    if offsets:
        arguments.insert(2, _place(writer, offsets))
    options = condition(writer, "pred", [predicate])
    options += (", multicast=True" if "multicast" in op.attributes else "") + cache_policy(op)
    name = "async_load_im2col" if offsets else "async_load"
    writer.line(f"{_TMA}.{name}({', '.join(arguments)}{options})")


@writes("ttng.async_tma_copy_local_to_global", "ttng.async_tma_reduce")
def copy_out(writer: Any, op: Any) -> None:
    """A buffer to a block, or combined with one."""
    target, *coordinates, buffer = op.operands
    name = "async_store"
    if op.name == "ttng.async_tma_reduce":
        name = f"async_atomic_{DescriptorReduceKind(writer.integer(op, 'kind')).name.lower()}"
        if name.endswith(("inc", "dec")):
            refuse(op, "there is no such reduction")
    arguments = f"{writer.ref(target)}, {_place(writer, coordinates)}, {writer.ref(buffer)}"
    writer.line(f"{_TMA}.{name}({arguments}{cache_policy(op)})")


@writes("ttng.async_tma_gather")
def gather(writer: Any, op: Any) -> None:
    """Rows to a buffer."""
    source, rows, column, barrier, buffer, predicate = op.operands
    arguments = [
        writer.ref(source),
        writer.ref(rows),
        writer.literal_or_ref(column),
        *map(writer.ref, (barrier, buffer)),
    ]
    text = ", ".join(arguments) + condition(writer, "pred", [predicate])
    text += (", multicast=True" if "multicast" in op.attributes else "") + cache_policy(op)
    writer.line(f"gl.nvidia.blackwell.tma.async_gather({text})")


@writes("ttng.async_tma_scatter")
def scatter(writer: Any, op: Any) -> None:
    """A buffer to rows."""
    target, rows, column, buffer = op.operands
    arguments = [writer.ref(target), writer.ref(rows), writer.literal_or_ref(column), writer.ref(buffer)]
    writer.line(f"gl.nvidia.blackwell.tma.async_scatter({', '.join(arguments)}{cache_policy(op)})")


@writes("ttng.async_tma_store_wait")
def store_wait(writer: Any, op: Any) -> None:
    """Waiting for copies to global memory."""
    written = "read_only" in op.attributes and not ir.BoolAttr(op.attributes["read_only"]).value
    writer.line(f"{_TMA}.store_wait({writer.integer(op, 'pendings')}{', read_only=False' if written else ''})")
