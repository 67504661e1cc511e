"""Edits of a module that may make it smaller.

A kind of edit is a function of a module: it lists what could be edited, each as a function that does it.  Editing must
leave nothing of the same kind to do at the same place, so that edits come to an end.  It need not leave the module
valid, nor the program's meaning as it was: who asks verifies the module and looks whether it is still of interest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from mlir import ir

from ttkit.inspection import has_uses, holders, terminator
from ttkit.operation_sets import FOR_AND_IF

Edit = Callable[[], None]


def operations(module: ir.Module) -> list[ir.Operation]:
    """All operations in a module: those inside of an operation before it, and uses before what they use."""
    found = []

    def walk(op: ir.Operation) -> None:
        """Appends what the regions of an operation hold, last ones first."""
        for region in op.regions:
            for block in reversed(list(region.blocks)):
                for inner in reversed(list(block.operations)):
                    walk(inner.operation)
                    found.append(inner.operation)

    walk(module.operation)
    return found


def is_terminator(op: ir.Operation) -> bool:
    """Whether an operation is the last of its block."""
    block = op.block
    return block is not None and terminator(block) == op


def is_function(op: ir.Operation) -> bool:
    """Whether an operation is a function, of any dialect."""
    return "function_type" in op.attributes and "sym_name" in op.attributes


def function_of(op: ir.Operation) -> ir.Operation | None:
    """The function around an operation, if it has a body."""
    return next(filter(is_function, holders(op)), None)


def ordinary(module: ir.Module) -> list[ir.Operation]:
    """Operations in functions that end no block."""
    return [op for op in operations(module) if function_of(op) is not None and not is_terminator(op)]


def unused_operations(module: ir.Module) -> list[Edit]:
    """Operations whose results nobody uses, also stores; those of which that is so once their uses are erased."""

    def edit(op: ir.Operation) -> None:
        """Erases an operation, unless something uses it still."""
        if not any(has_uses(result) for result in op.results):
            op.erase()

    return [partial(edit, op) for op in ordinary(module)]


def top_level_operations(module: ir.Module) -> list[Edit]:
    """Functions and whatever else the module holds."""
    return [op.operation.erase for op in reversed(list(module.body.operations))]


def operations_for_operands(module: ir.Module) -> list[Edit]:
    """Operations of which each result has the type of an operand, which takes its place."""

    def edit(op: ir.Operation, values: list[ir.Value]) -> None:
        """Puts a value in the place of each result."""
        for result, value in zip(list(op.results), values):
            result.replace_all_uses_with(value)
        op.erase()

    found: list[Edit] = []
    for op in ordinary(module):
        operands = {operand.type: operand for operand in reversed(list(op.operands))}
        if len(op.results) and all(result.type in operands for result in op.results):
            found.append(partial(edit, op, [operands[result.type] for result in op.results]))
    return found


def operations_for_arguments(module: ir.Module) -> list[Edit]:
    """Operations with results, for each of which the function takes one more argument."""

    def edit(op: ir.Operation) -> None:
        """Puts a new argument of the function in the place of each result that is used."""
        function = function_of(op)
        for result in list(op.results):
            if has_uses(result):
                result.replace_all_uses_with(add_argument(function, result.type))
        op.erase()

    return [partial(edit, op) for op in ordinary(module) if any(has_uses(result) for result in op.results)]


def add_argument(function: ir.Operation, type: ir.Type) -> ir.Value:
    """One more argument of a function."""
    argument = function.regions[0].blocks[0].add_argument(type, ir.Location.unknown(function.context))
    old = function.attributes["function_type"].value
    set_signature(function, [*old.inputs, type], list(old.results))
    if "arg_attrs" in function.attributes:
        attributes = [*function.attributes["arg_attrs"], ir.DictAttr.get({}, function.context)]
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes, function.context)
    return argument


def set_signature(function: ir.Operation, inputs: list[ir.Type], results: list[ir.Type]) -> None:
    """Replaces the type of a function."""
    signature = ir.FunctionType.get(inputs, results, function.context)
    function.attributes["function_type"] = ir.TypeAttr.get(signature, function.context)


def operations_for_constants(module: ir.Module) -> list[Edit]:
    """Operations of numbers, which become ones: true masks, divisors that one can divide by."""

    def edit(op: ir.Operation) -> None:
        """Puts ones of its type in the place of each result."""
        with ir.InsertionPoint(op), ir.Location.unknown(op.context):
            for result in list(op.results):
                attributes = {"value": number(result.type, 1)}
                constant = ir.Operation.create("arith.constant", [result.type], attributes=attributes)
                result.replace_all_uses_with(constant.result)
        op.erase()

    return [
        partial(edit, op)
        for op in ordinary(module)
        if len(op.results) and op.name != "arith.constant" and all(is_number(result.type) for result in op.results)
    ]


def is_number(type: ir.Type) -> bool:
    """Whether a type is that of a number, or of a tensor of numbers."""
    scalar = type.element_type if isinstance(type, ir.RankedTensorType) else type
    return isinstance(scalar, (ir.IntegerType, ir.FloatType, ir.IndexType))


def number(type: ir.Type, value: int) -> ir.Attribute:
    """A constant of a type of numbers, the same in all elements."""
    if isinstance(type, ir.RankedTensorType):
        return ir.DenseElementsAttr.get_splat(type, number(type.element_type, value))
    if isinstance(type, ir.FloatType):
        return ir.FloatAttr.get(type, float(value))
    if isinstance(type, ir.IntegerType) and type.width == 1:
        value = -value  # as all ones print
    return ir.IntegerAttr.get(type, value)


def bodies(module: ir.Module) -> list[Edit]:
    """Operations with regions of one block, in whose place the operations of one region come, to be run once."""

    def edit(op: ir.Operation, block: ir.Block) -> None:
        """Moves the operations of a block before the one around it, whose results become what the block yields."""
        last = terminator(block)
        start = starting_values(op, block)
        for argument, value in zip(list(block.arguments), start):
            if has_uses(argument):
                argument.replace_all_uses_with(value or add_argument(function_of(op), argument.type))
        for inner in list(block.operations)[:-1]:
            inner.operation.move_before(op)
        yielded = list(last.operands)[len(last.operands) - len(op.results) :]
        for result, value in zip(list(op.results), yielded):
            result.replace_all_uses_with(value)
        op.erase()

    found: list[Edit] = []
    for op in ordinary(module):
        for region in op.regions:
            if len(list(region.blocks)) != 1:
                continue
            last = terminator(region.blocks[0])
            if last is None or len(last.operands) < len(op.results):
                continue
            yielded = list(last.operands)[len(last.operands) - len(op.results) :]
            if [value.type for value in yielded] == [result.type for result in op.results]:
                found.append(partial(edit, op, region.blocks[0]))
    return found


def starting_values(op: ir.Operation, block: ir.Block) -> list[ir.Value | None]:
    """Initial values of the arguments of a loop's block: operands of their types, the last ones of each first."""
    left = list(op.operands)
    values: list[ir.Value | None] = []
    for argument in reversed(list(block.arguments)):
        fitting = [place for place, value in enumerate(left) if value.type == argument.type]
        values.append(
            left.pop(fitting[-1] if len(values) + 1 < len(block.arguments) else fitting[0]) if fitting else None
        )
    return values[::-1]


