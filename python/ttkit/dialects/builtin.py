"""MLIR's builtin dialect: a class and a builder for each operation.  `tt` says how they behave."""

from typing import TYPE_CHECKING

from mlir import ir

from ttkit.dialects import _builtin_ops as ops
from ttkit.dialects._builtin_ops import *  # noqa: F403
from ttkit.dialects._enums import on_demand
from ttkit.dialects._operation import operation

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand("builtin")


@operation
class ModuleOp(ops.ModuleOp):
    __doc__ = ops.ModuleOp.__doc__

    @property
    def body(self) -> ir.Block:
        """The block with the module's operations."""
        return self.operation.regions[0].blocks[0]
