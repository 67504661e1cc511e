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

from ttkit.frontend.generator import CodeGenerator
from ttkit.frontend.prototype import Prototype
from ttkit.frontend.translation_unit import TranslationUnit
from ttkit.interpreter.launch import normalize_grid
from ttkit.interpreter.python_mode.arguments import of_value
from ttkit.interpreter.python_mode.array_memory import KernelMemory
from ttkit.interpreter.python_mode.code import has_no_effects, runnable
from ttkit.interpreter.python_mode.eager import EagerBuilder, NotTogether, Runner
from ttkit.language.building import active
from ttkit.language.jit_function import JITFunction
from ttkit.language.versions import of_kernel
from ttkit.options import CompileOptions
from ttkit.target import FIRST_PTX, GPUTarget

# The interpreter has them all, whatever a GPU has.
FP8 = ("fp8e4b15", "fp8e4b8", "fp8e4nv", "fp8e5", "fp8e5b16")


class Session:
    """While it is entered, functions of the language run at once.

    Args:
        grid: number of programs along x, y, z.
        function: whose code runs.
        options: those of a launch; `arch`, such as "sm80", is the GPU that the language asks for (sm90).  With
            `gluon=True` tensors have layouts, which say nothing about values here.
    """

    def __init__(self, grid: tuple[int, int, int], function: JITFunction, **options: Any) -> None:
        target = GPUTarget("cuda", _capability(options.pop("arch", None)), 32)
        chosen = {"supported_fp8_dtypes": FP8, **options, "sanitize_overflow": False}
        known = {name: value for name, value in chosen.items() if name in CompileOptions.__dataclass_fields__}
        made = CompileOptions.for_capability(target.arch, **known)
        unit = TranslationUnit(target, made, is_gluon=options.get("gluon", False), version=of_kernel(function))
        self.memory = KernelMemory()
        self.runner = Runner(unit, self.memory, grid)
        self.builder = EagerBuilder(unit, self.runner.run, self.enter_function)
        self.generator = CodeGenerator(unit, function, function.full_name, Prototype([], {}, {}), False)
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
        """The Python function that runs for a jitted one.

        Raises:
            NotTogether: it may have effects, and several programs run together.
        """
        if self.runner.together and not has_no_effects(function):
            raise NotTogether
        found = self.functions.get(function)
        if found is None:
            found = self.functions[function] = runnable(function)
        return found

    def value(self, given: Any) -> Any:
        """Value of an argument in the kernel: a pointer for an array, a scalar for a number.

        Raises:
            TypeError: kernels take no such thing.
        """
        return of_value(self.memory, "array", given)


def interactive(grid: Any = 1, program: int = 0, **options: Any) -> Session:
    """The language at Python's prompt: `with interactive() as session:`, or `session.__enter__()` for good.

    Args:
        grid: number of programs, as of a launch.
        program: linear index of the one that runs.
        options: as of a launch, such as `debug=True`; with `gluon=True` the language is Gluon.
    """
    session = Session(normalize_grid(grid), JITFunction(_typed), **options)
    session.runner.start(np.array([program], np.int64))
    return session


def _typed() -> None:
    """Stands for the code around what is typed."""


def _capability(arch: Any) -> int:
    """The number in "sm90"; by default, and for other GPUs, that of an H100."""
    digits = re.sub(r"\D", "", str(arch)) if str(arch).startswith("sm") or isinstance(arch, int) else ""
    return int(digits) if digits and int(digits) in FIRST_PTX else 90
