"""A mistake that was found in a kernel, and all of a process."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ttkit.sanitizer.source_lines import Site

CHECKS = {
    "asan": ("out-of-bounds", "misaligned", "hint", "overflow"),
    "tsan": ("race",),
    "init": ("uninitialized",),
}
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
    """A mistake.

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
        """Equal for what is the same mistake."""
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


class Findings:
    """All mistakes that were found, each once, and what was run."""

    def __init__(self) -> None:
        self.found: dict[tuple[Any, ...], Finding] = {}
        self.launches = 0
        self.programs = 0
        self.left_out = 0
        """Programs that were not run, because a sample was asked for."""
        self.notes: list[str] = []
        self.proofs: dict[str, list[str]] = {}
        """Of each kernel, with `prove`: what was assumed, and a verdict for each access."""
        self.proved = self.looked_at = 0

    def add(self, finding: Finding) -> bool:
        """Notes a mistake; whether it is a new one."""
        known = self.found.get(finding.key)
        if known is not None:
            known.count += finding.count
            return False
        self.found[finding.key] = finding
        return True

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
        self.proved += other.proved
        self.looked_at += other.looked_at
        self.launches += other.launches
        self.programs += other.programs
        self.left_out += other.left_out

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "findings": [finding.as_dict() for finding in self.found.values()],
            "launches": self.launches,
            "programs": self.programs,
            "left_out": self.left_out,
            "notes": self.notes,
            "proofs": self.proofs,
            "proved": self.proved,
            "looked_at": self.looked_at,
        }

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Findings:
        """Reads what `as_dict` gave."""
        made = cls()
        for item in fields["findings"]:
            made.add(Finding.from_dict(item))
        made.launches, made.programs = fields["launches"], fields["programs"]
        made.left_out, made.notes = fields["left_out"], list(fields["notes"])
        made.proofs, made.proved, made.looked_at = dict(fields["proofs"]), fields["proved"], fields["looked_at"]
        return made
