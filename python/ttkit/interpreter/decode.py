"""A module as plain Python objects.

Asking MLIR about an operation costs microseconds, and a loop asks again and again; so a function is read once, into
lists.  SSA values become slots of a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

import numpy as np
from mlir import ir

import ttkit.dialects.defined as defined
from ttkit.inspection import is_public
from ttkit.interpreter.attributes import attribute_value, attributes_of, location_text
from ttkit.interpreter.errors import InterpreterError, NotInterpretable
from ttkit.interpreter.ops.registry import HANDLERS, Handler, load_handlers
from ttkit.interpreter.values import ValueType, value_type
from ttkit.module_attributes import NUM_WARPS, BadModuleAttribute, check_module_attributes

SCRATCH_POINTERS = 2
"""Arguments that lowered kernels take after their own: scratch memory of the program, and of the profiler."""


@dataclass(eq=False)
class Instruction:
    """One operation.  Operands and results are slots."""

    name: str
    operands: tuple[int, ...]
    results: tuple[int, ...]
    operand_types: tuple[ValueType, ...]
    result_types: tuple[ValueType, ...]
    attributes: dict[str, Any]
    location: str
    regions: tuple[Region, ...] = ()
    successors: tuple[int, ...] = ()
    captures: tuple[int, ...] = ()
    """Slots that the regions read and that are made outside of them."""
    handler: Callable[..., Any] | None = None

    @property
    def compares_unsigned(self) -> bool:
        """Whether an scf.for compares its bounds without sign."""
        return bool(self.attributes.get("unsignedCmp"))

    def segments(self, operands: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """The operands, split as operandSegmentSizes says."""
        parts, start = [], 0
        for size in self.attributes["operandSegmentSizes"]:
            parts.append(operands[start : start + size])
            start += size
        return parts


@dataclass(eq=False)
class Block:
    """A block: slots of its arguments, its instructions, and the slots that it reads and makes."""

    arguments: tuple[int, ...]
    instructions: list[Instruction] = field(default_factory=list)
    uses: tuple[int, ...] = ()
    """Slots read in the block and made outside of it."""
    makes: tuple[int, ...] = ()


@dataclass(eq=False)
class Region:
    """The blocks of a region, the entry first."""

    blocks: list[Block]

    def operations(self) -> Iterator[Instruction]:
        """All instructions, each in front of those inside of it."""
        for block in self.blocks:
            for op in block.instructions:
                yield op
                for inner in op.regions:
                    yield from inner.operations()


@dataclass(eq=False)
class Function:
    """A function as the interpreter runs it; each value has a number, its slot."""

    name: str
    argument_types: list[ValueType]
    argument_attributes: list[dict[str, Any]]
    argument_names: list[str]
    argument_locations: list[str]
    result_types: list[ValueType]
    body: Region | None
    slots: int
    largest: int
    """Elements of the largest tensor."""
    names: set[str]
    """Operations in it."""
    private: bool
    elements: set[Any] = field(default_factory=set)
    """Element types of the values in it."""
    precisions: set[int] = field(default_factory=set)
    """The inputPrecision of the products in it."""
    attributes: dict[str, Any] = field(default_factory=dict)
    """Attributes of a lowered function."""
    kept: dict[str, Any] = field(default_factory=dict)
    """Attributes of another function, besides its name, its type and those of its arguments."""
    scratch_pointers: int = 0
    """Arguments of a lowered kernel after those of the source, which the launch provides."""

    @property
    def is_lowered(self) -> bool:
        """Whether it is in the llvm dialect."""
        return bool(self.attributes)

    def operations(self) -> Iterator[Instruction]:
        """All instructions, each in front of those inside of it; none of a declaration."""
        return iter(()) if self.body is None else self.body.operations()


@dataclass(eq=False)
class Module:
    """A module as the interpreter runs it: its functions by name."""

    functions: dict[str, Function]
    attributes: dict[str, Any]
    global_addresses: dict[str, int] = field(default_factory=dict)
    """Addresses of llvm.mlir.global: 0 in shared memory."""
    texts: dict[int, str] = field(default_factory=dict)
    """Constant strings by address."""
    tables: list[bytes | None] = field(default_factory=list)
    """The bytes of each global, in their order; None for those that are not tables of integers."""
    global_attributes: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What each llvm.mlir.global says of itself, besides its contents and its type."""

    def constant_text(self, address: int) -> str:
        """The constant string at an address; empty if there is none."""
        return self.texts.get(address, "")

    def public_function(self, name: str | None = None) -> Function:
        """The kernel: the function of that name, or the only public one with a body.

        Raises:
            InterpreterError: there is none, or several.
        """
        if name is not None:
            if name not in self.functions:
                names = ", ".join(f"@{name}" for name in sorted(self.functions)) or "none"
                raise InterpreterError(f"no function @{name}; the module has {names}")
            if self.functions[name].body is None:
                raise InterpreterError(f"@{name} is declared but not defined")
            return self.functions[name]
        public = [f for f in self.functions.values() if f.body is not None and not f.private]
        if not public:
            raise InterpreterError("the module has no public function with a body")
        if len(public) > 1:
            names = ", ".join(f"@{f.name}" for f in public)
            raise InterpreterError(f"the module has {len(public)} public functions, {names}: choose one")
        return public[0]


