"""MLIR's nvvm dialect: a class and a builder for each operation.  `tt` says how they behave."""

from typing import TYPE_CHECKING

from ttkit.dialects._enums import on_demand
from ttkit.dialects._nvvm_ops import *  # noqa: F403

if TYPE_CHECKING:
    from ttkit.dialects._nvvm_enums import *  # noqa: F403
else:
    __getattr__, __dir__ = on_demand("nvvm", "enums")
