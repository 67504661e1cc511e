"""The ttng dialect in Python: a class and a builder for each operation.  `tt` says how they behave."""

from typing import TYPE_CHECKING, Any

from ttkit.dialects import _ttng_ops_gen as ops
from ttkit.dialects import tt, ttg  # noqa: F401  # define the enumerations and types that ttng's operations use
from ttkit.dialects._enums import enum_fields
from ttkit.dialects._tt_enum_gen import (
    CacheModifier,
    DescriptorReduceKind,
    EvictionPolicy,
    InputPrecision,
    ProgramIDDim,
    ScaleDotElemType,
)
from ttkit.dialects._ttng_ops_gen import *  # noqa: F403

if TYPE_CHECKING:  # the generated names

    def __getattr__(name: str) -> Any: ...


enum_fields(ops.AsyncTMACopyGlobalToLocalOp, cache=CacheModifier, evict=EvictionPolicy)
enum_fields(ops.AsyncTMAReduceOp, kind=DescriptorReduceKind)
enum_fields(ops.CLCGetProgramIdOp, dim=ProgramIDDim)
enum_fields(ops.TCGen5MMAScaledOp, a_type=ScaleDotElemType, b_type=ScaleDotElemType)
enum_fields(ops.WarpGroupDotOp, inputPrecision=InputPrecision)
