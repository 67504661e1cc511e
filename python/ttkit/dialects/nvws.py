"""The nvws dialect in Python: a class and a builder for each operation.  `tt` says how they behave."""

from typing import TYPE_CHECKING

from ttkit.dialects._enums import on_demand
from ttkit.dialects._nvws_ops import *  # noqa: F403

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand("nvws")
