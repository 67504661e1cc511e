"""The driver of `TTKIT_SANITIZE`: launches run in the interpreter, with every access checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ttkit.compiler.asm import AllLevels
from ttkit.compiler.compilation import Compilation
from ttkit.context import parse
from ttkit.frontend.source import Language
from ttkit.interpreter.compiled_kernels import CompiledRuns
from ttkit.interpreter.decode import Function, Instruction, Module, decode_module
from ttkit.interpreter.errors import AssertionFailed, InterpreterError, Misaligned, NotInterpretable, Race, TookTooLong
from ttkit.interpreter.launch import argument_value, check_arguments, normalize_grid, order_arguments, run_programs
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.python_mode.host_arrays import host_array
from ttkit.interpreter.run_options import Observer, Options
from ttkit.language.hints import hints_apart
from ttkit.options import CompileOptions
from ttkit.passes.manager import run_passes
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.driver import CudaDriver, driver
from ttkit.runtime.launcher import LaunchedKernel
from ttkit.runtime.parameters import argument_types
from ttkit.runtime.pointers import ArgumentError
from ttkit.runtime.stand_in import StandInDriver, StandInLauncher, target_of_knob
from ttkit.sanitizer.atomic_orders import has_fences
from ttkit.sanitizer.checked_memory import CheckedMemory
from ttkit.sanitizer.exact_integers import ExactIntegers
from ttkit.sanitizer.findings import Finding, Findings
from ttkit.sanitizer.hints import Hints
from ttkit.sanitizer.initialized import watch
from ttkit.sanitizer.process import Sanitizer, process
from ttkit.sanitizer.settings import Settings
from ttkit.sanitizer.shadows import Shadows
from ttkit.sanitizer.source_lines import sites
from ttkit.target import GPUTarget, Target

SEED = 20
"""Seeds the choice of programs in a sample."""


def level_of(level: str, source: Any) -> str:
    """The level at which a kernel is checked, for the one that is asked for: one in Gluon has layouts from ttgir on."""
    return "ttgir" if source.ext == "ttgir" and level in ("source", "ttir") else level


class SanitizingDriver(StandInDriver):
    """A driver by the names of `CudaDriver`, whose launches are checked on the CPU."""

    def __init__(self, sanitizer: Sanitizer) -> None:
        super().__init__(target_of_knob(), interprets=True)
        self.sanitizer = sanitizer
        self.compile_state = sanitizer.name

    def compile_kernel(self, source: Any, target: GPUTarget, options: CompileOptions) -> CompiledKernel:
        """Compiles as far as the level that runs."""
        level = level_of(self.sanitizer.settings.level, source)
        until = "ttgir" if level in ("ttgir", "llvm") else "ttir"
        with hints_apart() if level == "source" else nullcontext():
            made = Compilation(source, target, replace(options, sanitize_overflow=False), until=until).run()
        kernel = CompiledKernel.from_compilation(made)
        kernel.asm = AllLevels(made.files, lambda: Compilation(source, target, options).run().asm)
        return kernel

    def launcher_of(self, kernel: LaunchedKernel) -> Callable[..., None]:
        """Launcher of a kernel."""
        return SanitizedLauncher(kernel, self.sanitizer)


def driver_of_knob() -> CudaDriver | SanitizingDriver:
    """The driver that TTKIT_SANITIZE asks for."""
    return driver_for(process())


def driver_for(sanitizer: Sanitizer) -> CudaDriver | SanitizingDriver:
    """The driver that looks for what a sanitizer asks for."""
    if sanitizer.settings.device == "cuda":
        from ttkit.sanitizer.device import DeviceSanitizer  # which compiles to the end

        return DeviceSanitizer(sanitizer)
    return SanitizingDriver(sanitizer)


@contextmanager
def checking(sanitizers: str = "all", *, prints: bool = True) -> Iterator[Findings]:
    """A `with` statement's scope, in which launches run on the CPU with every access checked; gives what is found.

    Args:
        sanitizers: as TTKIT_SANITIZE has them: "asan,init", "all,sample=64".
        prints: whether each bug is printed to stderr as it is found.

    Raises:
        ValueError: there is no such sanitizer or option.
    """
    sanitizer = Sanitizer(Settings.parse(sanitizers), prints)
    unwatch = watch(sanitizer.fresh) if sanitizer.settings.watches_arrays else None
    before = driver._active
    driver.set_active(driver_for(sanitizer))
    try:
        yield sanitizer.findings
    finally:
        sanitizer.complete()
        driver.set_active(before) if before is not None else driver.reset_active()
        if unwatch is not None:
            unwatch()


class SanitizedLauncher(StandInLauncher):
    """Runs one kernel on the CPU, with every access checked."""

    def __init__(self, kernel: LaunchedKernel, sanitizer: Sanitizer) -> None:
        super().__init__(kernel)
        self.sanitizer = sanitizer

    def _launch(self, grid: tuple[int, int, int], stream: int, function: int, arguments: tuple[Any, ...]) -> None:
        settings, findings = self.sanitizer.settings, self.sanitizer.findings
        name = self.name
        whole = settings.bounds == "allocation"
        if settings.prove and name not in findings.proofs:
            self._prove(grid, arguments)
        memory = CheckedMemory(settings.kinds, self.sanitizer.tell, name, self.sanitizer.fresh, whole)
        programs = sample(grid, settings.sample)
        findings.launches += 1
        findings.programs += programs.size
        findings.left_out += grid[0] * grid[1] * grid[2] - programs.size
        options = Options(observer=Checks(memory, self.runs.module), race=self._races(), tma=self._uses_tma())
        try:
            self._run(grid, arguments, memory, programs, options)
        except (NotInterpretable, TookTooLong) as error:
            findings.note(f"kernel {name} was not checked to its end: {' '.join(str(error).split())}")
            raise
        except InterpreterError as error:
            self.sanitizer.tell(finding_of(error, name))
            memory.copy_back()

    def _prove(self, grid: tuple[int, int, int], arguments: Sequence[Any]) -> None:
        """Looks for proofs, by what this launch suggests."""
        from ttkit.sanitizer.proof.launch_proofs import verdicts_of_launch  # only if it is asked for

        findings = self.sanitizer.findings
        try:
            assumptions, verdicts = verdicts_of_launch(self.kernel.src, grid, arguments)
        except Exception as error:  # of a kernel that compiles for this GPU alone
            findings.note(f"kernel {self.kernel.name} was not proved: {error}")
            return
        findings.proofs[self.kernel.name] = [str(assumptions), *map(str, verdicts)]
        findings.looked_at += len(verdicts)
        findings.proved += sum(verdict.outcome == "proved" for verdict in verdicts)

    def _races(self) -> bool | str:
        """Races on shared memory to look for: those between programs are found by the memory.

        In Gluon fences are the kernel's; in the tile language a pass puts them.
        """
        if "race" not in self.sanitizer.settings.kinds:
            return False
        is_gluon = getattr(self.kernel.src, "language", None) is Language.GLUON
        return "groups,fences" if is_gluon else "groups"

    def _uses_tma(self) -> bool:
        """Whether descriptors that are left in the IR become those of TMA."""
        target = self.kernel.metadata.target
        return target.backend == "cuda" and Target(int(target.arch)).has_tma

    @cached_property
    def runs(self) -> CompiledRuns:
        """The kernel at the level that is checked.  Raises ArgumentError if it comes without its source."""
        kernel = self.kernel
        if argument_types(kernel.src) is None or "source" not in kernel.asm:
            raise ArgumentError(f"kernel {kernel.name} comes without its source, so that it can't be checked")
        level = level_of(self.sanitizer.settings.level, kernel.src)
        text = kernel.asm["source" if level == "source" else "ttir" if level == "ttir" else "ttgir"]
        module = parse(text)
        if level == "source":
            run_passes(module, "inline{default-pipeline=}")
        elif level == "llvm":
            run_passes(module, f"ttkit-llir{{capability={kernel.metadata.target.arch}}}")
        return self.runs_of(module)


class Checks(Observer):
    """Watches the operations of a launch."""

    def __init__(self, memory: CheckedMemory, module: Any) -> None:
        self.memory = memory
        self.shadows, self.exact = Shadows(memory), ExactIntegers(memory, module)
        self.hints = Hints(memory) if "hint" in memory.kinds else None
        self.races = memory.races
        if self.races is not None:
            self.races.has_fences = has_fences(module)

    def begin(self, function: Function, arguments: Sequence[Any]) -> None:
        """Checks what the kernel was compiled for."""
        if self.hints is not None:
            self.hints.begin(function, arguments)

    def start(self, machine: Machine) -> None:
        """Forgets the values of the programs before: a batch begins."""
        self.shadows.start()
        self.exact.start()

    def taken(self, value: Any, taken: Any, lanes: np.ndarray) -> None:
        """Programs of a batch part."""
        self.shadows.taken(value, taken, lanes)
        self.exact.taken(value, taken, lanes)

    def merged(self, target: Any, value: Any, merged: Any, lanes: np.ndarray) -> None:
        """Programs of a batch are together again."""
        self.shadows.merged(target, value, merged, lanes)
        self.exact.merged(target, value, merged, lanes)

    def before(self, machine: Machine, op: Instruction, operands: list[Any]) -> None:
        """Checks what the operation reads."""
        self.memory.said = None
        self.exact.before(machine, op, operands)
        self.shadows.before(machine, op, operands)

    def after(self, machine: Machine, op: Instruction, operands: list[Any], results: tuple[Any, ...]) -> None:
        """Notes what the operation has made, and looks for broken hints and races."""
        results = results if isinstance(results, tuple) else tuple(results)
        self.shadows.after(machine, op, operands, results)
        self.exact.after(machine, op, operands, results)
        if self.hints is not None:
            self.hints.after(machine, op, operands, results)
        if self.races is not None:
            self.races.after(machine, op)


def check(
    module: Any, grid: int | Sequence[int], args: Sequence[Any] | Mapping[str, Any], sanitizers: str = "all"
) -> Findings:
    """Runs a kernel of tt or ttg with every access checked, and gives what is found.

    Args:
        module, grid, args: as `ttkit.interpret` takes them; arrays may be views.
        sanitizers: as TTKIT_SANITIZE has them.

    Raises:
        NotInterpretable: an operation has no meaning here.
        ValueError: the arguments don't fit the function, or there is no such sanitizer.
    """
    sanitizer = Sanitizer(Settings.parse(sanitizers), prints=False)
    settings, decoded = sanitizer.settings, module if isinstance(module, Module) else decode_module(module)
    function = decoded.public_function(None)
    check_arguments(function)
    whole = settings.bounds == "allocation"
    memory = CheckedMemory(settings.kinds, sanitizer.tell, function.name, sanitizer.fresh, whole)
    values = []
    for name, kind, value in zip(function.argument_names, function.argument_types, order_arguments(function, args)):
        array = host_array(value) if kind.pointee is not None and kind.element is not None and not kind.rank else None
        pointer = None if array is None else np.array([memory.add_array(name, array)], np.int64)
        values.append(argument_value(memory, name, kind, value) if pointer is None else pointer)
    programs, shape = sample(normalize_grid(grid), settings.sample), normalize_grid(grid)
    options = Options(observer=Checks(memory, decoded), race="groups" if "race" in settings.kinds else False)
    sanitizer.findings.launches, sanitizer.findings.programs = 1, programs.size
    try:
        for _ in run_programs(decoded, function, memory, shape, programs, values, options):
            pass
    except (NotInterpretable, TookTooLong):
        raise
    except InterpreterError as error:
        sanitizer.tell(finding_of(error, function.name))
    return sanitizer.findings


def sample(grid: tuple[int, int, int], most: int | None) -> np.ndarray:
    """The programs of a grid to run, int64 in ascending order: all; or at most so many, the corners of the grid and
    others by chance."""
    total = grid[0] * grid[1] * grid[2]
    if most is None or total <= most:
        return np.arange(total, dtype=np.int64)
    x, y, z = ([0, size - 1] for size in grid)
    corners = {i + grid[0] * (j + grid[1] * k) for k in z for j in y for i in x}
    chosen = sorted(corners)[:most]
    others = np.random.default_rng(SEED).choice(total, size=min(total, 2 * most), replace=False)
    chosen += [int(program) for program in others if int(program) not in corners][: most - len(chosen)]
    return np.array(sorted(chosen), np.int64)


def finding_of(error: InterpreterError, kernel: str) -> Finding:
    """The finding that an error of the interpreter is, which ended the launch."""
    kind = "race" if isinstance(error, Race) else "assertion" if isinstance(error, AssertionFailed) else "undefined"
    kind = "misaligned" if isinstance(error, Misaligned) else kind
    kind = "hint" if error.op is not None and error.op.name == "llvm.intr.assume" else kind
    where = list(sites(error.op.location, error.op.name)) if error.op is not None else []
    program = None if error.program is None else tuple(int(c) for c in error.program)
    return Finding(kind, kernel, error.what, where, program, error.coordinates)
