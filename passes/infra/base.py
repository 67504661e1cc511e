"""The base class of passes."""

import dataclasses
from contextvars import ContextVar
from typing import Any, ClassVar

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.kernel_errors import TritonError


class PassError(TritonError, RuntimeError):
    """An input that a pass can't handle, reported as a diagnostic at an operation.

    The text of an error in a kernel shows the kernel's line; `message` is what the pass found.

    Args:
        operation: the operation with the problem, whose location the diagnostic has.
        message: what was found, and what to do about it.
    """

    def __init__(self, operation: ir.Operation | ir.OpView, message: str) -> None:
        super().__init__(message)
        self.operation = operation.operation
        self.message = message


def option(default: Any, help: str) -> Any:
    """A pass option: a dataclass field with a default and a line of help for `tt-opt --help`.

    Its type is one of bool, int, float, str, tuple[int, ...] or tuple[str, ...].  On the command line the
    field `num_stages` is written `num-stages`.
    """
    return dataclasses.field(default=default, metadata={"help": help})


emitting: ContextVar[ir.Operation | None] = ContextVar("ttkit.emitting", default=None)
"""The operation of the remark or warning that a pass emits in this thread: handlers may show it."""


def remark(operation: ir.Operation | ir.OpView, message: str, note: str | None = None) -> None:
    """Emits a remark at the location of an operation, and with it a note."""
    token = emitting.set(operation.operation)
    try:
        library().ttkitEmitRemark(operation_handle(operation.operation), message.encode(), note and note.encode())
    finally:
        emitting.reset(token)


def warn(operation: ir.Operation | ir.OpView, message: str) -> None:
    """Emits a warning at the location of an operation."""
    token = emitting.set(operation.operation)
    try:
        library().ttkitEmitWarning(operation_handle(operation.operation), message.encode())
    finally:
        emitting.reset(token)


running: ContextVar[int | None] = ContextVar("ttkit.running_pass", default=None)
"""The native pass that runs in this thread, to which `Pass.count` adds: set by the bridge."""


class Pass:
    """A pass over MLIR, usable like one in C++: in textual pipelines, nested, with `--help`, timing, reproducers.

    A subclass gives its `name` and `run`; one with options is also a frozen dataclass:

        @dataclass(frozen=True)
        class Unroll(Pass):
            \"\"\"Unroll innermost loops.\"\"\"

            name = "my-unroll"
            factor: int = option(4, "how many iterations become one")

            def run(self, op: ir.Operation) -> None: ...

    The first line of the docstring is what `--help` shows.
    """

    name: ClassVar[str]
    """The pass's argument: `--name` on the command line, `name{option=value}` in a pipeline."""

    anchor: ClassVar[str | None] = "builtin.module"
    """The operation that the pass runs on; None for any.  On a module, a pass on `tt.func` runs on each function."""

    statistics: ClassVar[dict[str, str]] = {}
    """Name -> description of each statistic that `count` increases; shown by --mlir-pass-statistics."""

    may_change: ClassVar[str] = ""
    """The change that the pass may make to results, such as "the order of floating-point sums"; `--check-passes` then
    has a tolerance.  Empty if all results stay bit-identical."""

    takes_pointers_apart: ClassVar[str] = ""
    """Why the pass takes arguments to point to different tensors.  A proof of it may, too; pointers that overlap
    refute none."""

    takes_launch_to_follow: ClassVar[str] = ""
    """Why a launch of the kernel knows of a change of its arguments; empty where it does not."""

    takes_sums_to_fit: ClassVar[str] = ""
    """Why the pass takes sums of 32 bits not to wrap; then a proof of it does, too, and no input refutes it by that."""

    renumbers_programs: ClassVar[str] = ""
    """How the pass changes which CTA runs which program.  A proof then looks at the programs of whole grids, too."""

    dependent_dialects: ClassVar[tuple[str, ...]] = ()
    """Dialects of operations that the pass builds and its input may lack.  A `ttkit.Context` has all dialects of
    kernels; tt-opt loads only those in its input."""

    def run(self, op: ir.Operation) -> None:
        """Transforms `op` in place.

        Raises:
            PassError: the input can't be handled; any other exception is a bug in the pass.
        """
        raise NotImplementedError(f"pass '{self.name}' has no run method")

    def count(self, statistic: str, amount: int = 1) -> None:
        """Adds to a statistic of the pass; has no effect outside of a pass manager.

        Raises:
            ValueError: `statistics` has no such name.
        """
        if statistic not in self.statistics:
            raise ValueError(f"pass '{self.name}' declares no statistic '{statistic}'; it has {list(self.statistics)}")
        if (native_pass := running.get()) is not None:
            library().ttkitPassCount(native_pass, list(self.statistics).index(statistic), amount)
