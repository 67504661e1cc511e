"""Lower inline assembly, functions of libraries, and scalar code for each element.

Ops: dialects/tt/extern_ops.td    Test: test/lit/lower/extern.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.inspection import element_bits
from ttkit.layout.hardware import REGISTER_BITS
from ttkit.passes.lower.assembly import assembled
from ttkit.passes.lower.lowering import DONE, Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.unsupported import CannotLower


@lowers("tt.extern_elementwise")
def extern_elementwise(low: Lowering, op: ir.OpView, *values: ir.Value) -> ir.Value:
    """f(a, b, ...) of a library, element by element; the scalars among the operands are the same for all."""
    symbol, result = op.symbol, op.result
    type, length = low.element_type(result), element_count(low, result)
    operands = [low.elements.of_length(value, length) for value in values]
    return low.elements.each(lambda *numbers: low.symbols.call(symbol, type, *numbers), *operands)


def element_count(low: Lowering, value: ir.Value) -> int:
    """Elements of a tensor that a thread holds; 0 of a scalar."""
    return low.types.registers(value.type) if isinstance(value.type, ir.RankedTensorType) else 0


@lowers("tt.elementwise_inline_asm")
def elementwise_inline_asm(low: Lowering, op: ir.OpView, *values: ir.Value) -> list[ir.Value] | ir.Value:
    """The assembly once for each `packed_element` neighbours in the registers of a thread.

    Elements of less than 32 bits share a register of the assembly, as many as fit.
    """
    emit, operation = low.emit, op.operation
    first, *_ = operation.results
    pack = op.packed_element
    is_tensor = isinstance(first.type, ir.RankedTensorType)
    count = element_count(low, first) or 1
    vectors = [low.elements.of_length(value, count) for value in values]
    padded = -(-count // pack) * pack
    vectors = [emit.pick(vector, [min(i, count - 1) for i in range(padded)]) for vector in vectors]
    elements = [low.element_type(result) for result in operation.results]
    found: list[list[ir.Value]] = [[] for _ in elements]
    for first in range(0, padded, pack):
        inputs = [word for vector in vectors for word in asm_words(low, vector, first, pack)]
        for results, group in zip(found, run_once(low, op, inputs, elements, pack)):
            results.append(group)
    lowered = [joined(low, groups, count) for groups in found]
    if not is_tensor:
        lowered = [emit.extract(value, 0) for value in lowered]
    return lowered if len(lowered) > 1 else lowered[0]


def per_register(element: ir.Type, pack: int) -> int:
    """Number of elements packed in one register of the assembly."""
    return min(max(1, REGISTER_BITS // element_bits(element)), pack)


def asm_words(low: Lowering, vector: ir.Value, first: int, pack: int) -> list[ir.Value]:
    """`pack` elements as the registers that the assembly takes."""
    emit = low.emit
    share = per_register(vector.type.element_type, pack)
    starts = range(first, first + pack, share)
    return [emit.slice(vector, i, share) if share > 1 else emit.extract(vector, i) for i in starts]


def run_once(
    low: Lowering, op: ir.OpView, inputs: Sequence[ir.Value], elements: Sequence[ir.Type], pack: int
) -> list[ir.Value]:
    """The assembly's results, for each a vector of `pack` elements."""
    emit = low.emit
    types: list[ir.Type] = []
    for element in elements:
        share = per_register(element, pack)
        types += [emit.vector(share, element) if share > 1 else element] * (pack // share)
    constraints = "".join(op.constraints.split())  # LLVM takes a blank for a constraint
    words = assembled(low.emit, op.asm_string, constraints, types, inputs, effects=not op.pure)
    results = []
    for element in elements:
        share = per_register(element, pack)
        own, words = words[: pack // share], words[pack // share :]
        results.append(emit.concat(own) if share > 1 else emit.pack(own))
    return results


def joined(low: Lowering, groups: list[ir.Value], count: int) -> ir.Value:
    """The first `count` elements of vectors one after the other."""
    emit = low.emit
    if len(groups) & len(groups) - 1:
        return emit.pack([element for group in groups for element in emit.unpack(group)][:count])
    return emit.slice(emit.concat(groups), 0, count)


@lowers("tt.map_elementwise")
def map_elementwise(low: Lowering, op: ir.OpView, *values: ir.Value) -> list[ir.Value] | ir.Value:
    """The region for each `pack` neighbours in the registers of a thread: all at once if it has no branches.

    Raises:
        CannotLower: `pack` does not divide the elements of a thread.
    """
    emit, operation = low.emit, op.operation
    pack, region = op.pack, operation.regions[0]
    count = values[0].type.shape[0]
    if count % pack:
        raise CannotLower(f"a thread has {count} elements, which {pack} does not divide; choose a smaller pack")
    elements = [low.element_type(result) for result in operation.results]
    arguments = [emit.pick(value, range(first, count, pack)) for value in values for first in range(pack)]
    if len(region.blocks) == 1 and not any(inner.operation.name == "tt.call" for inner in region.blocks[0].operations):
        given = low.inline_region(region, arguments)
    else:
        types = [element for element in elements for _ in range(pack)]
        groups = [
            low.inline_blocks(region, [emit.extract(argument, group) for argument in arguments], types)
            for group in range(count // pack)
        ]
        given = [emit.pack(column) for column in zip(*groups, strict=True)]
    lowered = []
    for first in range(0, len(given), pack):
        # given[first + j] has element j of each group.
        joined = emit.concat(given[first : first + pack])
        lowered.append(emit.pick(joined, [i % pack * (count // pack) + i // pack for i in range(count)]))
    return lowered if len(lowered) > 1 else lowered[0]


@lowers("tt.map_elementwise.return")
def map_elementwise_return(low: Lowering, op: ir.OpView, *values: ir.Value) -> object:
    """The results of the region for one group of elements."""
    low.leave_region(values)
    return DONE
