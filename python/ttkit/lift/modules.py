"""The source of a module: imports, layouts, functions, and how to compile it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from mlir import ir

from ttkit.inspection import collect, contains_any, is_public
from ttkit.lift.control import function_body, returned
from ttkit.lift.descriptors import descriptor_signature, grouped_parameters, is_descriptor
from ttkit.lift.errors import LiftError
from ttkit.lift.prepared import prepare
from ttkit.lift.values import TOKEN, Layouts, Names, signature_text
from ttkit.lift.writer import Writer
from ttkit.module_attributes import NUM_WARPS, TARGET

_HEAD = '''"""{title}

Written by ttkit lift.  SIGNATURE, ATTRIBUTES, CAPABILITY and OPTIONS are what the kernel is compiled with.
"""

import ttkit.language as tl
from ttkit.language import gluon
from ttkit.language import gluon as gl
'''


@dataclass(frozen=True)
class Lifted:
    """A kernel as source.

    text: the source.  name: the kernel's function.
    signature: parameter -> type.  attributes: as of `ttkit.ASTSource`.
    capability, options: of the GPU, and compile options.
    """

    text: str
    name: str
    signature: dict[str, str]
    attributes: dict[tuple[int], Any]
    capability: int
    options: dict[str, Any] = field(default_factory=dict)


class ModuleWriter:
    """The layouts, names and helper functions that a module's functions share."""

    def __init__(self, capability: int) -> None:
        self.capability = capability
        self.layouts = Layouts()
        self.function_names: dict[str, str] = {}
        self.functions: list[str] = []
        self._regions: dict[str, str] = {}
        self._namer = Names()

    def function(self, op: ir.Operation) -> list[tuple[str, ir.Value]]:
        """Writes a function; gives its parameters, each with its first value."""
        writer = Writer(self)
        blocks = list(op.regions[0].blocks)
        parameters = grouped_parameters(writer, blocks[0].arguments)
        function_body(writer, blocks)
        symbol = ir.StringAttr(op.attributes["sym_name"]).value
        decorator = "@gluon.jit" if is_public(op) else "@gluon.jit(noinline=True)"
        self._add(decorator, self.function_names[symbol], [name for name, _ in parameters], writer.lines)
        return parameters

    def _add(self, decorator: str, name: str, parameters: list[str], lines: list[str]) -> None:
        self.functions.append("\n".join([decorator, f"def {name}({', '.join(parameters)}):", *lines]))

    def function_of_partition(
        self, block: ir.Block, hint: str, values: list[ir.Value], arguments: list[str], is_condition: bool = False
    ) -> str:
        """The function of a region that a group of warps runs, or of the condition of a loop.

        Args:
            values: what it uses from outside, its parameters.
            arguments: the expressions that are passed.
        """
        writer = Writer(self)
        name = self._namer.new(hint)
        writer.namer = Names([*self.function_names.values(), name])
        parameters = [writer.namer.new(re.sub(r"\W.*", "", argument)) for argument in arguments]
        writer.names.update(zip(values, parameters))
        writer.operations(block)
        results = [value for value in list(block.operations)[-1].operands if str(value.type) != TOKEN]
        if is_condition:  # what it passes on is what it was given
            results = results[:1]
        if results:
            writer.line(f"return {', '.join(map(writer.ref, results))}")
        self._add("@gluon.jit", name, parameters, writer.lines or ["    pass"])
        return name

    def function_of_region(self, blocks: list[ir.Block], hint: str) -> str:
        """The function of a region of scalars; equal ones are one function."""
        block = blocks[0]
        writer = Writer(self)
        writer._place = ("", 0)
        writer._comment = lambda op: None  # type: ignore[method-assign]
        parameters = [
            writer.namer.new("abcdefgh"[number] if number < 8 else "value") for number, _ in enumerate(block.arguments)
        ]
        writer.names.update(zip(block.arguments, parameters))
        if len(blocks) > 1:
            function_body(writer, blocks)
        else:
            writer.operations(block)
            returned(writer, list(block.operations)[-1])
        key = "\n".join([*parameters, *writer.lines])
        if key not in self._regions:
            ops = [op.operation.name for op in list(block.operations)[:-1]]
            self._regions[key] = self._namer.new(f"{hint}_{ops[0].rpartition('.')[2]}" if len(ops) == 1 else hint)
            self._add("@gluon.jit", self._regions[key], parameters, writer.lines)
        return self._regions[key]


