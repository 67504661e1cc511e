"""Values of other lanes of a warp."""

from collections.abc import Iterator

from mlir import ir

from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.words import from_words, to_words

ALL_LANES = -1
LAST_LANE = 31


def shuffle_xor(low: Lowering, value: ir.Value, mask: int) -> ir.Value:
    """Read `value`, a vector or scalar of any type, from the lane whose number differs in the bits of `mask`."""
    return _shuffle(low, value, "bfly", low.emit.i32_constant(mask))


def shuffle_index(low: Lowering, value: ir.Value, lane: ir.Value) -> ir.Value:
    """Read `value`, a vector or scalar of any type, from lane `lane`, an i32."""
    return _shuffle(low, value, "idx", lane)


def uniform_warp(low: Lowering) -> ir.Value:
    """i32, the warp in its CTA or partition, which LLVM knows to be the same in all of the warp's threads."""
    emit, index = low.emit, low.index
    if index.num_warps == 1:
        return emit.i32_constant(0)
    if index.num_warps == index.total_warps:
        return index.once("uniform warp", lambda: emit.op("nvg.warp_id", emit.i32))
    return index.once("uniform warp", lambda: shuffle_index(low, index.warp(), emit.i32_constant(0)))


def _shuffle(low: Lowering, value: ir.Value, kind: str, argument: ir.Value) -> ir.Value:
    emit = low.emit
    words = [
        emit.op(
            "nvvm.shfl.sync",
            emit.i32,
            emit.i32_constant(ALL_LANES),
            word,
            argument,
            emit.i32_constant(LAST_LANE),
            kind=emit.attribute(f"#nvvm<shfl_kind {kind}>"),
        )
        for word in to_words(low, value)
    ]
    return from_words(low, words, value.type)


def choose(low: Lowering, number: ir.Value, values: Iterator[tuple[int, ir.Value]]) -> ir.Value:
    """The value that a number, an i32, stands for; it is one of them."""
    _, chosen = next(values)
    for each, value in values:
        chosen = low.emit.select(low.emit.compare("eq", number, low.emit.i32_constant(each)), value, chosen)
    return chosen
