"""MLIR's scf dialect: a class and a builder for each operation.  `tt` says how they behave."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mlir import ir

from ttkit.dialects import _scf_ops as ops
from ttkit.dialects._enums import on_demand
from ttkit.dialects._operation import Operand, operation, value_of
from ttkit.dialects._scf_ops import *  # noqa: F403

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand("scf")


@operation
class ForOp(ops.ForOp):
    __doc__ = ops.ForOp.__doc__

    @property
    def body(self) -> ir.Block:
        """The block that each iteration runs."""
        return self.operation.regions[0].blocks[0]

    @property
    def induction_variable(self) -> ir.Value:
        """The counter: the first argument of the body."""
        return self.body.arguments[0]

    @property
    def inner_iter_args(self) -> Sequence[ir.Value]:
        """The arguments of the body for `initArgs`."""
        return self.body.arguments[1:]


@operation
class IfOp(ops.IfOp):
    __doc__ = ops.IfOp.__doc__

    @property
    def then_block(self) -> ir.Block:
        """The block that runs where the condition holds."""
        return self.operation.regions[0].blocks[0]

    @property
    def else_block(self) -> ir.Block | None:
        """The block that runs where it does not; None if there is none."""
        blocks = self.operation.regions[1].blocks
        return blocks[0] if len(blocks) else None


def for_(start: Operand, stop: Operand, step: Operand, inits: Sequence[Operand] = (), **where: Any) -> ForOp:
    """A loop whose body is an empty block with arguments: the counter, and one for each of `inits`."""
    values = [value_of(init) for init in inits]
    types = [value.type for value in values]
    loop: Any = ops.for_(types, start, stop, step, values, **where)
    location = loop.operation.location
    loop.operation.regions[0].blocks.append(value_of(start).type, *types, arg_locs=[location] * (len(types) + 1))
    return loop


def if_(condition: Operand, results: Sequence[ir.Type] = (), *, has_else: bool | None = None, **where: Any) -> IfOp:
    """A branch whose blocks are empty; with results, or if so wanted, it has an else block."""
    branch: Any = ops.if_(list(results), condition, **where)
    regions = branch.operation.regions
    regions[0].blocks.append()
    if results if has_else is None else has_else:
        regions[1].blocks.append()
    return branch
