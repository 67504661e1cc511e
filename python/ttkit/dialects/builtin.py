"""MLIR's builtin dialect: a class and a builder for each operation.  `tt` says how they behave."""

from mlir import ir

from ttkit.dialects import _builtin_ops as ops
from ttkit.dialects._builtin_ops import *  # noqa: F403
from ttkit.dialects._operation import operation


@operation
class ModuleOp(ops.ModuleOp):
    __doc__ = ops.ModuleOp.__doc__

    @property
    def body(self) -> ir.Block:
        """The block with the module's operations."""
        return self.operation.regions[0].blocks[0]
