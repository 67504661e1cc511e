"""MLIR's llvm dialect: a class and a builder for each operation.  `tt` says how they behave."""

from ttkit.dialects._llvm_enums import *  # noqa: F403
from ttkit.dialects._llvm_ops import *  # noqa: F403
