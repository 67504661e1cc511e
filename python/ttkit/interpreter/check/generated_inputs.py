"""Inputs on which a kernel can run, made from its signature.

Scalars are small and as divisible as attributes say.  Buffers are as large as the kernel needs them: it runs once on
buffers that grow with its accesses.  A kernel may still fail on such inputs (an index computed from a size that makes
no sense): then others are tried, down to one program and small non-negative integers.
"""

from __future__ import annotations

import contextlib
import io
import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ttkit.interpreter.argument_specs import Argument, read_arguments
from ttkit.interpreter.check.scale_arguments import scale_arguments
from ttkit.interpreter.decode import Function, Module
from ttkit.interpreter.errors import InterpreterError, NotInterpretable, Race
from ttkit.interpreter.launch import argument_value, run_programs
from ttkit.interpreter.memory.global_memory import REGION_BITS, Access, Buffer, Memory, RaceRecord
from ttkit.interpreter.ops.descriptor import Descriptor, as_tensor_descriptor, companion_arguments, is_descriptor
from ttkit.interpreter.run_options import Observer, Options
from ttkit.interpreter.values import ValueType

GRID = (3, 2, 2)
"""Programs along the axes that a kernel asks for."""
SCALES = 120, 135
"""Limits of scales, from 2^-7 to 2^7: where larger ones overflow depends on how a product is computed."""
DESCRIPTOR_ROWS = 64
"""Size of a descriptor's tensor along an axis along which its block is one."""
MAX_BUFFER_BYTES = 1 << 28
MAX_SECONDS = 20.0
"""A kernel that takes longer on one set of inputs is given up."""


class NoInputs(Exception):
    """No inputs were found on which the kernel runs; the text says why the last ones were refused."""


