"""The ttng dialect in Python: a class and a builder for each operation.  `tt` says how they behave."""

from typing import TYPE_CHECKING, Any

from ttkit.dialects._ttng_ops_gen import *  # noqa: F403

if TYPE_CHECKING:  # the generated names

    def __getattr__(name: str) -> Any: ...
