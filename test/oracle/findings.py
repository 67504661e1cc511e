"""What mutations.py found out about each input of a pass: counts, kinds of differences, their smallest inputs."""

from __future__ import annotations

import collections
import re
from dataclasses import dataclass, field
from typing import Any

import compare

FOLDED = "folded"
COLUMNS = (
    compare.EQUAL,
    compare.REORDERED,
    FOLDED,
    compare.DIFFERENT,
    compare.TTKIT_FAILS,
    compare.TRITON_FAILS,
    compare.BOTH_REFUSE,
)
EXAMPLES = 4  # inputs kept of a kind of difference


def kind_of(status: str, detail: str) -> str:
    """What makes two differences the same kind."""
    if status in (compare.DIFFERENT, compare.REORDERED, FOLDED):
        changed = [line for line in detail.splitlines() if re.match(r"[+-][^+-]", line)]
        operations = sorted({f"{line[0]}{m[0]}" for line in changed if (m := re.search(r"\b[a-z]+\.[a-z_]\w+", line))})
        return " ".join(operations[:8])
    line = next((line for line in detail.splitlines() if line.strip()), "")
    line = re.sub(r"^.*?(?:error: |\): (?:error: )?)", "", line)
    return re.sub(r"'[^']*<.*|#ttg.*|!ttg.*|tensor<.*", "...", re.sub(r"\d+", "N", line))[:140]


@dataclass
class Record:
    """What came of one input of a pass."""

    title: str
    status: str
    changed: bool
    reachable: bool
    kind: str = ""
    number: int = 0
    text: str = ""
    detail: str = ""


@dataclass
class Findings:
    """Records by the hash of pass and input, so that each counts once."""

    records: dict[str, Record] = field(default_factory=dict)
    invalid: int = 0
    one_sided: collections.Counter[str] = field(default_factory=collections.Counter)

    def merge(self, other: Findings) -> None:
        self.records.update(other.records)
        self.invalid += other.invalid
        self.one_sided.update(other.one_sided)

    def table(self) -> str:
        """A row a pass, sorted by its name."""
        rows = collections.defaultdict(collections.Counter)
        for record in self.records.values():
            counts = rows[record.title]
            counts.update([record.status, "valid", *["changed"] * record.changed, *["reachable"] * record.reachable])
        header = ("valid", "changed", "reachable", *COLUMNS)
        lines = [f"{'pass':46}" + "".join(f"{title:>13}" for title in header)]
        lines += [
            f"{title:46}" + "".join(f"{counts[column]:13}" for column in header)
            for title, counts in sorted(rows.items())
        ]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads; of inputs that don't differ, what came of them alone."""
        plain = {
            key: [record.title, record.status, record.changed, record.reachable, record.kind]
            for key, record in self.records.items()
        }
        examples = {id(record) for group in self._groups().values() for record in group[:EXAMPLES]}
        kept = {
            key: {"number": record.number, "text": record.text, "detail": record.detail}
            for key, record in self.records.items()
            if id(record) in examples
        }
        return {"records": plain, "examples": kept, "invalid": self.invalid, "one_sided": self.one_sided}

    @classmethod
    def from_json(cls, made: dict[str, Any]) -> Findings:
        found = cls(invalid=made["invalid"], one_sided=collections.Counter(made["one_sided"]))
        for key, row in made["records"].items():
            found.records[key] = Record(*row, **made["examples"].get(key, {}))
        return found

    def _groups(self) -> dict[tuple[str, str, str], list[Record]]:
        """What differs by pass, status and kind, inputs with a text first, small ones first of these."""
        groups: dict[tuple[str, str, str], list[Record]] = collections.defaultdict(list)
        for record in self.records.values():
            if record.kind:
                groups[record.title, record.status, record.kind].append(record)
        for records in groups.values():
            records.sort(key=lambda record: (not record.text, len(record.text)))
        return groups

    def kinds(self) -> list[dict[str, Any]]:
        """What differs: kinds, most frequent first, with the smallest inputs."""
        made = []
        for (title, status, kind), records in sorted(
            self._groups().items(), key=lambda item: (item[0][0], -len(item[1]))
        ):
            examples = [
                {"number": record.number, "reachable": record.reachable, "text": record.text, "detail": record.detail}
                for record in records[:EXAMPLES]
            ]
            reachable = sum(record.reachable for record in records)
            made.append(
                {"pass": title, "status": status, "kind": kind, "count": len(records), "reachable": reachable,
                 "examples": examples}
            )  # fmt: skip
        return made


def show(found: Findings, pattern: str) -> None:
    """Prints the kinds of differences of the passes that match, each with its smallest input's detail."""
    for group in found.kinds():
        if re.search(pattern, group["pass"]):
            numbers = ", ".join(str(example["number"]) for example in group["examples"])
            print(f"{group['count']:5} {group['pass']} {group['status']}: {group['kind']}   [{numbers}]")
            for line in group["examples"][0]["detail"].splitlines()[:30]:
                print(f"        {line[:200]}")