@dataclass
class Inputs:
    """One set of inputs: always the same values, in fresh memory for each run.

    seed: of the buffers' contents.
    grid: number of programs.
    scalars: value of each argument that is a number, by position.
    sizes: bytes of each buffer, by position.
    given: arguments that the user gave, by position.
    lowest, highest: limits of integers in buffers.
    scales: positions of buffers of scales.
    programs: numbers of those that run; None for all of the grid.
    specials, share: numbers that stand in buffers, by the kind of their elements ("f", "i"); what part of them.
    special_at: positions of buffers that have them; all without.
    balanced: whether each number stands beside its opposite, so that many sums are zero.
    aliases: by position, the other pointer into whose buffer an argument points, and how many bytes past its begin.
    shapes: of the array of each descriptor, by position, from the first run on: passes may change its blocks.
    most_bytes, seconds: limits of a buffer and of a run.
    """

    seed: int
    grid: tuple[int, int, int]
    scalars: dict[int, Any]
    sizes: dict[int, int] = field(default_factory=dict)
    given: dict[int, Argument] = field(default_factory=dict)
    lowest: int = -100
    highest: int = 100
    scales: set[int] = field(default_factory=set)
    programs: np.ndarray | None = None
    specials: dict[str, tuple[float, ...]] = field(default_factory=dict)
    share: float = 0.0
    special_at: tuple[int, ...] = ()
    balanced: bool = False
    aliases: dict[int, tuple[int, int]] = field(default_factory=dict)
    shapes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    most_bytes: int = MAX_BUFFER_BYTES
    seconds: float = MAX_SECONDS

    def contents(self, position: int, element: np.dtype, size: int) -> np.ndarray:
        """The bytes of an argument's buffer.  A longer one begins with the same bytes."""
        rng = np.random.default_rng([self.seed, position])
        count = -(-size // element.itemsize)
        if position in self.scales:
            array = rng.integers(*SCALES, count).astype(np.uint8).view(element)
        elif element.kind == "b":
            array = rng.integers(0, 2, count).astype(element)
        elif element.kind in "iu" or element.name.startswith("int"):
            array = rng.integers(self.lowest, self.highest, count).astype(element)
        else:
            array = rng.standard_normal(count).astype(element)
        is_special = position not in self.scales and (not self.special_at or position in self.special_at)
        if (found := self._special_numbers(element)).size and is_special:
            where = np.random.default_rng([self.seed, position, 1]).random(count) < self.share
            picks = np.random.default_rng([self.seed, position, 2]).integers(0, found.size, count)
            array = np.where(where, found[picks], array)
        if self.balanced and position not in self.scales and element.kind in "if":
            array[1::2] = -array[: count // 2 * 2 : 2]
        return array.view(np.uint8)[:size].copy()

    def _special_numbers(self, element: np.dtype) -> np.ndarray:
        """The special numbers as elements of a type."""
        if element.kind == "b" or (element.kind == "V" and element.name.startswith(("int", "uint"))):
            return np.zeros(0, element)
        if element.kind in "iu":
            mask = (1 << 8 * element.itemsize) - 1
            values = [int(value) & mask for value in self.specials.get("i", ())]
            return np.array(values, f"u{element.itemsize}").view(element)
        with np.errstate(all="ignore"):
            return np.array(self.specials.get("f", ()), np.float64).astype(element)

    def describe(self, function: Function) -> str:
        """`grid (3, 1, 1), n = 48, x: 192 bytes, seed 0`."""
        parts = [f"grid {self.grid}"]
        for position, name in enumerate(function.argument_names):
            if position in self.given:
                parts.append(f"{name} as given")
            elif position in self.scalars:
                parts.append(f"{name} = {self.scalars[position]}")
            elif position in self.sizes:
                parts.append(f"{name}: {self.sizes[position]} bytes")
            elif position in self.aliases:
                other, offset = self.aliases[position]
                parts.append(f"{name} = {function.argument_names[other]}{f' + {offset} bytes' if offset else ''}")
        if self.share:
            parts.append("buffers with " + " ".join(f"{value:g}" for of in self.specials.values() for value in of[:8]))
        return ", ".join([*parts, f"seed {self.seed}"])


@dataclass
class Outcome:
    """Outcome of a run.

    buffers: final elements of each buffer, by the name of its argument.
    results: what the function returned: one row a program.
    error: why it stopped; None if it ended.
    """

    buffers: dict[str, np.ndarray]
    results: list[np.ndarray]
    error: InterpreterError | None = None
    seconds: float = 0.0


class GrowingMemory(Memory):
    """Buffers grow, up to a limit, to hold what is accessed; `needed` is the size that each must have."""

    def __init__(self, inputs: Inputs) -> None:
        super().__init__()
        self.inputs = inputs
        self.growing: dict[int, tuple[int, np.dtype]] = {}
        self.needed: dict[int, int] = {}

    def add_growing(self, position: int, name: str, element: np.dtype) -> Buffer:
        """Adds a buffer that grows to what the program accesses; gives it."""
        buffer = self.add(Buffer(name, self.inputs.contents(position, element, 64)))
        self.growing[buffer.base >> REGION_BITS] = position, element
        self.needed[position] = 0
        return buffer

    def _resolve(self, access: Access, size: int):
        numbers = access.addresses >> REGION_BITS
        for number in np.unique(numbers):
            if int(number) in self.growing:
                position, element = self.growing[int(number)]
                buffer = self.in_region(int(number))
                assert buffer is not None
                end = int(access.addresses[numbers == number].max()) - buffer.base + size
                if end <= self.inputs.most_bytes:
                    self.needed[position] = max(self.needed[position], end)
                    self._grow(buffer, position, element)
        return super()._resolve(access, size)

    def _grow(self, buffer: Buffer, position: int, element: np.dtype) -> None:
        if self.needed[position] > buffer.size:
            capacity = 1 << (self.needed[position] - 1).bit_length()
            larger = self.inputs.contents(position, element, max(capacity, 64))
            larger[: buffer.size] = buffer.bytes
            buffer.bytes = larger


def run(
    module: Module,
    function: Function,
    inputs: Inputs,
    memory: Memory | None = None,
    races: bool = False,
    made_for: Function | None = None,
    fences: bool = False,
    observer: Observer | None = None,
    groups: bool = False,
    alone: bool = False,
) -> Outcome:
    """Runs a function on inputs.  Errors of the kernel are part of the outcome.

    Args:
        made_for: what the inputs are for; `function` takes the parts of that one's descriptors instead, or, if it is
            lowered and has as many arguments, tensor maps.
        fences: whether a missing fence in IR that is not lowered is an error; one in lowered code always is.
        observer: sees the operations.
        groups: whether a race of groups of warps in shared memory is an error.
        alone: whether programs run one by one.

    Raises:
        NotInterpretable: some operation has no meaning here.
    """
    memory = memory or Memory()
    memory.races = RaceRecord() if races else None
    in_parts = made_for is not None and len(made_for.argument_types) != len(function.argument_types)
    values, buffers = _arguments(memory, inputs, made_for or function, in_parts)
    start = time.monotonic()
    outcome = Outcome({}, [])
    rows: list[tuple[np.ndarray, ...]] = []
    kinds = [kind for kind, wanted in (("fences", fences), ("groups", groups)) if wanted]
    # Inputs are made for a meaning, which is the same before and after TMA gets in: no stride is rounded up for it.
    options = Options(
        deadline=start + inputs.seconds, race=",".join(kinds) or False, observer=observer, tma=False, alone=alone
    )
    programs = inputs.programs
    if programs is None:
        programs = np.arange(int(np.prod(inputs.grid)), dtype=np.int64)
    try:
        # What kernels print would be repeated for each run.
        with contextlib.redirect_stdout(io.StringIO()):
            rows.extend(run_programs(module, function, memory, inputs.grid, programs, values, options))
    except NotInterpretable:
        raise
    except InterpreterError as error:
        outcome.error = error
    outcome.seconds = time.monotonic() - start
    outcome.results = [np.concatenate(parts) for parts in zip(*rows)]
    for name, (buffer, element) in buffers.items():
        outcome.buffers[name] = buffer.bytes[: buffer.size // element.itemsize * element.itemsize].view(element)
    return outcome


def _arguments(
    memory: Memory, inputs: Inputs, signature: Function, in_parts: bool
) -> tuple[list[Any], dict[str, tuple[Buffer, np.dtype]]]:
    """The values that programs get, and by the argument's name the buffer it points to with its type of elements.

    in_parts: whether the parts of a descriptor are arguments of their own.
    """
    values: list[Any] = []
    buffers = {}
    for position, (name, kind) in enumerate(zip(signature.argument_names, signature.argument_types)):
        if position in inputs.aliases:
            values.append(None)
            continue
        value, buffer = _argument(memory, inputs, position, name, kind)
        values += value.parts() if in_parts and isinstance(value, Descriptor) else [value]
        if buffer is not None:
            buffers[name] = buffer, (kind.pointee.element if kind.pointee is not None else np.dtype(np.uint8))
    for position, (other, offset) in inputs.aliases.items():
        values[position] = values[other] + offset
    return values, buffers


def _argument(memory: Memory, inputs: Inputs, position: int, name: str, kind: ValueType) -> tuple[Any, Buffer | None]:
    """The value that programs get for an argument, and the buffer it points to."""
    if position in inputs.given:
        given = inputs.given[position]
        if given.array is None:
            return argument_value(memory, name, kind, given.value), None
        if is_descriptor(kind):
            return argument_value(memory, name, kind, given.array.copy()), memory.buffers[-1]
        if isinstance(given.value, Buffer):
            fresh = Buffer(name, size=given.value.size)
            return argument_value(memory, name, kind, fresh), fresh
        if kind.pointee is None or kind.rank:
            return argument_value(memory, name, kind, given.array.copy()), None
        buffer = Buffer(name, given.array.copy())
        return argument_value(memory, name, kind, buffer), buffer
    if position in inputs.scalars:
        return argument_value(memory, name, kind, inputs.scalars[position]), None
    if is_descriptor(kind):
        shape, element = descriptor_array(kind)
        shape = inputs.shapes.setdefault(position, shape)
        array = inputs.contents(position, element, int(np.prod(shape)) * element.itemsize).view(element).reshape(shape)
        value = argument_value(memory, name, kind, array)
        return value, memory.buffers[-1]
    if kind.problem or kind.text.startswith("!ttg.memdesc<") or (kind.pointee is not None and kind.pointee.rank):
        raise NoInputs(f"arguments of type {kind.text} can't be generated")
    if kind.pointee is not None:
        element = kind.pointee.element
        if kind.rank == 0 and isinstance(memory, GrowingMemory):
            buffer = memory.add_growing(position, name, element)
        else:
            size = inputs.sizes[position] if kind.rank == 0 else kind.size * element.itemsize
            buffer = memory.add(Buffer(name, inputs.contents(position, element, size)))
        offsets = np.arange(kind.size, dtype=np.int64).reshape(1, *kind.shape) * element.itemsize
        return buffer.base + offsets, buffer
    if kind.element is None:
        raise NoInputs(f"arguments of type {kind.text} can't be generated")
    size = kind.size * kind.element.itemsize
    return inputs.contents(position, kind.element, size).view(kind.element).reshape(1, *kind.shape), None


def descriptor_array(kind: ValueType) -> tuple[tuple[int, ...], np.dtype]:
    """Shape and element type of an array for a descriptor argument: two blocks along each axis, many single rows."""
    return tuple(2 * size if size > 1 else DESCRIPTOR_ROWS for size in kind.pointee.shape), kind.pointee.element


def find_inputs(module: Module, function: Function, seed: int, texts: list[str], grid: Any = None) -> Inputs:
    """Inputs on which a function runs without an error and without races.

    Args:
        seed: other values for each.
        texts: arguments that the user gives, as for tt-run; they are not changed.
        grid: number of programs; None to choose.

    Raises:
        NoInputs: none were found.
        NotInterpretable: some operation has no meaning here.
        ArgumentError, OSError: of the texts.
    """
    return try_inputs(module, function, seed, texts, grid)[0]


def try_inputs(
    module: Module,
    function: Function,
    seed: int,
    texts: list[str],
    grid: Any = None,
    changes: dict[str, Any] | None = None,
) -> tuple[Inputs, Outcome | None]:
    """`find_inputs`, and the outcome of the function on them, if it was run on their final sizes to look for races.

    Args:
        changes: fields of the inputs that get other values; these inputs alone are tried.

    Raises:
        NoInputs, NotInterpretable, ArgumentError, OSError: as `find_inputs`.
    """
    given = read_arguments(function, texts, np.random.default_rng(seed)) if texts else {}
    reason: Exception | None = None
    for attempt in range(1 if changes is not None else 6):
        inputs = replace(_attempt(function, seed, attempt, grid), **changes or {})
        inputs.scales = scale_arguments(function)
        inputs.given = {function.argument_names.index(name): argument for name, argument in given.items()}
        for position, (descriptor, what, dimension) in companion_arguments(function).items():
            if descriptor in inputs.given:
                name, kind = function.argument_names[descriptor], function.argument_types[descriptor]
                tensor = as_tensor_descriptor(name, kind, inputs.given[descriptor].array)
                inputs.scalars[position] = (tensor.sizes if what == "sizes" else tensor.steps)[dimension]
        memory = GrowingMemory(inputs)
        try:
            probe = run(module, function, inputs, memory)
        except (TypeError, AttributeError) as error:
            raise NotInterpretable(f"an argument of @{function.name} has no meaning here: {error}") from error
        inputs.sizes = memory.needed
        outcome: Outcome | None = None
        if probe.error is None and int(np.prod(inputs.grid)) > 1:
            raced = run(module, function, inputs, races=True)
            if isinstance(raced.error, Race):
                probe = raced
            elif raced.error is None:
                outcome = raced  # races are recorded beside the run, in the same order of programs
        if probe.error is None:
            return inputs, outcome
        reason = probe.error
        if probe.seconds > MAX_SECONDS / 2:
            break
    raise NoInputs(f"it fails on generated inputs; give arguments. {reason}")


def _attempt(function: Function, seed: int, attempt: int, grid: Any) -> Inputs:
    """Inputs without buffer sizes; later attempts are tamer."""
    rng = np.random.default_rng([seed, attempt])
    if grid is None:
        axes = used_axes(function) if attempt in (0, 1, 4) else set()
        grid = tuple(size if axis in axes else 1 for axis, size in enumerate(GRID))
    inputs = Inputs(seed, grid, {})
    if attempt:
        inputs.lowest, inputs.highest = 0, 16
    for position, (descriptor, what, dimension) in companion_arguments(function).items():
        shape, _ = descriptor_array(function.argument_types[descriptor])
        inputs.scalars[position] = shape[dimension] if what == "sizes" else int(np.prod(shape[dimension + 1 :]))
    for position, (kind, attributes) in enumerate(zip(function.argument_types, function.argument_attributes)):
        if position in inputs.scalars or kind.rank or kind.pointee is not None or kind.element is None:
            continue
        if kind.is_float:
            inputs.scalars[position] = float(rng.standard_normal())
        elif kind.element.kind == "b":
            inputs.scalars[position] = bool(rng.integers(2))
        else:
            divisor = max(1, int(attributes.get("tt.divisibility", 1)))
            most = 127 // divisor if attempt < 3 else 4
            inputs.scalars[position] = divisor * int(rng.integers(1, max(most, 1) + 1))
    return inputs


def used_axes(function: Function) -> set[int]:
    """The axes of the grid along which a function asks for its index.  A call may ask for any."""
    if "tt.call" in function.names:
        return {0, 1, 2}
    asking = ("tt.get_program_id", "tt.get_num_programs")
    return {int(op.attributes["axis"]) for op in function.operations() if op.name in asking}
