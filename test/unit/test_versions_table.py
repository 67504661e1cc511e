"""docs/measurements/versions.md has the tables that bench/versions.py makes of its results."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_has_the_tables():
    command = [sys.executable, ROOT / "bench" / "versions.py", "table", ROOT / "bench" / "results" / "versions.json"]
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n\n")
    page = (ROOT / "docs" / "measurements" / "versions.md").read_text()
    assert len(made) == 2
    assert all(each.strip() in page for each in made)
