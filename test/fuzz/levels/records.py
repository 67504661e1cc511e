"""Files that the profiler and the tracer have left, damaged: read by the commands that show them."""

from __future__ import annotations

import copy
import json
import random
import re
import tempfile
from pathlib import Path
from typing import Any

import ttkit
from fuzz.damage import JUNK, Material, binary_junk, cut_off, damage_line, damage_number, damage_token
from fuzz.level import ACCEPTED, REFUSED, Level, refusal
from fuzz.levels.arguments import TTIR, outcome_of
from ttkit.drivers import toolkit
from ttkit.profiler import viewer
from ttkit.tracing import ncu
from ttkit.tracing.contents import contents
from ttkit.tracing.locations import sass_lines
from ttkit.tracing.recorder import recording
from ttkit.tracing.trace_page import page

MEASURED = Path(__file__).parents[2] / "data" / "ncu" / "add.csv"
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 1e308, float("nan"), float("inf"), 1 << 70, "", "x", "\0", "<b>", "\ud800", [], {}, [None],
    {"name": 1}, [[]] * 3, "time (ns)", "X", "M",
)  # fmt: skip


def node(name: str, metrics: dict[str, Any], *children: dict[str, Any]) -> dict[str, Any]:
    return {"frame": {"name": name, "type": "function"}, "metrics": metrics, "children": list(children)}


def profile() -> Any:
    """As `<name>.hatchet`."""
    metrics = {"time (ns)": 1000, "count": 2, "flops32": 64.0, "device_id": "0", "device_type": "CUDA"}
    root = node("ROOT", {"count": 0}, node("a", {"cpu_time (ns)": 5}, node("k", metrics)), node("file.py:f@3", metrics))
    device = {"arch": "90", "num_sms": 132, "clock_rate": 1980000, "memory_clock_rate": 2619000, "bus_width": 5120}
    return [root, {"CUDA": {"0": device}}]


def timeline() -> Any:
    """As `<name>.chrome_trace`."""
    boxes = [{"ph": "X", "name": f"b{i}", "ts": i, "dur": 9 - i, "pid": 1, "tid": i % 2, "args": {}} for i in range(4)]
    return {"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "GPU"}}, *boxes]}


def trace() -> Any:
    """What the page of a trace holds."""
    with recording() as recorder, ttkit.Context():
        module = ttkit.parse("tt.func @k(%x: i32) { %0 = arith.addi %x, %x : i32 tt.return }")
        ttkit.run_passes(module, "canonicalize,cse")
    return contents(recorder.finish(), "t")


class Records(Level):
    """`# record: kind`, then JSON, the page of a trace, a dump of passes or a table of ncu's."""

    name = "records"

    def prepare(self) -> None:
        self.seeds = {"profile": profile(), "timeline": timeline()}
        self.page = page(trace())
        heads = (
            f"// -----// IR Dump Before X ({name}) ('builtin.module' operation) //----- //" for name in ("cse", "sccp")
        )
        self.texts = {"ncu": MEASURED.read_text(), "dump": "\n".join(f"{head}\n{TTIR}" for head in heads)}
        self.material = Material.gather(list(self.texts.values()))

    def make(self, rng: random.Random) -> str:
        kind = rng.choice((*sorted(self.seeds), "trace", *self.texts))
        if kind in self.texts:
            text = self.texts[kind]
            for _ in range(rng.choice((1, 1, 2, 5))):
                damage = rng.choice((damage_token, damage_number, damage_line, binary_junk, cut_off, unusual_number))
                text = damage(rng, text, self.material)
            return f"# record: {kind}\n{text}"
        if kind == "trace":
            at = rng.randrange(len(self.page))
            other = rng.choice((self.page[at:], self.page[at + 1 :], rng.choice(JUNK) + self.page[at:], ""))
            return f"# record: trace\n{self.page[:at]}{other}"
        value = copy.deepcopy(self.seeds[kind])
        for _ in range(rng.choice((1, 1, 2, 5))):
            value = changed(rng, value)
        text = json.dumps(value)
        if rng.random() < 0.2:
            at = rng.randrange(len(text))
            text = rng.choice((text[:at], text[:at] + rng.choice('{}[]",:0\0') + text[at:], "[" * 5000))
        return f"# record: {kind}\n{text}"

    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.sass = [line for line, _ in sass_lines(MEASURED.with_suffix(".sass").read_text())]

    def check(self, text: str) -> str:
        head, text = text.split("\n", 1)
        kind = head.removeprefix("# record: ")
        path = Path(self.folder.name, f"k.{kind}")
        path.write_text(text, errors="surrogatepass")
        out = str(path.with_suffix(".html"))
        if kind == "profile":
            ways = (["-l"], ["-m", "time/ms,tflop32/s,util", "-d", "2"], ["--print-sorted"])
            outcomes = {outcome_of(viewer.main, [*options, str(path)]) for options in ways}
            return next((one for one in outcomes if one not in (ACCEPTED, REFUSED)), min(outcomes))
        if kind == "timeline":
            return outcome_of(toolkit.main, ["profile", "--timeline", str(path), "-o", out])
        if kind == "ncu":
            try:
                ncu.annotated(self.sass, "add", ncu.read(path))
            except ValueError as error:
                return refusal(error, (ValueError,))
            return ACCEPTED
        return outcome_of(toolkit.main, ["trace", "-o", out, "--compare", str(path), str(path)])


def unusual_number(rng: random.Random, text: str, _material: Material) -> str:
    """Replaces a number by one that few programs expect."""
    match = rng.choice(list(re.finditer(r"\b\d+\b", text)) or [re.match("", text)])
    assert match is not None
    return (
        text[: match.start()] + rng.choice(("inf", "nan", "1e999", "9" * 4000, "1,0", "-1", "")) + text[match.end() :]
    )


def changed(rng: random.Random, value: Any) -> Any:
    """JSON with one part of it replaced, left out or doubled."""
    holders: list[tuple[Any, Any]] = []
    pending = [value]
    while pending:
        one = pending.pop()
        for key in one if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ():
            holders.append((one, key))
            pending.append(one[key])
    if not holders:
        return rng.choice(VALUES)
    holder, key = rng.choice(holders)
    how = rng.randrange(4)
    if how == 0:
        del holder[key]
    elif how == 1 and isinstance(holder, list):
        holder.append(holder[key])
    elif how == 2:
        holder[key] = copy.deepcopy(rng.choice(holders)[1]) if isinstance(holder, dict) else None
    else:
        holder[key] = copy.deepcopy(rng.choice(VALUES))
    return value
