"""Two traces in one page: pass by pass what each has made, and which pass first made them differ.

Kernels are paired by their names, in order, and the passes of a stage as `difflib` matches the list of their names.
The IR of the second trace is given the names of the first, so that only what differs is marked.  Locations and debug
information do not count: they differ where the same kernel stands in another file.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import PurePath
from typing import Any

from ttkit.passes.infra.events import INPUT
from ttkit.tracing.contents import FORMAT, Pool, differing, operations, sums
from ttkit.tracing.locations import without_debug_information
from ttkit.tracing.names import SteadyNames


def compared(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """The data of a page that shows two traces.

    Args:
        first, second: the data of their pages.

    Raises:
        ValueError: one is a comparison itself, or they have no kernel in common.
    """
    if "sides" in first or "sides" in second:
        raise ValueError("a comparison can't be compared; use the pages that it was made of")
    pool = Pool()
    kernels = [_kernel(a, b, _Side(first), _Side(second), pool) for a, b in _paired(first, second)]
    if not kernels:
        raise ValueError("the traces have no kernel of the same name")
    return {
        "format": FORMAT,
        "title": f"{first['title']} | {second['title']}",
        "sides": [f"first: {first['title']}", f"second: {second['title']}"],
        "kernels": kernels,
        "lines": list(pool.lines),
        "places": [[list(frame) for frame in place] for place in pool.places],
        "texts": pool.texts,
        "sources": {**second["sources"], **first["sources"]},
    }


def first_difference(kernel: dict[str, Any]) -> str:
    """Says which pass it is, for a kernel of a comparison."""
    return kernel["summary"]


def _paired(first: dict[str, Any], second: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    waiting: dict[str, list[dict[str, Any]]] = {}
    for kernel in second["kernels"]:
        waiting.setdefault(kernel["name"], []).append(kernel)
    return [(a, waiting[a["name"]].pop(0)) for a in first["kernels"] if waiting.get(a["name"])]


class _Side:
    """The texts of one trace."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._lines, self._texts = data["lines"], data["texts"]
        self._places = [tuple(tuple(frame) for frame in place) for place in data["places"]]
        paths = {file for place in self._places for file, _ in place}
        self.files = paths | {PurePath(path).name for path in paths}

    def lines(self, text: int) -> list[str]:
        """Lines of a text, by its number."""
        return [self._lines[number] for number in sums(self._texts[text]["lines"])]

    def places(self, text: int) -> list[Any]:
        """For each line of a text, the place in the source that it came from."""
        return [self._places[number] for number in sums(self._texts[text]["places"])]


def _kernel(a: dict[str, Any], b: dict[str, Any], left: _Side, right: _Side, pool: Pool) -> dict[str, Any]:
    stages = []
    found = ""
    theirs = {stage["name"]: stage for stage in b["stages"]}
    for stage in a["stages"]:
        other = theirs.get(stage["name"])
        if other is None:
            continue
        passes = [_pair(one, two, left, right, pool) for one, two in _steps(stage, other)]
        for one in passes:
            if not found and (one["before"] != one["after"]):
                one["first"] = True
                found = f"{stage['name']}, {one['name']}" if one["name"] != INPUT else f"the input of {stage['name']}"
        stages.append({"name": stage["name"], "passes": passes})
    return {
        "name": a["name"],
        "about": {
            name: f"{value} | {b['about'].get(name)}"
            for name, value in a["about"].items()
            if value != b["about"].get(name)
        },
        "error": "",
        "summary": f"first difference: {found}" if found else "no pass makes them differ",
        "seconds": {},
        "stages": stages,
        "levels": [],
        "types": {**b["types"], **a["types"]},
    }


def _steps(a: dict[str, Any], b: dict[str, Any]) -> list[tuple[dict[str, Any] | None, dict[str, Any] | None]]:
    """The inputs, then the passes of two stages side by side; None where the other has one more."""
    sides = []
    for stage in (a, b):
        start = {
            "name": INPUT,
            "arguments": "",
            "on": "",
            "seconds": 0.0,
            "after": stage["text"],
            "remarks": [],
            "verdict": "valid",
            "check": "",
            "proof": "",
        }
        sides.append([start, *stage["passes"]])
    ours, theirs = sides
    matcher = SequenceMatcher(None, [_key(one) for one in ours], [_key(one) for one in theirs], autojunk=False)
    steps: list[tuple[dict[str, Any] | None, dict[str, Any] | None]] = []
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind == "equal":
            steps += zip(ours[i:i_end], theirs[j:j_end], strict=True)
        else:
            steps += [(one, None) for one in ours[i:i_end]] + [(None, one) for one in theirs[j:j_end]]
    return _with_texts(steps)


def _key(one: dict[str, Any]) -> tuple[str, str]:
    return one["name"], one["on"]


def _with_texts(steps: list[Any]) -> list[Any]:
    """Each step with the IR of both sides at that point: of a side without the pass, what it had before."""
    last = [0, 0]
    made = []
    for one, two in steps:
        for side, record in enumerate((one, two)):
            if record is not None:
                last[side] = record["after"]
        made.append(({"record": one, "text": last[0]}, {"record": two, "text": last[1]}))
    return made


def _pair(one: Any, two: Any, left: _Side, right: _Side, pool: Pool) -> dict[str, Any]:
    names = SteadyNames()
    lines = names.rename(left.lines(one["text"]))
    others = names.rename(right.lines(two["text"]))
    before = pool.add(lines, left.places(one["text"]))
    # Places differ where a script is another file; then the same code is no difference.
    same = without_debug_information(lines, left.files) == without_debug_information(others, right.files)
    after = before if same else pool.add(others, right.places(two["text"]))
    record = one["record"] or two["record"]
    counts = operations(lines), operations(others)
    both = [side["record"] for side in (one, two) if side["record"]]
    remarks = [remark for side in both for remark in side["remarks"]]
    return {
        "name": record["name"],
        "arguments": record["arguments"],
        "on": record["on"],
        "seconds": [side["record"]["seconds"] if side["record"] else None for side in (one, two)],
        "before": before,
        "after": after,
        "only": "" if one["record"] and two["record"] else "first" if one["record"] else "second",
        **differing(*counts),
        "verdict": record["verdict"],
        "check": "",
        "proof": "",
        "remarks": remarks,
        "schedules": [schedule for side in both for schedule in side.get("schedules", ())],
        "layouts": {},
    }
