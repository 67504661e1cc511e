"""Blocks, calls and control flow, for many programs at a time.

All programs of a batch run the same instruction together, on arrays with a dimension for them.  Where they part (an
scf.if whose condition differs, loops of different length, branches between blocks) each side runs for its programs
only, and the results are put together again.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ttkit.declarations import Function as Handler
from ttkit.declarations import declares
from ttkit.interpreter.decode import Block, Function, Instruction, Module, Region
from ttkit.interpreter.errors import InterpreterError, InterpreterFailed, NotInterpretable, TookTooLong
from ttkit.interpreter.memory.global_memory import Memory
from ttkit.interpreter.memory.running import Running, RunningInBatch
from ttkit.interpreter.memory.shared_memory import SharedMemory
from ttkit.interpreter.memory.shared_races import SharedRaces
from ttkit.interpreter.memory.storages import Background
from ttkit.interpreter.memory.warp_layouts import EXCHANGES
from ttkit.interpreter.unwritten import results_of_unwritten, without_unused
from ttkit.interpreter.values import put, take
from ttkit.module_attributes import NUM_WARPS

Frame = list[Any]
"""The values of a function's slots."""

MAX_CALLS = 60
"""Calls inside one another: Triton has no recursion, and each takes frames of Python's stack."""


THREADS_PER_WARP = 32


