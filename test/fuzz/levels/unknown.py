"""Operations that nobody knows: of a dialect that is not loaded, in the place of known ones, through each pass."""

from __future__ import annotations

import random

from mlir import ir

import ttkit
from fuzz.levels.ir import MLIR_PASSES, OF_PARTITIONS, Passes, tests_of_passes
from ttkit.passes.registry import PASSES

NAME = "unknown.operation"


class Unknown(Passes):
    """Lit tests of a pass, through that pass, with one operation replaced by an unknown one with its operands, results,
    attributes, regions and successors: as IR of other dialects has them with --allow-unregistered-dialect."""

    name = "unknown"

    def prepare(self) -> None:
        self.passes = [*MLIR_PASSES, *PASSES]
        self.of_pass = tests_of_passes()
        self.seeds = [text for texts in self.of_pass.values() for text in texts]

    def make(self, rng: random.Random) -> str:
        name = rng.choice(self.passes)
        own = self.of_pass.get(name)
        text = rng.choice(own if own and rng.random() < 0.8 else self.seeds)
        with ttkit.Context() as context:
            context.allow_unregistered_dialects = True
            module = ttkit.parse(text)
            make_unknown(rng, module)
            if "ttg.partition" in text and name not in OF_PARTITIONS:
                name = rng.choice(OF_PARTITIONS)
            return f"// passes: {name}\n{module}"

    def context(self) -> ir.Context:
        context = super().context()
        context.allow_unregistered_dialects = True
        return context


def make_unknown(rng: random.Random, module: ir.Module) -> None:
    """Replaces one operation of a module."""
    found: list[ir.Operation] = []

    def note(op: ir.Operation) -> ir.WalkResult:
        if op.name not in ("builtin.module", NAME):
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(note)
    if not found:
        return
    name = rng.choice(sorted({op.name for op in found}))
    old = rng.choice([op for op in found if op.name == name])
    new = ir.Operation.create(
        NAME,
        [result.type for result in old.results],
        list(old.operands),
        {name: old.attributes[name] for name in old.attributes},
        list(old.successors),
        len(old.regions),
        loc=old.location,
        ip=ir.InsertionPoint(old),
    )
    for source, target in zip(old.regions, new.regions):
        for block in list(source.blocks):
            block.append_to(target)
    for before, after in zip(old.results, new.results):
        before.replace_all_uses_with(after)
    old.erase()
