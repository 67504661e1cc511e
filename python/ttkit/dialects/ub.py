"""MLIR's ub dialect: a class and a builder for each operation.  `tt` says how they behave."""

from ttkit.dialects._ub_ops import *  # noqa: F403