def decode_module(module: ir.Module) -> Module:
    """Reads every tt.func, func.func and llvm.func of a module.  Private ones are callees only.

    Raises:
        InterpreterError: an attribute of the module is not what it must be.
    """
    try:
        check_module_attributes(module.operation)
    except BadModuleAttribute as error:
        raise InterpreterError(f"{error.message}\n  at       {location_text(module.operation.location)}") from error
    attributes = attributes_of(module.operation)
    result = Module({}, attributes)
    for op in module.body.operations:
        name = op.operation.name
        if name in ("tt.func", "func.func"):
            function = _Decoder().function(op.operation)
        elif name == "llvm.func":
            function = _Decoder(lowered=True).lowered_function(op.operation, NUM_WARPS in attributes)
        else:
            if name == "llvm.mlir.global":
                _read_global(result, op.operation)
            continue
        result.functions[function.name] = function
    return result


OF_FUNCTIONS = ("sym_name", "function_type", "arg_attrs", "res_attrs")
"""Attributes of functions that stand in fields of their own."""
CONSTANTS = 1 << 53
"""Addresses of constants of lowered modules begin here."""
END_OF_CONSTANTS = 1 << 54
CONSTANT_SHIFT = 32
"""The number of the constant is from this bit on."""


def _read_global(module: Module, op: ir.Operation) -> None:
    """Gives a global of a lowered module its address."""
    name = op.attributes["sym_name"].value
    module.global_attributes[name] = {
        one: attribute_value(op.attributes[one]) for one in op.attributes if one not in ("value", "global_type")
    }
    if "addr_space" in op.attributes and op.attributes["addr_space"].value == 3:
        module.global_addresses[name] = 0
        return
    address = module.global_addresses[name] = CONSTANTS + (len(module.tables) << CONSTANT_SHIFT)
    value = op.attributes.get("value")
    if isinstance(value, ir.StringAttr):
        module.texts[address] = value.value.split("\0")[0]
    integers = list(value) if isinstance(value, ir.DenseIntElementsAttr) else None
    module.tables.append(integers and np.array(integers, f"i{value.type.element_type.width // 8}").tobytes())


