"""Products by tcgen05: one thread starts them, and their results are in tensor memory.

Ops: dialects/ttng/tcgen5_ops.td, tensor_memory_ops.td    Interpreter: interpreter/ops/tcgen5.py
"""

from __future__ import annotations

from typing import Any

from ttkit.dialects._tt_enums import ScaleDotElemType
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import flag, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument
from ttkit.language.gluon.nvidia.blackwell.tensor_memory import tensor_memory, tensor_memory_descriptor
from ttkit.language.gluon.shared_memory import descriptor
from ttkit.language.jit_function import constexpr_function
from ttkit.language.memory import enum_attribute

_TOKEN = "!ttg.async.token"
_MOST_OPERANDS = 4
_FORMATS = ("e2m1", "e4m3", "e5m2")


@builtin
def tcgen05_copy(src: Any, dst: Any) -> None:
    """Begins to copy a buffer in shared memory to tensor memory; products after it see the copy.

    Args:
        src: in shared memory.
        dst: in tensor memory, of the same shape and type.

    Raises:
        BadArgument: another kind of buffer.

    Example:
        >>> shared = gl.NVMMASharedLayout(swizzle_byte_width=0, element_bitwidth=8, rank=2)
        >>> scales = gl.allocate_shared_memory(gl.int8, [128, 4], shared, gl.full([128, 4], 127, gl.int8, rows))
        >>> held = blackwell.allocate_tensor_memory(gl.int8, [128, 4], blackwell.TensorMemoryScalesLayout())
        >>> blackwell.tcgen05_copy(scales, held)
    """
    operands = (descriptor("tcgen05_copy", src).handle, tensor_memory("tcgen05_copy", dst).handle)
    builder().emit_op("ttng.tmem_copy", operands)


def _barriers(function: str, mbarriers: Any, mbarrier_preds: Any) -> tuple[list[Any], list[Any]]:
    """Handles of barriers and of their conditions.  Raises BadArgument if there are not as many."""
    barriers, conditions = unwrap(mbarriers), unwrap(mbarrier_preds)
    if barriers is None:
        if conditions is not None:
            raise BadArgument(
                function=function, reason="mbarrier_preds are conditions of mbarriers, found none of these"
            )
        return [], []
    handles = [descriptor(function, barrier).handle for barrier in barriers]
    if conditions is None:
        return handles, [to_tensor(True).handle] * len(handles)
    preds = [to_tensor(condition).handle for condition in conditions]
    if len(preds) != len(handles):
        reason = f"expected a condition for each of {len(handles)} mbarriers, found {len(preds)}"
        raise BadArgument(function=function, reason=reason)
    return handles, preds


def _operand(function: str, value: Any) -> Any:
    """A buffer in tensor or shared memory.  Raises BadArgument for anything else."""
    found = unwrap(value)
    return found if isinstance(found, tensor_memory_descriptor) else descriptor(function, found)


def _multicast(function: str, asked: Any) -> dict[str, str]:
    """The attribute of a product whose barriers get the arrivals of several CTAs."""
    return {"multicast": "unit"} if flag(function, "multicast", asked) else {}


def _segments(scales: int, barriers: int) -> str:
    counts = [1, 1, 1, 0, *[1] * scales, 1, 1, barriers, barriers]
    return f"array<i32: {', '.join(map(str, counts))}>"


