"""The tt dialect in Python: a class for each operation, a builder for each, the enumerations, and the types.

Operation classes and most builders come from the dialect's TableGen description, as for MLIR's own dialects: parsed
operations arrive as `tt.SplatOp`, and `tt.get_program_id("x")` builds.  `_tt_builders` has the builders written by
hand.  Enumerations are `enum.IntEnum`s; builders and setters take a member, its spelling in the IR or its number,
accessors return the member.
"""

from typing import TYPE_CHECKING, Any

from ttkit.dialects import _tt_enum_gen as enums
from ttkit.dialects._enums import enum_fields, register_enums
from ttkit.dialects._tt_enum_gen import *  # noqa: F403
from ttkit.dialects._tt_ops_gen import *  # noqa: F403

# isort: split
from ttkit.dialects import _tt_ops_gen as ops
from ttkit.dialects._tt_builders import *  # noqa: F403
from ttkit.dialects._tt_types import PointerType, TensorDescType  # noqa: F401

if TYPE_CHECKING:  # the generated names

    def __getattr__(name: str) -> Any: ...


register_enums(
    TT_AtomicRMWAttr=enums.RMWOp,
    TT_CacheModifierAttr=enums.CacheModifier,
    TT_DescriptorReduceKindAttr=enums.DescriptorReduceKind,
    TT_EvictionPolicyAttr=enums.EvictionPolicy,
    TT_InputPrecisionAttr=enums.InputPrecision,
    TT_MemSemanticAttr=enums.MemSemantic,
    TT_MemSyncScopeAttr=enums.MemSyncScope,
    TT_PaddingOptionAttr=enums.PaddingOption,
    TT_ProgramDim=enums.ProgramIDDim,
    TT_PropagateNanAttr=enums.PropagateNan,
    TT_RoundingModeAttr=enums.RoundingMode,
    TT_ScaleDotElemTypeAttr=enums.ScaleDotElemType,
)
enum_fields(ops.AtomicCASOp, sem=enums.MemSemantic, scope=enums.MemSyncScope)
enum_fields(ops.AtomicRMWOp, atomic_rmw_op=enums.RMWOp, sem=enums.MemSemantic, scope=enums.MemSyncScope)
enum_fields(ops.ClampFOp, propagateNan=enums.PropagateNan)
enum_fields(ops.DescriptorLoadOp, cache=enums.CacheModifier, evict=enums.EvictionPolicy)
enum_fields(ops.DescriptorReduceOp, kind=enums.DescriptorReduceKind)
enum_fields(ops.DotOp, inputPrecision=enums.InputPrecision)
enum_fields(ops.DotScaledOp, a_elem_type=enums.ScaleDotElemType, b_elem_type=enums.ScaleDotElemType)
enum_fields(ops.FpToFpOp, rounding=enums.RoundingMode)
enum_fields(ops.GetNumProgramsOp, axis=enums.ProgramIDDim)
enum_fields(ops.GetProgramIdOp, axis=enums.ProgramIDDim)
enum_fields(ops.LoadOp, padding=enums.PaddingOption, cache=enums.CacheModifier, evict=enums.EvictionPolicy)
enum_fields(ops.MakeTensorDescOp, padding=enums.PaddingOption)
enum_fields(ops.StoreOp, cache=enums.CacheModifier, evict=enums.EvictionPolicy)
