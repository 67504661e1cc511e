"""The steps that stages consist of: a pass, its name in the stage, and the kernels that it is left out for."""

from __future__ import annotations

from typing import NamedTuple

from mlir import ir

from ttkit.inspection import collect
from ttkit.operation_sets import UNSCALED_DOTS
from ttkit.passes.infra.tensor_bytes import bytes_of, fit_in_registers

FOR = ("scf.for",)


class Step(NamedTuple):
    """A pass of a stage.

    name: its name in the stage.
    text: the pass with its options, as in a pipeline.
    acts_on: the operations of which the stage's input must have one for the pass to run; empty if it always runs.
    asked_by: the attribute that one of them must have.
    divided_for: the warps of a kernel whose loops the pass may divide unasked: with two dot operations, or with results
        that do not fit into the registers of these warps; 0 if it divides none.
    """

    name: str
    text: str
    acts_on: tuple[str, ...] = ()
    asked_by: str = ""
    divided_for: int = 0

    def may_act(self, root: ir.Operation, names: frozenset[str]) -> bool:
        """Whether the input of the stage has an operation on which the pass acts.

        names: those of its operations.
        """
        if self.divided_for and not names.isdisjoint(UNSCALED_DOTS):
            dots = collect(root, UNSCALED_DOTS)
            if len(dots) > 1 or not fit_in_registers(bytes_of(dots[0].result), self.divided_for):
                return True
        if self.asked_by:
            acts = not names.isdisjoint(self.acts_on)
            return acts and any(self.asked_by in op.attributes for op in collect(root, self.acts_on))
        return not self.acts_on or not names.isdisjoint(self.acts_on)


Stage = list[str | Step]


def pass_name(text: str) -> str:
    """The name of one pass in a pipeline; of nested ones that of the operation."""
    return text.partition("{")[0].partition("(")[0].strip()


def when(condition: bool, *passes: str | Step) -> tuple[str | Step, ...]:
    """`passes` of a stage if the condition holds."""
    return passes if condition else ()


def named(name: str, text: str) -> Step:
    """A pass under another name than its own."""
    return Step(name, text)


def acting_on(operations: tuple[str, ...], text: str, name: str = "") -> Step:
    """A pass that is left out of the compilation of kernels without these operations."""
    return Step(name or pass_name(text), text, operations)


def asking(attribute: str, text: str) -> Step:
    """A pass for loops that ask for it by an attribute; few do."""
    return Step(pass_name(text), text, FOR, attribute)


def choosing(text: str, num_warps: int) -> Step:
    """A pass for loops with dot operations, which may be divided among groups of warps without asking."""
    return Step(pass_name(text), text, FOR, "tt.warp_specialize", num_warps)