@builtin
def tcgen05_mma(
    a: Any,
    b: Any,
    acc: Any,
    *,
    use_acc: Any = True,
    pred: Any = True,
    multicast: Any = False,
    mbarriers: Any = None,
    mbarrier_preds: Any = None,
) -> None:
    """`acc = a @ b + acc`, or `a @ b` where `use_acc` does not hold.

    Args:
        a: (M, K), in shared or tensor memory.
        b: (K, N), in shared memory.
        acc: (M, N), in tensor memory.
        pred: whether to multiply at all.
        multicast: whether the barriers of all CTAs that have the same part of `a`, or of `b`, get the arrival: see
            `tcgen05_mma_barrier_count`.
        mbarriers: barriers that get an arrival when it has ended, `[]` if a `tcgen05_commit` follows; None: it waits.
        mbarrier_preds: whether they get it, a condition for each.

    Raises:
        BadArgument: other operands.

    Example:
        >>> layout = blackwell.TensorMemoryLayout((128, 32), col_stride=1)
        >>> acc = blackwell.allocate_tensor_memory(gl.float32, [128, 32], layout)
        >>> shared = gl.NVMMASharedLayout.get_default_for([128, 32], gl.float16)
        >>> a = gl.allocate_shared_memory(gl.float16, [128, 32], shared, gl.full([128, 32], 2.0, gl.float16, rows))
        >>> b = gl.allocate_shared_memory(gl.float16, [32, 32], shared, gl.full([32, 32], 3.0, gl.float16, rows))
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=1)
        >>> blackwell.tcgen05_mma(a, b, acc, use_acc=False, mbarriers=[bar])
        >>> mbarrier.wait(bar, 0)
        >>> gl.max(gl.max(acc.load(), 1), 0)
        fp32[] 192.0
    """
    left, result = _operand("tcgen05_mma", a), tensor_memory("tcgen05_mma", acc)
    right = descriptor("tcgen05_mma", b)
    use, condition = to_tensor(use_acc), to_tensor(pred)
    barriers, preds = _barriers("tcgen05_mma", mbarriers, mbarrier_preds)
    attributes = {"operandSegmentSizes": _segments(0, len(barriers)), **_multicast("tcgen05_mma", multicast)}
    if unwrap(mbarriers) is not None:
        attributes["is_async"] = "unit"
    if getattr(result.layout, "two_ctas", False):
        attributes["two_ctas"] = "unit"
    operands = [left.handle, right.handle, result.handle, use.handle, condition.handle, *barriers, *preds]
    builder().emit("ttng.tc_gen5_mma", operands, _TOKEN, attributes)


@builtin
def tcgen05_mma_scaled(
    a: Any,
    b: Any,
    acc: Any,
    a_scale: Any,
    b_scale: Any,
    a_type: Any,
    b_type: Any,
    *,
    use_acc: Any = True,
    pred: Any = True,
    multicast: Any = False,
    mbarriers: Any = None,
    mbarrier_preds: Any = None,
) -> None:
    """`acc = (a * a_scale) @ (b * b_scale) + acc`; a scale is of 32 elements along K, or of 16.

    Args:
        a, b, acc, use_acc, pred: as of `tcgen05_mma`; two of "e2m1" are in a byte.
        a_scale: (M, K / 32), in tensor memory, with a `TensorMemoryScalesLayout`.
        b_scale: (N, K / 32), likewise.
        a_type, b_type: "e2m1", "e4m3" or "e5m2".
        multicast, mbarriers, mbarrier_preds: as of `tcgen05_mma`.

    Raises:
        BadArgument: other operands or types.

    Example:
        >>> shared = gl.NVMMASharedLayout.get_default_for([128, 64], gl.float8e5)
        >>> ones = gl.full([128, 64], 1.0, gl.float8e5, rows)
        >>> a = gl.allocate_shared_memory(gl.float8e5, [128, 64], shared, ones)
        >>> b = gl.allocate_shared_memory(gl.float8e5, [128, 64], shared, ones).permute([1, 0])
        >>> held = blackwell.TensorMemoryScalesLayout()
        >>> registers = blackwell.get_tmem_reg_layout(gl.int8, (128, 2), held, 4)
        >>> twos = gl.full([128, 2], 128, gl.int8, registers)  # exponents, from 127 on
        >>> scales = blackwell.allocate_tensor_memory(gl.int8, [128, 2], held, twos)
        >>> acc = blackwell.allocate_tensor_memory(gl.float32, [128, 128], blackwell.TensorMemoryLayout((128, 128), 1))
        >>> blackwell.tcgen05_mma_scaled(a, b, acc, scales, scales, "e5m2", "e5m2", use_acc=False)
        >>> gl.max(gl.max(acc.load(), 1), 0)
        fp32[] 256.0
    """
    left, result = _operand("tcgen05_mma_scaled", a), tensor_memory("tcgen05_mma_scaled", acc)
    right = descriptor("tcgen05_mma_scaled", b)
    scales = [tensor_memory("tcgen05_mma_scaled", scale).handle for scale in (a_scale, b_scale)]
    use, condition = to_tensor(use_acc), to_tensor(pred)
    barriers, preds = _barriers("tcgen05_mma_scaled", mbarriers, mbarrier_preds)
    attributes = {
        "operandSegmentSizes": _segments(2, len(barriers)),
        **_multicast("tcgen05_mma_scaled", multicast),
        "a_type": _format("lhs_format", a_type),
        "b_type": _format("rhs_format", b_type),
    }
    if unwrap(mbarriers) is not None:
        attributes["is_async"] = "unit"
    operands = [left.handle, right.handle, result.handle, *scales, use.handle, condition.handle, *barriers, *preds]
    builder().emit("ttng.tc_gen5_mma_scaled", operands, _TOKEN, attributes)


