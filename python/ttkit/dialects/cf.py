"""MLIR's cf dialect: a class and a builder for each operation.  `tt` says how they behave."""

from ttkit.dialects._cf_ops import *  # noqa: F403