class _Decoder:
    """Reads one function; `lowered`: it is in the llvm dialect."""

    def __init__(self, lowered: bool = False) -> None:
        self.lowered = lowered
        self.slots: dict[ir.Value, int] = {}
        self.kinds: dict[ir.Type, ValueType] = {}
        self.largest = 1
        self.names: set[str] = set()
        self.elements: set[Any] = set()
        self.precisions: set[int] = set()

    def function(self, op: ir.Operation) -> Function:
        """A function with its body, and the attributes of its arguments."""
        load_handlers()
        attributes = {name: op.attributes[name] for name in op.attributes}
        type = ir.FunctionType(attributes["function_type"].value)
        body = self.region(op.regions[0]) if len(op.regions[0].blocks) else None
        arguments = []
        if "arg_attrs" in attributes:
            for item in attributes["arg_attrs"]:
                arguments.append({named.name: attribute_value(named.attr) for named in item})
        names = argument_names(op) if body else []
        places = [location_text(argument.location) for argument in op.regions[0].blocks[0].arguments] if body else []
        return Function(
            attributes["sym_name"].value,
            [value_type(t) for t in type.inputs],
            arguments or [{} for _ in type.inputs],
            names,
            places,
            [value_type(t) for t in type.results],
            body,
            len(self.slots),
            self.largest,
            self.names,
            not is_public(op),
            self.elements,
            self.precisions,
            kept={name: attribute_value(value) for name, value in attributes.items() if name not in OF_FUNCTIONS},
        )

    def lowered_function(self, op: ir.Operation, has_scratch: bool) -> Function:
        """Reads an llvm.func.

        Args:
            has_scratch: whether kernels take pointers to scratch memory after their arguments.
        """
        load_handlers(lowered=True)
        attributes = attributes_of(op)
        body = self.region(op.regions[0]) if len(op.regions[0].blocks) else None
        kinds = [value_type(argument.type) for argument in op.regions[0].blocks[0].arguments] if body else []
        is_kernel = "nvvm.kernel" in attributes
        last = [kind.text for kind in kinds[-SCRATCH_POINTERS:]]
        scratch = SCRATCH_POINTERS if is_kernel and has_scratch and last == ["!llvm.ptr<1>"] * SCRATCH_POINTERS else 0
        count = len(kinds) - scratch
        return Function(
            attributes["sym_name"],
            kinds[:count],
            [{} for _ in range(count)],
            argument_names(op)[:count] if body else [],
            [],
            [],
            body,
            len(self.slots),
            self.largest,
            self.names,
            not is_kernel,
            self.elements,
            self.precisions,
            attributes,
            scratch_pointers=scratch,
        )

    def slot(self, value: ir.Value) -> int:
        """The place of a value in a frame; values get theirs when they are first met."""
        if value not in self.slots:
            self.slots[value] = len(self.slots)
        return self.slots[value]

    def kind(self, value: ir.Value) -> ValueType:
        """The type of a value, which is read once."""
        type = value.type
        if type not in self.kinds:
            self.kinds[type] = value_type(type)
        return self.kinds[type]

    def region(self, region: ir.Region) -> Region:
        """The blocks of a region."""
        blocks = list(region.blocks)
        index = {block: n for n, block in enumerate(blocks)}
        return Region([self.block(block, index) for block in blocks])

    def block(self, block: ir.Block, index: dict[ir.Block, int]) -> Block:
        """The instructions of a block; `index` numbers the region's blocks, for branches."""
        result = Block(tuple(self.slot(argument) for argument in block.arguments))
        made = set(result.arguments)
        used: set[int] = set()
        for op in block.operations:
            instruction = self.instruction(op.operation, index)
            used |= {*instruction.operands, *instruction.captures} - made
            made |= set(instruction.results)
            result.instructions.append(instruction)
        result.uses, result.makes = tuple(sorted(used)), tuple(sorted(made))
        return result

    def instruction(self, op: ir.Operation, index: dict[ir.Block, int]) -> Instruction:
        """One operation, with the slots of its values and the handler that runs it."""
        operands = list(op.operands)
        results = list(op.results)
        operand_types, result_types = tuple(map(self.kind, operands)), tuple(map(self.kind, results))
        self.largest = max([self.largest, *(t.size for t in result_types)])
        self.names.add(op.name)
        self.elements.update(t.element for t in result_types)
        attributes = attributes_of(op)
        if "inputPrecision" in attributes:
            self.precisions.add(attributes["inputPrecision"])
        regions = tuple(self.region(region) for region in op.regions)
        captures: set[int] = set()
        for region in regions:
            inside = {slot for block in region.blocks for slot in block.makes}
            captures |= {slot for block in region.blocks for slot in block.uses} - inside
        return Instruction(
            op.name,
            tuple(map(self.slot, operands)),
            tuple(map(self.slot, results)),
            operand_types,
            result_types,
            attributes,
            location_text(op.location),
            regions,
            tuple(index[successor] for successor in op.successors),
            tuple(sorted(captures)),
            self.handler(op, (*operand_types, *result_types)),
        )

    def handler(self, op: ir.Operation, kinds: Sequence[ValueType]) -> Handler | None:
        """The function that runs an operation on values of these types; None if nothing does."""
        defined.load_part(op.name, "meaning")
        handler = HANDLERS.get(op.name)
        if self.lowered:
            if handler is None or handler.__module__.startswith(LOWERED) or not op.name.startswith(OF_PROGRAMS):
                return handler
            return partial(refuse, "operations of whole programs run in a tt.func only")
        problem = next((kind.problem for kind in kinds if kind.problem), "")
        if problem and not op.name.startswith(OF_ANSWERS):
            return partial(refuse, problem)
        if handler is not None and handler.__module__.startswith(LOWERED):
            return partial(refuse, "operations of lowered code run in an llvm.func only")
        return handler


LOWERED = "ttkit.interpreter.lowered."
"""Where the meanings of operations are that single threads run."""
OF_ANSWERS = "ttng.clc_"
"""Operations that keep the answer to a request for another program, an i128, in their own way."""
OF_PROGRAMS = ("tt.", "ttg.", "ttng.", "nvws.", "gpu.", "proton.", "gluon.")
"""Dialects whose operations all threads of a program run together."""


def refuse(problem: str, machine: Any, op: Instruction, *operands: Any) -> NoReturn:
    """Stands for the meaning of an operation that can't run: raises NotInterpretable."""
    raise NotInterpretable(problem, op)


def argument_names(op: ir.Operation) -> list[str]:
    """The names of a function's arguments: those of its locations where it has them, else arg0, arg1...

    The sizes and strides of a descriptor have its location: the first to have a name keeps it.  An argument that a
    kernel assigns to a variable has that name around its own.
    """
    names: list[str] = []
    for n, argument in enumerate(op.regions[0].blocks[0].arguments):
        location = argument.location
        while location.is_a_name() and location.child_loc.is_a_name():
            location = location.child_loc
        named = location.is_a_name() and location.name_str not in names
        names.append(location.name_str if named else f"arg{n}")
    return names
