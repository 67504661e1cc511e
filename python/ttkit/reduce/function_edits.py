"""Edits of functions, as those of `edits`: their blocks, arguments and results."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mlir import ir

from ttkit.inspection import has_uses, terminator
from ttkit.reduce.edits import Edit, is_function, operations, set_signature


def branches(module: ir.Module) -> list[Edit]:
    """Branches on a condition, of which one way is gone."""

    def edit(op: ir.Operation, way: int) -> None:
        """Always goes one way: 0 where the condition is true, 1 where it is false."""
        if op.name != "cf.cond_br":
            return
        counts = list(op.attributes["operandSegmentSizes"])
        first = 1 if way == 0 else 1 + counts[1]
        operands = list(op.operands)[first : first + counts[1 + way]]
        with ir.InsertionPoint(op), ir.Location.unknown(op.context):
            ir.Operation.create("cf.br", operands=operands, successors=[op.successors[way]])
        op.erase()

    ways = [(op, way) for op in operations(module) if op.name == "cf.cond_br" for way in (0, 1)]
    return [partial(edit, op, way) for op, way in ways]


def merged_blocks(module: ir.Module) -> list[Edit]:
    """Blocks of functions to which only one other leads, and always does."""

    def edit(op: ir.Operation) -> None:
        """Replaces a branch by the operations of the block that it leads to."""
        function = op.parent.operation
        # As the function has them: those that the operation gives are gone with it.
        block, after = (
            next(one for one in function.regions[0].blocks if one == wanted) for wanted in (op.block, op.successors[0])
        )
        for argument, value in zip(list(after.arguments), list(op.operands)):
            argument.replace_all_uses_with(value)
        op.erase()
        for inner in list(after.operations):
            block.append(inner.operation)
        without_block(function, after)

    return [
        partial(edit, op)
        for op in operations(module)
        if op.name == "cf.br" and is_function(op.parent.operation) and len(list(op.successors[0].predecessors)) == 1
    ]


def unreachable_blocks(module: ir.Module) -> list[Edit]:
    """Blocks of functions to which nothing leads."""

    def edit(function: ir.Operation, place: int) -> None:
        """Drops a block, by number."""
        without_block(function, function.regions[0].blocks[place])

    return [
        partial(edit, function, place)
        for function in defined_functions(module)
        for place, block in enumerate(function.regions[0].blocks)
        if place and not len(list(block.predecessors))
    ]


def without_block(function: ir.Operation, gone: ir.Block) -> None:
    """Replaces a function by one without a block: the bindings can't erase blocks."""
    kept = {name: function.attributes[name] for name in function.attributes}
    with ir.InsertionPoint(function), ir.Location.unknown(function.context):
        made = ir.Operation.create(function.name, attributes=kept, regions=1)
    for block in list(function.regions[0].blocks):
        if block != gone:
            block.append_to(made.regions[0])
    function.erase()


def unused_arguments(module: ir.Module) -> list[Edit]:
    """Arguments of functions that nobody calls which are not used."""

    def edit(function: ir.Operation, place: int) -> None:
        """Drops an argument, by number, from the block, the function's type and `arg_attrs`."""
        block = function.regions[0].blocks[0]
        old = function.attributes["function_type"].value
        inputs = list(old.inputs)
        del inputs[place]
        block.erase_argument(place)
        set_signature(function, inputs, list(old.results))
        if "arg_attrs" in function.attributes:
            attributes = list(function.attributes["arg_attrs"])
            del attributes[place]
            function.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes, function.context)

    found: list[Edit] = []
    for function in defined_functions(module):
        arguments = list(function.regions[0].blocks[0].arguments)
        found += [partial(edit, function, n) for n in reversed(range(len(arguments))) if not has_uses(arguments[n])]
    return found


def defined_functions(module: ir.Module) -> Iterator[ir.Operation]:
    """Functions that have a body and are not called."""
    called = {
        attribute.value for op in operations(module) if (attribute := op.attributes.get("callee", None)) is not None
    }
    for op in module.body.operations:
        function = op.operation
        has_body = is_function(function) and len(function.regions) and len(list(function.regions[0].blocks))
        if has_body and function.attributes["sym_name"].value not in called:
            yield function


def merged_arguments(module: ir.Module) -> list[Edit]:
    """Arguments for which an earlier one of the same type can stand."""
    found: list[Edit] = []
    for function in defined_functions(module):
        first: dict[ir.Type, ir.Value] = {}
        for argument in function.regions[0].blocks[0].arguments:
            if argument.type not in first:
                first[argument.type] = argument
            elif has_uses(argument):
                found.append(partial(argument.replace_all_uses_with, first[argument.type]))
    return found


def returned_values(module: ir.Module) -> list[Edit]:
    """Results of functions that nobody calls."""

    def edit(function: ir.Operation) -> None:
        """Returns nothing wherever the function returns."""
        for block in function.regions[0].blocks:
            last = terminator(block)
            if last is not None and len(last.operands) and last.operation.name.endswith(".return"):
                with ir.InsertionPoint(last), ir.Location.unknown(function.context):
                    ir.Operation.create(last.operation.name)
                last.operation.erase()
        set_signature(function, list(function.attributes["function_type"].value.inputs), [])
        if "res_attrs" in function.attributes:
            del function.attributes["res_attrs"]

    return [
        partial(edit, one) for one in defined_functions(module) if list(one.attributes["function_type"].value.results)
    ]
