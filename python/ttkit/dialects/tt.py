"""The tt dialect in Python: a class for each operation, a builder for each, the enumerations, and the types.

Classes, enumerations and most builders are made of the td files (dialects/python): parsed operations arrive as
`tt.SplatOp`, and `tt.get_program_id("x")` builds, at the current insertion point.  `_tt_builders` has those that work
out types of results.  Enumerations are `enum.IntEnum`s; builders and setters take a member, its spelling in the IR or
its number, accessors return the member.
"""

from typing import TYPE_CHECKING

from ttkit.dialects._enums import on_demand
from ttkit.dialects._tt_ops import *  # noqa: F403

# isort: split
from ttkit.dialects._tt_builders import *  # type: ignore[assignment, unused-ignore]  # noqa: F403
from ttkit.dialects._tt_types import PointerType, TensorDescType  # noqa: F401

if TYPE_CHECKING:
    from ttkit.dialects._tt_enums import *  # noqa: F403
else:
    __getattr__, __dir__ = on_demand("tt", "enums")
