"""Running a lowered kernel over a grid, or a lowered function for the threads of one program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from mlir import ir

from ttkit.interpreter.decode import Function, Instruction, Module, decode_module
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.lowered.batch import Batch
from ttkit.interpreter.lowered.schedule import Schedule
from ttkit.interpreter.lowered.tensor_maps import MAP_BYTES, REPLACED, TensorMap
from ttkit.interpreter.lowered.threads import WARP, Struct
from ttkit.interpreter.memory.global_memory import Buffer, Memory
from ttkit.interpreter.ops.descriptor import Descriptor
from ttkit.interpreter.run_options import Options
from ttkit.interpreter.values import MOST_BYTES, ValueType
from ttkit.module_attributes import NUM_CTAS, NUM_WARPS, TOTAL_NUM_WARPS

BATCH_THREADS = 1 << 11
"""Threads of a batch: enough to make numpy's cost for a call small."""
BATCH_SHARED = 1 << 20
"""Bytes of shared memory of a batch; the search for races takes some 50 times as many."""
MOST_SHARED = 232448
"""Bytes that a CTA may have, for a module that does not say how many."""
MOST_THREADS, MOST_CTAS = 1024, 16
"""Threads of a CTA, and CTAs of a cluster."""
PARAMETERS = 1 << 54
"""Addresses of tensor maps that are parameters begin here."""


def shape_of(module: Module, function: Function) -> tuple[int, int, int]:
    """CTAs of a program, threads of a CTA, bytes of shared memory of a CTA."""
    attributes = module.attributes
    ctas = int(attributes.get(NUM_CTAS, 1))
    warps = int(attributes.get(TOTAL_NUM_WARPS, attributes.get(NUM_WARPS, 4)))
    threads = function.attributes.get("nvvm.reqntid", (warps * WARP,))
    cluster = function.attributes.get("nvvm.cluster_dim", (ctas,))
    threads, cluster = (value if isinstance(value, tuple) else (value,) for value in (threads, cluster))
    return int(np.prod(cluster)), int(np.prod(threads)), int(attributes.get("ttg.shared", MOST_SHARED))


