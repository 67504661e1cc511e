"""The ttg dialect in Python: operation classes, builders, types, and the way between layout attributes and values.

`layout_of(value)` is the `ttkit.layout` value of a tensor's or memory descriptor's layout, `attribute(layout)` the way
back; both cost about a microsecond once a layout has been seen in its context.  `linear_layout_of(value)` is what it
means for the value's shape, a `ttkit.layout.LinearLayout`.  `BlockedEncodingAttr.get(...)` and the like make
the attributes of layouts.  `tt` says how operation classes and enumerations behave.
"""

from typing import TYPE_CHECKING

from ttkit.dialects._enums import on_demand
from ttkit.dialects._ttg_ops import *  # noqa: F403

# isort: split
from ttkit.dialects._layouts import attribute, encoding_of, layout_of, linear_layout_of  # noqa: F401
from ttkit.dialects._ttg_builders import *  # noqa: F403
from ttkit.dialects._ttg_types import AsyncTokenType, MemDescType  # noqa: F401

if TYPE_CHECKING:
    from ttkit.dialects._ttg_attributes import *  # noqa: F403
    from ttkit.dialects._ttg_enums import *  # noqa: F403
else:
    __getattr__, __dir__ = on_demand("ttg", "enums", "attributes")
