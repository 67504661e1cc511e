"""A bug that was found in a kernel, and all of a process."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ttkit.sanitizer.source_lines import Site

CHECKS = {"asan": ("out-of-bounds", "misaligned", "hint", "overflow"), "tsan": ("race",), "init": ("uninitialized",)}
"""What each sanitizer looks for."""
ALWAYS = ("assertion", "undefined")
"""Kinds that every sanitizer reports: what ends a kernel."""
KINDS = {
    "out-of-bounds": "an access outside of the tensor that was passed",
    "misaligned": "an address that is not a multiple of the element's size",
    "hint": "tl.multiple_of, max_contiguous, max_constancy or assume says what does not hold",
    "overflow": "index arithmetic that does not fit its integer type",
    "race": "two accesses to one place that nothing orders, at least one of them writing",
    "uninitialized": "a value that nothing has defined is used",
    "assertion": "an assertion that is false",
    "undefined": "something else that has no defined result",
}


@dataclass
class Finding:
    """A bug.

    kind: one of KINDS.
    kernel: its name.
    message: what happened, in one line.
    site: where; the innermost place first, then those that called it.
    program: (x, y, z) of the first program that does it.
    element: coordinates in the tensor of addresses or values, if it is about one.
    argument, shape, index: the tensor, its shape, the index in it, if it is about one.
    others: further places: (what happens there, the place).
    fix: what to do.
    count: of elements, over all programs and launches.
    """

    kind: str
    kernel: str
    message: str
    site: list[Site]
    program: tuple[int, ...] | None = None
    element: tuple[int, ...] | None = None
    argument: str | None = None
    shape: tuple[int, ...] | None = None
    index: tuple[int, ...] | None = None
    others: list[tuple[str, list[Site]]] = field(default_factory=list)
    fix: str = ""
    count: int = 1

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for reports of the same bug."""
        where = self.site[0] if self.site else None
        return self.kind, self.kernel, where and (where.file, where.line, where.column), self.argument

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Finding:
        """Reads what `as_dict` gave."""

        def sites(items: list[dict[str, Any]]) -> list[Site]:
            """Sites from dictionaries of their fields."""
            return [Site(**item) for item in items]

        values = {**fields, "site": sites(fields["site"])}
        values["others"] = [(what, sites(where)) for what, where in fields["others"]]
        for name in ("program", "element", "shape", "index"):
            values[name] = None if fields[name] is None else tuple(fields[name])
        return cls(**values)


@dataclass
class Findings:
    """All bugs that were found, each once, and what was run.

    left_out: programs that were not run, because a sample was asked for.
    proofs: of each kernel, with `prove`: what was assumed, and a verdict for each access.
    """

    found: dict[tuple[Any, ...], Finding] = field(default_factory=dict)
    launches: int = 0
    programs: int = 0
    left_out: int = 0
    notes: list[str] = field(default_factory=list)
    proofs: dict[str, list[str]] = field(default_factory=dict)
    proved: int = 0
    looked_at: int = 0

    def add(self, finding: Finding) -> bool:
        """Records a bug; returns whether it is new."""
        known = self.found.setdefault(finding.key, finding)
        if known is not finding:
            known.count += finding.count
        return known is finding

    def note(self, text: str) -> None:
        """Something to say at the end, once."""
        if text not in self.notes:
            self.notes.append(text)

    def merge(self, other: Findings) -> None:
        """Takes over what another process found."""
        for finding in other.found.values():
            self.add(finding)
        for text in other.notes:
            self.note(text)
        self.proofs.update(other.proofs)
        for count in ("launches", "programs", "left_out", "proved", "looked_at"):
            setattr(self, count, getattr(self, count) + getattr(other, count))

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        rest = {name: value for name, value in vars(self).items() if name != "found"}
        return {"findings": [finding.as_dict() for finding in self.found.values()], **rest}

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Findings:
        """Reads what `as_dict` gave."""
        rest = dict(fields)
        found = map(Finding.from_dict, rest.pop("findings"))
        return cls({finding.key: finding for finding in found}, **rest)
