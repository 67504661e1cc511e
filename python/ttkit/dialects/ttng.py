"""The ttng dialect in Python: operations, and layouts of tensor memory.  `tt` says how they behave."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mlir import ir

from ttkit.dialects import _ttng_ops as ops
from ttkit.dialects._enums import on_demand
from ttkit.dialects._operation import Operand, operation, value_of
from ttkit.dialects._ttg_types import AsyncTokenType
from ttkit.dialects._ttng_ops import *  # noqa: F403
from ttkit.dialects._type_base import LIBRARY, attribute_at, attribute_pointer

if TYPE_CHECKING:
    from ttkit.dialects._ttng_attributes import *  # noqa: F403
else:
    __getattr__, __dir__ = on_demand("ttng", "attributes")


@operation
class TMEMLoadOp(ops.TMEMLoadOp):
    __doc__ = ops.TMEMLoadOp.__doc__

    @property
    def token(self) -> ir.Value | None:
        """The token that orders accesses; None without."""
        return next((value for value in self.rest if isinstance(value.type, AsyncTokenType)), None)

    @property
    def red(self) -> ir.Value | None:
        """The result of `redOp` for each row; None without."""
        return next((value for value in self.rest if not isinstance(value.type, AsyncTokenType)), None)


@operation
class TCGen5CommitOp(ops.TCGen5CommitOp):
    __doc__ = ops.TCGen5CommitOp.__doc__

    @property
    def pred(self) -> ir.Value | None:
        """Whether the barrier gets an arrival; None where it always does."""
        return next((value for value in self.rest if isinstance(value.type, ir.IntegerType)), None)

    @property
    def descs(self) -> list[ir.Value]:
        """The operands of products that several CTAs have alike."""
        return [value for value in self.rest if not isinstance(value.type, ir.IntegerType)]


def tmem_load(
    result: ir.Type, token: ir.Type | None, src: Operand, *, dep: Operand | None = None, **given: Any
) -> Sequence[ir.Value]:
    """The results of a load: a tensor, and the token if it has a type.

    given: `red`, the type of what `redOp` computes; `red_op`, `abs`, `na_n`; loc, ip.
    """
    rest = [type for type in (token, given.pop("red", None)) if type is not None]
    return ops.tmem_load(result, rest, src, dep=dep, **given)


def tc_gen5_commit(
    barrier: Operand, *, pred: Operand | None = None, descs: Sequence[Operand] = (), **given: Any
) -> TCGen5CommitOp:
    """An arrival when products have ended.

    given: two_ctas; loc, ip.
    """
    rest = descs if pred is None else (pred, *descs)
    return ops.tc_gen5_commit(barrier, [value_of(value) for value in rest], **given)


def cache_policy_fields(policy: ir.Attribute) -> dict[str, str | int | float]:
    """The fields of a `#ttng.cache_policy` by name: words, numbers of bytes, fractions; empty for another attribute.

    A `#tt.cache_policy` gives those that mean the same.
    """
    found = LIBRARY.ttkitCachePolicyGetFields(attribute_pointer(policy))
    return {field.name: field.attr.value for field in attribute_at(found)} if found else {}
