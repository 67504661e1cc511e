"""Owners of elements: the thread and the register that act where several hold copies of one element."""

import functools

from mlir import ir

from ttkit.passes.layouts.thread_counts import Machine
from ttkit.passes.lower.emitter import Emitter
from ttkit.passes.lower.types import TypeConverter
from ttkit.passes.lower.warps import CurrentWarps


class ElementOwners:
    """Owners among the threads of the warps that code is lowered for at present."""

    def __init__(self, emit: Emitter, types: TypeConverter, warps: CurrentWarps, machine: Machine) -> None:
        self.emit, self.types, self.warps, self.machine = emit, types, warps, machine

    def owns(self, value: ir.Value) -> ir.Value | None:
        """i1: whether this thread is the one that acts for its elements of `value`, others holding copies.

        None if there are no copies in other threads.  For a scalar: whether this is the first thread of its program.
        """
        if not isinstance(value.type, ir.RankedTensorType):
            free = {
                "lane": self.machine.threads_per_warp - 1,
                "warp": self.warps.count - 1,
                "block": self.machine.num_ctas - 1,
            }
        else:
            free = self.types.layout(value.type).free_variable_masks()
        return self.is_first(free)

    def owns_in_cta(self, value: ir.Value) -> ir.Value | None:
        """`owns`, where each CTA acts for what it holds."""
        return self.is_first(self.types.layout(value.type).free_variable_masks() | {"block": 0})

    def copies_in_cta(self, value: ir.Value) -> ir.Value | None:
        """`owns_in_cta`, to predicate copies with.

        LLVM makes `thread < 4` of `thread & 252 == 0`, and for copies with such a predicate ptxas 12.8 and 13.0 branch:
        a loop of 8 warps with 16 copies then has 15 branches and three times the loads from shared memory (sm_90a,
        2026-11).  So LLVM is not shown what is compared.
        """
        free = self.types.layout(value.type).free_variable_masks()
        mask = free.get("lane", 0) | free.get("warp", 0) << self.warps.index.lane_bits
        if not mask:
            return None
        text = f"{{\n\t.reg .b32 copy;\n\tand.b32 copy, $1, {mask};\n\tsetp.eq.b32 $0, copy, 0;\n\t}}"
        return self.emit.inline_asm(text, "=b,r", self.emit.i1, self.warps.index.thread(), effects=False)

    def is_first(self, free: dict[str, int]) -> ir.Value | None:
        """i1: whether all bits of lane, warp and block in the masks are 0; None if there are none."""
        emit, index = self.emit, self.warps.index
        masks = [
            (index.thread, free.get("lane", 0) | free.get("warp", 0) << index.lane_bits),
            (index.block, free.get("block", 0)),
        ]
        conditions = [
            emit.compare("eq", emit.and_(number(), emit.i32_constant(mask)), emit.i32_constant(0))
            for number, mask in masks
            if mask
        ]
        return functools.reduce(emit.and_, conditions) if conditions else None

    def free_blocks(self, value: ir.Value) -> int:
        """The bits of a CTA's number that only reach copies of a value's elements."""
        if not isinstance(value.type, ir.RankedTensorType):
            return self.machine.num_ctas - 1
        return self.types.layout(value.type).free_variable_masks().get("block", 0)

    def register_copies(self, value: ir.Value) -> int:
        """The bits of a register's number that only reach copies: registers with such a bit need no store."""
        if not isinstance(value.type, ir.RankedTensorType):
            return 0
        return self.types.layout(value.type).free_variable_masks().get("register", 0)

    def element_places(self, value: ir.Value) -> list[ir.Value]:
        """For each register of a tensor an i32: its element's number among the tensor's; 0 for a scalar."""
        if not isinstance(value.type, ir.RankedTensorType):
            return [self.emit.i32_constant(0)]
        return self.emit.unpack(self.warps.index.packed_coordinates(self.types.layout(value.type)))
