"""ttkit fuzz: random programs for a pass; what it finds is made small, and kept as a test that fails for as long."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import ttkit
from ttkit.fuzzing.campaign import Campaign
from ttkit.fuzzing.material import passes_before, program

PLANTED = Path(__file__).parent / "planted_bugs.py"


@pytest.fixture(scope="module", autouse=True)
def planted():
    ttkit.load_pass_file(str(PLANTED))


@pytest.mark.parametrize(
    ("name", "seeds", "verdict", "most"),
    [
        ("planted-select", range(9, 10), "differs", 6),
        ("planted-abort", range(3, 5), "crashes", 6),
        ("planted-division", range(3, 4), "crashes", 5),
        ("planted-invalid", range(2), "fails", 4),
    ],
)
def test_mistakes_are_found_reduced_and_kept(name, seeds, verdict, most, tmp_path):
    campaign = Campaign(name, corpus=str(tmp_path), load_pass=[str(PLANTED)])
    (found,) = campaign.run(seeds, say=lambda text: None)
    assert found.verdict == verdict
    assert found.operations <= most
    assert [one.verdict for one in campaign.replay()] == [verdict]
    # The RUN line fails while the mistake is there.
    command = re.search("// RUN: (.*)", Path(found.path).read_text())[1]
    command = command.replace("tt-opt", f"{sys.executable} -m ttkit.drivers.opt").replace("%s", found.path)
    command = command.replace("%t", str(tmp_path / "out"))
    assert subprocess.run(command, shell=True, capture_output=True).returncode != 0


def test_what_only_the_programs_inputs_show_is_kept_as_the_program(tmp_path):
    campaign = Campaign("planted-select", corpus=str(tmp_path), load_pass=[str(PLANTED)])
    (found,) = campaign.run(range(1, 2), say=lambda text: None)
    assert found.operations <= 12
    run = re.search("// RUN: (.*)", Path(found.path).read_text())[1]
    assert run.startswith("ttkit fuzz ")
    assert "--seed=1 --size=12 --programs=1" in run


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("inline", 0),
        ("triton-combine", 3),
        ("tritongpu-coalesce", 10),
        ("tritongpu-reorder-instructions", 30),
        ("convert-triton-gpu-to-llvm", 40),
        ("my-own-pass", 0),
    ],
)
def test_programs_are_of_the_level_that_a_pass_takes(name, before):
    passes = passes_before(name)
    assert len(passes) >= before
    assert (not before) == (not passes)


def test_levels_are_chosen():
    assert passes_before("mine", "tt") == []
    assert passes_before("mine", "ttg")[-1].startswith("convert-triton-to-tritongpu")
    assert passes_before("mine", "llvm")[-1].startswith("convert-triton-gpu-to-llvm")
    with pytest.raises(ValueError, match="a level is one of tt, ttg, llvm"):
        passes_before("mine", "ptx")


def test_programs_are_the_same_for_the_same_numbers():
    assert program(3, 10).text == program(3, 10).text
    assert "tensordesc" in program(3, 10).text


@pytest.mark.parametrize("name", ["triton-combine", "tritongpu-coalesce", "tritongpu-remove-layout-conversions"])
def test_correct_passes_do_nothing_wrong(name, tmp_path):
    campaign = Campaign(name, corpus=str(tmp_path))
    assert not list(campaign.run(range(12)))
    assert campaign.counts["fine"] >= 4


def run(folder, *arguments):
    command = [sys.executable, "-m", "ttkit", "fuzz", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def test_the_command(tmp_path):
    ended = run(tmp_path, "--pass", "planted-exit", "--load-pass", str(PLANTED), "--programs", "6", "--size", "20")
    assert ended.returncode == 1
    assert "crashes: exit code 3\n  kept as fuzz-corpus/planted-exit." in ended.stdout
    assert re.search(r"6 programs in .* s: .*\d crashes", ended.stdout)
    again = run(tmp_path, "--pass", "planted-exit", "--load-pass", str(PLANTED), "--programs", "1", "--seed", "0")
    assert "still: fuzz-corpus/planted-exit." in again.stdout
    ended = run(tmp_path, "--pass", "cse", "--programs", "2")
    assert ended.returncode == 0, ended.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--pass", "no-such-pass"), "no-such-pass"),
        (("--pass", "cse{"), "error: "),
        (("--pass", "cse", "--programs", "0"), "--programs and -j take numbers from 1 on"),
        (("--pass", "cse", "--load-pass", "nothing.py"), "nothing.py"),
    ],
)
def test_command_lines_that_can_not_be(tmp_path, arguments, said):
    ended = run(tmp_path, *arguments)
    assert ended.returncode == 1
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
