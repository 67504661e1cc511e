"""Whether source in Gluon compiles to the IR that it was written from."""

from __future__ import annotations

import difflib
import os
import re
import runpy
import tempfile
from typing import Any

from mlir import ir

from ttkit.compiler.compilation import Compilation
from ttkit.context import Context, parse
from ttkit.frontend.source import ASTSource
from ttkit.inspection import collect, is_public
from ttkit.lift.modules import Lifted
from ttkit.lift.prepared import prepare
from ttkit.lift.tensors import MULTIPROCESSORS
from ttkit.lift.values import FLAGS, TOKEN, constant_of, is_of_tokens
from ttkit.operation_sets import PARTITIONS, WARP_SPECIALIZE
from ttkit.options import CompileOptions
from ttkit.passes.manager import run_passes
from ttkit.target import GPUTarget

_UNSAID = ("operandSegmentSizes", "contiguity", "sym_name", "callee", "sym_visibility", "arg_attrs", "res_attrs")
_PASSES = (
    "gluon-canonicalize,sccp,triton-loop-aware-cse,tritongpu-combine-tensor-select-and-if,gluon-canonicalize,"
    "triton-loop-aware-cse,gluon-canonicalize"
)


def canonical_text(module: ir.Module) -> str:
    """The operations of a module with values numbered in order, constants where they are used.

    What Gluon can't say is left out: tokens, `mutable`, the zeros of masked copies, contiguity of copies, the order of
    captures.  `x != x` is the same as `x` being unordered with itself, and an absent condition as one that holds.
    """
    lines: list[str] = []
    functions = collect(module.operation, ["tt.func"])
    symbols = {
        ir.StringAttr(op.attributes["sym_name"]).value: f"@{number}"
        for number, op in enumerate(sorted(functions, key=lambda op: (is_public(op), _symbol_key(op))))
    }
    for op in sorted(functions, key=lambda op: symbols[ir.StringAttr(op.attributes["sym_name"]).value]):
        _Printer(lines, symbols).operation(op, 0)
    return "\n".join(lines)


def _symbol_key(op: ir.Operation) -> str:
    return re.sub(r"^.*\.", "", ir.StringAttr(op.attributes["sym_name"]).value.partition("__")[0])


_CONDITIONS = {
    "ttng.wait_barrier": 2,
    "ttng.arrive_barrier": 1,
    "ttng.tc_gen5_commit": 1,
    "ttng.warp_group_dot": 3,
}
"""Operations with an optional condition, and its place: if it is absent, it holds."""


def _counts_multiprocessors(op: ir.Operation) -> bool:
    """Whether an operation reads the register with their number, which Gluon says in assembly."""
    if op.name == "tt.elementwise_inline_asm":
        return bool(ir.StringAttr(op.attributes["asm_string"]).value == MULTIPROCESSORS)
    return op.name == "nvvm.read.ptx.sreg.nsmid"


