"""Pages of measurements have the tables that benchmarks make of their results."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("script", "results", "page"),
    [("versions", "versions", "versions"), ("version_resources", "version_resources", "resources")],
)
def test_a_page_has_the_tables(script, results, page):
    bench = ROOT / "bench"
    command = [sys.executable, bench / f"{script}.py", "table", bench / "results" / f"{results}.json"]
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    text = (ROOT / "docs" / "measurements" / f"{page}.md").read_text()
    assert made and all(each.strip() in text for each in made.split("\n\n"))