def carried_values(module: ir.Module) -> list[Edit]:
    """Values that loops hand from one iteration to the next, which stay what they were before the loop; and results of
    branches that nobody uses."""

    def edit(op: ir.Operation, place: int) -> None:
        """Drops a result, by number; what a loop carries stays its initial value."""
        if op.name == "scf.for":
            initial, argument = op.operands[3 + place], op.regions[0].blocks[0].arguments[1 + place]
            argument.replace_all_uses_with(initial)
            op.results[place].replace_all_uses_with(initial)
        without_result(op, place)

    return [
        partial(edit, op, place)
        for op in ordinary(module)
        if op.name in FOR_AND_IF
        for place in reversed(range(len(op.results)))
        if op.name == "scf.for" or not has_uses(op.results[place])
    ]


def without_result(op: ir.Operation, place: int) -> None:
    """Replaces a loop or a branch by one without a result, and without what belongs to that."""
    types = [result.type for result in op.results]
    operands = list(op.operands)
    del types[place]
    if op.name == "scf.for":
        del operands[3 + place]
    with ir.InsertionPoint(op), ir.Location.unknown(op.context):
        kept = {name: op.attributes[name] for name in op.attributes}
        made = ir.Operation.create(op.name, types, operands, kept, regions=len(op.regions))
        for old, new in zip(op.regions, made.regions):
            if not len(list(old.blocks)):
                continue
            arguments = list(old.blocks[0].arguments)
            if arguments:
                del arguments[1 + place]
            block = new.blocks.append(*(argument.type for argument in arguments))
            for argument, other in zip(arguments, block.arguments):
                argument.replace_all_uses_with(other)
            *inner, last = [one.operation for one in old.blocks[0].operations]
            for one in inner:
                block.append(one)
            yielded = list(last.operands)
            del yielded[place]
            with ir.InsertionPoint(block):
                ir.Operation.create("scf.yield", operands=yielded)
    results = list(op.results)
    del results[place]
    for result, other in zip(results, made.results):
        result.replace_all_uses_with(other)
    op.erase()


