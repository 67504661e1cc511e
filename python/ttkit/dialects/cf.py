"""MLIR's cf dialect: a class and a builder for each operation.  `tt` says how they behave."""

from typing import TYPE_CHECKING

from ttkit.dialects._cf_ops import *  # noqa: F403
from ttkit.dialects._enums import on_demand

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand("cf")
