"""Vectors in memory as PTX moves them: words of up to 64 bits, with a predicate.

Test: test/lit/lower/memory.mlir
"""

from __future__ import annotations

from mlir import ir

from ttkit.inspection import element_bits
from ttkit.passes.lower.assembly import Assembly, braced
from ttkit.passes.lower.emitter import Emitter

POLICY = ".L2::cache_hint"
WORD_CONSTRAINT = {8: "c", 16: "c", 32: "r", 64: "l"}


def alignment(element: ir.Type, vector: int) -> int:
    """Bytes to which the address of a vector is aligned."""
    return element_bits(element) * vector // 8


def words(element: ir.Type, vector: int) -> tuple[int, int]:
    """Width in bits and number of the PTX registers of a vector access."""
    total = element_bits(element) * vector
    word = min(total, max(32, element_bits(element)))
    return word, total // word


def split_words(emit: Emitter, vector: ir.Value, word: int, count: int) -> list[ir.Value]:
    """A vector as `count` integers of `word` bits."""
    if not isinstance(vector.type.element_type, (ir.IntegerType, ir.FloatType)):
        vector = emit.cast("ptrtoint", vector, emit.i64)
    type = ir.IntegerType.get_signless(word, emit.context)
    return emit.unpack(emit.bitcast(vector, emit.vector(count, type)))


def join_words(emit: Emitter, words: list[ir.Value], element: ir.Type, vector: int) -> ir.Value:
    """The vector of `vector` elements that integers hold."""
    packed = emit.pack(words)
    if not isinstance(element, (ir.IntegerType, ir.FloatType)):
        return emit.cast("inttoptr", packed, element)
    return emit.bitcast(packed, emit.vector(vector, element))


def join_single_words(emit: Emitter, words: list[ir.Value], element: ir.Type) -> ir.Value:
    """The vector of the elements that integers hold, one each.

    Each is converted by itself: LLVM leaves conversions to vectors of one, and takes longer to emit those.
    """
    if not isinstance(element, (ir.IntegerType, ir.FloatType)):
        return emit.cast("inttoptr", emit.pack(words), element)
    return emit.pack([emit.bitcast(word, element) for word in words])


def predicated_store(
    emit: Emitter,
    pointer: ir.Value,
    value: ir.Value,
    mask: ir.Value | None,
    modifiers: str,
    element: ir.Type,
    vector: int,
    policy: ir.Value | None = None,
) -> None:
    """Stores a vector where `mask` holds; `policy` is of the second-level cache."""
    word, count = words(element, vector)
    given = Assembly(repeats=True)
    source = braced([given.operand(each, WORD_CONSTRAINT[word]) for each in split_words(emit, value, word, count)])
    address = given.operand(pointer, "r" if modifiers.startswith(".shared") else "l")
    guard = "" if mask is None else f"@{given.operand(mask, 'b')} "
    hint = "" if policy is None else f", {given.operand(policy, 'l')}"
    instruction = f"st{modifiers}{POLICY if hint else ''}{f'.v{count}' if count > 1 else ''}.b{word}"
    text = f"{guard}{instruction} [ {address} + 0 ], {source}{hint};"
    emit.inline_asm(text, ",".join(given.kinds), None, *given.operands)
