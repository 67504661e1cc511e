"""Running a kernel over a grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from mlir import ir

from ttkit.grids import sizes_of
from ttkit.interpreter.decode import Function, Module, decode_module
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.global_memory import Buffer, Memory, RaceRecord
from ttkit.interpreter.memory.shared_races import SharedRaces
from ttkit.interpreter.ops.descriptor import (
    TensorDescriptor,
    as_tensor_descriptor,
    companion_arguments,
    descriptor_argument,
    is_descriptor,
)
from ttkit.interpreter.run_options import Options
from ttkit.interpreter.values import ValueType
from ttkit.module_attributes import NUM_WARPS
from ttkit.operation_sets import ALLOCATIONS, ATOMICS

# Elements of the largest tensor, over all programs of a batch: enough to make numpy's cost per call small, and little
# enough for the values of a few instructions to stay in the cache (vector add: 2^16 to 2^19 are within 10 %, x86-64,
# 2026-11).
BATCH_ELEMENTS = 1 << 18
MAX_PROGRAMS = 1 << 28


def interpret(
    module: ir.Module | Module, grid: int | Sequence[int], args: Sequence[Any] | Mapping[str, Any], **options: Any
) -> None:
    """Runs a kernel; its outputs are in the arrays that were passed.

    Args:
        module: tt or ttg IR, or what it is lowered to.
        grid: number of programs: one number, or up to three (x, y, z).
        args: one for each argument of the function, in order or by name.  For a pointer: a contiguous numpy array,
            written in place, or a Buffer.  For a scalar: a number.  For a tensor descriptor: an array, or a
            TensorDescriptor; sizes and strides after it may be left out.
        options: the fields of Options.

    Raises:
        InterpreterError: the kernel did something undefined: OutOfBounds, Uninitialized, Misaligned, Race,
            AssertionFailed; or an operation can't be interpreted (NotInterpretable).
        ValueError: the arguments don't fit the function, or an option has no such value.
    """
    settings = Options(**options)
    decoded = module if isinstance(module, Module) else decode_module(module)
    function = decoded.public_function(settings.function)
    check_arguments(function)
    shape = normalize_grid(grid)
    memory = Memory()
    memory.races = RaceRecord() if "programs" in settings.races else None
    memory.order = None if settings.seed is None else np.random.default_rng(settings.seed)
    values = [
        argument_value(memory, name, kind, value)
        for name, kind, value in zip(function.argument_names, function.argument_types, order_arguments(function, args))
    ]
    total = shape[0] * shape[1] * shape[2]
    programs = np.arange(total, dtype=np.int64)
    if memory.order is not None:
        memory.order.shuffle(programs)
    for _ in run_programs(decoded, function, memory, shape, programs, values, settings):
        if settings.progress is not None:
            settings.progress(memory.started, total)


def run_programs(
    module: Module,
    function: Function,
    memory: Memory,
    grid: tuple[int, int, int],
    programs: np.ndarray,
    values: list[Any],
    options: Options,
) -> Iterator[tuple[Any, ...]]:
    """Runs a function for programs of a grid, batch by batch; gives the results of each, [P, ...]."""
    if function.is_lowered:
        from ttkit.interpreter.lowered.launch import run_lowered

        yield from run_lowered(module, function, memory, grid, programs, values, options)
        return
    kinds = shared_races(module, options.races)
    size = 1 if kinds or options.alone else batch_size(module, programs.size)
    memory.programs = programs
    if options.observer is not None:
        options.observer.begin(function, values)
    while (batch := memory.start_programs(size)).size:
        races = SharedRaces(module.attributes.get(NUM_WARPS, 4), kinds) if kinds else None
        machine = Machine(module, memory, grid, batch, options, races)
        if options.observer is not None:
            options.observer.start(machine)
        with np.errstate(all="ignore"):
            results = machine.call(function, list(values))
        machine.shared.check_finished(machine)
        yield tuple(all_rows(result, batch.size) for result in results)


def shared_races(module: Module, kinds: frozenset[str]) -> frozenset[str]:
    """The kinds of races on shared memory that a module may have."""
    names = {name for function in module.functions.values() for name in function.names}
    possible = {"warps", "fences"} if names & set(ALLOCATIONS) else set()
    if "ttg.warp_specialize" in names:
        possible.add("groups")
    return kinds & possible


def all_rows(result: Any, count: int) -> np.ndarray:
    """A row for each program; none for what is not an array."""
    if not isinstance(result, np.ndarray):
        return np.zeros((count, 0))
    return np.broadcast_to(result, (count, *result.shape[1:]))


def batch_size(module: Module, total: int) -> int:
    """Programs that run together.  One, if some may wait for others, or take over the work of others.

    A loop around an atomic would spin forever while it holds up the program that it waits for.
    """
    names = {name for function in module.functions.values() for name in function.names}
    if names & set(ATOMICS) and names & {"scf.while", "cf.cond_br", "tt.atomic_poll"}:
        return 1
    if names & {"ttng.clc_try_cancel", "ttng.clc_try_cancel_sync"}:
        return 1
    largest = max(function.largest for function in module.functions.values())
    return max(1, min(total, BATCH_ELEMENTS // largest))


def normalize_grid(grid: int | Sequence[int]) -> tuple[int, int, int]:
    """Three sizes of a grid that is given as one to three.

    Raises:
        ValueError: it is not a grid, or has too many programs.
    """
    sizes, advice = sizes_of(grid)
    if not sizes or any(size < 0 for size in sizes):
        raise ValueError(f"a grid must have one to three sizes, found {grid!r}{f': {advice}' if advice else ''}")
    x, y, z = (*sizes, 1, 1)[:3]
    if x * y * z > MAX_PROGRAMS:
        raise ValueError(f"a grid of {x * y * z} programs exceeds the limit of {MAX_PROGRAMS}")
    return x, y, z


def read_grid(text: str, option: str) -> tuple[int, int, int]:
    """The value of a command line's option.

    Raises:
        ValueError: it is not one.
    """
    try:
        return normalize_grid([int(size) for size in text.replace("x", ",").split(",")])
    except ValueError as error:
        reason = f": {error}" if "grid" in str(error) else ""
        raise ValueError(f"{option} takes one to three sizes, such as 64 or 8,4; found '{text}'{reason}") from None


def order_arguments(function: Function, args: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
    """The arguments in the order of the function's.  Sizes and strides of descriptors may be left out.

    Raises:
        ValueError: too many, too few, or a name that the function does not have.
    """
    names = function.argument_names
    args = with_companions(function, args)
    if isinstance(args, Mapping):
        unknown = [name for name in args if name not in names]
        missing = [name for name in names if name not in args]
        if unknown or missing:
            raise ValueError(f"@{function.name} takes {names}: unknown {unknown}, missing {missing}")
        return [args[name] for name in names]
    if len(args) != len(names):
        raise ValueError(f"@{function.name} takes {len(names)} arguments {names}, found {len(args)}")
    return list(args)


def with_expanded_descriptors(function: Function, args: Sequence[Any]) -> Sequence[Any]:
    """The arguments with each TensorDescriptor expanded, for targets without descriptors.

    These get a pointer, sizes and strides (i64), and whether padding is NaN.  From Triton 3.7 on they also get whether
    to round to tf32.  Then come the sizes (i32) and strides again.
    """
    values: list[Any] = []
    for value in args:
        kinds = function.argument_types
        if isinstance(value, TensorDescriptor) and len(values) < len(kinds) and kinds[len(values)].element is not None:
            lengths = [*value.sizes, *value.steps]
            first = len(values) + 1 + len(lengths)
            rounds = [False] if [kind.text for kind in kinds[first : first + 2]] == ["i1", "i1"] else []
            values += [value.data, *lengths, value.padding == "nan", *rounds, *lengths]
        else:
            values.append(value)
    return values


def with_companions(function: Function, args: Sequence[Any] | Mapping[str, Any]) -> Sequence[Any] | Mapping[str, Any]:
    """The arguments and, where they are not given, the sizes and strides of descriptors."""
    companions = companion_arguments(function)
    names = function.argument_names
    if not companions:
        return args if isinstance(args, Mapping) else with_expanded_descriptors(function, args)
    if isinstance(args, Mapping):
        result = dict(args)
        for position, (descriptor, field, dimension) in companions.items():
            name = names[descriptor]
            if names[position] not in result and name in result:
                given = as_tensor_descriptor(name, function.argument_types[descriptor], result[name])
                result[names[position]] = getattr(given, field)[dimension]
        return result
    if len(args) != len(names) - len(companions):
        return args
    given = iter(args)
    positions = [position for position in range(len(names)) if position not in companions]
    return with_companions(function, {names[position]: next(given) for position in positions})


def check_arguments(function: Function) -> None:
    """Looks at the types of a kernel's arguments.

    Raises:
        ValueError: there is one that no launch can pass.
    """
    places = function.argument_locations or [""] * len(function.argument_types)
    for name, kind, place in zip(function.argument_names, function.argument_types, places):
        if function.is_lowered or is_descriptor(kind) or (kind.pointee is not None and not kind.pointee.rank):
            continue
        if kind.element is None or kind.pointee is not None or kind.text.startswith(("tensor<", "vector<", "!")):
            raise ValueError(f"argument '{name}' is a {kind.text}, which can't be passed to a kernel (at {place})")


def argument_value(memory: Memory, name: str, kind: ValueType, value: Any) -> Any:
    """The value that all programs get for an argument.  Raises ValueError for an array in place of a number."""
    if kind.pointee is not None and kind.element is not None and kind.rank == 0:
        buffer = value if isinstance(value, Buffer) else Buffer(name, np.asarray(value))
        return np.array([memory.add(buffer).base], np.int64)
    if kind.element is None or kind.rank:
        return descriptor_argument(memory, name, kind, value)
    if not np.isscalar(value) and np.size(value) != 1:
        raise ValueError(f"argument '{name}' is a {kind.text}, found an array of {np.size(value)} elements")
    return np.asarray(value).reshape(1).astype(kind.element)


__all__ = ["InterpreterError", "interpret"]
