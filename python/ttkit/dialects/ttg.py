"""The ttg dialect in Python: operation classes, builders, types, and the way between layout attributes and values.

`layout_of(value)` is the `ttkit.layout` value of a tensor's or memory descriptor's layout, `attribute(layout)` the way
back; both cost about a microsecond once a layout has been seen in its context.  `linear_layout_of(value)` is what it
means for the value's shape, a `ttkit.layout.LinearLayout`.  `tt` says how operation classes and
enumerations behave.
"""

from typing import TYPE_CHECKING, Any

from ttkit.dialects import _ttg_enum_gen as enums
from ttkit.dialects._enums import enum_fields, register_enums
from ttkit.dialects._tt_enum_gen import CacheModifier, EvictionPolicy
from ttkit.dialects._ttg_enum_gen import *  # noqa: F403
from ttkit.dialects._ttg_ops_gen import *  # noqa: F403

# isort: split
from ttkit.dialects import _ttg_ops_gen as ops
from ttkit.dialects import tt  # noqa: F401  # defines the enumerations of tt that ttg's operations use
from ttkit.dialects._layouts import attribute, encoding_of, layout_of, linear_layout_of  # noqa: F401
from ttkit.dialects._ttg_builders import *  # noqa: F403
from ttkit.dialects._ttg_types import AsyncTokenType, MemDescType  # noqa: F401

if TYPE_CHECKING:  # the generated names

    def __getattr__(name: str) -> Any: ...


register_enums(TTG_AddrSpaceAttr=enums.AddrSpace)
enum_fields(ops.AsyncCopyGlobalToLocalOp, cache=CacheModifier, evict=EvictionPolicy)
enum_fields(ops.BarrierOp, addrSpace=enums.AddrSpace)
