"""`ttkit upgrade-report` on programs with planted changes: each is found at its line, and nothing else is."""

import json
from pathlib import Path

import pytest
import warm_commands

from ttkit.upgrade import usage
from ttkit.upgrade.changes import CHANGES, ERROR, MEANING, NOTICE, Change, Finding
from ttkit.upgrade.report import concerns, merged, summary, text
from ttkit.upgrade.sources import read

HEAD = """\
import numpy as np
import triton
import triton.language as tl


@triton.jit
def half(N: tl.constexpr):
    return N // 2


@triton.jit
def scale():
    return 0.1


@triton.jit
def kernel(x, out, flags, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    narrow = v.to(tl.bfloat16)
    short = v.to(tl.float16)
"""
# A statement of a kernel, with the change that its line has, if any.
STATEMENTS = [
    ("tl.store(out + i, -v)", "negation"),
    ("tl.store(out + i, 0 - v)", ""),
    ("tl.store(flags + i, -i)", "stored_bool"),
    ("tl.store(flags + i, i > 2)", ""),
    ("tl.store(out + i, tl.fdiv(v, 3.0, ieee_rounding=True))", "fdiv_rounding"),
    ("tl.store(out + i, tl.fdiv(v, 3.0))", ""),
    ("tl.store(out + i, short < 0.1)", "number_type"),
    ("tl.store(out + i, 0.1 > short)", "number_type"),
    ("tl.store(out + i, v < 0.1)", ""),
    ("tl.store(out + i, (i < 5) & (0 <= i))", ""),
    ("tl.store(out + i, tl.maximum(narrow, 0.5))", "narrow_extremes"),
    ("tl.store(out + i, tl.maximum(v, 0.5))", ""),
    ("tl.store(out + i, tl.cumsum(narrow, 0))", "scan_type"),
    ("tl.store(out + i, tl.cumprod(i.to(tl.int8), 0))", "scan_type"),
    ("tl.store(out + i, tl.cumsum(v, 0))", ""),
    ("tl.store(out + i, tl.full((N,), -0.0, tl.float32))", "negative_zero"),
    ("tl.store(out + i, tl.fma(short, 2.0, 0.5))", "ternary_type"),
    ("tl.store(out + i, tl.fma(v, v, v))", ""),
    ("tl.store(out + i, tl.rand(3, i))", ""),
    ("tl.store(out + i, tl.sort(v))", ""),
    ("tl.store(out + i, tl.softmax(v))", ""),
    ("tl.store(out + i, v.to(tl.float8e5) / v.to(tl.float8e4nv))", "quotient_type"),
    ("tl.store(out + half(N), 1.0)", ""),
    ("tl.store(out + i, short * scale())", "returned_constant"),
    ("tl.store(out + i, v * scale())", ""),
    ("tl.store(out + i, v * 2.0)", ""),
]
TAIL = """
x, out, flags = np.ones(8, np.float32), np.zeros(8, np.float32), np.zeros(8, np.bool_)
kernel[(1,)](x, out, flags, 8, enable_fp_fusion=False)
"""
PROGRAM = HEAD + "".join(f"    {line}{f'  #~ {name}' if name else ''}\n" for line, name in STATEMENTS) + TAIL
BESIDE = [
    number for number, line in enumerate(PROGRAM.splitlines(), 1) if "maximum(narrow" in line or "fma(short" in line
]


def run(folder, *arguments, program=PROGRAM):
    (folder / "script.py").write_text(program)
    unset = dict.fromkeys(("TTKIT_DEVICE", "TTKIT_TRITON_VERSION"))
    return warm_commands.ttkit(folder, "upgrade-report", *arguments, **unset)


def planted(program):
    """{line: change} of the comments."""
    found = {}
    for number, line in enumerate(program.splitlines(), 1):
        name = line.partition("#~ ")[2]
        if name:
            found[number] = name
    return found


@pytest.mark.parametrize(("first", "last"), [("3.6", "3.9"), ("3.6", "3.7"), ("3.7", "3.8"), ("3.8", "3.9.0")])
def test_each_planted_change_is_found_where_it_is(tmp_path, first, last):
    done = run(tmp_path, "script.py", "--from", first, "--to", last, "--json")
    rows = [row for row in json.loads(done.stdout) if row["kind"] != "speed"]
    versions = tuple(tuple(map(int, version.split(".")[:2])) for version in (first, last))
    expected = {
        line: CHANGES[name].text
        for line, name in planted(PROGRAM).items()
        if versions[0] < CHANGES[name].since <= versions[1]
    }
    # The number of a maximum or of fma takes another type, too.
    beside = [row for row in rows if row["text"] == CHANGES["number_type"].text and row["line"] in BESIDE]
    assert {row["line"]: row["text"] for row in rows if row not in beside} == expected
    assert len(rows) == len(expected) + len(beside) and all(row["write"] for row in rows)
    assert done.returncode == 1 and done.stderr.endswith("1 kernel was compared\n")


