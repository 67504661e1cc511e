"""`ttkit lift`: the ttg of kernels as Gluon that compiles to the same ttg."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import warm_commands
from sweeps import swept

import ttkit
from ttkit import compat, lift

sys.path.append(str(Path(__file__).parents[1]))
from lift_kernels import compiled, judged, load, of_set, source_of, texts

EQUAL = {80: {1: 156, 4: 39}, 90: {1: 257, 4: 66}, 100: {1: 75, 4: 21}}
"""Round trips by GPU and step.  One is refused: ttg.fp4_to_fp with a layout that a pass chose."""
GLUON = {1: 148, 5: 30}
"""The same of kernels in Gluon, at the end: all."""
LATER = 59
"""The same of kernels with what Triton 3.7 to 3.9 added to Gluon: all."""
LANGUAGE = {1: 522, 23: 21}
"""The same of test/data/language, for sm_90."""
BENCH = {90: {5: 309, 41: 39}, 100: {5: 309, 41: 39}}
"""The same of the kernels of bench/, of which there are 1,542: all."""
PLAIN = """
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80",
    "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @plain(%x: !tt.ptr<f32>, %n: i32) {
    %0 = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1],
      threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    BODY
    tt.return
  }
}
"""
SCRIPT = """
import numpy as np
import ttkit
import ttkit.language as tl

@ttkit.jit
def product(a, b, c, K, N: tl.constexpr):
    line = tl.arange(0, N)
    acc = tl.zeros((N, N), tl.float32)
    for k in range(0, K, N):
        left = tl.load(a + line[:, None] * K + (k + line)[None, :])
        right = tl.load(b + (k + line)[:, None] * N + line[None, :])
        acc = tl.dot(left, right, acc)
    tl.store(c + line[:, None] * N + line[None, :], acc)

a, b, c = np.ones((32, 64), np.float16), np.ones((64, 32), np.float16), np.zeros((32, 32), np.float32)
product[(1,)](a, b, c, 64, 32)
"""


@pytest.fixture(scope="module")
def cases():
    """Kernels of test/data by folder and name, while `import triton` leads to ttkit."""
    before, path = dict(sys.modules), list(sys.path)
    yield load(("kernels", "gluon", "gluon_later", "language"))
    compat.uninstall()
    sys.path[:] = path
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("triton", "cases"):
            del sys.modules[name]


def outcome(text):
    """`equal`, or why not."""
    return judged(text)[0]


def checked(outcomes, least):
    """Checks that no source is another kernel or none, and that at least so many are the same kernel."""
    equal = sum(each.count("equal") for each in outcomes.values())
    assert not [name for name, each in outcomes.items() if {"different", "not valid"} & {*each}]
    assert equal >= least, {name: each for name, each in outcomes.items() if {*each} != {"equal"}}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("step", [4, swept(1)])
@pytest.mark.parametrize("capability", [80, 90, 100])
def test_round_trips_of_the_corpus(cases, capability, step):
    """They are those of one kernel in `step`."""
    found = [case for case in cases["kernels"].values() if capability in case.archs][::step]
    outcomes = {case.name: list(map(outcome, texts(source_of(case), capability, case.options))) for case in found}
    checked(outcomes, EQUAL[capability][step])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("step", [41, swept(5)])
@pytest.mark.parametrize("capability", [90, 100])
def test_round_trips_of_bench(cases, capability, step):
    """They are those of one kernel in `step`."""
    found = of_set("bench", capability, cases)[::step]
    outcomes = {name: list(map(outcome, texts(source, capability, options))) for name, source, options in found}
    checked(outcomes, BENCH[capability][step])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("folder", "step", "least"),
    [
        ("gluon", 5, GLUON[5]),
        ("gluon_later", 1, LATER),
        swept(("gluon", 1, GLUON[1])),
    ],
)
def test_round_trips_of_gluon(cases, folder, step, least):
    """Kernels in Gluon come back as themselves."""
    found = [(case, each) for case in cases[folder].values() for each in case.archs if isinstance(each, int)][::step]
    outcomes = {
        f"{case.name}.{capability}": [outcome(compiled(source_of(case), capability, case.options, "ttgir")[0])]
        for case, capability in found
    }
    checked(outcomes, least)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "body",
    [
        "%1 = arith.sitofp %n : i32 to f32\n %2 = tt.approx_divf %1, %1 : f32\n tt.store %x, %2 : !tt.ptr<f32>",
        """%1 = arith.constant 1.5 : bf16
        %2 = math.exp2 %1 : bf16
        %3 = math.floor %2 : bf16
        %4 = arith.extf %3 : bf16 to f32
        tt.store %x, %4 : !tt.ptr<f32>""",
        "ttng.async_tma_store_wait {pendings = 1 : i32, read_only = false}",
        'ttg.inline_asm "bar.sync 1;" {constraints = "", pure = false} : () -> ()',
        """%1:2 = ttg.inline_asm "mov.f32 $0, $2; mov.b32 $1, 1;" {constraints = "=f,=r,r", pure = true} %n
            : (i32) -> (f32, i32)
        %2 = arith.addi %1#1, %n : i32
        tt.store %x, %1#0 : !tt.ptr<f32>""",
        """%1 = ttg.local_alloc : () -> BUFFER
        %2 = ttg.inline_asm "ld.shared.b32 $0, [$1];" {constraints = "=r,r", pure = false} %1 : (BUFFER) -> i32""",
    ],
)
def test_round_trips_of_operations(body):
    body = body.replace("BUFFER", "!ttg.memdesc<128xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,"
                        " order = [0]}>, #ttg.shared_memory, mutable>")  # fmt: skip
    text = PLAIN.replace("%n: i32)", "%n: i32) attributes {noinline = false}").replace("BODY", body)
    assert judged(text) == ("equal", "")


