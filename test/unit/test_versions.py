"""Which version of Triton decides what a kernel means, and what each version makes of expressions where they disagree.

test/data/versions has the kernels, and the tt that Triton 3.7.1, 3.8.0 and 3.9.0 make of them, which
test/oracle/compare_versions.py wrote.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit import knobs
from ttkit.interpreter import interpret
from ttkit.language.versions import of_kernel
from ttkit.triton_versions import Choice, UnknownVersion, is_version, parsed

TEST = Path(__file__).parents[1]
FOLDER = TEST / "data" / "versions"
TEXTS = sorted(FOLDER.glob("*/*.ttir"))
VERSIONS = ("3.6", "3.7", "3.8", "3.9")
HOPPER = ttkit.GPUTarget("cuda", 90, 32)
X = np.array([0.5, -1.0, 2.0, 3.0, 1.25, 7.0, -0.25, 4.0], np.float32)
INFINITY = np.inf
# {kernel: {version: what it stores, or the error, from there on}}; of kernels that are not here all versions store the
# same.
RESULTS = {
    "returned_constants": {"3.6": "must be of type tl.constexpr", "3.7": [0, 1, 2, 3]},
    "negation": {"3.6": [INFINITY] * 8, "3.8": np.copysign(INFINITY, -X)},
    "negative_zero": {"3.6": [INFINITY] * 8, "3.9": [-INFINITY] * 8},
    "comparison_with_number": {"3.6": [0] * 8, "3.9": "-150 is out of range for type int8"},
    "narrow_extremes": {
        "3.6": [*np.maximum(X, np.float32(1.001)), np.float32(7.001), np.float32(-0.999)],
        "3.9": [*np.maximum(X, 1), np.float32(7.001), np.float32(-0.999)],
    },
    "narrow_scans": {
        "3.6": [*np.cumsum(X), *np.cumprod(X), *np.cumprod(X.astype(np.int8) + 5, dtype=np.int8)],
        "3.9": [*np.cumsum(X), *np.cumprod(X), *np.cumprod(X.astype(np.int8) + 5, dtype=np.int32)],
    },
    "stored_bools": {"3.6": range(8), "3.9": [0, *[1] * 7]},
}


@pytest.fixture(scope="module")
def cases():
    """The cases by name, and the module that compares their texts."""
    before, path = dict(sys.modules), list(sys.path)
    sys.path.append(str(TEST / "oracle"))
    import compare_versions
    import kernel_sources

    kernel_sources.stand_in_for_triton()
    found = {case.name: case for case in kernel_sources.load_cases(FOLDER)}
    yield found, compare_versions
    sys.path[:] = path
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("triton", "kernel_sources", "compare_versions", "cases"):
            del sys.modules[name]


def names():
    text = (FOLDER / "disagreements.py").read_text()
    return [*text.partition("for kernel in (")[2].partition(")")[0].replace(",", "").split(), "stored_bools"]


def in_version(monkeypatch, version):
    monkeypatch.setattr(knobs.language, "triton_version", version)


@pytest.mark.parametrize("path", TEXTS, ids=[f"{path.parent.name}-{path.stem}" for path in TEXTS])
def test_tt_is_that_of_the_version(path, cases, monkeypatch):
    by_name, comparison = cases
    in_version(monkeypatch, path.parent.name)
    case = by_name[path.stem.partition(".")[0]]
    with ttkit.Context():
        source = ttkit.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
        text = source.make_ir(HOPPER).operation.get_asm()
    assert comparison.canonical(text) + "\n" == path.read_text()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", names())
def test_results(name, version, cases, monkeypatch):
    case = cases[0][name]
    in_version(monkeypatch, version)
    expected = None
    for since, result in RESULTS.get(name, {}).items():
        expected = result if version >= since else expected
    if isinstance(expected, str):
        with pytest.raises(ttkit.CompilationError, match=expected):
            stored(case)
    elif expected is None:
        found = stored(case)
        in_version(monkeypatch, "3.6")
        assert len(found) and np.array_equal(found, stored(case))
    else:
        assert np.array_equal(stored(case), np.array(expected, np.float32))


def stored(case):
    """What a kernel stores."""
    out, flags = np.full(64, 9, np.float32), np.full(8, 9, np.int8)
    with ttkit.Context():
        source = ttkit.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
        interpret(source.make_ir(HOPPER), 1, [X.copy(), out, flags][: len(case.signature) - 1])
    return flags if case.name == "stored_bools" else out[out != 9]


@pytest.mark.parametrize("name", names())
def test_kernels_of_the_last_version_become_ptx(name, cases, monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    in_version(monkeypatch, "3.9")
    case = cases[0][name]
    if name != "comparison_with_number":
        source = ttkit.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
        assert ".entry" in ttkit.compile(source, target=HOPPER).asm["ptx"]


# --- who decides ------------------------------------------------------------------------------------------------------


@ttkit.jit
def negated(p):
    tl.store(p, 1.0 / -tl.load(p))


@ttkit.jit(version="3.8")
def negated_by_another(p):
    tl.store(p, 1.0 / -tl.load(p))


@ttkit.jit(version="3.9.0")
def calls_another(p):
    negated(p)


@ttkit.jit(version="my own number")
def numbered(p):
    tl.store(p, 1.0 / -tl.load(p))


def of_zero(kernel):
    value = np.zeros(1, np.float32)
    with ttkit.Context():
        interpret(ttkit.ASTSource(kernel, {"p": "*fp32"}).make_ir(HOPPER), 1, [value])
    return value[0]


def test_a_kernel_decides_for_itself_and_what_it_calls():
    assert of_zero(negated) == of_zero(numbered) == INFINITY
    assert of_zero(negated_by_another) == of_zero(calls_another) == -INFINITY


def test_a_package_decides_before_the_script(monkeypatch):
    in_version(monkeypatch, f"3.9,{__name__}=3.7")
    assert of_zero(negated) == INFINITY and of_zero(negated_by_another) == -INFINITY
    in_version(monkeypatch, f"3.6,{__name__}.inner=3.7,other=3.9,{__name__}=3.8")
    assert of_zero(negated) == -INFINITY


def test_the_script_decides(monkeypatch):
    in_version(monkeypatch, "3.8")
    assert of_zero(negated) == -INFINITY


def test_versions_have_kernels_of_their_own(monkeypatch, tmp_path):
    """The cache does not mix them."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    hashes = set()
    for version in VERSIONS:
        in_version(monkeypatch, version)
        hashes.add(ttkit.compile(ttkit.ASTSource(negated, {"p": "*fp32"}), target=HOPPER).hash)
    assert len(hashes) == 4


