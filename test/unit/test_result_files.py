"""Files of bench/results are as benchmarks write them: a line for each row."""

import importlib.util
import json
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
spec = importlib.util.spec_from_file_location("result_file", BENCH / "result_file.py")
result_file = importlib.util.module_from_spec(spec)
spec.loader.exec_module(result_file)  # without bench/ among the folders of modules: others have the same names
as_text = result_file.as_text


@pytest.mark.parametrize("path", sorted((BENCH / "results").glob("*.json")), ids=lambda path: path.stem)
def test_a_file_is_as_it_is_written(path):
    assert path.read_text() == as_text(json.loads(path.read_text()))


def test_rows_have_a_line_each():
    results = {"gpu": "H100", "rows": [{"kernel": f"kernel_{number}", "us": number} for number in range(9)], "none": []}
    lines = as_text(results).splitlines()
    assert len(lines) == 1 + 1 + (1 + 9 + 1) + 1 + 1
    assert lines[3] == '  {"kernel": "kernel_0", "us": 0},'
    assert json.loads(as_text(results)) == results