def lifted(module: ir.Module, title: str = "A kernel at the level ttgir.") -> Lifted:
    """A module with layouts as source in Gluon.

    Tokens of copies are left out, since accesses of buffers are in order, and so is what tells the compiler that a
    buffer is written once.

    Raises:
        LiftError: an operation that Gluon can't say.
        ValueError: no kernel, or no layouts.
    """
    prepare(module)
    top = module.operation
    if NUM_WARPS not in top.attributes:
        raise ValueError("the IR has no layouts: name a pass from convert-triton-to-tritongpu on")
    functions = collect(top, ["tt.func"])
    kernels = [op for op in functions if is_public(op)]
    if len(kernels) != 1:
        raise ValueError(f"expected one kernel, found {len(kernels)}")
    capability = int(ir.StringAttr(top.attributes[TARGET]).value.rpartition(":")[2])
    source = ModuleWriter(capability)
    for op in functions:
        symbol = ir.StringAttr(op.attributes["sym_name"]).value
        plain = symbol if is_public(op) else symbol.partition("__")[0].rpartition(".")[2]
        source.function_names[symbol] = source._namer.new(plain)
    for op in functions:
        if op not in kernels:
            source.function(op)
    parameters = source.function(kernels[0])
    signature, attributes = _interface(kernels[0], parameters, source.layouts)
    symbol = ir.StringAttr(kernels[0].attributes["sym_name"]).value
    options: dict[str, Any] = {
        name: ir.IntegerAttr(top.attributes[f"ttg.{name.replace('_', '-')}"]).value
        for name in ("num_warps", "num_ctas")
    }
    if contains_any(top, ["tt.assert"]):
        options |= {"debug": True, "sanitize_overflow": False}  # its checks are in the IR already
    parts = [_HEAD.format(title=title)]
    parts.append("\n".join(f"{name} = gl.constexpr({text})" for name, text in source.layouts.constants.items()))
    parts += [f"\n\n{text}" for text in source.functions]
    parts.append(
        f"\n\nSIGNATURE = {signature}\nATTRIBUTES = {attributes}\nCAPABILITY = {capability}\nOPTIONS = {options}\n"
    )
    text = "\n".join(part for part in parts if part)
    return Lifted(text, source.function_names[symbol], signature, attributes, capability, options)


def _interface(
    kernel: ir.Operation, parameters: list[tuple[str, ir.Value]], layouts: Layouts
) -> tuple[dict[str, str], dict[tuple[int], Any]]:
    """The types of parameters, and what is known of them."""
    signature: dict[str, str] = {}
    attributes: dict[tuple[int], Any] = {}
    argument_attributes = list(kernel.attributes["arg_attrs"]) if "arg_attrs" in kernel.attributes else []
    arguments = list(kernel.regions[0].blocks[0].arguments)
    for number, (name, argument) in enumerate(parameters):
        spelled = descriptor_signature(argument.type, layouts) if is_descriptor(argument) else None
        text = spelled or signature_text(argument.type)
        if text is None:
            raise LiftError(kernel, f"a parameter has the type {argument.type}")
        signature[name] = text
        place = arguments.index(argument)
        known = argument_attributes[place] if place < len(argument_attributes) else {}
        found = [[named.name, named.attr.value] for named in known]
        if found:
            attributes[(number,)] = found
    return signature, attributes


__all__ = ["LiftError", "Lifted", "lifted"]
