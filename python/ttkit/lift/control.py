"""Loops, branches, calls, returns."""

from __future__ import annotations

import re
from typing import Any

from mlir import ir

from ttkit.lift.descriptors import is_descriptor
from ttkit.lift.outside import free_values
from ttkit.lift.pending import as_target
from ttkit.lift.registry import writes
from ttkit.lift.values import FLAGS, TOKEN, name_of, refuse

RETURNS = ("tt.return", "tt.map_elementwise.return")
"""Ends of functions: of those that are called, and of those of elements."""
_NUMBERS = {"tt.num_stages": "num_stages", "tt.loop_unroll_factor": "loop_unroll_factor"}


def _carry(writer: Any, op: Any, initial: Any, arguments: Any) -> list[int]:
    """Gives carried values names, assigned before the loop in their order; the numbers of those that are not tokens."""
    kept = [number for number, value in enumerate(initial) if str(value.type) != TOKEN]
    for number in kept:
        hint = name_of(arguments[number].location) or name_of(op.location) or "carried"
        value = as_target(writer, initial[number], arguments[number])
        name = writer.namer.new(hint)
        writer.line(f"{name} = {value}")
        writer.names[arguments[number]] = writer.names[op.results[number]] = name
    return kept


def _assign(writer: Any, targets: list[str], values: list[str]) -> None:
    changed = [(target, value) for target, value in zip(targets, values) if target != value]
    if changed:
        writer.line(f"{', '.join(target for target, _ in changed)} = {', '.join(value for _, value in changed)}")


@writes("scf.for")
def loop(writer: Any, op: Any) -> None:
    """`for`; options of the tile language's range where the loop has them."""
    lower, upper, step, *initial = op.operands
    body = op.regions[0].blocks[0]
    index, *carried = body.arguments
    kept = _carry(writer, op, initial, carried)
    writer.names[index] = writer.namer.new(name_of(index.location) or "index")
    options = [option for name, option in FLAGS.items() if name in op.attributes]
    options += [f"{option}={writer.integer(op, name)}" for name, option in _NUMBERS.items() if name in op.attributes]
    if unknown := [each for each in _attribute_names(op) if each not in (*FLAGS, *_NUMBERS)]:
        refuse(op, f"ranges have no option for {', '.join(unknown)}; lift before the pass that sets it")
    bounds = [writer.literal_or_ref(each) if str(each.type) == "i32" else writer.ref(each) for each in (lower, upper)]
    counted = writer.literal_or_ref(step) if str(step.type) == "i32" else writer.ref(step)
    if counted != "1" or bounds[0] != "0":
        bounds.append(counted)
    head = "tl.range" if options else "range"
    if bounds[0] == "0" and len(bounds) == 2:
        bounds = ["0", bounds[1], "1"]  # `range(n)` computes n twice

    def write() -> None:
        """The body."""
        writer.operations(body)
        yielded = list(body.operations)[-1].operands
        targets = [writer.names[carried[number]] for number in kept]
        _assign(writer, targets, [as_target(writer, yielded[number], carried[number]) for number in kept])

    writer.block(f"for {writer.names[index]} in {head}({', '.join([*bounds, *options])}):", write)


def _attribute_names(op: Any) -> list[str]:
    return [named if isinstance(named, str) else named.name for named in op.attributes]


@writes("scf.while")
def while_loop(writer: Any, op: Any) -> None:
    """`while`; its condition is one expression."""
    before, after = (region.blocks[0] for region in op.regions)
    passed = list(before.operations)[-1].operands[1:]
    if [*passed] != [*before.arguments]:
        refuse(op, "the values of its condition's part differ from those of its body")
    if unknown := [each for each in _attribute_names(op) if each != "llvm.loop_annotation"]:
        refuse(op, f"loops with a condition have no option for {', '.join(unknown)}")
    _carry(writer, op, list(op.operands), list(before.arguments))
    for argument, name in zip(after.arguments, [writer.names[each] for each in before.arguments]):
        writer.names[argument] = name
    test = _test(writer, before)
    body = after

    def write() -> None:
        """The body."""
        writer.operations(body)
        yielded = list(body.operations)[-1].operands
        _assign(writer, [writer.names[each] for each in body.arguments], [writer.ref(each) for each in yielded])

    if "llvm.loop_annotation" in op.attributes:
        test = f"tl.condition({test}, disable_licm=True)"
    writer.block(f"while {test}:", write)


