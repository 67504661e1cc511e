"""ttkit doctor, completion and man."""

import json
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest
import warm_commands

from ttkit.drivers import doctor, manual, toolkit


def said(capsys, *arguments):
    """What `ttkit` prints, and its exit code."""
    with pytest.raises(SystemExit) as end:
        toolkit.main(list(arguments))
    return capsys.readouterr().out, end.value.code


def findings(capsys):
    text, code = said(capsys, "doctor", "--json")
    return {one["subject"]: one for one in json.loads(text)}, code


def test_a_healthy_installation_compiles(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "none"))
    found, code = findings(capsys)
    assert code == 0 and not any(one["is_fatal"] for one in found.values())
    assert found["compiling for sm_90a"]["found"].startswith("works")
    assert found["ptxas"]["found"].startswith("13.0") and found["numpy"]["problem"] == ""
    assert found["$TRITON_CACHE_DIR"]["found"] == str(tmp_path / "none") and found["cache"]["found"].startswith(
        "none yet"
    )


def test_gpus_are_listed_with_the_driver(capsys, gpu):
    gpu.limits(capability=90)
    found, _ = findings(capsys)
    assert found["driver"]["found"].startswith("for CUDA 13.0") and found["driver"]["problem"] == ""
    assert found["GPU 0"]["found"] == found["GPU 1"]["found"] == "Fake GPU, sm_90"


def test_an_unknown_gpu_and_an_old_driver_are_problems(monkeypatch, gpu):
    from ttkit import knobs

    gpu.limits(capability=61)
    monkeypatch.setattr(knobs.nvidia.ptxas, "version", "14.1")
    problems = {one.subject: one.problem for one in doctor.gpus() if one.problem}
    assert "TRITON_PTXAS_PATH to an older ptxas" in problems["driver"]
    assert "61" in problems["GPU 0"]


def test_a_missing_package_is_fatal_and_a_wrong_one_a_problem():
    missing = doctor._package("no-such-package==1.0")
    assert missing.is_fatal and "pip install 'no-such-package==1.0'" in missing.problem
    assert "ttkit needs >=99" in doctor._package("numpy>=99").problem
    assert doctor._package("numpy>=2.0.2,<99").problem == ""


def test_doctor_says_that_the_cache_is_no_folder(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    for inside in ("file", "file/cache"):
        monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / inside))
        finding = next(doctor.cache())
        assert finding.found.startswith("not readable, ") and not finding.is_fatal
        assert finding.problem.startswith(f"{tmp_path}/file is not a writable folder")


def test_doctor_says_what_could_be_removed(capsys, monkeypatch):
    assert "files that are not used" not in findings(capsys)[0]  # of a checkout, whose build takes them
    monkeypatch.setattr(doctor, "is_editable", lambda: False)
    monkeypatch.setattr(doctor, "unneeded", lambda: iter([("a", 3_000_000), ("b", 4_000_000)]))
    assert findings(capsys)[0]["files that are not used"]["found"] == "7 MB; `ttkit doctor --trim` removes them"
    monkeypatch.setattr(doctor, "unneeded", lambda: iter([]))
    assert "files that are not used" not in findings(capsys)[0]


WITHOUT_EXTRAS = """\
import sys


class Missing:
    NAMES = "scipy z3 distributed ray sqlalchemy fsspec torch lit pytest hypothesis pygls sphinx triton".split()

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.NAMES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())
import numpy as np

import ttkit
import ttkit.language as tl


@ttkit.jit
def double(x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i, tl.sum(tl.dot(tl.load(x + i[:, None] * 16 + i[None, :]), tl.full((16, 16), 2.0, tl.float32)), 0))


x = np.ones(256, np.float32)
compiled = double[(1,)](x, 16)
print(x[0], "cubin" in compiled.asm)
"""


def test_compiling_and_launching_needs_no_extra(tmp_path):
    """What pip installs by default is what a compilation and a launch need; all else is an extra."""
    (tmp_path / "script.py").write_text(WITHOUT_EXTRAS)
    environment = {
        **os.environ,
        "TTKIT_DEVICE": "interpret:sm_90",
        "TRITON_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.returncode) == ("512.0 True\n", 0), done.stderr


def test_what_is_not_needed_leaves_what_is(capsys):
    text, code = said(capsys, "doctor", "--unneeded")
    names = {Path(line).name for line in text.splitlines()}
    assert code == 0 and not names & {"ptxas", "fatbinary", "FileCheck", "libdevice.10.bc", "libLLVM.so", "cuda.h"}
    assert all(Path(line).is_file() for line in text.splitlines())


def test_files_of_packages_that_others_need_stay(monkeypatch):
    from ttkit.drivers import unneeded

    assert any(path.endswith("/nvcc") for path, _ in unneeded.unneeded())
    monkeypatch.setattr(unneeded, "_needed_by_others", lambda: {"nvidia-cuda-nvcc"})
    assert not any(path.endswith("/nvcc") for path, _ in unneeded.unneeded())


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_an_installation_is_trimmed(capsys, monkeypatch, tmp_path):
    from ttkit.drivers import doctor, unneeded

    (tmp_path / "a.c").write_text("static int hidden(int x) { return x * 3; } int shown(int x) { return hidden(x); }")
    library, old = tmp_path / "libLLVM.so", tmp_path / "shared.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-g", "-O0", "a.c", "-o", library], cwd=tmp_path, check=True)
    os.link(library, old)  # as uv does: another environment has the same file
    strip = next(path for path, _ in unneeded.unneeded() if path.endswith("/llvm-strip"))
    (tmp_path / "llvm-strip").symlink_to(strip)
    (tmp_path / "nvcc").write_text("12345")
    gone = [tmp_path / "nvcc", tmp_path / "llvm-strip"]
    monkeypatch.setattr(unneeded, "unneeded", lambda: ((str(path), 5) for path in gone if path.exists()))
    monkeypatch.setattr(unneeded, "_libraries", lambda: iter([str(library)]))
    monkeypatch.setattr(doctor, "is_editable", lambda: False)
    text, code = said(capsys, "doctor", "--trim")
    assert code == 0 and text == "removed 0 MB: 2 files that ttkit does not use, and symbols of 1 library\n"
    assert not any(path.exists() for path in gone) and Path(strip).exists()
    assert b"hidden" not in library.read_bytes() and b"shown" in library.read_bytes() and b"hidden" in old.read_bytes()
    assert said(capsys, "doctor", "--trim")[1] == 1