class Machine(RunningInBatch):
    """State of one batch of programs that run together.

    Args:
        module: the decoded module.
        memory: global memory, shared by all batches.
        grid: number of programs along x, y, z.
        programs: int64 [P], the linear indices of the programs of this batch; x varies fastest.
        races: finds races on the shared memory of the one program of this batch.
    """

    def __init__(
        self,
        module: Module,
        memory: Memory,
        grid: tuple[int, int, int],
        programs: np.ndarray,
        options: Any,
        races: SharedRaces | None = None,
    ) -> None:
        self.module, self.memory, self.grid, self.programs, self.options = module, memory, grid, programs, options
        self.trace, self.observer = options.trace, options.observer
        self.lanes = np.arange(programs.size)
        """Positions of the current programs in the batch: rows of its shared memory."""
        self.shared = SharedMemory(programs.size)
        self.background = Background(programs.size)
        self.shared.races = races
        self.calls = 0
        self.group, self.warps = 0, module.attributes.get(NUM_WARPS, 4)
        """The current group of warps: its number in a ttg.warp_specialize (0: the default region), how many."""
        self.agents = races.agents if races is not None else range(0)
        """What accesses memory for the current group of warps, in the search for races."""

    # --- functions and blocks
    # --------------------------------------------------------------------------------------------------

    def call(self, function: Function, arguments: list[Any]) -> tuple[Any, ...]:
        """Runs a function for the current programs; gives its results.

        Raises:
            InterpreterError: it has no body, takes other arguments, or calls itself without end.
        """
        if function.body is None:
            raise InterpreterError(f"@{function.name} is declared but not defined")
        if len(arguments) != len(function.argument_types):
            raise InterpreterError(f"@{function.name} takes {len(function.argument_types)} arguments")
        if self.calls == MAX_CALLS:
            raise InterpreterError(f"{MAX_CALLS} calls inside one another: @{function.name} calls itself without end")
        frame: Frame = [None] * function.slots
        inner = copy.copy(self)
        inner.calls = self.calls + 1
        return inner.run_region(function.body, frame, arguments)

    def run_region(self, region: Region, frame: Frame, arguments: list[Any]) -> tuple[Any, ...]:
        """Runs a region; gives the operands of its terminator."""
        if len(region.blocks) == 1:
            return self.run_block(region.blocks[0], frame, arguments)[1]
        return self._run_blocks(region, frame, arguments)

    def run_block(self, block: Block, frame: Frame, arguments: list[Any]) -> tuple[Instruction, tuple[Any, ...]]:
        """Runs a block; gives its terminator and the values of the terminator's operands."""
        for slot, value in zip(block.arguments, arguments):
            frame[slot] = value
        count_steps(self.memory, self.options, block)
        for op in block.instructions[:-1]:
            self.execute(op, frame)
        terminator = block.instructions[-1]
        values = [frame[slot] for slot in terminator.operands]
        if self.observer is not None:
            self.observer.before(self, terminator, values)
        return terminator, tuple(values)

    def execute(self, op: Instruction, frame: Frame) -> None:
        """Runs one instruction on a frame, as the observer and the checks for races want it.

        Raises:
            InterpreterError: it did something undefined, or the interpreter has failed on its operands.
        """
        if self.shared.races is not None and op.name in EXCHANGES:
            self.shared.races.synchronizes(self, op)
        operands = [] if self.observer is None else [frame[slot] for slot in op.operands]
        if self.observer is not None:
            self.observer.before(self, op, operands)
        taken = [frame[slot] for slot in op.operands]
        results: Any = None
        if self.shared.unwritten is not None:
            taken = without_unused(op, taken)
            results = results_of_unwritten(op, taken)
        if results is not None:
            pass
        elif op.name in STRUCTURED:
            try:
                results = STRUCTURED[op.name](self, op, frame)
            except FAULTS as error:
                raise fault(op, error) from error
        else:
            results = call_handler(self, op, taken)
        for slot, value in zip(op.results, results or ()):
            frame[slot] = value
        if self.trace is not None and op.results:
            self.trace(self, op, results)
        if self.observer is not None:
            self.observer.after(self, op, operands, results or ())

    # --- parts of the batch
    # ----------------------------------------------------------------------------------------------------

    def for_lanes(self, lanes: np.ndarray) -> Machine:
        """The same machine for some of its programs."""
        part = copy.copy(self)
        part.programs, part.lanes = self.programs[lanes], self.lanes[lanes]
        return part

    def take(self, value: Any, lanes: np.ndarray) -> Any:
        """The value for some of the programs; `lanes` are their positions among those of this machine."""
        taken = take(value, lanes)
        if self.observer is not None and taken is not value:
            self.observer.taken(value, taken, lanes)
        return taken

    def put(self, target: Any, value: Any, lanes: np.ndarray) -> Any:
        """`target` with the values of the programs `lanes` replaced by `value`; None starts an empty one."""
        merged = put(target, value, lanes, self.programs.size)
        if self.observer is not None and merged is not value:
            self.observer.merged(target, value, merged, lanes)
        return merged

    def _run_blocks(self, region: Region, frame: Frame, arguments: list[Any]) -> tuple[Any, ...]:
        """A control-flow graph.  Programs that wait at different blocks run one group at a time, the earliest block
        first: a merge follows the blocks that it merges, so that the groups converge there."""
        count = self.programs.size
        at = np.zeros(count, np.int64)
        done = len(region.blocks)
        self._set(frame, region.blocks[0].arguments, arguments, None)
        returned: list[Any] | None = None
        while True:
            current = int(at.min())
            if current == done:
                return tuple(returned or ())
            lanes = None if (at == current).all() else np.flatnonzero(at == current)
            block = region.blocks[current]
            machine, inner = (self, frame) if lanes is None else (self.for_lanes(lanes), frame.copy())
            if lanes is not None:
                for slot in (*block.uses, *block.arguments):
                    inner[slot] = self.take(inner[slot], lanes)
            terminator, values = machine.run_block(block, inner, [inner[slot] for slot in block.arguments])
            if lanes is not None:
                for slot in block.makes:
                    frame[slot] = self.put(frame[slot], inner[slot], lanes)
            where = np.arange(count) if lanes is None else lanes
            if not terminator.successors:
                returned = returned or [None] * len(values)
                returned = [
                    self.put(old, new, where) if where.size < count else new for old, new in zip(returned, values)
                ]
                at[where] = done
                continue
            for target, targets_lanes, passed in branch_targets(terminator, values):
                part = where if targets_lanes is None else where[targets_lanes]
                if targets_lanes is not None:
                    passed = [machine.take(value, targets_lanes) for value in passed]
                at[part] = target
                self._set(frame, region.blocks[target].arguments, passed, None if part.size == count else part)

    def _set(self, frame: Frame, slots: tuple[int, ...], values: list[Any], lanes: np.ndarray | None) -> None:
        for slot, value in zip(slots, values):
            if lanes is None:
                frame[slot] = value
            else:
                frame[slot] = self.put(frame[slot], value, lanes)