def test_launches_follow_the_version_in_force(monkeypatch, tmp_path):
    from ttkit.runtime import driver

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    driver.reset_active()
    try:
        values = []
        for version in ("3.6", "3.9", "3.6"):
            in_version(monkeypatch, version)
            value = np.zeros(1, np.float32)
            ttkit.jit(negated.fn)[(1,)](value)
            values.append(value[0])
        assert values == [INFINITY, -INFINITY, INFINITY]
    finally:
        monkeypatch.delenv("TTKIT_DEVICE")
        driver.reset_active()


def test_kernels_as_python_follow_it_too(monkeypatch):
    from ttkit.runtime import set_interpret_mode

    set_interpret_mode(True)
    try:
        for version, expected in (("3.6", INFINITY), ("3.8", -INFINITY)):
            in_version(monkeypatch, version)
            value = np.zeros(1, np.float32)
            ttkit.jit(negated.fn)[(1,)](value)
            assert value[0] == expected
    finally:
        set_interpret_mode(False)


def test_spelling():
    choice = Choice.of_text(" 3.8.0, fla = 3.7,flag_gems.ops=3.9,")
    assert choice.script == (3, 8) and choice.packages == {"fla": (3, 7), "flag_gems.ops": (3, 9)}
    assert str(choice) == "3.8,fla=3.7,flag_gems.ops=3.9" == str(Choice.of_text(str(choice)))
    assert choice.of_module("fla.ops.common") == (3, 7) and choice.of_module("flag_gems") == (3, 8)
    assert choice.of_module("flag_gems.ops.mm") == (3, 9) and choice.of_module("") == (3, 8)
    assert is_version("3.6") and not is_version("3.5") and not is_version(3.9) and parsed(" 3.9 ") == (3, 9)
    with pytest.raises(UnknownVersion, match=r"3\.6, 3\.7, 3\.8, 3\.9, not '3\.10'"):
        parsed("3.10")


def test_an_unknown_version_is_named(monkeypatch):
    in_version(monkeypatch, "fla=2.0")
    with pytest.raises(UnknownVersion, match=r"not '2\.0'"):
        of_kernel(negated)


def test_install_says_it_to_kernels_and_to_children(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import os, subprocess, sys\n"
        "from ttkit import compat, knobs\n"
        "compat.install(version='3.8', packages={'fla': '3.7'})\n"
        "import triton\n"
        "child = 'import triton, os; print(triton.__version__, os.environ[\"TTKIT_TRITON_VERSION\"])'\n"
        "print(triton.__version__, knobs.language.triton_version, flush=True)\n"
        "subprocess.run([sys.executable, '-c', child])\n"
        "compat.uninstall()\n"
        "print(knobs.language.triton_version)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.stdout.split() == "3.8.0 3.8,fla=3.7 3.8.0 3.8,fla=3.7 3.6".split(), done.stderr


def test_the_command_says_it_to_a_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import triton, os, sys\nprint(triton.__version__, os.environ['TTKIT_TRITON_VERSION'], sys.argv)\n"
    )

    def run(*arguments):
        command = [sys.executable, "-m", "ttkit.compat", *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    done = run("--triton", "3.9", str(script), "x")
    assert done.stdout == f"3.9.0 3.9 {[str(script), 'x']}\n", done.stderr
    for wrong in (("--triton", "2.1", str(script)), ("--triton",)):
        done = run(*wrong)
        assert done.returncode == 2 and "--triton takes a version from 3.6 to 3.9" in done.stderr
