"""Building blocks of passes.

    Pass, option, PassError         a pass, one of its options, and a failure at an operation
    remark, warn                    emit a remark or a warning at an operation
    apply_greedily, MATCHED...      rewrite patterns
    collect, contains_any...        find operations without walking in Python
    constant_splat...               read constants
    hoist_loop_invariants...        transformations of MLIR: also CSE, unrolling, cloning with a mapping

Modules of their own are value_expansion (one value becomes several) and block_access (addresses and bounds of blocks in
memory).
"""

from ttkit.inspection import collect, contains_any
from ttkit.passes.infra.base import Pass, PassError, option, remark, warn
from ttkit.passes.infra.constants import constant_attribute, constant_splat, constant_splat_attribute
from ttkit.passes.infra.rewriting import (
    MATCHED,
    NO_MATCH,
    Match,
    apply_greedily,
    canonicalize_ops,
    defining_name,
    defining_op,
    is_memory_effect_free,
    only_reads,
)
from ttkit.passes.infra.transforms import (
    clone_operations,
    eliminate_common_subexpressions,
    fold,
    hoist_loop_invariants,
    replace_by,
    replace_each,
    set_operands,
    unroll_loop,
)

__all__ = [
    "MATCHED", "NO_MATCH", "Match", "Pass", "PassError", "apply_greedily", "canonicalize_ops",
    "clone_operations", "collect", "constant_attribute", "constant_splat", "constant_splat_attribute",
    "contains_any", "defining_name", "defining_op", "eliminate_common_subexpressions", "fold",
    "hoist_loop_invariants", "is_memory_effect_free", "only_reads", "option", "remark", "replace_by",
    "replace_each", "set_operands", "unroll_loop", "warn",
]  # fmt: skip