def call_handler(machine: Running, op: Instruction, operands: list[Any]) -> Any:
    """The results of an operation, one for each of its values.

    Raises:
        NotInterpretable: the operation has no meaning.
        InterpreterError: it did something undefined; the error says which operation.
    """
    if op.handler is None:
        raise NotInterpretable("this operation has no meaning in the interpreter", op)
    try:
        results = op.handler(machine, op, *operands)
    except InterpreterError as error:
        if error.op is None:
            raise type(error)(error.what, op, error.program, error.coordinates) from None
        raise
    except FAULTS as error:
        raise undefined(op, operands) or fault(op, error) from error
    return (results,) if len(op.results) == 1 and not isinstance(results, tuple) else results


FAULTS = (ArithmeticError, AssertionError, AttributeError, BufferError, LookupError, MemoryError, TypeError, ValueError)
"""Python's own errors: nothing expects them."""


def undefined(op: Instruction, operands: list[Any]) -> InterpreterError | None:
    """The error for an operand that is `ub.poison` of what is not an array; None if there is none."""
    for value, kind in zip(operands, op.operand_types):
        if value is None and not kind.has_arrays and "token" not in kind.text:
            return InterpreterError(f"uses a value that nothing has defined (ub.poison), of type {kind.text}", op)
    return None


def fault(op: Instruction, error: BaseException) -> InterpreterError:
    """The error for an operation whose meaning has failed on its operands: they are not what it was written for."""
    if isinstance(error, MemoryError):
        return InterpreterError(f"there is too little memory for its results: {error}", op)
    types = ", ".join(kind.text for kind in op.operand_types)
    return InterpreterFailed(f"the interpreter failed on operands ({types}): {type(error).__name__}: {error}", op)


def count_steps(memory: Memory, limits: Any, block: Block) -> None:
    """Ends kernels that go on for too long.

    Raises:
        InterpreterError: more operations than the limit.
        TookTooLong: the deadline is over.
    """
    memory.steps += len(block.instructions)
    if memory.steps > limits.max_steps:
        raise InterpreterError(f"more than {limits.max_steps} operations have run", block.instructions[0])
    if limits.deadline is not None and time.monotonic() > limits.deadline:
        raise TookTooLong("the kernel did not end in time", block.instructions[0])


Target = tuple[int, "np.ndarray | None", list[Any]]
"""Where programs go at the end of a block: the block, which of them (None: all), the block's arguments."""


def branch_targets(op: Instruction, values: tuple[Any, ...]) -> Iterator[Target]:
    """Each way that programs leave a block.  Raises NotInterpretable if the terminator has no meaning."""
    if op.name in ("cf.br", "llvm.br"):
        yield op.successors[0], None, list(values)
        return
    if op.name in ("cf.cond_br", "llvm.cond_br"):
        _, true_count, _ = op.attributes["operandSegmentSizes"]
        condition = np.asarray(values[0]).reshape(-1)
        sides = ((condition, values[1 : 1 + true_count]), (~condition, values[1 + true_count :]))
        for target, (taken, passed) in zip(op.successors, sides):
            if taken.all():
                yield target, None, list(passed)
            elif taken.any():
                yield target, np.flatnonzero(taken), list(passed)
        return
    if op.name in ("cf.switch", "llvm.switch"):
        yield from switch_targets(op, values)
        return
    raise NotInterpretable("this terminator has no meaning in the interpreter", op)


def switch_targets(op: Instruction, values: tuple[Any, ...]) -> Iterator[Target]:
    """The block of the case that the flag has; without one, the first."""
    (flag,), default, rest = op.segments(values)
    passed, start = [default], 0
    for size in op.attributes["case_operand_segments"]:
        passed.append(rest[start : start + size])
        start += size
    chosen = np.zeros(flag.shape, np.int64)
    for position, number in enumerate(op.attributes.get("case_values", ()), 1):
        chosen[flag == int(number)] = position
    for position, target in enumerate(op.successors):
        taken = chosen == position
        if taken.any():
            yield target, None if taken.all() else np.flatnonzero(taken), list(passed[position])


STRUCTURED: dict[str, Any] = {}
"""Operations that run regions of the current frame: (machine, op, frame) -> results.  ops/control_flow.py fills it."""


def structured(name: str) -> Callable[[Handler], Handler]:
    """Declares the handler of an operation with regions, by name."""
    return declares(STRUCTURED, [name])
