"""Products by wgmma: four warps multiply blocks in shared memory, in the background.

Ops: dialects/ttng/wgmma_ops.td    Interpreter: interpreter/ops/wgmma.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.base import base_type, base_value
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import attribute_of_32_bits, flag_attribute, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.dot import precision_attribute
from ttkit.language.errors import BadArgument, BadLayout
from ttkit.language.gluon.checks import type_with_layout
from ttkit.language.gluon.shared_memory import descriptor, shared_memory_descriptor
from ttkit.language.tensor import tensor
from ttkit.language.tuples import tuple
from ttkit.layout.gluon.distributed_layouts import DotOperandLayout, NVMMADistributedLayout


class warpgroup_mma_accumulator_type(base_type):
    """The type of a result that a product still computes: that of a tensor, `tensor_type`.

    Example:
        >>> mma = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 32, 16])
        >>> zero = gl.zeros([64, 32], gl.float32, mma)
        >>> hopper.warpgroup_mma_init(zero).type == hopper.warpgroup_mma_accumulator_type(zero.type)
        True
    """

    def __init__(self, tensor_type: Any) -> None:
        self.tensor_type = tensor_type

    def __str__(self) -> str:
        return f"warpgroup_mma_accumulator<{self.tensor_type}>"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, warpgroup_mma_accumulator_type) and self.tensor_type == other.tensor_type

    def __hash__(self) -> int:
        return hash((type(self), self.tensor_type))

    def _flatten_ir_types(self, out: list[str]) -> None:
        self.tensor_type._flatten_ir_types(out)

    def _unflatten_ir(self, handles: Any, cursor: int) -> Any:
        return warpgroup_mma_accumulator(handles[cursor], self.tensor_type), cursor + 1

    def mangle(self) -> str:
        """The tensor's."""
        return f"FT{self.tensor_type.mangle()}FT"


class warpgroup_mma_accumulator(base_value):
    """A result that a product still computes: `warpgroup_mma_wait` makes it a tensor, other products add to it.

    Example:
        >>> mma = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 32, 16])
        >>> running = hopper.warpgroup_mma_init(gl.zeros([64, 32], gl.float32, mma))
        >>> isinstance(running, hopper.warpgroup_mma_accumulator)
        True
    """

    def __init__(self, handle: Any, tensor_type: Any) -> None:
        self.handle = handle
        self.type = warpgroup_mma_accumulator_type(tensor_type)

    def _flatten_ir(self, handles: list[Any]) -> None:
        handles.append(self.handle)

    def __str__(self) -> str:
        return str(self.type)

    __repr__ = __str__


def _tensor_type(value: Any) -> Any:
    return value.type.tensor_type if isinstance(value, warpgroup_mma_accumulator) else value.type


@builtin
def warpgroup_mma_init(value: tensor) -> warpgroup_mma_accumulator:
    """A tensor as a result that products add to, such as the first one of a loop.

    Raises:
        BadLayout: it has no layout.

    Example:
        >>> mma = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 32, 16])
        >>> shared = gl.NVMMASharedLayout.get_default_for([64, 32], gl.float16)
        >>> a = gl.allocate_shared_memory(gl.float16, [64, 32], shared, gl.full([64, 32], 2.0, gl.float16, rows))
        >>> b = gl.allocate_shared_memory(gl.float16, [32, 32], shared, gl.full([32, 32], 3.0, gl.float16, rows))
        >>> running = hopper.warpgroup_mma_init(gl.full([64, 32], 1.0, gl.float32, mma))
        >>> running = hopper.warpgroup_mma(a, b, running, is_async=True)
        >>> gl.max(gl.max(hopper.warpgroup_mma_wait(0, deps=[running]), 1), 0)
        fp32[] 193.0
    """
    return warpgroup_mma_accumulator(value.handle, type_with_layout("warpgroup_mma_init", value))


