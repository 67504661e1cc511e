"""Findings as text for people, as JSON, and as SARIF for what shows them beside the source (CI, editors)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ttkit.installation import VERSION
from ttkit.sanitizer.findings import KINDS, Finding, Findings
from ttkit.sanitizer.source_lines import Site

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def text_of(finding: Finding) -> str:
    """A finding in some lines."""
    head = f"{finding.site[0]}: " if finding.site else ""
    lines = [f"{head}{finding.kind}: {finding.message}", *_quoted(finding.site)]
    facts: list[tuple[str, Any]] = [("kernel", finding.kernel)]
    if finding.program is not None:
        more = f" and {finding.count - 1} more" if finding.count > 1 else ""
        element = f", element {list(finding.element)}" if finding.element else ""
        facts.append(("program", f"{finding.program}{element}{more}"))
    if finding.argument is not None:
        index = f", index {_tuple(finding.index)}" if finding.index is not None else ""
        shape = f" of shape {_tuple(finding.shape)}" if finding.shape is not None else ""
        facts.append(("tensor", f"{finding.argument}{shape}{index}"))
    lines += [f"  {name:<8} {value}" for name, value in facts]
    for what, where in finding.others:
        lines.append(f"  {what}" + (f" {where[0]}" if where else ""))
        lines += _quoted(where)
    if finding.fix:
        lines.append(f"  {'fix':<8} {finding.fix}")
    return "\n".join(lines)


def _tuple(numbers: Sequence[int] | None) -> str:
    return "" if numbers is None else f"({', '.join(map(str, numbers))}{',' if len(numbers) == 1 else ''})"


def _quoted(where: Sequence[Site]) -> list[str]:
    """The line with carets, then the places that called it."""
    if not where:
        return []
    return [*(f"    {line}" for line in where[0].lines()), *(f"    called from {site}" for site in where[1:])]


def _counted(number: int, noun: str) -> str:
    """`1 launch`, `2 launches`."""
    ending = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number} {noun}{ending}"


def summary(findings: Findings) -> str:
    """Findings and what was run, in some lines."""
    found = _counted(len(findings.found), "bug") if findings.found else "no bugs"
    if not findings.launches and not findings.found:
        found = "nothing was checked: no kernel ran"
    launches, programs = _counted(findings.launches, "launch"), _counted(findings.programs, "program")
    lines = [f"ttkit: {found} in {launches}, {programs}"]
    if findings.left_out:
        lines.append(f"ttkit: a sample: {findings.left_out} programs were not run, so results are incomplete")
    for kernel, verdicts in findings.proofs.items():
        lines += [f"ttkit: kernel {kernel}, if {verdicts[0]}", *(f"  {text}" for text in verdicts[1:])]
    if findings.looked_at:
        lines.append(f"ttkit: {findings.proved} of {findings.looked_at} accesses proved for all such sizes")
    return "\n".join([*lines, *(f"ttkit: {note}" for note in findings.notes)])


def json_of(findings: Findings) -> str:
    """All of it as JSON, of the shape of `Findings.as_dict`."""
    return json.dumps(findings.as_dict(), indent=1)


def sarif_of(findings: Findings) -> str:
    """The findings as SARIF 2.1.0."""
    rules = [{"id": kind, "shortDescription": {"text": text}} for kind, text in KINDS.items()]
    tool = {"driver": {"name": "ttkit", "version": VERSION, "rules": rules}}
    results = [_sarif_result(finding) for finding in findings.found.values()]
    return json.dumps({"$schema": SARIF, "version": "2.1.0", "runs": [{"tool": tool, "results": results}]}, indent=1)


def _sarif_result(finding: Finding) -> dict[str, Any]:
    text = f"{finding.message} (kernel {finding.kernel})"
    result: dict[str, Any] = {
        "ruleId": finding.kind,
        "level": "error",
        "message": {"text": f"{text}. {finding.fix}" if finding.fix else text},
        "locations": [_sarif_location(site) for site in finding.site[:1]],
    }
    related = [(f"{what}", site) for what, where in finding.others for site in where[:1]]
    related += [("called from here", site) for site in finding.site[1:]]
    if related:
        result["relatedLocations"] = [{**_sarif_location(site), "message": {"text": what}} for what, site in related]
    return result


def _sarif_location(site: Site) -> dict[str, Any]:
    region = {"startLine": site.line, "startColumn": site.column + 1, "endColumn": site.end + 1}
    path = Path(site.path)
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