def test_without_a_command_there_is_help(capsys):
    with pytest.raises(SystemExit) as end:
        toolkit.main([])
    assert end.value.code == 2 and "a pass of your own and its test" in capsys.readouterr().err


def test_files_that_are_missing(capsys):
    with pytest.raises(SystemExit) as end:
        toolkit.main(["schedule", "missing.ttir"])
    assert end.value.code == "error: no such file: missing.ttir"


def test_a_missing_ptxas_is_fatal(capsys, monkeypatch):
    from ttkit.knobs.cuda_programs import MissingTool, Tool

    def missing(self, value):
        raise MissingTool("Cannot find ptxas: pip install it")

    monkeypatch.setattr(Tool, "transform", missing)
    text, code = said(capsys, "doctor")
    assert code == 1 and "- ptxas: Cannot find ptxas: pip install it" in text.partition("what is wrong:")[2]


def test_every_command_has_a_manual_page(capsys, tmp_path):
    text, code = said(capsys, "man", str(tmp_path / "man1"))
    names = {path.stem for path in (tmp_path / "man1").iterdir()}
    assert code == 0 and text.startswith(f"wrote {len(names)} pages")
    assert {"ttkit", "ttkit-aot", "ttkit-cache-gc", "tt-opt", "tt-compile", "tt-run", "tt-layout"} <= names
    page = (tmp_path / "man1" / "ttkit-aot.1").read_text()
    assert ".SH OPTIONS" in page and "\\-\\-kernel\\-name" in page
    if man := shutil.which("mandoc") or shutil.which("groff"):
        check = [man, "-Tlint"] if man.endswith("mandoc") else [man, "-man", "-ww", "-z"]
        done = subprocess.run([*check, tmp_path / "man1" / "tt-compile.1"], capture_output=True, text=True, check=False)
        assert not done.stderr


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("ttkit ca", "cache"),
        ("ttkit cache g", "gc"),
        ("ttkit cache gc --older", "--older-than"),
        ("ttkit aot k.py --kern", "--kernel-name"),
        ("tt-compile --num-w", "--num-warps"),
        ("tt-opt --tritongpu-coal", "--tritongpu-coalesce"),
    ],
)
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes(typed, expected, completion):
    words = typed.split()
    name = f"_{words[0].replace('-', '_')}_complete"
    script = f"source {completion}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; {name}; echo ${{COMPREPLY[@]}}"
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert expected in run.stdout.split()


@pytest.fixture(scope="module")
def completion(tmp_path_factory):
    path = tmp_path_factory.mktemp("completion") / "ttkit.bash"
    path.write_text(manual.bash())
    return path


def test_fish_gets_conditions():
    text = manual.fish()
    assert "complete -c ttkit -n __fish_use_subcommand -f -a 'cache'" in text
    assert (
        "complete -c ttkit -n '__fish_seen_subcommand_from aot' -l 'kernel-name' -r -d 'the kernel, or Class.kernel'"
        in text
    )


@pytest.mark.parametrize(
    "command",
    [
        ["tt-opt"],
        ["tt-run"],
        ["tt-layout"],
        ["tt-compile"],
        ["ttkit"],
        ["tt-reduce"],
        ["tt-lsp"],
        ["proton"],
        ["proton-viewer"],
        ["triton-san"],
        ["mlir-opt"],
        ["mlir-translate"],
        ["opt"],
        ["python", "-m", "ttkit"],
        ["python", "-m", "ttkit.compat"],
        ["python", "-m", "ttkit.tools.compile"],
        ["python", "-m", "ttkit.tools.link"],
    ],
    ids=" ".join,
)
def test_every_command_has_a_version(command):
    program = Path(sys.executable).with_name(command[0])
    run = warm_commands.run([program, *command[1:], "--version"])
    assert run.returncode == 0, run.stderr
    assert "ttkit 0." in run.stdout or "LLVM version 22.1.8" in run.stdout


@pytest.mark.parametrize("subject", ["why", "trace", "profile", "lift", "upgrade-report"])
def test_commands_in_a_process_with_another_triton_say_so(subject, tmp_path, monkeypatch):
    (tmp_path / "s.py").write_text("print(1)\n")
    monkeypatch.setitem(sys.modules, "triton", types.ModuleType("triton"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=r"^error: triton is imported already, from unknown: call"):
        toolkit.main([subject, "s.py"])
