"""The ttng dialect in Python: operations, and layouts of tensor memory.  `tt` says how they behave."""

from typing import TYPE_CHECKING

from ttkit.dialects._enums import on_demand
from ttkit.dialects._ttng_ops import *  # noqa: F403

if TYPE_CHECKING:
    from ttkit.dialects._ttng_attributes import *  # noqa: F403
else:
    __getattr__ = on_demand("ttng", "attributes")