def test_lines_that_take_other_operations(tmp_path):
    """Where results change and so does the work for each element, the line says which operations come and go."""
    rows = json.loads(run(tmp_path, "script.py", "--json").stdout)
    speed = {
        PROGRAM.splitlines()[row["line"] - 1].split("  #~")[0].strip(): (row["since"], row["text"])
        for row in rows
        if row["kind"] == "speed"
    }
    begins = "takes other operations for each element: "
    assert speed["tl.store(out + i, tl.fdiv(v, 3.0, ieee_rounding=True))"] == (
        "3.8",
        f"{begins}1 tt.precise_divf more; 1 arith.divf less",
    )
    assert speed["tl.store(flags + i, -i)"][1] == f"{begins}1 arith.cmpi, 1 arith.extui more; 1 arith.trunci less"
    assert "1 arith.extf less" in speed["tl.store(out + i, v.to(tl.float8e5) / v.to(tl.float8e4nv))"][1]
    assert "tl.store(out + i, -v)" not in speed  # a subtraction, or a negation


PRODUCTS = """\
import numpy as np
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, n, M: tl.constexpr):
    i, k = tl.arange(0, M), tl.arange(0, 32)
    total = tl.dot(tl.load(x + i[:, None] * 32 + k[None, :]), tl.load(y + k[:, None] * 32 + k[None, :]))
    for step in range(n):
        a = tl.load(x + step + i[:, None] * 32 + k[None, :])
        total = tl.dot(a, tl.load(y + step + k[:, None] * 32 + k[None, :]), total)
    tl.store(x + i[:, None] * 32 + k[None, :], total.to(tl.float16))


x, y = np.ones(8192, np.float16), np.ones(8192, np.float16)
kernel[(1,)](x, y, 2, {rows}, num_warps=4, num_ctas={ctas})
"""


@pytest.mark.parametrize(
    ("device", "rows", "found"),
    [("sm_90", 64, False), ("sm_90", 16, True), ("sm_120", 64, True), ("sm_80", 64, False)],
)
def test_products_in_loops_whose_operands_are_not_prefetched(device, rows, found, tmp_path, monkeypatch):
    (tmp_path / "script.py").write_text(PRODUCTS.format(rows=rows, ctas=1))
    done = warm_commands.ttkit(tmp_path, "upgrade-report", "script.py", "--to", "3.8", TTKIT_DEVICE=device)
    assert ("12: speed since 3.8 (in kernel): operands of this product" in done.stdout) == found, done.stderr
    assert done.returncode == int(found)


def test_clusters(tmp_path):
    done = run(tmp_path, "script.py", program=PRODUCTS.format(rows=64, ctas=2))
    assert "speed since 3.9 (in kernel): other passes choose how the CTAs" in done.stdout
    assert "17: speed since 3.9: other passes choose" in done.stdout  # the launch
    assert "other passes choose" not in run(tmp_path, "script.py", program=PRODUCTS.format(rows=64, ctas=1)).stdout


def test_every_rule_is_planted():
    names = set(planted(PROGRAM).values())
    assert set(CHANGES) == names


REFUSED = """\
import numpy as np
import triton
import triton.language as tl


@triton.jit
def three(x):
    return tl.load(x), tl.load(x + 1), tl.load(x + 2)


@triton.jit
def kernel(x):
    a, b = three(x)
    tl.store(x, a + b)


kernel[(1,)](np.zeros(8, np.float32))
"""


def test_kernels_that_are_refused_are_found(tmp_path):
    done = run(tmp_path, "script.py", program=REFUSED)
    assert "13: error since 3.9 (in kernel): the kernel is not compiled any more" in done.stdout
    assert done.returncode == 1
    assert run(tmp_path, "script.py", "--to", "3.8", program=REFUSED).stdout == "nothing changes\n"


FUSED = """\
import numpy as np
import triton
import triton.language as tl


@triton.jit
def kernel(x, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(x + i, v * 2.0 + v)


kernel[(1,)](np.zeros(8, np.float32), 8{more})
"""


def test_fusion_is_a_notice(tmp_path):
    done = run(tmp_path, "script.py", program=FUSED.format(more=""))
    assert "10: notice since 3.9" in done.stdout and "enable_fp_fusion=True" in done.stdout
    assert done.returncode == 0
    done = run(tmp_path, "script.py", program=FUSED.format(more=", enable_fp_fusion=False"))
    assert done.stdout == "nothing changes\n" and done.returncode == 0