KEPT_ATTRIBUTES = frozenset("sym_name function_type operandSegmentSizes resultSegmentSizes value callee".split())


def attributes(module: ir.Module) -> list[Edit]:
    """Attributes that can be left out, or be false: of the module, of operations, of arguments."""

    def edit(op: ir.Operation, name: str) -> None:
        """Erases an attribute."""
        del op.attributes[name]

    def deny(op: ir.Operation, name: str) -> None:
        """Makes a true attribute false."""
        op.attributes[name] = ir.BoolAttr.get(False, op.context)

    def edit_argument(function: ir.Operation, place: int) -> None:
        """Erases all attributes of an argument, by number."""
        listed = list(function.attributes["arg_attrs"])
        listed[place] = ir.DictAttr.get({}, function.context)
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(listed, function.context)

    found: list[Edit] = []
    for op in [*operations(module), module.operation]:
        names = [name for name in op.attributes if name not in KEPT_ATTRIBUTES]
        found += [partial(edit, op, name) for name in names if name != "arg_attrs"]
        true = ir.BoolAttr.get(True, op.context)
        found += [partial(deny, op, name) for name in names if op.attributes[name] == true]
        if is_function(op) and "arg_attrs" in names:
            listed = list(op.attributes["arg_attrs"])
            found += [partial(edit_argument, op, place) for place, one in enumerate(listed) if len(one)]
    return found


def optional_operands(module: ir.Module) -> list[Edit]:
    """Operands that an operation may have or not, as a load its mask."""

    def edit(op: ir.Operation, segment: int | None) -> None:
        """Drops the operands of a segment, or, of an operation without segments (None), the last one."""
        operands = list(op.operands)
        kept = {name: op.attributes[name] for name in op.attributes}
        if segment is None:
            operands.pop()
        else:
            counts = list(op.attributes["operandSegmentSizes"])
            first = sum(counts[:segment])
            del operands[first : first + counts[segment]]
            counts[segment] = 0
            kept["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(counts, op.context)
        types = [result.type for result in op.results]
        with ir.InsertionPoint(op), ir.Location.unknown(op.context):
            made = ir.Operation.create(op.name, types, operands, kept)
        for old, new in zip(list(op.results), made.results):
            old.replace_all_uses_with(new)
        op.erase()

    found: list[Edit] = []
    for op in ordinary(module):
        if "operandSegmentSizes" in op.attributes and not len(op.regions):
            counts = list(op.attributes["operandSegmentSizes"])
            found += [partial(edit, op, segment) for segment in reversed(range(len(counts))) if counts[segment]]
        elif op.name.startswith(("tt.", "ttg.", "ttng.")) and len(op.operands) > 1 and not len(op.regions):
            found.append(partial(edit, op, None))  # where it is optional, the last one
    return found


def constants(module: ir.Module) -> list[Edit]:
    """Constants, which become 0, 1 or, integers, half of what they are; those of many values become one value."""

    def edit(op: ir.Operation, attribute: ir.Attribute) -> None:
        """Replaces the constant's value."""
        op.attributes["value"] = attribute

    found: list[Edit] = []
    for op in operations(module):
        if op.name != "arith.constant" or not is_number(op.results[0].type):
            continue
        type, old = op.results[0].type, op.attributes["value"]
        simple = [number(type, 0), number(type, 1)]
        if old in simple:
            continue
        found += [partial(edit, op, attribute) for attribute in simple]
        if isinstance(old, ir.IntegerAttr) and abs(old.value) > 2:
            found.append(partial(edit, op, ir.IntegerAttr.get(type, int(old.value / 2))))
        if isinstance(old, ir.DenseElementsAttr) and not old.is_splat:
            found.append(partial(edit, op, ir.DenseElementsAttr.get_splat(type, next(iter_elements(old)))))
    return found


def iter_elements(attribute: ir.DenseElementsAttr) -> Iterator[ir.Attribute]:
    """The elements, each as an attribute."""
    element = attribute.type.element_type
    for value in attribute:
        yield (
            ir.FloatAttr.get(element, value)
            if isinstance(element, ir.FloatType)
            else ir.IntegerAttr.get(element, value)
        )
