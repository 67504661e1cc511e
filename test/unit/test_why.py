"""`ttkit why`: what it finds in kernels that are slow for a known reason, as text and as a page."""

import os
import re
import sys

import pytest
import warm_commands

from ttkit.drivers.times_on_gpu import times_on_gpu
from ttkit.profiler.resources import instruction_mix, occupancy_of
from ttkit.profiler.roofs import Roofs
from ttkit.user_scripts import run_script
from ttkit.why.explain import Explained, Finding, explain
from ttkit.why.shown import page, text
from ttkit.why.times import Times
from ttkit.why.watching import watching

SCRIPT = """
import numpy as np
import ttkit
import ttkit.language as tl

@ttkit.jit
def column_sums(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.arange(0, ROWS)
    column = tl.program_id(0)
    total = tl.sum(tl.load(x + rows * COLUMNS + column))
    tl.store(out + column, total)

@ttkit.jit
def product(a, b, c, N, M: tl.constexpr, K: tl.constexpr):
    i, k = tl.arange(0, M), tl.arange(0, K)
    total = tl.zeros((M, M), tl.float32)
    for start in range(0, N, K):
        x = tl.load(a + i[:, None] * N + start + k[None, :])
        total = tl.dot(x, tl.load(b + (start + k[:, None]) * M + i[None, :]), total, input_precision="{precision}")
    tl.store(c + i[:, None] * M + i[None, :], total)

x, out = np.ones((1024, 256), np.float32), np.zeros(256, np.float32)
column_sums[(256,)](x, out, 1024, 256, num_warps=1)
a, b, c = np.ones((64, 128), np.float32), np.ones((128, 64), np.float32), np.zeros((64, 64), np.float32)
product[(1,)](a, b, c, 128, M=64, K=32)
"""


def why(folder, script, *more):
    (folder / "script.py").write_text(script)
    return warm_commands.ttkit(folder, "why", *more, "script.py", TTKIT_DEVICE=None)


def test_each_reason_is_found_with_its_line_and_advice(tmp_path):
    done = why(tmp_path, SCRIPT.format(precision="ieee"), "--html", "page.html")
    assert done.returncode == 0, done.stderr
    columns, product = done.stdout.split("\n\n")
    assert "32 of 64 warps, limited by programs" in columns
    assert "script.py:10: reads x: 12 % of the sectors that it touches are needed; 4 bytes a lane" in columns
    assert "1. accesses, script.py:10: let neighbouring elements of a block be neighbours" in columns
    assert "1.05 MB" in columns and "the roof is memory" in columns
    assert "no dot operation uses them: it is computed by multiply-adds" in product
    assert "tensor cores: use f16, bf16, fp8 or int8, or input_precision='tf32'" in product
    made = (tmp_path / "page.html").read_text()
    assert (
        made.count("<table>") == 2
        and "script.py:10" in made
        and "<script" not in made
        and "http:" not in made
        and "https:" not in made
    )


SMALL = """
import numpy as np
import ttkit
import ttkit.language as tl

@ttkit.jit
def small(x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i, tl.load(x + i) * 2)

small[(1,)](np.ones(32, np.float32), N=32)
"""


def test_a_block_of_fewer_elements_than_threads_is_not_called_scattered(tmp_path):
    done = why(tmp_path, SMALL)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    all_needed = "100 % of the sectors that it touches are needed; 4 bytes a lane"
    assert f"reads x: {all_needed}; 4 warps read the same elements script.py" in said
    assert f"writes x: {all_needed} layouts" in said
    assert "transpose" not in said


ROWS = """
import numpy as np
import ttkit
import ttkit.language as tl

@ttkit.jit
def doubled(x, out, stride, M: tl.constexpr, N: tl.constexpr):
    place = (tl.program_id(0) * M + tl.arange(0, M))[:, None] * stride + tl.arange(0, N)[None, :]
    tl.store(out + place, tl.load(x + place) * 2)

for stride in {strides}:
    x = np.ones((64, stride), np.float16)
    doubled[({programs},)](x, np.zeros_like(x), stride, M=16, N=32)
"""


