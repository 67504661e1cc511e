"""Values of any type as 32-bit words, which shuffles and inline assembly move."""

from collections.abc import Sequence

from mlir import ir

from ttkit.passes.lower.lowering import Lowering


def to_words(low: Lowering, value: ir.Value) -> list[ir.Value]:
    """The bits of a scalar or vector as i32s: small elements share a word, large ones take several."""
    emit = low.emit
    vector = value if isinstance(value.type, ir.VectorType) else emit.splat(value, 1)
    element = vector.type.element_type
    if not isinstance(element, (ir.IntegerType, ir.FloatType)):
        vector, element = emit.cast("ptrtoint", vector, emit.i64), emit.i64
    if element == emit.i1:
        vector, element = emit.cast("zext", vector, emit.i8), emit.i8
    count, bits = vector.type.shape[0], element.width
    if missing := -count * bits % 32:
        vector = emit.pick(vector, [*range(count), *[0] * (missing // bits)])
        count = vector.type.shape[0]
    return emit.unpack(emit.bitcast(vector, emit.vector(count * bits // 32, emit.i32)))


def from_words(low: Lowering, words: Sequence[ir.Value], type: ir.Type) -> ir.Value:
    """The value of type `type` that `to_words` made words of."""
    emit = low.emit
    element = type.element_type if isinstance(type, ir.VectorType) else type
    count = type.shape[0] if isinstance(type, ir.VectorType) else 1
    is_pointer = not isinstance(element, (ir.IntegerType, ir.FloatType))
    stored = emit.i64 if is_pointer else emit.i8 if element == emit.i1 else element
    vector = emit.pack(words)
    vector = emit.bitcast(vector, emit.vector(len(words) * 32 // stored.width, stored))
    if vector.type.shape[0] != count:
        vector = emit.slice(vector, 0, count)
    if is_pointer:
        vector = emit.cast("inttoptr", vector, element)
    elif stored != element:
        vector = emit.cast("trunc", vector, element)
    return vector if isinstance(type, ir.VectorType) else emit.extract(vector, 0)
