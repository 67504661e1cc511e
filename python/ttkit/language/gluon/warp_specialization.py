"""Groups of warps that run different functions at once.

Ops: dialects/ttg/warp_specialize_ops.td    Interpreter: interpreter/ops/warp_specialize.py
"""

from __future__ import annotations

import builtins
from typing import Any

from ttkit.language.base import base_value
from ttkit.language.building import active, builder
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import BadArgument
from ttkit.language.gluon.checks import plain_ints
from ttkit.language.record import Block, Operation, Value
from ttkit.language.tuples import is_sequence, tuple


@builtin
def num_warps() -> Any:
    """Warps that run the function: of a partition of `warp_specialize` those of the partition.

    Example:
        >>> gl.num_warps()
        constexpr[4]
    """
    return constexpr(active.generator.num_warps or builder().unit.options.num_warps)


@builtin
def num_ctas() -> Any:
    """CTAs of the kernel's cluster.

    Example:
        >>> gl.num_ctas()
        constexpr[1]
    """
    return constexpr(builder().unit.options.num_ctas)


@builtin
def warp_specialize(functions_and_args: Any, worker_num_warps: Any, worker_num_regs: Any = None) -> Any:
    """Runs functions at once, each in warps of its own; ends when all have ended.

    Args:
        functions_and_args: pairs of a function in Gluon and a tuple of its arguments.  The first runs in the warps
            that are here, and may take and return tensors.  The others are workers: they take no tensors.
        worker_num_warps: warps of each worker.
        worker_num_regs: registers of each thread of a worker; None: every thread keeps as many as it has.

    Returns:
        What the first function returns.

    Raises:
        BadArgument: no function, arguments that are not tuples, or another number of workers in one of the lists.
        CompilationError: an error in one of the functions.

    Example:
        >>> @gluon.jit
        ... def first(x):
        ...     gl.store(x, 1)
        >>> @gluon.jit
        ... def second(x):
        ...     gl.store(x + 1, 2)
        >>> @gluon.jit
        ... def both(x):
        ...     gl.warp_specialize([(first, (x,)), (second, (x,))], worker_num_warps=[1], worker_num_regs=[24])
        >>> with ttkit.Context():
        ...     made = ttkit.ASTSource(both, {"x": "*i32"}).make_ir(ttkit.GPUTarget("cuda", 90, 32))
        ...     print(str(made).count("num_warps(1)"))
        1
    """
    calls = [_call(pair) for pair in functions_and_args]
    warps = plain_ints("warp_specialize", "worker_num_warps", worker_num_warps)
    keeps = unwrap(worker_num_regs) is None
    registers = [] if keeps else plain_ints("warp_specialize", "worker_num_regs", worker_num_regs)
    if not calls:
        reason = "expected at least one function for the default partition"
        raise BadArgument(function="warp_specialize", reason=reason)
    workers = calls[1:]
    for what, numbers in (("warp", warps), ("register", registers)):
        if len(numbers) != len(workers) and not (keeps and numbers is registers):
            reason = f"warp specialize got {len(workers)} partitions but {len(numbers)} {what} counts"
            raise BadArgument(function="warp_specialize", reason=reason)
    target = builder()
    outer, loc = target.block, target.loc
    try:
        default, results = _default_partition(*calls[0])
        captures = [handle for _, args in workers for handle in _handles(args)]
        partitions = _partitions(workers, warps, captures)
    finally:
        target.block, target.loc = outer, loc
    holder, regions = Block(), [[block] for block in partitions]
    holder.operations.append(Operation("ttg.warp_specialize.partitions", (), (), {}, loc, regions))
    types = [handle.type for handle in _handles(results)]
    attributes = {"partitionNumWarps": _array(warps)}
    if not keeps:
        attributes["requestedRegisters"] = _array(registers)
    op = target.emit_op("ttg.warp_specialize", captures, types, attributes, [[default], [holder]])
    return _rebuilt(results, op.results)


def _call(pair: Any) -> builtins.tuple[Any, Any]:
    items = list(unwrap(pair) if isinstance(pair, constexpr) else pair) if is_sequence(pair) else []
    if len(items) != 2 or not is_sequence(items[1]):
        found = items[1] if len(items) == 2 else pair
        reason = f"function arguments must be a tuple of arguments, but got {found!r}"
        raise BadArgument(function="warp_specialize", reason=reason, advice="write (function, (argument, ...))")
    return unwrap(items[0]), list(items[1])


def _handles(values: Any) -> list[Value]:
    """The IR values of a result: None, a value, or a tuple."""
    handles: list[Value] = []
    for value in values if isinstance(values, list) else [values]:
        if isinstance(value, base_value):
            value._flatten_ir(handles)
    return handles


def _rebuilt(results: Any, handles: Any) -> Any:
    """The values of the first function, as results of the operation."""
    return None if results is None else results.type._unflatten_ir(handles, 0)[0]


def _default_partition(function: Any, args: list[Any]) -> Any:
    """The block of the first function, and what it returns."""
    target = builder()
    block = target.block = Block()
    results = active.generator.call_jit_function(function, args, {})
    target.emit_op("ttg.warp_yield", _handles(results))
    return block, results


def _partitions(workers: Any, warps: list[int], captures: list[Value]) -> list[Block]:
    """The blocks of the workers, each with all captures as arguments."""
    target = builder()
    loc = target.loc
    blocks, first = [], 0
    for (function, args), count in zip(workers, warps):
        block = target.block = Block([value.type for value in captures], loc)
        given = tuple(args)
        size = len(_handles(given))
        values = given.type._unflatten_ir(block.arguments[first : first + size], 0)[0]
        active.generator.call_jit_function(function, list(values), {}, count)
        target.emit_op("ttg.warp_return")
        blocks.append(block)
        first += size
    return blocks


def _array(numbers: list[int]) -> str:
    return f"array<i32: {', '.join(map(str, numbers))}>" if numbers else "array<i32>"
