"""Why tuning a kernel failed, and why a configuration was left out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ttkit.kernel_errors import TritonError


class AutotunerError(TritonError):
    """Tuning can't go on."""

    def __init__(self, error_message: str | None = None) -> None:
        super().__init__(error_message)
        self.error_message = error_message

    def __str__(self) -> str:
        return f"Autotuner error: {self.error_message or ''}"


class TunedArgumentGiven(ValueError, TypeError):
    """A launch gives by name what is tuned.  Triton raises either, by the number of configurations."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(
            f"Conflicting meta-parameters: {', '.join(sorted(names))}. Make sure that you don't re-define auto-tuned "
            "symbols."
        )


class OverTimeBudget(TritonError):
    """A configuration took longer than each may."""

    def __init__(self, what: str, budget: float) -> None:
        super().__init__(what, budget)
        self.what, self.budget = what, budget

    def __str__(self) -> str:
        return f"{self.what} takes more than {self.budget:g} s, its time budget"


class StillRuns(OverTimeBudget):
    """A run takes longer, and goes on."""


class TimingWorkerDied(Exception):
    """The process that timed a configuration ended without a word, or its machine did."""


class AutotuneWarning(UserWarning):
    """A configuration that was skipped, and why."""


# Modules with compiler errors that do not derive from TritonError.  They load MLIR: one that is not loaded raised none.
_COMPILER_ERRORS = {
    "ttkit.compiler.module_metadata": "CompileError",
    "ttkit.compiler.llvm_api": "LLVMError",
    "ttkit.passes.infra.base": "PassError",
    "mlir.ir": "MLIRError",
}


def is_of_one_config(error: BaseException) -> bool:
    """Whether a kernel's run failed for its configuration alone: the compiler or the driver refused it.

    All other errors, such as a bug in a hook or an access out of bounds, belong to the kernel.
    """
    from ttkit.cuda.libcuda import DriverError, DriverMissing, KernelFault

    if isinstance(
        error, (KernelFault, DriverMissing, AutotunerError, _loaded("ttkit.interpreter.errors", "InterpreterError"))
    ):
        return False
    compilers = tuple(_loaded(module, name) for module, name in _COMPILER_ERRORS.items())
    return isinstance(error, (TritonError, DriverError, *compilers))


class _Nothing(Exception):
    """In place of an exception whose module is not loaded."""


def _loaded(module: str, name: str) -> type[BaseException]:
    return getattr(sys.modules.get(module), name, _Nothing)


def reason(error: BaseException) -> str:
    """Why a configuration failed, in a line."""
    # An error in a kernel quotes the source first; the message comes after.
    text = str(getattr(error, "error_message", None) or error).strip()
    return text.splitlines()[0].strip() if text else type(error).__name__


def add_reasons(error: BaseException, skipped: dict[Any, str]) -> None:
    """Notes on an exception why each configuration failed, where Python has notes (3.11)."""
    if hasattr(error, "add_note"):
        error.add_note("\n".join(f"config {config}: {reason}" for config, reason in skipped.items()))