class _Printer:
    def __init__(self, lines: list[str], symbols: dict[str, str]) -> None:
        self._lines, self._symbols = lines, symbols
        self._names: dict[Any, str] = {}
        self._blocks: dict[Any, int] = {}

    def operation(self, op: ir.Operation, depth: int) -> None:
        """Prints an operation and what is in it."""
        operands = [value for value in op.operands if str(value.type) != TOKEN]
        if op.name == "ttg.async_copy_global_to_local" and len(operands) == 4 and constant_of(operands[3]) == 0:
            operands.pop()
        if is_of_tokens(op) or op.name == "ub.poison" or (op.name == "arith.constant" and _is_plain(op)):
            return
        words = [self._use(value) for value in operands]
        if op.name in _CONDITIONS and not _has_condition(op):
            words.insert(_CONDITIONS[op.name], "(true)")
        if op.name == WARP_SPECIALIZE:
            self._capture(op)
            words = []
        results = [self._define(value) for value in op.results if str(value.type) != TOKEN]
        if _counts_multiprocessors(op):
            self._lines.append("  " * depth + f"{results[0]} = multiprocessors")
            return
        same = op.name == "arith.cmpf" and words[0] == words[1]
        named = [self._attribute((each, op.attributes[each]), same) for each in sorted(_names(op))]
        if op.name in _BRANCHES:
            words, successors = self._branches(op)
        else:
            successors = [f"^{self._blocks[block]}" for block in op.successors]
        parts = [op.name, *words, *(word for word in named if word), *successors]
        text = f"{', '.join(results)} = {' '.join(parts)}" if results else " ".join(parts)
        self._lines.append("  " * depth + text)
        for region in op.regions:
            chains = [chain for chain in _chains(list(region.blocks)) if len(region.blocks) < 2 or not _is_empty(chain)]
            self._blocks.update((chain[0], number) for number, chain in enumerate(chains))
            is_partition = op.name == PARTITIONS
            for number, (block, *merged) in enumerate(chains):
                if not list(block.operations) or (not results and op.name == "scf.if" and _only_yield(block)):
                    continue
                arguments = [
                    self._define(each) for each in block.arguments if str(each.type) != TOKEN and not is_partition
                ]
                self._lines.append("  " * depth + f"^{number} {' '.join(arguments)}")
                inner = [each.operation for part in (block, *merged) for each in part.operations]
                ends = [list(part.operations)[-1].operation for part in (block, *merged)[:-1]] if merged else []
                for each in inner:
                    if each not in ends:
                        self.operation(each, depth + 1)

    def _branches(self, op: ir.Operation) -> tuple[list[str], list[str]]:
        """The condition of a branch; its targets with what is passed, where an empty block stands for its target."""
        values = list(op.operands)
        condition = [self._use(values.pop(0))] if op.name == "cf.cond_br" else []
        counts = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))[1:] if condition else [len(values)]
        found = []
        for block, count in zip(op.successors, counts):
            passed, values = values[:count], values[count:]
            while block not in self._blocks:  # it is empty
                end = list(block.operations)[-1]
                block, passed = end.successors[0], list(end.operands)
            words = [self._use(value) for value in passed]
            found.append(f"^{self._blocks[block]}" + (f"({' '.join(words)})" if words else ""))
        return condition, found

    def _attribute(self, named: tuple[str, Any], same_operands: bool) -> str:
        name, attribute = named
        if name == "callee":
            return self._symbols[ir.FlatSymbolRefAttr(attribute).value]
        if name == "predicate" and same_operands and str(attribute) == "14 : i64":
            return "predicate=13 : i64"
        if name in FLAGS and str(attribute) == "true":
            return f"{name}=unit"
        return "" if name in (*_UNSAID, "function_type") else f"{name}={attribute}"

    def _capture(self, op: ir.Operation) -> None:
        """Gives the arguments of partitions the names of what they capture: the order of captures does not matter."""
        for region in op.regions[1].blocks[0].operations[0].regions:
            for argument, value in zip(region.blocks[0].arguments, op.operands):
                self._names[argument] = self._use(value)

    def _define(self, value: ir.Value) -> str:
        self._names[value] = f"%{len(self._names)}"
        return f"{self._names[value]}:{str(value.type).replace(', mutable', '')}"

    def _use(self, value: ir.Value) -> str:
        if value in self._names:
            return self._names[value]
        owner = value.owner
        if isinstance(owner, ir.Block) or "value" not in owner.attributes:
            return f"poison:{value.type}"
        return f"({owner.attributes['value']})"


_BRANCHES = ("cf.br", "cf.cond_br")


def _is_empty(chain: list[ir.Block]) -> bool:
    """Whether blocks take nothing and only branch."""
    ops = [op.operation for block in chain for op in block.operations if not _is_number(op.operation)]
    return len(ops) == 1 and ops[0].name == "cf.br" and not any(len(block.arguments) for block in chain)


def _is_number(op: ir.Operation) -> bool:
    return op.name == "arith.constant" and _is_plain(op)


def _chains(blocks: list[ir.Block]) -> list[list[ir.Block]]:
    """The blocks of a region, each with those that only it leads to, and always."""
    if len(blocks) < 2:
        return [[block] for block in blocks]
    ends = [list(block.operations)[-1].operation for block in blocks]
    targets = [target for end in ends for target in end.successors]
    chains: list[list[ir.Block]] = []
    taken: list[ir.Block] = []
    for block in blocks:
        if block in taken:
            continue
        chain = [block]
        while True:
            end = list(chain[-1].operations)[-1].operation
            if end.name != "cf.br" or len(end.operands) or targets.count(end.successors[0]) != 1:
                break
            chain.append(end.successors[0])
        taken += chain
        chains.append(chain)
    return chains


def _has_condition(op: ir.Operation) -> bool:
    if "operandSegmentSizes" in op.attributes:
        return bool(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])[_CONDITIONS[op.name]])
    return len(op.operands) > _CONDITIONS[op.name]


def _is_plain(op: ir.Operation) -> bool:
    return constant_of(op.results[0]) is not None


def _only_yield(block: ir.Block) -> bool:
    return [op.operation.name for op in block.operations if not _is_number(op.operation)] == ["scf.yield"]


def _names(op: ir.Operation) -> list[str]:
    return [named if isinstance(named, str) else named.name for named in op.attributes]


def check(text: str, found: Lifted) -> str:
    """Compiles the source and compares; gives the difference, "" if there is none.

    Args:
        text: the IR that the source was written from; both go through the cleanup of the stage ttkit-gluon.

    Raises:
        CompilationError, as `ttkit.compile` does: the source is not valid Gluon.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lifted.py")
        with open(path, "w") as file:
            file.write(found.text)
        kernel = runpy.run_path(path)[found.name]
        source = ASTSource(kernel, found.signature, {}, found.attributes)
        options = CompileOptions.for_capability(found.capability, **found.options)
        target = GPUTarget("cuda", found.capability, 32)
        made = Compilation(source, target, options, until="ttgir").run().asm["ttgir"]
    texts = []
    with Context():
        for each in (text, made):
            module = parse(each)
            prepare(module)
            run_passes(module, _PASSES)
            texts.append(canonical_text(module).split("\n"))
    return "\n".join(difflib.unified_diff(texts[0], texts[1], "IR", "lifted", lineterm="", n=1))
