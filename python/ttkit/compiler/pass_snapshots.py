"""Live kernels between their passes: the IR after each, what its layouts cost, pictures of them.

Kernels that are launched or warmed up in such a block are compiled, whatever the cache has, and the cache gets nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttkit.compiler.pipeline_identity import watching

if TYPE_CHECKING:
    from mlir import ir

    from ttkit.analysis.ledger import Ledger

INPUT = "(input)"
IN_FORCE: list[object] = []
"""One for each block, in any thread: empty while nobody watches, which the launcher looks at."""
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Snapshot:
    """A kernel's module after a pass.

    kernel: its name.
    stage: "ttir", "ttgir" or "llir".
    pass_name: the pass; INPUT for what the stage begins with.
    text: the IR.
    """

    kernel: str
    stage: str
    pass_name: str
    text: str

    def layouts(self, *values: str, format: str = "text", table: bool = False) -> str:
        """What tt-layout says of values; without any, which values have a layout.

        Args:
            values: their names, `%12`.
            format: "text", "svg" for a picture of one value, "html" for a page.
            table: of the text: who holds each element, in place of facts.

        Raises:
            ttkit.drivers.user_errors.UserError: there is no such value, or none has a layout.
        """
        import ttkit
        from ttkit.drivers import layout

        arguments = [f"{self.kernel} after {self.pass_name}", "--format", format, *(["--table"] if table else [])]
        arguments += [word for value in values for word in ("--value", value)]
        with ttkit.Context():
            return layout.of_text(self.text, layout.command_line().parse_args(arguments))


class Snapshots(list[Snapshot]):
    """The snapshots of a block, in order."""

    def after(self, pass_name: str, kernel: str | None = None, occurrence: int = 1) -> Snapshot:
        """The module after a pass.

        Args:
            kernel: its name; None if there is only one.
            occurrence: 1 for the first time that the pass ran, -1 for the last.

        Raises:
            LookupError: it did not run, or not so often.
        """
        of_kernel = [one for one in self if kernel in (None, one.kernel)]
        found = [one for one in of_kernel if one.pass_name == pass_name]
        try:
            return found[occurrence - 1 if occurrence > 0 else occurrence]
        except IndexError:
            ran = ", ".join(dict.fromkeys(one.pass_name for one in of_kernel)) or "none"
            times = f"ran {len(found)} times" if found else f"did not run; these did: {ran}"
            raise LookupError(f"pass '{pass_name}' {times}") from None


class _Watch:
    """Who sees the passes of kernels in a block.

    token: makes the keys of kernels new.
    failure: the first exception of what looked at a module.
    """

    def __init__(self, see: Callable[[str, str, str, ir.Operation], None]) -> None:
        self.token = f"watched {next(_numbers)}"
        self.failure: BaseException | None = None
        self._see = see

    @contextmanager
    def stage(self, stage: str, kernel: str) -> Iterator[Callable[[Any], None]]:
        """While a stage runs; gives what prepares its pass manager."""
        from ttkit.passes.infra.watching import watched

        def see(pass_name: str, module: ir.Operation) -> None:
            try:
                self._see(kernel, stage, pass_name, module)
            except BaseException as error:
                self.failure = self.failure or error

        with watched(see) as prepare:
            yield prepare


@contextmanager
def _watched(see: Callable[[str, str, str, ir.Operation], None]) -> Iterator[None]:
    watch = _Watch(see)
    token = watching.set(watch)
    IN_FORCE.append(watch)
    try:
        yield
    finally:
        IN_FORCE.remove(watch)
        watching.reset(token)
    if watch.failure is not None:
        raise watch.failure


@contextmanager
def snapshots() -> Iterator[Snapshots]:
    """Keeps, in a block of a `with` statement, the IR after each pass of the kernels that its thread compiles."""
    found = Snapshots()

    def see(kernel: str, stage: str, pass_name: str, module: ir.Operation) -> None:
        found.append(Snapshot(kernel, stage, pass_name, str(module)))

    with _watched(see):
        yield found


@contextmanager
def ledgers() -> Iterator[dict[str, Ledger]]:
    """Counts what layouts cost after each pass of the stage ttgir, in a block of a `with` statement, in kernels that
    its thread compiles; by the kernels' names."""
    from ttkit.analysis.ledger import Ledger

    found: dict[str, Ledger] = {}

    def see(kernel: str, stage: str, pass_name: str, module: ir.Operation) -> None:
        if stage == "ttgir":
            found.setdefault(kernel, Ledger()).add(pass_name, module)

    with _watched(see):
        yield found


__all__ = ["Snapshot", "Snapshots", "ledgers", "snapshots"]
