"""The page of a profile: one file of HTML that needs nothing else, and no script."""

from __future__ import annotations

import html
import math
import os
from pathlib import Path

from ttkit.profiler.kernel_report import ENOUGH, KernelRow, Report
from ttkit.profiler.resources import DATA_SHEETS
from ttkit.whole_files import write_files

_EXPLAINED = {
    "bytes": "memory: it moves bytes about as fast as a copy does",
    "operations": "arithmetic: it computes about as fast as the GPU's products",
    "latency": "waiting: neither memory nor arithmetic is busy; more warps, or loads further ahead, may help",
    "launch": "launches: it ends about as soon as it begins; fuse it with others, or use CUDA graphs",
    "unknown": "say its operations and bytes with @jit(launch_metadata=...)",
    "not measured": "there were no times",
}
STYLE = Path(__file__).with_name("page.css")
"""The style sheet of the pages of the profiler."""


def write_page(path: str | os.PathLike[str], report: Report, title: str, trace: str | None) -> None:
    """Writes the page, whole or not at all.

    Args:
        trace: the file of the trace beside it, if there is one.

    Raises:
        OSError: it can't be written.
    """
    write_files({path: page(report, title, trace)})


def page(report: Report, title: str, trace: str | None = None) -> str:
    """The page as text."""
    link = f'<p><a href="{html.escape(trace)}">Every pass of these kernels</a></p>' if trace else ""
    content = f"""{_facts(report)}
{link}
<h2>Kernels by time</h2>
{_table(report)}
{_limits(report)}
{_without_times(report)}
<h2>Roofline</h2>
{_roofline(report)}"""
    return document(title, "profile", content)


