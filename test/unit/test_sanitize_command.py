"""`ttkit sanitize`: scripts run as they stand; reports and exit codes."""

import json
import os
import subprocess
import sys
import textwrap

import pytest
import warm_commands

from ttkit.sanitizer.findings import Finding, Findings
from ttkit.sanitizer.reports import sarif_of
from ttkit.sanitizer.source_lines import Site

SCRIPT = """
import sys
import numpy as np
import triton
import triton.language as tl

@triton.jit
def double(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < n) * 2{mask})

x, out = np.arange(100, dtype=np.float32), np.empty(100, np.float32)
double[(4,)](x, out, 100, B=32)
assert (out == 2 * x).all()
print("results are right")
sys.exit({code})
"""


@pytest.fixture
def sanitize(tmp_path):
    def start(*words, mask=", mask=i < n", code=0, script=True, **environment):
        path = tmp_path / "script.py"
        path.write_text(textwrap.dedent(SCRIPT).format(mask=mask, code=code))
        return warm_commands.ttkit(tmp_path, "sanitize", *words, *([path] if script else []), **environment)

    return start


def test_a_correct_script_runs_to_its_end(sanitize):
    done = sanitize("all")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "results are right\n"
    assert done.stderr == "ttkit: no bugs in 1 launch, 4 programs\n"


def test_the_exit_code_is_that_of_the_script(sanitize):
    assert sanitize("asan", code=3).returncode == 3


def test_mistakes_are_printed_with_their_line(sanitize):
    done = sanitize("asan", mask="")
    assert done.returncode == 1
    assert "script.py:10:5: out-of-bounds: writes out at element 100, past the last" in done.stderr
    assert "    ^^^^^^^^^" in done.stderr
    assert done.stdout == "results are right\n"


def test_only_what_is_asked_for(sanitize):
    assert sanitize("tsan", mask="").returncode == 0


def test_json_and_sarif(sanitize, tmp_path):
    sanitize("all", "--json", "found.json", "--sarif", "found.sarif", mask="")
    found = json.loads((tmp_path / "found.json").read_text())
    kinds = {finding["kind"]: finding for finding in found["findings"]}
    assert set(kinds) == {"out-of-bounds", "uninitialized"}
    outside = kinds["out-of-bounds"]
    assert (outside["argument"], outside["shape"], outside["index"]) == ("out", [100], [100])
    assert (outside["program"], outside["element"], outside["count"]) == ([3, 0, 0], [4], 28)
    sarif = json.loads((tmp_path / "found.sarif").read_text())
    (run,) = sarif["runs"]
    assert {result["ruleId"] for result in run["results"]} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("script.py", 10)


def test_places_in_sarif_are_uris():
    places = {
        os.path.join(os.getcwd(), "a b", "ä.py"): "a%20b/%C3%A4.py",
        "/else where/x.py": "file:///else%20where/x.py",
    }
    for file, uri in places.items():
        found = Findings()
        found.add(Finding("race", "k", "text", [Site(file, 3, 4, 9, "    tl.store(x)")]))
        (result,) = json.loads(sarif_of(found))["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": uri}
        assert place["region"] == {"startLine": 3, "startColumn": 5, "endColumn": 10}


def test_a_sample_says_so(sanitize):
    done = sanitize("all", "--sample", "2", mask="", code=0)
    assert "2 programs were not run" in done.stderr
    assert "out-of-bounds" in done.stderr  # the last program is among those that ran


@pytest.mark.parametrize("level", ["ttir", "ttgir", "llvm"])
def test_other_levels(sanitize, level):
    done = sanitize("asan", "--level", level, mask="")
    assert done.returncode == 1
    assert "script.py:10:5: out-of-bounds" in done.stderr


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["msan"], "there is no sanitizer 'msan'"),
        (["all", "--sample", "0"], "--sample must be at least 1, found 0"),
        (["all", "no-such-command"], "no such command: no-such-command"),
        (["all"], "name the command"),
    ],
)
def test_mistakes_in_the_command_line(sanitize, words, text):
    done = sanitize(*words, script=False)
    assert done.returncode == 1
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_by_a_variable(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(textwrap.dedent(SCRIPT).format(mask="", code=0))
    command = [sys.executable, "-m", "ttkit.compat", str(path)]
    done = subprocess.run(command, env={**os.environ, "TTKIT_SANITIZE": "asan"}, capture_output=True, text=True)
    assert done.returncode == 1
    assert "out-of-bounds" in done.stderr
    assert "1 bug in 1 launch" in done.stderr


def test_triton_san():
    command = [sys.executable, "-c", "from ttkit.drivers.sanitize import triton_san; triton_san()", "asan"]
    done = subprocess.run([*command, sys.executable, "-c", "print(1)"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "1\n")
    assert "no kernel was launched" in done.stderr
    assert "no bugs" not in done.stderr


def test_options_may_precede_the_sanitizer(sanitize):
    done = sanitize("--level", "ttir", "--json", "-", "all")
    assert done.returncode == 0, done.stderr
    assert '"findings": []' in done.stdout
