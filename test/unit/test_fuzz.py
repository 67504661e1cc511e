"""No damaged input may crash, hang, raise a traceback, fail in silence or compute something else: some of each level,
always the same ones; `make fuzz` checks others."""

import os
import sys
import time
from pathlib import Path

import pytest
from sweeps import first_of_each, swept

TEST_DIR = Path(__file__).parents[1]
SEED, SECONDS = 20260101, 93.0
QUICK = 0.1  # of the time

sys.path.insert(0, str(TEST_DIR))
from fuzz import run, shrink, workers  # noqa: E402
from fuzz.level import ACCEPTED, Level  # noqa: E402
from fuzz.levels import LEVELS  # noqa: E402
from fuzz.native import seeds  # noqa: E402

# Of the level and seed: without findings on a slow machine and on a fast one.
INPUTS = {
    "parse": 6000,
    "pass": 6000,
    "kernels": 1500,
    "launches": 4000,
    "pipeline": 60,
    "commands": 40,
    "newest": 400,
    "loops": 120,
}
WHOLE = sum(level.share for level in LEVELS.values())
CORPUS = sorted(path for path in run.CORPUS.rglob("*.*") if path.is_file())
# Levels that nothing in the corpus checks.
WITHOUT_FINDINGS = [name for name in LEVELS if name not in {path.parent.name for path in CORPUS}]


@pytest.fixture(autouse=True)
def _modules():
    """Modules that the level of kernels puts in place of Triton go with it."""
    before = {*sys.modules}
    yield
    for name in {*sys.modules} - before:
        if name.partition(".")[0] == "triton":
            del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "part"),
    [*[pytest.param(name, QUICK, id=f"{name}-quick") for name in WITHOUT_FINDINGS],
     *[swept(pytest.param(name, 1, id=name)) for name in LEVELS]],
)  # fmt: skip
def test_levels(name, part):
    """For a part of a time, which is two minutes for all: a slow machine checks fewer."""
    level = LEVELS[name]()
    seconds, inputs = SECONDS * level.share / WHOLE, INPUTS.get(name, 300)
    result = run.fuzz(level, SEED, min(2, os.cpu_count() or 1), max(8, int(part * inputs)), part * seconds)
    print(f"{result}; `python test/fuzz --level {name} --seed {SEED} --only N` shows input N")
    assert result.inputs and not result.failures, "\n".join(
        f"{one.index}: {one.reason}" for one in result.failures[:20]
    )


def test_a_worker_without_time_checks_one_input():
    assert run.fuzz(LEVELS["options"](), SEED, 2, 300, 0).inputs == 2


@pytest.mark.parametrize(
    "path", first_of_each(lambda path: path.parent, CORPUS), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_what_was_found_is_mended(path, prepared):
    text = path.read_text(encoding="utf-8", errors="surrogatepass")
    assert not workers.run_one(prepared(path.parent.name), text)


@pytest.fixture(scope="module")
def prepared():
    """Levels by name, each prepared once."""
    levels = {}

    def level(name):
        if name not in levels:
            levels[name] = LEVELS[name]()
            levels[name].prepare()
        return levels[name]

    return level


@pytest.mark.parametrize(
    ("name", "signature", "text"),
    [pytest.param(*entry[1:], id=entry[0].name) for entry in run.upstream_inputs()],
)
def test_failures_of_mlir_are_still_there(name, signature, text, prepared):
    """An entry that no longer fails has to go, or it would hide a new failure with its signature."""
    assert workers.signature(workers.run_one(prepared(name), text)) == signature


class Planted(Level):
    """Inputs that are words; some break it, each in its way."""

    name = "planted"
    seconds = 1.5

    def make(self, rng):
        return rng.choice(["sound\n"] * 5 + ["abort\n", "hang\n", "leak\n", "memory\n", "wrong\n"])

    def check(self, text):
        if "abort" in text:
            os.abort()
        if "hang" in text:
            time.sleep(60)
        if "leak" in text:
            raise KeyError("x")
        if "memory" in text:
            bytearray(2 * workers.MEMORY)
        return "wrong result" if "wrong" in text else ACCEPTED


def test_every_kind_of_failure_is_found():
    result = run.fuzz(Planted(), 1, 2, inputs=40)
    kinds = {workers.signature(failure.reason).split(" in ")[0].split(":")[0] for failure in result.failures}
    assert kinds == {"SIGABRT", "hang", "KeyError leaks", "MemoryError leaks", "wrong result"}
    assert result.inputs == 40 and result.accepted > 10
    reasons = {failure.text.strip(): failure.reason for failure in result.failures}
    assert reasons["hang"].startswith("hang: more than 1.5 s") and "test_fuzz.py, check" in reasons["leak"]


def test_material_of_libfuzzer(tmp_path):
    seeds.write(tmp_path)
    names = (tmp_path / "dict").read_text().splitlines()
    assert '"tt.load"' in names and '"#ttg.blocked"' in names
    assert len(list((tmp_path / "corpus").iterdir())) > 1000


def test_findings_are_reduced():
    text = "a b c\nwrong and more\n" * 4
    assert shrink.minimize(Planted(), text, "wrong result").strip() == "wrong"


def test_inputs_follow_from_the_seed():
    level = LEVELS["options"]()
    level.prepare()
    assert level.input(3, 5) == level.input(3, 5) != level.input(3, 6)
