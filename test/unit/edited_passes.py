"""IR before and after passes in `test/data/edited`, and bugs of these passes: edits of the IR after them.

`mistakes.txt` has two lines for each: `# FILE: KIND`, and `RIGHT || WRONG`, with \\n for the end of a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ttkit.context import Context
from ttkit.validation import Verdict, validate
from ttkit.validation.proofs import decoded

FOLDER = Path(__file__).parents[1] / "data" / "edited"


@dataclass(frozen=True)
class Edit:
    """A bug of a pass: the IR after it, with `right` replaced by `wrong`."""

    file: str
    kind: str
    right: str
    wrong: str

    @property
    def name(self) -> str:
        """The name of a test."""
        return f"{self.file}: {self.kind}"

    def text(self) -> str:
        """The wrong IR."""
        after = text_of(self.file, "after")
        assert self.right in after, self.name
        return after.replace(self.right, self.wrong)


def text_of(file: str, side: str) -> str:
    """The IR before or after a pass."""
    return (FOLDER / f"{file}.{side}.mlir").read_text()


def files() -> list[str]:
    """The pairs, by name."""
    return sorted(path.name.partition(".")[0] for path in FOLDER.glob("*.before.mlir"))


def edits() -> Iterator[Edit]:
    """All bugs."""
    lines = (FOLDER / "mistakes.txt").read_text().splitlines()
    for header, change in zip(lines[::2], lines[1::2], strict=True):
        file, _, kind = header.removeprefix("# ").partition(": ")
        right, wrong = change.split(" || ")
        yield Edit(file, kind, right, wrong.replace("\\n", "\n"))


def verdict(before: str, after: str, searches: bool) -> Verdict:
    """The verdict on the one function of two modules."""
    context = Context()
    context.allow_unregistered_dialects = True
    old, new = decoded(before, context), decoded(after, context)
    assert not isinstance(old, str), old
    assert not isinstance(new, str), new
    [name] = old.functions
    return validate(old, new, name, "", searches)