def _test(writer: Any, before: Any) -> str:
    """A condition as one expression: by what it stands for, or as a call of a function if a value is used twice."""
    outer, writer.lines = writer.lines, []
    names = dict(writer.names)
    writer.operations(before)
    written, writer.lines = writer.lines, outer
    test = str(writer.ref(list(before.operations)[-1].operands[0]))
    for text in reversed([line.strip() for line in written if not line.strip().startswith("#")]):
        name, _, value = text.partition(" = ")
        if len(re.findall(rf"\b{name}\b", test)) != 1:
            writer.names = names
            given = [*before.arguments, *free_values(writer, before)]
            arguments = [writer.names[each] for each in given]
            function = writer.source.function_of_partition(before, "condition", given, arguments, is_condition=True)
            return f"{function}({', '.join(arguments)})"
        test = value if test == name else f"({value})".join(re.split(rf"\b{name}\b", test))
    return test


@writes("scf.if")
def branch(writer: Any, op: Any) -> None:
    """`if`; results are variables of both branches, which the front end sorts by name."""
    if any(map(is_descriptor, op.results)):
        refuse(op, "it chooses a descriptor, with which Gluon chooses sizes and strides, too")
    kept = [number for number, result in enumerate(op.results) if str(result.type) != TOKEN]
    hints = [name_of(op.location) or "chosen" for _ in kept]
    names = [writer.namer.new(hint) for hint in hints]
    if names != sorted(names):
        names = [writer.namer.new(f"chosen_{number:02}") for number in range(len(names))]
    blocks = [region.blocks[0] if len(region.blocks) else None for region in op.regions]

    def write_block(block: Any) -> Any:
        """Writes a branch."""

        def write() -> None:
            """Its operations, and what it gives."""
            writer.operations(block)
            yielded = list(block.operations)[-1].operands
            _assign(writer, names, [as_target(writer, yielded[number], op.results[number]) for number in kept])

        return write

    writer.block(f"if {writer.ref(op.operands[0])}:", write_block(blocks[0]))
    if blocks[1] is not None:
        writer.block("else:", write_block(blocks[1]))
    for number, name in zip(kept, names):
        writer.names[op.results[number]] = name


@writes("tt.call")
def call(writer: Any, op: Any) -> str | None:
    """Calls of functions that are not inlined."""
    callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
    text = f"{writer.source.function_names[callee]}({', '.join(map(writer.ref, op.operands))})"
    if not len(op.results):
        writer.line(text)
        return None
    return text


def function_body(writer: Any, blocks: Any) -> None:
    """The blocks of a function: those that branch to one that returns become an `if` with `return`."""
    block = blocks[0]
    while block is not None:
        writer.operations(block)
        block = _end(writer, list(block.operations)[-1].operation)


def _end(writer: Any, end: Any) -> Any:
    """Writes the end of a block; gives the block that follows on the same level, if one does."""
    if end.name in RETURNS:
        return returned(writer, end)
    if end.name == "cf.br":
        return _branch_to(writer, end, end.successors[0], end.operands)
    if end.name != "cf.cond_br":
        refuse(end, "its branches meet again")
    condition, *passed = end.operands
    _, count, _ = writer.segments(end)
    (then, otherwise), values, others = end.successors, passed[:count], passed[count:]
    if not _returns(then):
        refuse(end, "the first of its branches does not return")

    def write(target: Any, values: Any) -> None:
        """A branch, on a level of its own."""
        following = _branch_to(writer, end, target, values)
        if following is not None:
            function_body(writer, [following])

    writer.block(f"if {writer.ref(condition)}:", lambda: write(then, values))
    if list(then.operations)[-1].operation.name in RETURNS and not values:
        return _branch_to(writer, end, otherwise, others)
    writer.block("else:", lambda: write(otherwise, others))
    return None


def _branch_to(writer: Any, end: Any, target: Any, values: Any) -> Any:
    """The block that a branch goes to; None if it only returns what is passed, which is written."""
    if not len(values):
        return target
    if not _only_returns(target):
        refuse(end, "its branches meet again")
    writer.line(f"return {', '.join(map(writer.ref, values))}")
    return None


def _returns(block: Any) -> bool:
    """Whether a block ends with a return, or goes to one that only returns."""
    end = list(block.operations)[-1].operation
    return end.name in RETURNS or (end.name == "cf.br" and _only_returns(end.successors[0]))


def _only_returns(block: Any) -> bool:
    """Whether a block only returns what branches pass to it, in this order."""
    ops = [each.operation for each in block.operations]
    return len(ops) == 1 and ops[0].name in RETURNS and [*ops[0].operands] == [*block.arguments]


def returned(writer: Any, op: Any) -> None:
    """A `return`."""
    values = ", ".join(map(writer.ref, op.operands))
    writer.line(f"return {values}".rstrip())
