"""Say which values are the variables of the source, for debuggers.

    %1 = llvm.add %0, %n : i32 loc("offset"(#where))
  =>
    %1 = llvm.add %0, %n : i32 loc("offset"(#where))
    llvm.intr.dbg.value #llvm.di_local_variable<name = "offset", line = 5, type = #int> = %1 : i32

A variable of a tensor is what one thread holds of it: a number, or a vector of them.  Parameters are variables too.

Input:  llvm, with scopes for debug information.      Output: llvm.
Order:  after ensure-debug-info-scope-on-llvm-func, whose subprograms are the scopes of variables.
Skips:  functions without a scope; constants, and what only computes a variable; counters and conditions of loops,
        which are named after the loop's results.
Test:   test/lit/passes/extract_variable_info.mlir
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from mlir import ir

from ttkit.dialects import llvm
from ttkit.passes.infra import Pass, collect
from ttkit.passes.infra.debug_info import local_variable, source_place, subprogram

BASIC = '#llvm.di_basic_type<tag = DW_TAG_base_type, name = "{}", sizeInBits = {}, encoding = DW_ATE_{}>'
FLOATS = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double"}
POINTER = '#llvm.di_derived_type<tag = DW_TAG_pointer_type, name = "pointer", sizeInBits = {}>'
VECTOR = (
    '#llvm.di_composite_type<tag = DW_TAG_array_type, name = "vector", baseType = {}, flags = Vector, '
    "sizeInBits = {}, elements = #llvm.di_subrange<count = {} : i64>>"
)
CONSTANTS = ("llvm.mlir.constant", "llvm.mlir.poison")
MOST_ELEMENTS = 64
"""Most registers of one variable that debuggers are told about."""


class Variable(NamedTuple):
    """A value with its name.

    line: where it gets the value; 0 if that is not known.
    parameter: its number from 1; 0 for a variable that is no parameter.
    """

    value: ir.Value
    name: str
    line: int
    parameter: int = 0


class ExtractVariableInfo(Pass):
    """Say which values are the variables of the source, for debuggers"""

    name = "extract-variable-info"
    dependent_dialects = ("llvm",)

    def run(self, op: ir.Operation) -> None:
        """Describes the variables of each function that has a scope and a body."""
        for function in collect(op, ("llvm.func",)):
            scope = subprogram(function.location)
            if scope is not None and len(function.regions[0].blocks):
                for variable, place in list(variables(function)):
                    describe(variable, scope, place)


def variables(function: ir.Operation) -> Iterator[tuple[Variable, ir.InsertionPoint]]:
    """The variables of a function, each with the place right after its value."""
    blocks = function.regions[0].blocks
    for number, argument in enumerate(blocks[0].arguments, 1):
        if (named := name_and_line(argument.location)) is not None:
            yield Variable(argument, *named, number), ir.InsertionPoint.at_block_begin(blocks[0])
    loops = {str(block.operations[len(block.operations) - 1].location) for block in blocks}
    for block in blocks:
        operations = list(block.operations)
        for operation, following in itertools.pairwise(operations):
            named = name_and_line(operation.location)
            if named is None or named == name_and_line(following.location) or len(operation.results) != 1:
                continue
            is_made = operation.operation.name not in CONSTANTS and not is_operand(operation, named)
            if is_made and str(operation.location) not in loops:
                yield Variable(operation.operation.result, *named), ir.InsertionPoint(following)


def is_operand(operation: ir.OpView, named: tuple[str, int]) -> bool:
    """Whether a vector is put together for an operation that computes the variable, and may be elsewhere."""
    users = (use.owner for use in operation.operation.result.uses)
    return operation.operation.name == "llvm.insertelement" and any(
        name_and_line(user.location) == named for user in users
    )


def describe(variable: Variable, scope: ir.Attribute, place: ir.InsertionPoint) -> None:
    """Adds the operations that tell debuggers about a variable, if they have a type for it.

    Each element of a vector is described on its own: LLVM splits vectors, and would lose the variable.
    """
    value, name, line, parameter = variable
    text = debug_type(value.type)
    if text is None:
        return
    made = local_variable(scope, name, line, parameter, ir.Attribute.parse(text, scope.context))
    if not isinstance(value.type, ir.VectorType):
        tell(value, made, "", variable, place)
        return
    count, size = value.type.shape[0], bits(value.type.element_type)
    for index in range(min(count, MOST_ELEMENTS)):
        with variable.value.location, place:
            i32 = ir.IntegerType.get_signless(32)
            number = llvm.mlir_constant(i32, ir.IntegerAttr.get(i32, index))
            element = llvm.extractelement(value, number)
        part = f"[DW_OP_LLVM_fragment({index * size}, {size})]" if count > 1 else ""
        tell(element, made, part, variable, place)


def tell(value: ir.Value, made: ir.Attribute, part: str, variable: Variable, place: ir.InsertionPoint) -> None:
    """Adds the operation for a value that is a variable, or a part of it."""
    attributes = {"varInfo": made, "locationExpr": ir.Attribute.parse(f"#llvm.di_expression<{part}>", made.context)}
    ir.Operation.create("llvm.intr.dbg.value", (), [value], attributes, loc=variable.value.location, ip=place)


def name_and_line(location: ir.Location) -> tuple[str, int] | None:
    """The variable that a location names, with its line; None if it names none."""
    if not location.is_a_name():
        return None
    place = source_place(location)
    return location.name_str, 0 if place is None else place.start_line


def debug_type(type: ir.Type) -> str | None:
    """The text of the debugger's type; None for structures, and what else debuggers don't show."""
    if isinstance(type, ir.VectorType):
        element, count = debug_type(type.element_type), type.shape[0]
        return (
            element if element is None or count == 1 else VECTOR.format(element, count * bits(type.element_type), count)
        )
    if isinstance(type, ir.IntegerType):
        name, encoding = ("bool", "boolean") if type.width == 1 else ("int", "signed")
        return BASIC.format(name, type.width, encoding)
    if str(type) in FLOATS:
        return BASIC.format(FLOATS[str(type)], bits(type), "float")
    return POINTER.format(bits(type)) if is_pointer(type) else None


def is_pointer(type: ir.Type) -> bool:
    """Whether a type of the llvm dialect is a pointer, to any memory."""
    return str(type).startswith("!llvm.ptr")


def bits(type: ir.Type) -> int:
    """The size of a number or a pointer."""
    return 64 if is_pointer(type) else type.width
