"""Run lines of FileCheck tests work in a checkout whose path has blanks, since paths are words of their own."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_paths_are_not_in_quotes():
    files = [path for folder in ("test/lit", "examples") for path in (ROOT / folder).rglob("*.*")]
    lines = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in files
        if path.suffix in (".mlir", ".ttir", ".ttgir", ".test", ".py") and "Output" not in path.parts
        for line in path.read_text(errors="replace").splitlines()
        if "RUN:" in line
    ]
    assert len(lines) > 300
    assert not [line for line in lines if re.search(r"""["'][^"'\s]*%[sStT]\b""", line)]
