"""Kernels as plain Python: `@jit(interpret=True)`, `TRITON_INTERPRET=1`.

The body runs as it stands, so that `print` and `pdb` work in it.  Every function of the language builds the same
operation as when it is compiled; here it is run at once, by the interpreter's own meaning of it (`eager.py`).

Programs run one after the other, or many at once where nobody can tell (`kernel_code.has_no_effects`): each operation
then works on the values of all of them.  The kernel may ask in Python (`if`, the bounds of a loop) for a number in
which they differ.  Then all their writes are undone, and those with the same number start again together.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import ttkit.knobs as knobs
from ttkit.frontend.errors import KernelMistake
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.launch import BATCH_ELEMENTS, normalize_grid
from ttkit.interpreter.python_mode.arguments import argument
from ttkit.interpreter.python_mode.code import has_no_effects, is_debugged
from ttkit.interpreter.python_mode.eager import Diverged, NotTogether
from ttkit.interpreter.python_mode.errors import KernelError, kernel_error, kernel_frames
from ttkit.interpreter.python_mode.session import Session
from ttkit.language.errors import LanguageError
from ttkit.language.jit_function import JITFunction
from ttkit.options import CompileOptions

__all__ = ["InterpretedFunction", "KernelError"]

# Launch options that others do not have; most change nothing here.
OPTIONS = frozenset(["stream", "allow_fp8e4nv"])
MAX_SPLITS, MAX_GROUPS = 8, 64
"""How often the programs of a batch may part, and into how many, before they run one by one: each time their work is
begun anew."""


def overlaps(places: dict[int, np.ndarray], journal: list[Any]) -> bool:
    """Whether a group of programs has written where another has.

    Args:
        places: of the groups before, offsets in bytes by the address of a buffer; those of the journal are added.
        journal: `Memory.journal` of a group.
    """
    new: dict[int, list[np.ndarray]] = {}
    for view, index, _ in journal:
        new.setdefault(view.ctypes.data, []).append(index * view.itemsize)
    clash = False
    for address, parts in new.items():
        own, others = np.unique(np.concatenate(parts)), places.get(address)
        clash = clash or (others is not None and np.intersect1d(own, others, assume_unique=True).size > 0)
        places[address] = own if others is None else np.union1d(own, others)
    return clash


class InterpretedFunction(JITFunction):
    """A kernel that runs as Python: `kernel[grid](*args)` with arrays, see `kernel_arguments`.

    Functions that it calls may be jitted either way.  Their bodies run as Python too, except those that combine
    elements (of `tl.reduce` and the like), which are compiled.
    """

    @classmethod
    def of(cls, function: JITFunction) -> InterpretedFunction:
        """The same kernel, run as Python."""
        made = cls(function.fn, function.version, debug=function.debug, noinline=function.noinline)
        made.params, made.pre_run_hooks = function.params, function.pre_run_hooks
        return made

    is_interpreted = True

    def run(self, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> None:
        """Runs every program of the grid.

        Raises:
            KernelError: at which line, and what.
            KeyError, TypeError: the arguments do not fit the kernel.
        """
        for hook in self.pre_run_hooks:
            hook(*args, **kwargs)
        given = {name: value for name, value in kwargs.items() if name in self.arg_names}
        CompileOptions.check_names(dict.fromkeys(kwargs.keys() - given.keys() - OPTIONS))
        bound = self.signature.bind(*args, **given)
        bound.apply_defaults()
        if warmup:
            return
        values = dict(bound.arguments)
        shape = normalize_grid(grid(values) if callable(grid) else grid)
        options = {name: value for name, value in kwargs.items() if name not in given}
        Launch(self, values, shape, options).run()


class Launch(Session):
    """One launch of a kernel that runs as Python."""

    def __init__(
        self, function: InterpretedFunction, values: dict[str, Any], grid: tuple[int, int, int], options: dict[str, Any]
    ) -> None:
        debug = knobs.runtime.debug if function.debug is None else function.debug
        super().__init__(grid, function, **{"debug": bool(debug), **options})
        self.function = function
        self.arguments = {param.name: argument(self.memory, param, values[param.name]) for param in function.params}

    def run(self) -> None:
        """Runs all programs."""
        total = self.runner.grid[0] * self.runner.grid[1] * self.runner.grid[2]
        with self:
            first = 1 if has_no_effects(self.function) and not is_debugged() else total
            # The first program alone: it tells how large the tensors are.
            self.one_by_one(np.arange(min(first, total), dtype=np.int64))
            size = max(1, BATCH_ELEMENTS // self.runner.largest)
            alone = False
            for start in range(first, total, size):
                batch = np.arange(start, min(start + size, total), dtype=np.int64)
                if alone or not self.together(batch):
                    alone = True
                    self.one_by_one(batch)

    def together(self, programs: np.ndarray) -> bool:
        """Runs programs at once, in groups that go the same way.

        Returns:
            Whether that was possible.  If not, nothing of it remains.
        """
        waiting, splits = [programs], 0
        written: list[Any] = []
        places: dict[int, np.ndarray] = {}
        while waiting:
            group = waiting.pop()
            self.memory.journal = []
            try:
                self.run_programs(group, together=True)
            except Diverged as parted:
                self.memory.restore()
                values, which = np.unique(parted.values, return_inverse=True)
                waiting += [group[which == number] for number in range(values.size)]
                splits += 1
            except (NotTogether, Exception):  # an error is told where the programs run in order
                self.memory.restore()
                splits = MAX_SPLITS + 1
            else:
                written += self.memory.journal
                if (splits or waiting) and overlaps(places, self.memory.journal):  # the last program must win
                    splits = MAX_SPLITS + 1
            if splits > MAX_SPLITS or len(waiting) > MAX_GROUPS:
                self.memory.journal = written
                self.memory.restore()
                return False
        return True

    def one_by_one(self, programs: np.ndarray) -> None:
        """Runs programs in order."""
        self.memory.journal = None
        for program in programs:
            self.run_programs(np.array([program], np.int64))

    def run_programs(self, programs: np.ndarray, together: bool = False) -> None:
        """Calls the kernel for one program, or for several `together`.

        Raises:
            InterpreterError: an error in the kernel, at its line.
        """
        self.runner.start(programs, together)
        try:
            self.enter_function(self.function)(**self.arguments)
        except (InterpreterError, LanguageError, KernelMistake) as error:
            where = self.runner.machine.coordinates(int(programs[0]))
            raise kernel_error(error, where, self.memory).with_traceback(kernel_frames(error)) from error
        except Exception as error:
            if sys.version_info >= (3, 11) and not together:
                where = self.runner.machine.coordinates(int(programs[0]))
                error.add_note(f"in program {where} of kernel {self.function.__name__}")
            raise
