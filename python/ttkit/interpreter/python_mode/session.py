"""The language outside of kernels: its functions run at once, for one program.

>>> session = interactive()
>>> with session:
...     tl.sum(tl.arange(0, 8), 0)
int32[] 28
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ttkit.frontend.compilation import Compilation, GPUTarget, LanguageOptions
from ttkit.frontend.generator import CodeGenerator
from ttkit.frontend.jit_function import JITFunction
from ttkit.frontend.prototype import Prototype
from ttkit.interpreter.launch import normalize_grid
from ttkit.interpreter.python_mode.arguments import of_value
from ttkit.interpreter.python_mode.code import has_no_effects, runnable
from ttkit.interpreter.python_mode.eager import EagerBuilder, NotTogether, Runner
from ttkit.interpreter.python_mode.memory import KernelMemory
from ttkit.language.builtin import active

# The interpreter has them all, whatever a GPU has.
FP8 = ("fp8e4b15", "fp8e4b8", "fp8e4nv", "fp8e5", "fp8e5b16")


class Session:
    """While it is entered, functions of the language run at once.

    Args:
        grid: number of programs along x, y, z.
        function: whose code runs.
        options: those of a launch; `arch`, such as "sm80", is the GPU that the language asks for (sm90).
    """

    def __init__(self, grid: tuple[int, int, int], function: JITFunction, **options: Any) -> None:
        target = GPUTarget("cuda", _capability(options.pop("arch", None)), 32)
        chosen = {"supported_fp8_dtypes": FP8, **options, "sanitize_overflow": False}
        compilation = Compilation(target, LanguageOptions.for_target(target, **chosen))
        self.memory = KernelMemory()
        self.runner = Runner(compilation, self.memory, grid)
        self.builder = EagerBuilder(compilation, self.runner.run, self.enter_function)
        self.generator = CodeGenerator(compilation, function, function.full_name, Prototype([], {}, {}), False)
        self.generator.builder = self.builder
        self.generator.node = function.tree()
        self.functions: dict[Any, Callable[..., Any]] = {}
        self.outer: list[Any] = []

    def __enter__(self) -> Any:
        self.outer.append((active.builder, active.generator, np.geterr()))
        active.builder, active.generator = self.builder, self.generator
        np.seterr(all="ignore")
        return self

    def __exit__(self, *error: Any) -> None:
        active.builder, active.generator, errors = self.outer.pop()
        np.seterr(**errors)
        self.memory.copy_back()

    def enter_function(self, function: JITFunction) -> Callable[..., Any]:
        """The Python function that runs for a jitted one."""
        if self.runner.together and not has_no_effects(function):
            raise NotTogether
        found = self.functions.get(function)
        if found is None:
            found = self.functions[function] = runnable(function)
        return found

    def value(self, given: Any) -> Any:
        """What a kernel gets for an argument: a pointer for an array, a scalar for a number.

        Raises:
            TypeError: kernels take no such thing.
        """
        return of_value(self.memory, "array", given)


def interactive(grid: Any = 1, program: int = 0, **options: Any) -> Session:
    """The language at Python's prompt: `with interactive() as session:`, or `session.__enter__()` for good.

    Args:
        grid: number of programs, as of a launch.
        program: linear index of the one that runs.
        options: as of a launch, such as `debug=True`.
    """
    session = Session(normalize_grid(grid), JITFunction(_typed), **options)
    session.runner.start(np.array([program], np.int64))
    return session


def _typed() -> None:
    """Stands for the code around what is typed."""


def _capability(arch: Any) -> int:
    """The number in "sm90"; by default, and for other GPUs, that of an H100."""
    digits = re.sub(r"\D", "", str(arch)) if str(arch).startswith("sm") or isinstance(arch, int) else ""
    return int(digits or 90)