def test_copies_for_several_ctas_come_back():
    """A copy of one CTA for both, with its mask."""
    from test_gluon_clusters import BOTH, BOTH_ROWS, for_both, mbarrier

    constants = {"BARRIER": mbarrier.MBarrierLayout([[1]]), "layout": BOTH_ROWS, "multicast": True}
    source = ttkit.ASTSource(for_both, {"source": f"tensordesc<i32[8, 8],{BOTH!r}>", "dst": "*i32"}, constants)
    text = compiled(source, 90, {"num_ctas": 2}, "ttgir")[0]
    assert "multicast" in text and judged(text) == ("equal", "")


def test_atomics_on_unsigned_buffers_are_refused():
    layout = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
    body = f"""%1 = tt.make_range {{end = 128 : i32, start = 0 : i32}} : tensor<128xi32, {layout}>
    %2 = ttg.local_alloc : () -> BUFFER
    %3 = ttg.local_atomic_scatter_rmw umax, %2[%1], %1 {{axis = 0 : i32}}
        : (BUFFER, tensor<128xi32, {layout}>, tensor<128xi32, {layout}>) -> tensor<128xi32, {layout}>"""
    body = body.replace("BUFFER", "!ttg.memdesc<128xi32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1,"
                        " order = [0]}>, #ttg.shared_memory, mutable>")  # fmt: skip
    with ttkit.Context(), pytest.raises(lift.LiftError, match="the elements of buffers are signed integers"):
        lift.lifted(ttkit.parse(PLAIN.replace("BODY", body)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("step", [23, swept(1)])
def test_round_trips_of_the_language(cases, step):
    """Kernels for each function of the language."""
    found = of_set("language", 90, cases)[::step]
    outcomes = {name: list(map(outcome, texts(source, 90, options))) for name, source, options in found}
    checked(outcomes, LANGUAGE[step])


@pytest.fixture
def lifting(tmp_path):
    def run(*words, script=SCRIPT):
        (tmp_path / "script.py").write_text(script)
        return warm_commands.ttkit(tmp_path, "lift", *words, tmp_path / "script.py", TTKIT_DEVICE="interpret:sm_80")

    return run


def test_a_script_s_kernel_with_names_and_lines_of_the_source(lifting):
    done = lifting("--at", "tritongpu-pipeline")
    assert done.returncode == 0, done.stderr
    for part in (
        "def product(a, b, c, K):",
        "# script.py:11: left = tl.load",
        "gl.nvidia.ampere.mma_v2(",
        "async_copy.wait_group(2)",
        'SIGNATURE = {"a": "*fp16"'.replace('"', "'"),
    ):
        assert part in done.stdout


def test_words_that_name_nothing(lifting):
    done = lifting("--at", "tritongpu-pipelin")
    said = "no pass tritongpu-pipelin ran in the stage ttgir; did you mean 'tritongpu-pipeline'"
    assert done.returncode == 1 and said in done.stderr
    done = lifting("--kernel", "products")
    assert done.returncode == 1 and "the script compiled no kernel products\n" in done.stderr


def test_what_gluon_cannot_say_is_refused():
    body = "%1 = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 128 : i32} : !tt.ptr<i8>"
    with ttkit.Context(), pytest.raises(lift.LiftError, match=r"ttg\.global_scratch_alloc can't be written in Gluon"):
        lift.lifted(ttkit.parse(PLAIN.replace("BODY", body)))


def test_a_buffer_without_a_value_is_refused():
    shared = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>"
    barrier = f"!ttg.memdesc<1xi64, {shared}, #ttg.shared_memory, mutable>"
    body = f"""
    %1 = ub.poison : {barrier}
    ttng.tc_gen5_commit %1 : {barrier}
    """
    with ttkit.Context(), pytest.raises(lift.LiftError, match="buffers without a value have no spelling"):
        lift.lifted(ttkit.parse(PLAIN.replace("BODY", body)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("kernel", "before", "after"),
    [
        ("specialized_matmul", ".fence_async_shared()", ".fence_async_shared(cluster=True)"),
        ("specialized_matmul", ", count=1)", ", count=2)"),
        ("matmul_f16", ".warpgroup_mma_wait(0", ".warpgroup_mma_wait(1"),
        ("matmul_f16", "is_async=True)", ")"),
        ("descriptor_copy", ".store_wait(0)", ".store_wait(1)"),
        ("descriptor_copy", ", 8192)", ", 4096)"),
        ("library_functions", "__nv_tanhf", "__nv_sinhf"),
        ("mapped", "if cmpf", "if not cmpf"),
        ("diagnostics", "value_3, n, hex=True", "value_3, n"),
    ],
)
def test_another_kernel_is_different(cases, kernel, before, after):
    """The comparison leaves out what docs/gluon.md says, and no more."""
    case = cases["kernels"][kernel]
    *_, text = texts(source_of(case), 90, case.options)
    with ttkit.Context():
        found = lift.lifted(ttkit.parse(text))
    assert before in found.text, found.text
    assert not lift.check(text, found)
    assert lift.check(text, replace(found, text=found.text.replace(before, after, 1)))


def test_other_ir_is_different():
    with ttkit.Context():
        first = ttkit.parse(PLAIN.replace("BODY", "%1 = arith.addi %n, %n : i32"))
        second = ttkit.parse(PLAIN.replace("BODY", "%1 = arith.muli %n, %n : i32"))
        assert lift.canonical_text(first) != lift.canonical_text(second)


def test_an_unknown_gpu_is_an_error_of_the_argument(tmp_path):
    done = warm_commands.ttkit(tmp_path, "lift", "--capability", "1", "k.ttir")
    assert done.returncode == 2
    assert "argument --capability: unknown target sm_1" in done.stderr