def _left(a: Any, acc: NVMMADistributedLayout) -> Any:
    """The left operand: a buffer, or a tensor in the layout that belongs to the result's.  Raises BadLayout."""
    if not isinstance(a, tensor):
        return descriptor("warpgroup_mma", a)
    type = type_with_layout("warpgroup_mma", a)
    wanted = DotOperandLayout(0, acc, max(32 // type.element_ty.primitive_bitwidth, 1))
    if type.layout != wanted:
        reason = f"a of warpgroup_mma must be in shared memory or have the layout {wanted}, found {type.layout}"
        raise BadLayout(reason=reason, advice=f"convert it: ttgl.convert_layout(a, {wanted})")
    return a


def _imprecise(value: Any, a: Any, b: Any) -> str:
    """The number of products of fp8 that the tensor core adds up by itself, as an attribute."""
    both_fp8 = a.dtype.is_fp8() and b.dtype.is_fp8()
    value = unwrap(value)
    if value is None:
        value = builder().unit.options.max_num_imprecise_acc_default if both_fp8 else 0
    elif both_fp8 and value > a.type.shape[-1]:
        reason = f"max_num_imprecise_acc ({value}) must be <= K ({a.type.shape[-1]})"
        raise BadArgument(function="warpgroup_mma", reason=reason)
    return attribute_of_32_bits("warpgroup_mma", "max_num_imprecise_acc", value)


@builtin
def warpgroup_mma(
    a: Any,
    b: Any,
    acc: Any,
    *,
    use_acc: Any = True,
    precision: Any = None,
    max_num_imprecise_acc: Any = None,
    is_async: Any = False,
) -> Any:
    """`a @ b + acc`, or `a @ b` where `use_acc` does not hold.

    Args:
        a: (M, K), in shared memory, or in registers in the layout `DotOperandLayout(0, acc.layout, 32 / bits)`.
        b: (K, N), in shared memory.
        acc: (M, N), in an `NVMMADistributedLayout` of version [3, 0], or the result of such a product.
        precision: of fp32 operands, as of `tl.dot`.
        max_num_imprecise_acc: as of `tl.dot`.
        is_async: do not wait; the buffers must stay as they are until `warpgroup_mma_wait`.

    Returns:
        A tensor; with `is_async` a `warpgroup_mma_accumulator`.

    Raises:
        BadLayout: an operand is in another layout.
        BadArgument: `b` is not in shared memory, or options do not go together.

    Example:
        >>> mma = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 32, 16])
        >>> shared = gl.NVMMASharedLayout.get_default_for([64, 32], gl.float16)
        >>> a = gl.allocate_shared_memory(gl.float16, [64, 32], shared, gl.full([64, 32], 2.0, gl.float16, rows))
        >>> b = gl.allocate_shared_memory(gl.float16, [32, 32], shared, gl.full([32, 32], 3.0, gl.float16, rows))
        >>> gl.max(gl.max(hopper.warpgroup_mma(a, b, gl.zeros([64, 32], gl.float32, mma)), 1), 0)
        fp32[] 192.0
    """
    type = _tensor_type(acc) if isinstance(acc, warpgroup_mma_accumulator) else type_with_layout("warpgroup_mma", acc)
    if not isinstance(type.layout, NVMMADistributedLayout) or type.layout.version != [3, 0]:
        reason = f"acc of warpgroup_mma must have an NVMMADistributedLayout of version [3, 0], found {type.layout}"
        raise BadLayout(reason=reason)
    left, right = _left(unwrap(a), type.layout), descriptor("warpgroup_mma", b)
    attributes = {
        "inputPrecision": precision_attribute("warpgroup_mma", unwrap(precision)),
        "maxNumImpreciseAcc": _imprecise(max_num_imprecise_acc, left, right),
        "isAsync": flag_attribute("warpgroup_mma", "is_async", is_async),
    }
    operands = (left.handle, right.handle, acc.handle, to_tensor(use_acc).handle)
    made = warpgroup_mma_accumulator if attributes["isAsync"] == "true" else tensor
    return made(builder().emit("ttng.warp_group_dot", operands, type.ir, attributes), type)


@builtin
def warpgroup_mma_wait(num_outstanding: Any = 0, deps: Any = None) -> Any:
    """Waits until at most so many products, the latest ones, are unfinished.

    Args:
        deps: results of products that are finished then, and buffers that must live until here.

    Returns:
        `deps`, results as tensors; a single one alone.

    Raises:
        BadArgument: no `deps`, something else in them, or no number known while compiling.

    Example:
        >>> mma = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 32, 16])
        >>> shared = gl.NVMMASharedLayout.get_default_for([64, 32], gl.float16)
        >>> a = gl.allocate_shared_memory(gl.float16, [64, 32], shared, gl.full([64, 32], 2.0, gl.float16, rows))
        >>> b = gl.allocate_shared_memory(gl.float16, [32, 32], shared, gl.full([32, 32], 3.0, gl.float16, rows))
        >>> running = hopper.warpgroup_mma(a, b, gl.zeros([64, 32], gl.float32, mma), is_async=True)
        >>> gl.max(gl.max(hopper.warpgroup_mma_wait(0, deps=[running]), 1), 0)
        fp32[] 192.0
    """
    number = attribute_of_32_bits("warpgroup_mma_wait", "num_outstanding", unwrap(num_outstanding))
    values = [] if unwrap(deps) is None else list(unwrap(deps))
    if not values:
        raise BadArgument(function="warpgroup_mma_wait", reason="warpgroup_mma_wait deps must be given")
    for value in values:
        if not isinstance(value, (tensor, warpgroup_mma_accumulator, shared_memory_descriptor)):
            reason = f"deps of warpgroup_mma_wait must be results of products or buffers, found {value!r}"
            raise BadArgument(function="warpgroup_mma_wait", reason=reason)
    handles, types = [value.handle for value in values], [_tensor_type(value) for value in values]
    attributes = {"pendings": number}
    op = builder().emit_op("ttng.warp_group_dot_wait", handles, [type.ir for type in types], attributes)
    waited = [type._unflatten_ir([handle], 0)[0] for type, handle in zip(types, op.results)]
    return waited[0] if len(waited) == 1 else tuple(waited)
