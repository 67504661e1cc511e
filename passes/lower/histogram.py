"""Lower histograms: atomic counts in shared memory.

Ops: dialects/tt/index_ops.td    Test: test/lit/lower/histogram.mlir
"""

import functools
from collections.abc import Sequence

from mlir import ir

from ttkit.passes.lower.cluster import in_cta, peers, stored_by_all
from ttkit.passes.lower.gather import as_i32
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.memory import operand_or_none
from ttkit.passes.lower.registry import lowers


@lowers("tt.histogram")
def histogram(low: Lowering, op: ir.OpView, source: ir.Value, *masked: ir.Value) -> ir.Value:
    """result[b] = how many elements of src are b, of those where mask"""
    emit = low.emit
    mask = operand_or_none(low, op.mask)
    target = low.layout(op.result)
    base, type = low.shared.scratch(op, 4 << target.out_bits), emit.i32
    places = emit.unpack(low.index.packed_coordinates(target))
    clear(low, base, 1 << target.out_bits, places)
    low.warps.synchronize()
    owner, copies = low.owners.owns(op.src), low.owners.register_copies(op.src)
    wide = low.element_type(op.src) if low.element_type(op.src).width > 32 else type
    bins = emit.constant(wide, 1 << target.out_bits)
    numbers = emit.unpack(source) if wide != type else emit.unpack(as_i32(low, source))
    for register, (number, value) in enumerate(zip(numbers, emit.unpack(as_i32(low, source)))):
        if register & copies:
            continue
        counted = emit.compare("ult", number, bins)  # in its own width: as i32, 1 << 32 would be 0
        for condition in (owner, None if mask is None else low.elements.at(mask, register)):
            if condition is not None:
                counted = emit.and_(counted, condition)
        emit.inline_asm("@$1 red.shared.add.u32 [ $0 + 0 ], 1;", "r,b", None, emit.gep(base, value, type), counted)
    # In a cluster each CTA has counted elements of its own.
    with stored_by_all(low, low.num_ctas > 1):
        bases = [base]
        if low.num_ctas > 1:
            bases = [in_cta(low, base, cta) for cta in peers(low, range(low.num_ctas.bit_length() - 1))]
        one = emit.vector(1, type)
        counts = [[low.shared.load(emit.gep(b, place, type), one) for b in bases] for place in places]
        found = emit.concat([functools.reduce(emit.add, of_bin) for of_bin in counts])
    element = low.element_type(op.result)
    return found if element == type else emit.cast("trunc" if element.width < 32 else "zext", found, element)


def clear(low: Lowering, base: ir.Value, bins: int, places: Sequence[ir.Value]) -> None:
    """Zeros for all bins; `places` are those of this thread's part of the result."""
    emit = low.emit
    zero = emit.constant(emit.vector(1, emit.i32), 0)
    if low.num_ctas == 1:
        for place in places:
            low.shared.store(emit.gep(base, place, emit.i32), zero)
        return
    # The result may be divided among CTAs; what each counts is not.
    thread, threads = low.index.thread(), low.num_warps * low.threads_per_warp
    for first in range(0, bins, threads):
        place = emit.add(thread, emit.i32_constant(first)) if first else thread
        is_bin = emit.compare("ult", place, emit.i32_constant(bins)) if bins < threads else None
        low.shared.store(emit.gep(base, place, emit.i32), zero, is_bin)
