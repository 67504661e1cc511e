"""Buffers in shared memory, copies in the background, barriers."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.dialects import ttg
from ttkit.lift.newer import routing
from ttkit.lift.registry import writes
from ttkit.lift.tensors import options
from ttkit.lift.values import constant_of, element_text, refuse

_COPY = "gl.nvidia.ampere.async_copy"
_BARRIER = "gl.nvidia.ampere.mbarrier"


def described(value: ir.Value) -> Any:
    """The type of a buffer."""
    return ttg.MemDescType(value.type)


@writes("ttg.local_alloc")
def allocate(writer: Any, op: Any) -> str:
    """A buffer."""
    type = described(op.result)
    element, layout = element_text(type.element_type), writer.layout(op.result)
    value = "".join(f", {writer.ref(each)}" for each in op.operands)
    return f"gl.allocate_shared_memory({element}, {list(type.shape)}, {layout}{value})"


@writes("ttg.local_dealloc")
def keep_alive(writer: Any, op: Any) -> None:
    """The end of a buffer."""
    writer.line(f"{writer.ref(op.operands[0])}._keep_alive()")


@writes("ttg.local_load")
def load(writer: Any, op: Any) -> str:
    """Loads."""
    return f"{writer.ref(op.operands[0])}.load({writer.layout(op.result)})"


@writes("ttg.local_store")
def store(writer: Any, op: Any) -> None:
    """Stores."""
    value, buffer = map(writer.ref, op.operands)
    writer.line(f"{buffer}.store({value})")


@writes("ttg.memdesc_index")
def index(writer: Any, op: Any) -> str:
    """A part by its index."""
    buffer, number = op.operands
    return f"{writer.ref(buffer)}.index({writer.literal_or_ref(number)})"


@writes("ttg.memdesc_subslice")
def subslice(writer: Any, op: Any) -> str:
    """A part along one dimension."""
    offsets = list(ir.DenseI32ArrayAttr(op.attributes["offsets"]))
    source, shape = described(op.operands[0]).shape, described(op.result).shape
    dims = [dim for dim, offset in enumerate(offsets) if offset or source[dim] != shape[dim]] or [0]
    if len(dims) != 1:
        refuse(op, "a slice in Gluon is along one dimension")
    dim = dims[0]
    return f"{writer.ref(op.operands[0])}.slice({offsets[dim]}, {shape[dim]}, dim={dim})"


@writes("ttg.memdesc_trans")
def permute(writer: Any, op: Any) -> str:
    """Dimensions in another order."""
    return f"{writer.ref(op.operands[0])}.permute({list(ir.DenseI32ArrayAttr(op.attributes['order']))})"


@writes("ttg.memdesc_reshape")
def reshape(writer: Any, op: Any) -> str:
    """Another shape."""
    return f"{writer.ref(op.operands[0])}.reshape({list(described(op.result).shape)})"


@writes("ttg.memdesc_reinterpret")
def reinterpret(writer: Any, op: Any) -> str:
    """The same bytes as another type."""
    type = described(op.result)
    text = f"{element_text(type.element_type)}, {list(type.shape)}, {writer.layout(op.result)}"
    return f"{writer.ref(op.operands[0])}._reinterpret({text})"


@writes("ttg.async_copy_global_to_local")
def copy(writer: Any, op: Any) -> None:
    """A copy; what is masked off becomes zero, as of copies without `other`."""
    _, _, masks, others = writer.segments(op)
    operands = list(op.operands)
    if others and constant_of(operands[-1]) != 0:
        refuse(op, "masked elements of a copy become zero")
    masked = f", mask={writer.ref(operands[2])}" if masks else ""
    arguments = f"{writer.ref(operands[1])}, {writer.ref(operands[0])}{masked}{options(writer, op)}"
    writer.line(f"{_COPY}.async_load({arguments})")


@writes("ttg.async_commit_group")
def commit(writer: Any, op: Any) -> None:
    """A group of copies."""
    writer.line(f"{_COPY}.commit_group()")


@writes("ttg.async_wait")
def wait(writer: Any, op: Any) -> None:
    """Waiting for groups of copies."""
    writer.line(f"{_COPY}.wait_group({writer.integer(op, 'num')})")


@writes("ttng.init_barrier")
def init_barrier(writer: Any, op: Any) -> None:
    """A barrier's beginning."""
    writer.line(f"{_BARRIER}.init({writer.ref(op.operands[0])}, count={writer.integer(op, 'count')})")


@writes("ttng.inval_barrier")
def invalidate(writer: Any, op: Any) -> None:
    """A barrier's end."""
    writer.line(f"{_BARRIER}.invalidate({writer.ref(op.operands[0])})")


@writes("ttng.wait_barrier")
def wait_barrier(writer: Any, op: Any) -> None:
    """Waiting for a phase."""
    _, _, predicates, deps = writer.segments(op)
    operands = list(op.operands)
    text = f"{writer.ref(operands[0])}, {writer.literal_or_ref(operands[1])}"
    if predicates and constant_of(operands[2]) is not True:
        text += f", pred={writer.ref(operands[2])}"
    if deps:
        text += f", deps=[{', '.join(map(writer.ref, operands[2 + predicates :]))}]"
    writer.line(f"{_BARRIER}.wait({text})")


@writes("ttng.arrive_barrier")
def arrive(writer: Any, op: Any) -> None:
    """Arrivals."""
    barrier, *predicate = op.operands
    count = writer.integer(op, "count")
    options = "" if not predicate or constant_of(predicate[0]) is True else f", pred={writer.ref(predicate[0])}"
    options += routing(writer, op)
    if count == 1:
        writer.line(f"{_BARRIER}.arrive({writer.ref(barrier)}{options})")
    else:
        writer.line(f"gl.nvidia.hopper.mbarrier.arrive({writer.ref(barrier)}, count={count}{options})")


@writes("ttng.async_copy_mbarrier_arrive")
def copies_arrive(writer: Any, op: Any) -> None:
    """An arrival once copies have ended."""
    option = ", increment_count=False" if "noIncrement" in op.attributes else ""
    writer.line(f"{_COPY}.mbarrier_arrive({writer.ref(op.operands[0])}{option})")
