"""The nvg dialect in Python: a class and a builder for each operation.  `tt` says how they behave."""

from ttkit.dialects._nvg_ops import *  # noqa: F403