def run_lowered(
    module: Module,
    function: Function,
    memory: Memory,
    grid: tuple[int, int, int],
    programs: np.ndarray,
    values: list[Any],
    options: Any,
) -> Iterator[tuple[Any, ...]]:
    """Runs a kernel for programs of a grid, batch by batch.

    Args:
        values: of the arguments; the pointers to scratch memory after them are made here.

    Raises:
        NotInterpretable: an argument, or an operation, has no meaning here.
        InterpreterError: the kernel did something undefined.
    """
    ctas, threads, shared = shape_of(module, function)
    if (
        end := next((op for op in instructions(function) if op.name == "llvm.return" and op.operands), None)
    ) is not None:
        raise NotInterpretable(f"@{function.name} returns values, and a kernel can't", end)
    if threads % WARP or not 0 < threads <= MOST_THREADS:
        raise NotInterpretable(f"CTAs of {threads} threads; they have whole warps, and {MOST_THREADS} threads at most")
    if not 0 < ctas <= MOST_CTAS:
        raise NotInterpretable(f"clusters of {ctas} CTAs; they have {MOST_CTAS} at most")
    if shared > MOST_BYTES:
        raise NotInterpretable(f"CTAs of {shared} bytes of shared memory; the interpreter takes {MOST_BYTES} at most")
    memory.lowered_maps = {}
    memory.programs = programs
    arguments = [parameter(memory, number, value) for number, value in enumerate(values)]
    arguments += scratch(module, memory, function, int(np.prod(grid)) * ctas)
    size = (
        1
        if waits_for_others(function)
        else max(1, min(BATCH_THREADS // threads // ctas, BATCH_SHARED // max(1, shared * ctas)))
    )
    while (batch := memory.start_programs(size)).size:
        run = Batch(module, memory, grid, batch, (ctas, threads), shared, options, options.turns)
        Schedule(run).run(function, arguments)
        yield ()


def waits_for_others(function: Function) -> bool:
    """Whether programs may wait for each other, or take over each other's work: those run one at a time."""
    texts = [op.attributes["asm_string"] for op in instructions(function) if op.name == "llvm.inline_asm"]
    if any("clusterlaunchcontrol" in text for text in texts):
        return True
    atomic = function.names & {"llvm.atomicrmw", "llvm.cmpxchg"} or any("atom." in text for text in texts)
    return bool(atomic and "llvm.cond_br" in function.names)


def instructions(function: Function) -> Iterator[Instruction]:
    """All instructions of a function's blocks."""
    for block in function.body.blocks if function.body else ():
        yield from block.instructions


def scratch(module: Module, memory: Memory, function: Function, ctas: int) -> list[Any]:
    """The pointers to scratch memory that the kernel takes after its arguments: the program's, the profiler's."""
    found = []
    for kind in ("global", "profile")[: function.scratch_pointers]:
        size = int(module.attributes.get(f"ttg.{kind}_scratch_memory_size", 0))
        found.append(np.array([memory.add(Buffer(f"{kind} scratch memory", size=max(1, size * ctas))).base], np.int64))
    return found


def parameter(memory: Memory, number: int, value: Any) -> Any:
    """The value that threads get for an argument.

    Raises:
        NotInterpretable: it is a tensor descriptor whose tensor map is not known.
    """
    if not isinstance(value, Descriptor):
        return value
    facts = value.block.tensor_map
    if facts is None:
        raise NotInterpretable("a tensor descriptor is passed to lowered code, whose blocks have no known layout")
    size = facts["elem_size"]
    if value.block.element.itemsize != size or facts["elem_type"] not in REPLACED:
        raise NotInterpretable("a tensor descriptor of packed elements")
    reverse = list(range(value.block.rank))[::-1]
    made = TensorMap(
        int(value.base[0]),
        REPLACED[facts["elem_type"]],
        value.block.rank,
        {d: int(facts["block_size"][axis]) for d, axis in enumerate(reverse)},
        {d: int(value.shape[axis][0]) for d, axis in enumerate(reverse)},
        {d - 1: int(value.strides[axis][0]) * size for d, axis in enumerate(reverse) if d},
        facts["swizzle"],
        bool(value.nan[0]),
        bool(value.tf32[0]),
    )
    address = PARAMETERS + number * MAP_BYTES
    memory.lowered_maps[address] = made
    return np.array([address], np.int64)


def call(
    module: ir.Module, arguments: Sequence[Any], memory: Memory | None = None, order: np.random.Generator | None = None
) -> list[np.ndarray]:
    """Runs the first function of a module for threads that are given their arguments one by one.

    Args:
        module: in the llvm dialect.
        arguments: arrays with a row for each thread, [T, ...], of any integers and floats as wide as the types; what is
            left out at the end, pointers to scratch memory, is 0.  T is a number of whole programs.
        memory: of global pointers.
        order: draws turns of warps; None to run them together.

    Returns:
        What each thread gets, [T, ...]: the fields of a struct one by one; integers are signed.

    Raises:
        InterpreterError: the function did something undefined.
    """
    decoded = decode_module(module)
    function = next(function for function in decoded.functions.values() if function.body is not None)
    ctas, threads, shared = shape_of(decoded, function)
    entry = function.body.blocks[0].arguments
    given = [as_type(value, kind) for value, kind in zip(arguments, function.argument_types)]
    given += arguments[len(given) :]
    given += [np.zeros(1, np.int64)] * (len(entry) - len(given))
    programs = max(1, max((len(value) for value in given), default=1) // (ctas * threads))
    batch = Batch(
        decoded, memory or Memory(), (programs, 1, 1), np.arange(programs), (ctas, threads), shared, Options(), order
    )
    found = []
    for value in Schedule(batch).run(function, given):
        found += value.fields if isinstance(value, Struct) else [value]
    return [np.broadcast_to(value, (batch.threads, *value.shape[1:])) for value in found]


def as_type(value: np.ndarray, kind: ValueType) -> np.ndarray:
    """An array read as a type of the same width; an address may be narrower."""
    if kind.element is None or value.dtype == kind.element:
        return value
    if value.dtype.itemsize != kind.element.itemsize:
        return value.astype(kind.element)
    return np.ascontiguousarray(value).view(kind.element)
