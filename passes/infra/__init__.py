"""What passes are written with.

Pass, option, PassError         a pass, one of its options, and a failure at an operation
remark                          say something at an operation
apply_greedily, MATCHED...      rewrite patterns
collect, contains_any...        find operations without walking in Python
constant_splat...               read constants
hoist_loop_invariants...        what MLIR does in C++: also CSE, unrolling, cloning with a mapping
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttkit.inspection import collect, contains_any
    from ttkit.passes.infra.base import Pass, PassError, option, remark
    from ttkit.passes.infra.constants import constant_attribute, constant_splat, constant_splat_attribute
    from ttkit.passes.infra.rewriting import (
        MATCHED,
        NO_MATCH,
        Match,
        apply_greedily,
        canonicalize_ops,
        defining_name,
        defining_op,
        elementwise_names,
        is_memory_effect_free,
        only_reads,
    )
    from ttkit.passes.infra.transforms import (
        clone_operations,
        eliminate_common_subexpressions,
        hoist_loop_invariants,
        set_operands,
        unroll_loop,
    )

__all__ = [
    "MATCHED",
    "NO_MATCH",
    "Match",
    "Pass",
    "PassError",
    "apply_greedily",
    "canonicalize_ops",
    "clone_operations",
    "collect",
    "constant_attribute",
    "constant_splat",
    "constant_splat_attribute",
    "contains_any",
    "defining_name",
    "defining_op",
    "elementwise_names",
    "eliminate_common_subexpressions",
    "hoist_loop_invariants",
    "is_memory_effect_free",
    "only_reads",
    "option",
    "remark",
    "set_operands",
    "unroll_loop",
]

# Where each name lives.  Loaded on first use: tt-opt starts without MLIR's Python side if no pass needs it.
_HOMES = {
    "MATCHED": ".rewriting",
    "Match": ".rewriting",
    "NO_MATCH": ".rewriting",
    "Pass": ".base",
    "PassError": ".base",
    "apply_greedily": ".rewriting",
    "canonicalize_ops": ".rewriting",
    "clone_operations": ".transforms",
    "collect": "ttkit.inspection",
    "constant_attribute": ".constants",
    "constant_splat": ".constants",
    "constant_splat_attribute": ".constants",
    "contains_any": "ttkit.inspection",
    "defining_name": ".rewriting",
    "defining_op": ".rewriting",
    "elementwise_names": ".rewriting",
    "eliminate_common_subexpressions": ".transforms",
    "hoist_loop_invariants": ".transforms",
    "is_memory_effect_free": ".rewriting",
    "only_reads": ".rewriting",
    "option": ".base",
    "remark": ".base",
    "set_operands": ".transforms",
    "unroll_loop": ".transforms",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(_HOMES[name], __name__), name)
    return value
