"""Live kernels between their passes: the IR after each, what its layouts cost, pictures of them.

Kernels that are launched or warmed up in such a block are compiled, whatever the cache has, and the cache gets nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttkit.compiler.pipeline_identity import watching
from ttkit.display import diff_html, ir_html
from ttkit.passes.changes import in_this_thread
from ttkit.passes.infra.events import ModuleAfterEach, PassEvent, PassSubscriber
from ttkit.suggestions import suggestion

if TYPE_CHECKING:
    from ttkit.analysis.ledger import Ledger
    from ttkit.compiler.compilation import Compilation

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Snapshot:
    """A kernel's module after a pass.

    kernel: its name.
    stage: "ttir", "ttgir" or "llir".
    pass_name: the pass; "(input)" for what the stage begins with.
    text: the IR.
    """

    kernel: str
    stage: str
    pass_name: str
    text: str

    def __repr__(self) -> str:
        return f"<Snapshot of {self.kernel}: {self.stage} after {self.pass_name}, {self.text.count(chr(10))} lines>"

    def _repr_html_(self) -> str:
        return ir_html(self.text, f"{self.kernel}: {self.stage} after {self.pass_name}")

    def layouts(self, *values: str, format: str = "text", table: bool = False) -> str:
        """Layouts of values, as tt-layout shows them; without any, the list of values that have a layout.

        Args:
            values: their names, `%12`.
            format: "text", "svg" for a picture of one value, "html" for a page.
            table: of the text: who holds each element, in place of facts.

        Raises:
            ttkit.drivers.user_errors.UserError: there is no such value, or none has a layout.
        """
        from ttkit.context import Context
        from ttkit.drivers import layout

        arguments = [f"{self.kernel} after {self.pass_name}", "--format", format, *(["--table"] if table else [])]
        arguments += [word for value in values for word in ("--value", value)]
        with Context():
            return layout.of_text(self.text, layout.command_line().parse_args(arguments))


class Snapshots(list[Snapshot]):
    """The snapshots of a block, in order; in a notebook what each pass changed."""

    def __repr__(self) -> str:
        shown = [*map(repr, self[:3]), *([f"and {len(self) - 3} more"] if len(self) > 3 else [])]
        return f"[{', '.join(shown)}]"

    def _repr_html_(self) -> str:
        from html import escape

        last: dict[str, Snapshot] = {}
        parts = []
        for one in self:
            before = last.get(one.kernel)
            last[one.kernel] = one
            if before is None:
                parts.append(one._repr_html_())
            elif before.text != one.text:
                title = f"{one.kernel}: {one.stage}, {one.pass_name}"
                parts.append(f"<details><summary>{escape(title)}</summary>{diff_html(before.text, one.text)}</details>")
        return "".join(parts)

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

    def before(self, pass_name: str, kernel: str | None = None, occurrence: int = 1) -> Snapshot:
        """The module before a pass: that after the pass before it.

        Args, Raises: as for `after`.
        """
        found = self.after(pass_name, kernel, occurrence)
        of_kernel = [one for one in self if one.kernel == found.kernel]
        place = next(place for place, one in enumerate(of_kernel) if one is found)
        return of_kernel[max(place - 1, 0)]


class Ledgers(dict[str, "Ledger"]):
    """The ledgers of a block by the names of kernels."""

    def __missing__(self, kernel: str) -> Ledger:
        compiled = ", ".join(self) or "none"
        raise KeyError(
            f"no kernel '{kernel}' was compiled in the block; these were: {compiled}{suggestion(kernel, self)}"
        )


class Watch:
    """Who is told of the passes of kernels in a block.

    token: makes the keys of kernels new.
    """

    def __init__(self, subscriber: PassSubscriber) -> None:
        self.subscriber = subscriber
        self.token = f"watched {next(_numbers)}"

    def compiled(self, compilation: Compilation, error: BaseException | None) -> None:
        """The compilation has ended."""


@contextmanager
def observed(subscriber: PassSubscriber) -> Iterator[PassSubscriber]:
    """Tells a subscriber, in a block of a `with` statement, of all passes of the kernels that its thread compiles.

    Args:
        subscriber: see `ttkit.passes.infra.events`; `event.run` has the kernel's name and the stage.
    """
    with in_this_thread(watching, (*watching.get(), Watch(subscriber))):
        yield subscriber


@contextmanager
def snapshots() -> Iterator[Snapshots]:
    """Keeps, in a block of a `with` statement, the IR after each pass of the kernels that its thread compiles."""
    found = Snapshots()

    class Keep(ModuleAfterEach):
        def see(self, pass_name: str, event: PassEvent) -> None:
            """Keeps the text."""
            found.append(Snapshot(event.run.kernel, event.run.stage, pass_name, event.text()))

    with observed(Keep()):
        yield found


@contextmanager
def ledgers() -> Iterator[Ledgers]:
    """Counts what layouts cost after each pass of the stage ttgir, in a block of a `with` statement, in kernels that
    its thread compiles; by the kernels' names."""
    from ttkit.analysis.ledger import Ledger

    found = Ledgers()

    class Count(ModuleAfterEach):
        def see(self, pass_name: str, event: PassEvent) -> None:
            """Counts the layouts of the module, in the stage ttgir."""
            if event.run.stage == "ttgir":
                found.setdefault(event.run.kernel, Ledger()).add(pass_name, event.module)

    with observed(Count()):
        yield found


__all__ = ["Ledgers", "Snapshot", "Snapshots", "ledgers", "observed", "snapshots"]
