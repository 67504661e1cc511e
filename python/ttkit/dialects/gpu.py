"""MLIR's gpu dialect: a class and a builder for each operation.  `tt` says how they behave."""

from ttkit.dialects._gpu_enums import *  # noqa: F403
from ttkit.dialects._gpu_ops import *  # noqa: F403
