"""MLIR's math dialect: a class and a builder for each operation.  `tt` says how they behave."""

from ttkit.dialects._math_ops import *  # noqa: F403