def document(title: str, kind: str, content: str) -> str:
    """A page of HTML that loads nothing.

    Args:
        title: what it is about, as text.
        kind: what it is, in the title of its window.
        content: HTML.
    """
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{html.escape(title)}: {kind}</title>
<style>{STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<h1>{html.escape(title)}</h1>
{content}
</body>
</html>
"""


def _facts(report: Report) -> str:
    busy = sum(row.nanoseconds for row in report.kernels) / 1e9
    facts = [
        ("script", f"{report.seconds:.2f} s"),
        ("GPU busy", f"{busy:.3f} s, {100 * busy / report.seconds if report.seconds else 0:.1f} %"),
        ("launches", str(sum(row.count for row in report.kernels))),
        ("compiling", f"{report.compiling:.2f} s"),
        ("autotuning", f"{report.tuning:.2f} s"),
    ]
    if report.device:
        facts.append(("GPU", f"sm_{report.device['arch']}, {report.device['num_sms']} multiprocessors"))
    if report.roofs is not None:
        facts.append(("measured bandwidth", f"{report.roofs.bandwidth / 1e9:.0f} GB/s"))
        facts.append(("measured f16 products", f"{report.roofs.products / 1e12:.0f} TFLOP/s"))
    facts += [(html.escape(name), html.escape(value)) for name, value in report.gpu_facts]
    items = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    return f"<dl>{items}</dl>"


def _table(report: Report) -> str:
    if not report.kernels:
        return '<p class="note">The script launched none.</p>'
    total = sum(row.nanoseconds for row in report.kernels)
    heads = "kernel, time, , runs, average, GB/s, TFLOP/s, limited by, registers, spilled, compiled in".split(",")
    rows = "".join(f"<tr>{_row(row, total)}</tr>" for row in report.kernels)
    head = "".join(f"<th>{name.strip()}</th>" for name in heads)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _row(row: KernelRow, total: int) -> str:
    share = 100 * row.nanoseconds / total if total else 0.0
    name = html.escape(row.name)
    cells = [
        f'<td title="{name}">{name}</td>',
        *(
            f"<td>{text}</td>"
            for text in (
                duration(row.nanoseconds),
                f'<span class="share" title="{share:.1f} %"><i style="width: {share:.1f}%"></i></span>',
                str(row.count),
                duration(row.average),
                _number(row.rate(row.bytes), 1e9, 0),
                _number(row.rate(row.flops), 1e12, 2),
                row.limit,
                _number(row.registers),
                "" if row.spilled is None else f"{row.spilled} B",
                "" if row.compiling is None else f"{row.compiling:.2f} s",
            )
        ),
    ]
    return "".join(cells)


def _limits(report: Report) -> str:
    names = dict.fromkeys(row.limit for row in report.kernels)
    items = "".join(f"<div><dt>{name}</dt><dd>{html.escape(_EXPLAINED[name])}</dd></div>" for name in names)
    note = f"A roof limits what reaches {100 * ENOUGH:.0f} % of it."
    return f'<dl class="note">{items}</dl><p class="note">{note}</p>' if names else ""


def _without_times(report: Report) -> str:
    """The resources of kernels that no GPU has run, and the roofs of a GPU of their kind."""
    known = [(row.name, row.resources) for row in report.kernels if row.resources is not None]
    if not known:
        return ""
    rows = []
    for name, found in known:
        total = sum(found.mix.values()) or 1
        mix = ", ".join(f"{100 * count / total:.0f} % {kind}" for kind, count in found.mix.items())
        occupancy = f"{found.occupancy.warps} of {found.occupancy.most_warps} warps"
        cells = (
            *(name, f"{found.registers}", f"{found.stack} B", f"{found.shared} B", occupancy),
            " and ".join(found.occupancy.limited_by),
        )
        row = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        rows.append(f'<tr>{row}<td class="words">{html.escape(mix)}</td></tr>')
    heads = "kernel, registers, local memory, shared memory, at once, limited by, instructions of PTX".split(", ")
    head = "".join(f"<th>{one}</th>" for one in heads)
    sheet = DATA_SHEETS.get(known[0][1].capability)
    roof = (
        f"{sheet.gpu} by its data sheet: {sheet.bandwidth / 1e9:.0f} GB/s, {sheet.products / 1e12:.0f} TFLOP/s of f16 "
        f"products. ttkit why says how far a kernel's bytes and operations are from these."
        if sheet is not None
        else "No data sheet of such a GPU is known."
    )
    table = f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    return f'<h2>Known without a GPU</h2>{table}<p class="note">{html.escape(roof)}</p>'


def duration(nanoseconds: float) -> str:
    """A time in words; nothing for 0."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.0f} ns" if nanoseconds else ""


def _number(value: float | None, unit: float = 1, digits: int = 0) -> str:
    return "" if value is None else f"{value / unit:.{digits}f}"


def _roofline(report: Report) -> str:
    """Operations a second over operations a byte, both by powers of ten."""
    roofs = report.roofs
    points = [
        (row.name, row.flops / row.bytes, rate)
        for row in report.kernels
        if row.flops and row.bytes and (rate := row.rate(row.flops))
    ]
    if roofs is None or not points:
        return '<p class="note">No kernel with known operations and bytes was measured.</p>'
    left, right, bottom, top = 60, 740, 300, 20
    ridge = roofs.products / roofs.bandwidth
    low = math.floor(math.log10(min(ridge, *(x for _, x, _ in points)))) - 0.5
    high = math.ceil(math.log10(max(ridge, *(x for _, x, _ in points)))) + 0.5
    most = math.log10(roofs.products) + 0.3
    least = math.floor(min(math.log10(y) for _, _, y in points)) - 0.5
    across = lambda value: left + (math.log10(value) - low) / (high - low) * (right - left)
    up = lambda value: bottom - (math.log10(value) - least) / (most - least) * (bottom - top)
    slope_from = max(10**low, 10**least / roofs.bandwidth)
    roof = [(slope_from, slope_from * roofs.bandwidth), (ridge, roofs.products), (10**high, roofs.products)]
    line = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in roof)
    parts = [f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-width="1.5"/>']
    for power in range(math.ceil(low), math.floor(high) + 1):
        parts.append(f'<text x="{across(10**power):.1f}" y="{bottom + 16}" text-anchor="middle">{_power(power)}</text>')
    for power in range(math.ceil(least), math.floor(most) + 1):
        parts.append(f'<text x="{left - 6}" y="{up(10**power):.1f}" text-anchor="end">{_power(power)}</text>')
    for name, x, y in points:
        place = f'cx="{across(x):.1f}" cy="{up(y):.1f}"'
        told = f"{html.escape(name)}: {y / 1e12:.3g} TFLOP/s at {x:.3g} operations a byte"
        parts.append(f'<circle {place} r="5" fill="var(--accent)"><title>{told}</title></circle>')
        parts.append(f'<text x="{across(x) + 8:.1f}" y="{up(y) + 14:.1f}">{html.escape(name[:40])}</text>')
    parts.append(f'<text x="{(left + right) / 2}" y="{bottom + 34}" text-anchor="middle">operations a byte</text>')
    parts.append(f'<text x="{left}" y="{top - 6}">operations a second</text>')
    return f'<svg viewBox="0 0 800 345" role="img" aria-label="Roofline">{"".join(parts)}</svg>'


def _power(power: int) -> str:
    """A power of ten in a few letters."""
    letters = {0: "1", 1: "10", 2: "100", 3: "1 K", 4: "10 K", 5: "100 K", 6: "1 M", 9: "1 G", 10: "10 G", 11: "100 G"}
    letters |= {12: "1 T", 13: "10 T", 14: "100 T", 15: "1 P"}
    return letters.get(power, f"1e{power}")
