"""`ttkit lift`: the ttg of kernels as Gluon that compiles to the same ttg."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest
import warm_commands
from sweeps import swept

import ttkit
from ttkit import compat, lift
from ttkit.compiler.compilation import Compilation
from ttkit.options import CompileOptions
from ttkit.passes.stages import ttgir

DATA = Path(__file__).parents[1] / "data"
POINTS = ("tritongpu-coalesce", "remove-last-conversions", "end")
EQUAL = {1: 131, 4: 37}
"""Round trips by step: of 156, 52 kernels at three points, and of 39.  The others are refused: libdevice by symbol,
functions of elements with branches, tt.cat, tt.dot_scaled, reordering reshapes, and views whose layout a pass chose."""
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
    """Kernels of test/data by name, while `import triton` leads to ttkit."""
    before, path = dict(sys.modules), list(sys.path)
    compat.install(children=False)
    sys.path[:0] = [str(DATA / "kernels")]
    found = {}
    for file in sorted((DATA / "kernels").glob("*.py")):
        if "hopper" not in file.read_text() and file.stem != "cases":
            spec = importlib.util.spec_from_file_location(file.stem, file)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            found |= {case.name: case for case in module.CASES if 80 in case.archs}
    yield found
    compat.uninstall()
    sys.path[:] = path
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("triton", "cases"):
            del sys.modules[name]


def texts(case):
    """The kernel's IR for sm_80 at the three points."""
    options = CompileOptions.for_capability(80, **case.options)
    source = ttkit.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
    tt = Compilation(source, ttkit.GPUTarget("cuda", 80, 32), options, until="ttir").run().asm["ttir"]
    with ttkit.Context():
        module = ttkit.parse(tt)
        for step in ttgir(options):
            name, text = (step, step) if isinstance(step, str) else (step.name, step.text)
            ttkit.run_passes(module, text)
            if name in POINTS:
                yield module.operation.get_asm(enable_debug_info=True)
        yield module.operation.get_asm(enable_debug_info=True)


def outcome(text):
    """`equal`, or why not."""
    try:
        with ttkit.Context():
            found = lift.lifted(ttkit.parse(text))
        return "different" if lift.check(text, found) else "equal"
    except lift.LiftError:
        return "refused"
    except (ttkit.CompilationError, ValueError):
        return "not valid"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("step", [4, swept(1)])
def test_round_trips_of_the_corpus(cases, step):
    """Of one kernel in `step`."""
    outcomes = {name: [outcome(text) for text in texts(cases[name])] for name in list(cases)[::step]}
    equal = sum(each.count("equal") for each in outcomes.values())
    assert not [name for name, each in outcomes.items() if "different" in each]
    assert equal >= EQUAL[step], {name: each for name, each in outcomes.items() if set(each) != {"equal"}}


@pytest.fixture
def lifting(tmp_path):
    def run(*words, script=SCRIPT):
        (tmp_path / "script.py").write_text(script)
        command = [sys.executable, "-m", "ttkit", "lift", *words, str(tmp_path / "script.py")]
        environment = {**os.environ, "TTKIT_DEVICE": "interpret:sm_80", "TRITON_CACHE_DIR": str(tmp_path / "cache")}
        return warm_commands.run(command, env=environment)

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
    body = '%1 = tt.extern_elementwise %n {libname = "", libpath = "", pure = true, symbol = "__nv_clz"} : (i32) -> i32'
    with ttkit.Context(), pytest.raises(lift.LiftError, match=r"tt\.extern_elementwise can't be written in Gluon"):
        lift.lifted(ttkit.parse(PLAIN.replace("BODY", body)))


def test_a_product_of_newer_gpus_is_refused_with_what_to_do():
    with ttkit.Context(), pytest.raises(lift.LiftError, match="with TTKIT_DEVICE=interpret:sm_80 there are none"):
        lift.lifted(ttkit.parse(PLAIN.replace("BODY", "ttng.fence_async_shared {bCluster = false}")))


def test_other_ir_is_different():
    with ttkit.Context():
        first = ttkit.parse(PLAIN.replace("BODY", "%1 = arith.addi %n, %n : i32"))
        second = ttkit.parse(PLAIN.replace("BODY", "%1 = arith.muli %n, %n : i32"))
        assert lift.canonical_text(first) != lift.canonical_text(second)
