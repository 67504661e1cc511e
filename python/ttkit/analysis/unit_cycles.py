"""Cycles that one iteration of a loop keeps each unit of a multiprocessor busy, at the unit's peak rate.

    unit_cycles(loop, Target(90))        # Units(tensor=512, special=0, arithmetic=0, shared=640, l2=512)

It is the resource bound of modulo scheduling (Rau, "Iterative Modulo Scheduling", 1994): whatever order the operations
run in, and however many iterations overlap, the busiest unit needs so long.  What threads do one after the other, and
the latency of what an iteration takes from the one before it, are not in it.

The loop is in ttg: an element that several threads hold is computed as often.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from mlir import ir

from ttkit.analysis.scratch_sizes import linear
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import element_bits, module_with, stored_bits
from ttkit.layout.conversion_plan import Movement, plan_conversion
from ttkit.layout.distributed_encodings import NvidiaMma
from ttkit.layout.hardware import REGISTER_BITS, WGMMA_ROWS
from ttkit.layout.reduction import plan_reduction
from ttkit.module_attributes import NUM_CTAS, module_number
from ttkit.operation_sets import (
    ALL_DOTS,
    ALONG_AXIS,
    ASYNC_COPY,
    ASYNC_MMAS,
    ATOMICS,
    BLOCK_LOADS,
    CONVERT_LAYOUT,
    COPIES_TO_SHARED,
    DESCRIPTOR_LOADS,
    DESCRIPTOR_STORES,
    DOTS,
    LOADS,
    REGISTER_DOTS,
    SHARED_ACCESSES,
    TMA_LOADS,
    TMA_STORES,
    TMEM_LOAD,
    WGMMA,
)
from ttkit.target import Rates, Target

SPECIAL = {
    *(f"math.{name}" for name in ("exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "tanh")),
    *("arith.divf", "tt.precise_sqrt", "tt.precise_divf"),
}
"""Operations with one instruction of the special-function unit for each element, at least."""
FREE = {"arith.constant", "arith.bitcast", "arith.index_cast"}
SOURCES = (*LOADS, *ATOMICS, *ALONG_AXIS, *REGISTER_DOTS, "ttg.local_load", TMEM_LOAD)
"""Operations whose integers come from data."""
SCALED_KINDS = {"tt.dot_scaled": "{}_elem_type", "ttng.tc_gen5_mma_scaled": "{}_type"}
"""Name of a dot with block scales -> its attribute with the format of an operand; "e2m1" has two in a byte."""
SHUFFLED_BYTES = 4
"""Bytes that a lane sends in a shuffle, through the crossbar of shared memory."""


class Units(NamedTuple):
    """Cycles of each unit: an iteration of one program, each CTA of which has a multiprocessor of its own.

    tensor: tensor cores.  special: exponentials, logarithms, roots, reciprocals, sines.  arithmetic: all other
    instructions on elements of tensors.  shared: shared memory, with the operands that dots read there.
    l2: loads and stores of global memory, if the L2 cache holds them.
    """

    tensor: float = 0.0
    special: float = 0.0
    arithmetic: float = 0.0
    shared: float = 0.0
    l2: float = 0.0

    def named(self) -> tuple[tuple[str, float], ...]:
        """The units that have work, with their cycles; the busiest first."""
        return tuple(sorted(((name, one) for name, one in zip(NAMES, self) if one), key=lambda unit: -unit[1]))


NAMES = ("tensor cores", "special functions", "arithmetic", "shared memory", "L2 cache")


def unit_cycles(loop: ir.Operation, target: Target) -> Units:
    """The cycles of an iteration of a loop; of branches, those of the longer one.

    Args:
        loop: in ttg, with layouts, and without loops inside.

    Raises:
        UnsuitableShape: a tensor has no layout.
    """
    ctas = module_number(module_with(loop, NUM_CTAS), NUM_CTAS, 1)
    return _Counted(target.rates, ctas).region(loop.regions[0])


def dot_cycles(dot: ir.Operation, rates: Rates, by_warps: bool = False) -> float:
    """Cycles of a dot operation in the tensor cores.

    by_warps: whether each warp computes by itself, by mma.sync, and not four together or one for all.
    """
    shape, bits = _shape(dot.operands[0]), element_bits(dot.operands[0].type.element_type)
    packed = [SCALED_KINDS[dot.name].format(side) for side in "ab"] if dot.name in SCALED_KINDS else []
    packed = [name for name in packed if "e2m1" in str(dot.attributes[name])]
    depth = shape[-1] * (2 if packed and packed[0].startswith("a") else 1)
    bits = 4 if len(packed) == 2 else bits
    rate = rates.tensor_doubles if bits == 64 else rates.tensor_bits / bits
    return math.prod(_shape(dot.operands[2])) * depth / rate / (rates.mma_sync if by_warps else 1)


class _Counted:
    """Counts operations in the order of the text.

    ctas: of the program, which divide its dots and its accesses to global memory.
    data: integers that do not follow from indices alone, since they are loaded or reduced.
    """

    def __init__(self, rates: Rates, ctas: int) -> None:
        self.rates, self.ctas = rates, ctas
        self.data: set[ir.Value] = set()

    def region(self, region: ir.Region) -> Units:
        """The cycles of all operations of a region."""
        return sum_of(self.operation(op.operation) for block in region.blocks for op in block.operations)

    def operation(self, op: ir.Operation) -> Units:
        """The cycles of an operation, with those inside."""
        if op.name in SOURCES or any(map(self.is_data, op.operands)):
            self.data.update(op.results)
        rates = self.rates
        if op.name in ALL_DOTS:
            return Units(*(cycles / self.ctas for cycles in _of_dot(op, rates)))
        if op.name in ALONG_AXIS:
            return _of_combination(op, rates)
        if op.regions:
            return Units(*map(max, zip(Units(), *map(self.region, op.regions))))
        if op.name in SHARED_ACCESSES:
            return Units(shared=sum(map(_held_bytes, _tensors(op))) / rates.shared_bytes)
        if op.name == CONVERT_LAYOUT:
            return _of_conversion(op, rates)
        if op.name in GLOBAL:
            moved = GLOBAL[op.name](op) / self.ctas
            in_shared = moved if op.name in (*COPIES_TO_SHARED, *TMA_STORES) else 0
            return Units(shared=in_shared / rates.shared_bytes, l2=moved / rates.l2_bytes)
        return self.elements(op)

    def elements(self, op: ir.Operation) -> Units:
        """One instruction for each element, or for each two of 16 bits.

        A product that is then added takes none of its own.  Neither do integers that follow from indices alone: they
        are addresses and masks, which differ by constants from one element to the next.
        """
        tensors = _tensors(op)
        if op.name in SPECIAL and tensors:
            return Units(special=_held_elements(op.results[0]) / self.rates.special)
        is_computed = op.name.startswith(("arith.", "math.")) and op.name not in FREE and tensors
        if not is_computed or not any(map(self.is_data, op.operands)) or _is_fused(op):
            return Units()
        return Units(arithmetic=max(map(_words, tensors)) / self.rates.arithmetic)

    def is_data(self, value: ir.Value) -> bool:
        """Whether a value is a float, or an integer of `data`."""
        type: Any = getattr(value.type, "element_type", value.type)
        return isinstance(type, ir.FloatType) or value in self.data


def sum_of(several: Iterable[Units]) -> Units:
    """The cycles of several pieces of work."""
    return Units(*map(sum, zip(Units(), *several)))


def _words(value: ir.Value) -> float:
    """Words of 32 bits of a tensor in registers; one for each of two predicates."""
    type: Any = value.type
    return _held_elements(value) * max(16, element_bits(type.element_type)) / REGISTER_BITS


def _is_fused(op: ir.Operation) -> bool:
    """Whether a product is part of a multiply-add."""
    users = [use.owner.name for use in op.results[0].uses]
    return op.name == "arith.mulf" and bool(users) and all(user in ("arith.addf", "arith.subf") for user in users)


def _of_dot(dot: ir.Operation, rates: Rates) -> Units:
    """Tensor cores, and shared memory for the operands there; without tensor cores the multiply-adds of threads."""
    if dot.name == "tt.dot" and not isinstance(layout_of(dot.result.type), NvidiaMma):
        depth = _shape(dot.operands[0])[-1]
        return Units(arithmetic=math.prod(_shape(dot.result)) * depth / rates.arithmetic)
    result = _shape(dot.operands[2])
    read = 0.0
    if dot.name in ASYNC_MMAS:
        a, b = dot.operands[0], dot.operands[1]
        repeated = max(1, result[0] // WGMMA_ROWS) if dot.name == WGMMA else 1
        read = sum(_bytes(one) * times for one, times in ((a, 1), (b, repeated)) if isinstance(one.type, MemDescType))
    return Units(tensor=dot_cycles(dot, rates, dot.name in DOTS), shared=read / rates.shared_bytes)


def _of_combination(op: ir.Operation, rates: Rates) -> Units:
    """A reduction or a scan: the region for each element of a thread, and shuffles between lanes.

    A scan combines twice as often.
    """
    (region,) = op.regions
    combined = sum(1 for one in region.blocks[0].operations if one.operation.name.startswith(("arith.", "math.")))
    source = op.operands[0]
    layout = linear(source.type)
    threads = layout.in_size("lane") * layout.in_size("warp")
    elements = _held_elements(source) * (2 if op.name == "tt.scan" else 1)
    plan = plan_reduction(layout, op.attributes["axis"].value)
    shuffles = sum(len(step.published) for step in plan.butterflies) * len(op.operands)
    return Units(
        arithmetic=combined * elements / rates.arithmetic,
        shared=shuffles * threads * SHUFFLED_BYTES / rates.shared_bytes,
    )


def _of_conversion(op: ir.Operation, rates: Rates) -> Units:
    """Through shared memory each element is written and read; between lanes it is sent once."""
    source, result = op.operands[0], op.result
    plan = plan_conversion(linear(source.type), linear(result.type))
    if plan.movement < Movement.LANES:
        return Units()
    moved = _held_bytes(result) + (_bytes(source) if plan.needs_shared_memory else 0)
    return Units(shared=moved / rates.shared_bytes)


def _tensors(op: ir.Operation) -> list[ir.Value]:
    """The tensors that an operation takes or gives."""
    return [value for value in (*op.operands, *op.results) if isinstance(value.type, ir.RankedTensorType)]


def _shape(value: ir.Value) -> list[int]:
    type: Any = value.type
    return list(type.shape)


def _bytes(value: ir.Value) -> int:
    """Bytes of a tensor, a buffer or a number, without copies; those of what pointers point to."""
    type: Any = value.type
    element = getattr(type, "element_type", type)
    return math.prod(getattr(type, "shape", ())) * stored_bits(getattr(element, "pointee_type", element)) // 8


def _held_elements(value: ir.Value) -> int:
    """Elements in the registers of all threads of a CTA, copies included."""
    layout = linear(value.type)
    return math.prod(layout.in_size(name) for name in ("register", "lane", "warp"))


def _held_bytes(value: ir.Value) -> int:
    type: Any = value.type
    return _held_elements(value) * stored_bits(type.element_type) // 8


def _loaded(op: ir.Operation) -> int:
    return _bytes(op.results[0])


def _stored(op: ir.Operation) -> int:
    return max(map(_bytes, op.operands))


def _copied(op: ir.Operation) -> int:
    return _bytes(op.opview.result)


GLOBAL: dict[str, Callable[[ir.Operation], int]] = {
    **dict.fromkeys((*BLOCK_LOADS, *DESCRIPTOR_LOADS), _loaded),
    **dict.fromkeys((*DESCRIPTOR_STORES, *ATOMICS, "tt.store"), _stored),
    **dict.fromkeys((ASYNC_COPY, *TMA_LOADS), _copied),
    **dict.fromkeys(TMA_STORES, lambda op: _bytes(op.opview.src)),
}
"""Accesses to global memory -> bytes that they move."""