def test_rows_that_begin_within_sectors_are_padded_not_transposed(tmp_path):
    done = why(tmp_path, ROWS.format(strides=[100], programs=4))
    said = " ".join(done.stdout.split())
    assert done.returncode == 0, done.stderr
    assert "its rows begin within sectors: pad them in memory" in said and "transpose" not in said
    assert "grid (4, 1, 1): 4 programs for some 132 multiprocessors of such a GPU" in said
    assert "occupancy: if larger launches have no more, divide the work among more programs" in said


def test_padded_rows_get_no_such_advice(tmp_path):
    said = " ".join(why(tmp_path, ROWS.format(strides=[112], programs=4)).stdout.split())
    assert "100 % of the sectors" in said and "pad them" not in said


def test_a_pipelined_loop_on_tensor_cores(tmp_path):
    done = why(tmp_path, SCRIPT.format(precision="tf32"))
    assert done.returncode == 0, done.stderr
    product = done.stdout.split("\n\n")[1]
    assert "used by wgmma" in product
    assert "3 stages; loads start 2 iterations before their use" in product
    assert "an iteration takes at least" in " ".join(product.split())
    assert "0.00105 G operations of dots" in product  # 2 * 64 * 64 * 128


def test_a_kernel_with_one_stage_and_an_operand_in_another_order(tmp_path):
    script = SCRIPT.format(precision="tf32").replace("M=64, K=32)", "M=64, K=32, num_stages=1)")
    script = script.replace("start + k[None, :])", "start + k[None, :]) + 1.0")  # else operands would be swapped
    product = why(tmp_path, script).stdout.split("\n\n")[1]
    assert "the loop is not pipelined: the kernel is launched with num_stages=1" in product
    assert "launch it with num_stages=3" in product
    assert "transpose the operand in global memory" in product  # b has the order that f16 may have


def test_a_loop_divided_among_warp_groups(tmp_path):
    wide = SCRIPT.replace("(64, 128), np.float32", "(128, 128), np.float16").replace(
        "(128, 64), np.float32", "(128, 256), np.float16"
    )
    wide = wide.replace("np.zeros((64, 64)", "np.zeros((128, 256)").replace("128, M=64, K=32", "128, M=128, K=64")
    wide = (
        wide.replace("tl.zeros((M, M)", "tl.zeros((M, 2 * M)")
        .replace("i[None, :]", "j[None, :]")
        .replace(") * M + j", ") * 256 + j")
    )
    wide = wide.replace("    total = tl.zeros", "    j = tl.arange(0, 2 * M)\n    total = tl.zeros").replace(
        "* M + j", "* 256 + j"
    )
    done = why(tmp_path, wide.format(precision="tf32"))
    assert done.returncode == 0, done.stderr
    assert "the loop is divided among warp groups: default, partition0, partition1" in " ".join(done.stdout.split())
    assert "not pipelined" not in done.stdout
    (tmp_path / "script.py").write_text(
        wide.format(precision="tf32").replace("product[(1,)]", "made = product[(1,)]")
        + "open('product.ttir', 'w').write(made.asm['ttir'])\n"
    )
    environment = {**os.environ, "TTKIT_DEVICE": "interpret:sm_90"}
    warm_commands.run([sys.executable, "script.py"], cwd=tmp_path, env=environment)
    ended = warm_commands.ttkit(tmp_path, "schedule", "product.ttir")
    assert ended.returncode == 0, ended.stderr
    titles = re.findall(r"^loop of @product.*, in warp group (\w+)\b", ended.stdout, re.M)
    assert titles == ["default", "partition0", "partition1"]


def test_the_cause_that_keeps_a_dot_operation_from_wgmma(tmp_path):
    script = SCRIPT.format(precision="tf32").replace("M=64, K=32)", "M=64, K=32, num_warps=1)")
    done = why(tmp_path, script)
    assert done.returncode == 0, done.stderr
    assert "script.py:19: wgmma needs a multiple of 4 as num_warps, found 1" in done.stdout


def test_a_file_of_ir_is_no_script(tmp_path):
    (tmp_path / "kernel.ttir").write_text("module {}")
    for name in ("why", "trace", "show-access", "profile", "tune"):
        done = warm_commands.ttkit(tmp_path, name, "kernel.ttir")
        said = "error: kernel.ttir is a file of IR: name the Python script that launches the kernel\n"
        assert (done.returncode, done.stderr) == (1, said), name


