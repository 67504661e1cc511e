"""Modules of test/data/pass_cases/<pass>.mlir through that pass: the text is the golden's, and results don't change.

Goldens are what Triton gives too, but for modules that say where they differ (docs/compare_with_triton.md).  After a
change, look at the diff that `pytest -s test/unit/test_pass_cases.py --update-golden` prints, and compare again.  Git
has most of the folder as an archive (test/data/archives.py), which that command writes anew.
"""

import re
from difflib import unified_diff
from pathlib import Path

import archives
import pytest
from sweeps import first_of_each

import ttkit

CASES = Path(__file__).parents[1] / "data" / "pass_cases"
FILES = sorted(CASES.glob("*.mlir"))
SEPARATOR = re.compile(r"^// -----$", re.MULTILINE)

ARGUMENTS = {"tritongpu-fuse-nested-loops": ["arg2=5", "arg3=4"]}


def modules_of(file: Path) -> list[str]:
    return [text.strip() for text in SEPARATOR.split(file.read_text())]


def named(modules: list[str]) -> list[str]:
    return [match[1] if (match := re.search(r"@(\w+)", text)) else str(n) for n, text in enumerate(modules)]


def cases() -> list:
    return [
        pytest.param(file.stem, text, id=f"{file.stem}-{name}")
        for file in FILES
        for text, name in zip(modules_of(file), named(modules_of(file)))
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_result_is_the_golden(file, request):
    golden = file.with_suffix(".golden")
    results = []
    for text in modules_of(file):
        with ttkit.Context():
            module = ttkit.parse(text)
            ttkit.run_passes(module, file.stem)
            results.append(str(module).strip())
    if request.config.getoption("--update-golden"):
        new = "\n// -----\n".join(results) + "\n"
        old = golden.read_text() if golden.exists() else ""
        print(*unified_diff(old.splitlines(), new.splitlines(), "before", golden.name, lineterm=""), sep="\n")
        golden.write_text(new)
        archives.pack(CASES)
    expected = modules_of(golden)
    for name, result, want in zip(named(results), results, expected):
        assert result == want, name
    assert len(results) == len(expected)


@pytest.mark.parametrize(("name", "text"), first_of_each(lambda case: case.values[0], cases()))
def test_results_do_not_change(name, text):
    """On a few inputs, where the interpreter finds some that the function runs on."""
    with ttkit.Context():
        report = ttkit.check_passes(ttkit.parse(text), name, arguments=ARGUMENTS.get(name, []))
    if name == "tritongpu-fuse-nested-loops":
        assert not report.skipped


def test_there_are_enough_cases():
    assert sum(len(modules_of(file)) for file in FILES) >= 60