SOURCE = '''\
"""Nothing here runs."""
import triton
import triton.language as tl
from triton.compiler.code_generator import find_paths_if  #~ 3.7 error
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import cluster, tma
from ttkit.language import make_block_ptr  #~ 3.9 error


@triton.jit
def kernel(x, n, options):
    p = tl.make_block_ptr(x, (n,), (1,), (0,), (16,), (0,))  #~ 3.9 error
    value = tl.load(p, boundary_check=(0,))  #~ 3.9 error
    tl.store(p, value, boundary_check=())  #~ 3.9 error
    tl.load(x, None, None, (0,))  #~ 3.9 error
    tl.load(x, *options)
    tl.load(x, n > 0, 0)
    tl.cat(value, value, can_reorder=True)  #~ 3.9 notice
    tl.cat(value, value, can_reorder=False)
    tl.core.reshape(value, (4, 4), True, can_reorder=True)  #~ 3.9 notice
    tl.view(value, (4, 4))  #~ 3.9 notice
    tl.softmax(value, 0, True)  #~ 3.9 error
    tl.math.fdiv(value, value, ieee_rounding=True)  #~ 3.8 meaning
    other.language.load(x, boundary_check=(0,))


triton.Config({}, num_ctas=2)  #~ 3.9 speed
triton.Config({}, num_ctas=1)
kernel[(1,)](None, 1, None, num_ctas=4)  #~ 3.9 speed

@gluon.jit
def in_gluon(descriptor, memory):
    gl.thread_barrier()  #~ 3.7 error
    tma.async_copy_global_to_shared(descriptor, [0, 0], memory, memory)  #~ 3.9 error
    cluster.arrive()  #~ 3.9 error


class Backend:
    def add_stages(self, stages, options):  #~ 3.9 error
        pass


class Newer:
    def add_stages(self, stages, options, language):
        pass
'''


def test_sources_are_read(tmp_path):
    path = tmp_path / "source.py"
    path.write_text(SOURCE)
    for last in ((3, 7), (3, 8), (3, 9)):
        found, kernels = read(path, (3, 6), last)
        expected = {
            number: words for number, words in planted(SOURCE).items() if tuple(map(int, words[:3].split("."))) <= last
        }
        assert {one.line: "{}.{} ".format(*one.change.since) + one.change.kind for one in found} == expected
        assert kernels == 2 and all(one.file == str(path) and one.change.advice for one in found)


def test_folders_are_read(tmp_path):
    package = tmp_path / "package" / "inner"
    package.mkdir(parents=True)
    (package / "source.py").write_text(SOURCE)
    (package / "no.py").write_text("print 'Python 2'\n")
    (package / "notes.txt").write_text("tl.make_block_ptr")
    done = run(tmp_path, "package", "--from", "3.8", "--to", "3.9")
    assert done.returncode == 1 and done.stdout.startswith("package/inner/source.py\n")
    assert "no.py is left out" in done.stderr and "2 kernels were read, none was compared" in done.stderr


@pytest.mark.parametrize("imported", ["from package.utils import tl, triton", "from ..utils import tl, triton"])
def test_names_that_a_package_hands_on_are_read(tmp_path, imported):
    source = f"{imported}\n\n\n@triton.jit\ndef kernel(x):\n    tl.advance(x, (1, 0))\n"
    (tmp_path / "module.py").write_text(source)
    found, kernels = read(tmp_path / "module.py", (3, 6), (3, 9))
    assert [finding.line for finding in found] == [6] and kernels == 1


def test_scripts_may_be_read_alone_and_have_arguments(tmp_path):
    program = "import sys\nimport triton.language as tl\nprint(sys.argv[1:])\ntl.advance\nsys.exit(3)\n"
    done = run(tmp_path, "script.py", "--no-run", program=program)
    assert done.returncode == 1 and "4: error since 3.9" in done.stdout and "argv" not in done.stdout
    done = run(tmp_path, "script.py", "--to", "3.9", "--", "--epochs", "1", program=program)
    assert done.returncode == 3 and "['--epochs', '1']" in done.stdout and "script.py ended with 3" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.py"], "no such file or folder: missing.py"),
        (["script.py", "--from", "3.9", "--to", "3.6"], "--from 3.9 is not before --to 3.6"),
        (["script.py", "--to", "3.10"], "not '3.10'"),
    ],
)
def test_wrong_command_lines(tmp_path, arguments, said):
    done = run(tmp_path, *arguments)
    assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr


def test_findings_of_sources_and_kernels_stand_together(tmp_path):
    done = run(tmp_path, "script.py", program=FUSED.format(more="").replace("v * 2.0 + v", "tl.view(-v, (N,))"))
    assert done.stdout.count("script.py\n") == 1
    assert "10: meaning since 3.8 (in kernel)" in done.stdout and "10: notice since 3.9: view" in done.stdout


def test_findings_are_said_once():
    meaning, notice = Change((3, 8), MEANING, "one", "two"), Change((3, 9), NOTICE, "three", "four")
    findings = [Finding("a.py", 3, meaning), Finding("a.py", 3, meaning, "kernel"), Finding("a.py", 1, notice)]
    kept = merged(findings)
    assert [one.line for one in kept] == [1, 3] and kept[1].kernel == "kernel"
    assert concerns(kept) and not concerns(kept[:1])
    assert summary(kept) == "2 findings: 1 meaning, 1 notice" and summary([]) == "0 findings"
    assert text(kept).splitlines()[1] == "  1: notice since 3.9: three"


def test_names_of_the_rules_exist():
    """A name that is removed was there in 3.6."""
    surface = json.loads((Path(__file__).parents[1] / "data" / "triton_surface.json").read_text())
    for full, change in usage.NAMES.items():
        module, _, name = full.rpartition(".")
        if change.kind == ERROR and module in surface:
            assert name in surface[module], full