def test_spills_are_found(tmp_path):
    script = SCRIPT.format(precision="ieee").replace("M=64, K=32)", "M=64, K=32, maxnreg=40)")
    product = why(tmp_path, script).stdout.split("\n\n")[1]
    assert "bytes in local memory, for want of registers" in product
    assert "spills: use smaller tiles, or more warps" in product


@pytest.mark.parametrize(
    ("registers", "shared", "threads", "capability", "programs", "limited"),
    [
        (32, 0, 128, 90, 16, ["registers", "warps"]),
        (168, 98304, 128, 90, 2, ["shared memory"]),
        (255, 0, 256, 90, 1, ["registers"]),
        (16, 0, 32, 90, 32, ["programs"]),
        (16, 0, 256, 86, 6, ["warps"]),
        (16, 300_000, 128, 90, 0, ["shared memory"]),
    ],
)
def test_occupancy(registers, shared, threads, capability, programs, limited):
    found = occupancy_of(registers, shared, threads, capability)
    assert (found.programs, found.limited_by, found.warps) == (programs, limited, programs * threads // 32)


def test_instructions_have_a_class():
    ptx = """.visible .entry k()
{
\tld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];
\t@%p1 st.shared.b32 [%r1], %r2;
\tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};
\tcp.async.cg.shared.global [%r1], [%rd1], 16;
\tcp.async.wait_group 0;
\tfma.rn.f32 %f1, %f2, %f3, %f4;
\tadd.s32 %r1, %r2, 4;
\tex2.approx.f32 %f1, %f2;
}
"""
    expected = {"tensor cores", "asynchronous copies", "global memory", "shared memory", "barriers and waits",
                "special functions", "floating point", "integers and moves"}  # fmt: skip
    assert instruction_mix(ptx) == dict.fromkeys(expected, 1)


def test_findings_are_escaped_and_advice_is_given_once():
    findings = [Finding("accesses", "reads <x>", "a.py:1", "load & store", "layouts.md")] * 2
    kernels = [Explained("k<T>", "k<T>: sm_90", findings)]
    assert text(kernels).count("load & store (docs/layouts.md)") == 1
    assert "<T>" not in page(kernels, "a.py") and "reads &lt;x&gt;" in page(kernels, "a.py")
    assert text([Explained("k", "k", [Finding("spills", "none")])]).endswith("nothing stands out")


def test_times_of_a_gpu_stand_beside_what_a_launch_needs(tmp_path, monkeypatch):
    # Of 1,024 rows of 256 columns in f32 that the script sums, and of the sums.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.py").write_text(SCRIPT.format(precision="ieee").split("\na, b, c")[0])
    with watching(256) as watched:
        assert run_script("script.py", []) == 0
    measured = Times({"column_sums": (4000, 1)}, Roofs(bandwidth=1e12, products=1e15))
    (kernel,) = explain(watched, measured)
    found = [one.text for one in kernel.findings if one.section == "time"]
    assert found == ["4 us in the mean of 1 launch on the GPU; its bytes and operations of dots need 26 % of that"]
    assert not [one for one in explain(watched, None)[0].findings if one.section == "time"]


def test_a_script_that_no_gpu_runs_has_no_times(tmp_path):
    (tmp_path / "script.py").write_text("raise ValueError('nothing')")
    with pytest.raises(ValueError, match=r"nothing|libcuda|CUPTI|no GPU"):
        times_on_gpu(str(tmp_path / "script.py"), [])


IN_GLUON = """
import numpy as np
from ttkit.language import gluon
from ttkit.language import gluon as gl

@gluon.jit
def double(x, N: gl.constexpr):
    index = gl.arange(0, N, gl.BlockedLayout([4], [32], [4], [0]))
    for step in range(2):
        gl.store(x + index, 2 * gl.load(x + index))

double[(1,)](np.ones(512, np.float32), 512)
"""


def test_a_kernel_in_gluon(tmp_path):
    """Its loops are as they were written: no pass pipelines them."""
    done = why(tmp_path, IN_GLUON)
    assert done.returncode == 0, done.stderr
    assert "the kernel is written in Gluon: it orders copies and products of a loop itself" in done.stdout
    assert "occupancy" in done.stdout and "double: sm_90, 4 warps, 1 launch" in done.stdout
