"""What passes are written with.

Pass, option, PassError         a pass, one of its options, and a failure at an operation
apply_greedily, MATCHED...      rewrite patterns
collect, contains_any...        find operations without walking in Python
constant_splat...               read constants
"""

from ttkit.passes.infra.base import Pass, PassError, option
from ttkit.passes.infra.constants import constant_attribute, constant_splat, constant_splat_attribute
from ttkit.passes.infra.rewriting import (
    MATCHED,
    NO_MATCH,
    Match,
    apply_greedily,
    collect,
    contains_any,
    defining_name,
    defining_op,
    elementwise_names,
    is_memory_effect_free,
)

__all__ = [
    "MATCHED",
    "NO_MATCH",
    "Match",
    "Pass",
    "PassError",
    "apply_greedily",
    "collect",
    "constant_attribute",
    "constant_splat",
    "constant_splat_attribute",
    "contains_any",
    "defining_name",
    "defining_op",
    "elementwise_names",
    "is_memory_effect_free",
    "option",
]