def _format(name: str, spelled: Any) -> str:
    found = unwrap(spelled)
    if found not in _FORMATS:
        advice = f"expected one of {', '.join(_FORMATS)}"
        raise BadArgument(function="tcgen05_mma_scaled", reason=f"Unsupported {name}: {found}", advice=advice)
    return enum_attribute(getattr(ScaleDotElemType, found.upper()))


@constexpr_function
def tcgen05_mma_barrier_count(smems: Any, multicast: Any, two_ctas: Any = False) -> int:
    """Arrivals that a barrier gets for a product of several CTAs, which `init` counts; 1 without `multicast`.

    Args:
        smems: operands in shared memory, four at most.
        multicast: whether each CTA arrives at the barriers of those that have the same part of an operand.
        two_ctas: whether pairs of CTAs multiply.

    Raises:
        ValueError: more operands, or operands of different clusters.

    Example:
        >>> blackwell.tcgen05_mma_barrier_count([], False, False)
        1
    """
    bases = [list(buffer.layout.cga_layout) for buffer in smems]
    if len(bases) > _MOST_OPERANDS or len({len(each) for each in bases}) > 1:
        raise ValueError(f"found {len(bases)} operands; expected {_MOST_OPERANDS} at most, of one cluster")
    if not bases or not multicast:
        return 1
    # The bits of a CTA's number by which an operand is divided: CTAs without them are the first with their part.
    divided = [sum(1 << bit for bit, basis in enumerate(each) if any(basis)) for each in bases]
    ctas = range(0, 1 << len(bases[0]), 2 if two_ctas else 1)
    return sum(any(not cta & mask for mask in divided) for cta in ctas)


@builtin
def tcgen05_commit(barrier: Any, pred: Any = True, descs: Any = ()) -> None:
    """Gives a barrier one arrival when all products and copies that were started before have ended.

    Args:
        pred: whether it gets it.
        descs: operands of these products, four at most: the CTAs that have the same part of one of them get an arrival
            at their barriers too.

    Raises:
        BadArgument: it is not a barrier, or one of `descs` is not in shared memory.

    Example:
        >>> layout = blackwell.TensorMemoryLayout((128, 32), col_stride=1)
        >>> acc = blackwell.allocate_tensor_memory(gl.float32, [128, 32], layout)
        >>> shared = gl.NVMMASharedLayout.get_default_for([128, 32], gl.float16)
        >>> a = gl.allocate_shared_memory(gl.float16, [128, 32], shared, gl.full([128, 32], 2.0, gl.float16, rows))
        >>> b = gl.allocate_shared_memory(gl.float16, [32, 32], shared, gl.full([32, 32], 3.0, gl.float16, rows))
        >>> bar = mbarrier.allocate_mbarrier()
        >>> mbarrier.init(bar, count=1)
        >>> for step in range(2):
        ...     blackwell.tcgen05_mma(a, b, acc, use_acc=step > 0, mbarriers=[])
        >>> blackwell.tcgen05_commit(bar)  # one arrival for both
        >>> mbarrier.wait(bar, 0)
        >>> gl.max(gl.max(acc.load(), 1), 0)
        fp32[] 384.0
    """
    condition = () if unwrap(pred) is True else (to_tensor(pred).handle,)
    shared = [descriptor("tcgen05_commit", operand).handle for operand in unwrap(descs)]
    builder().emit_op("ttng.tc_gen5_commit", (descriptor("tcgen05_commit", barrier).handle, *condition, *shared))
