"""The tuning table: its rows, and that each switch turns off what it names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import ttkit
import ttkit.language as tl
from ttkit import knobs, tuning
from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.compiler import isolation, llvm, occupancy
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.long_expressions import cut_chains
from ttkit.compiler.ptxas import Cubin
from ttkit.compiler.sources import IRSource
from ttkit.options import CompileOptions
from ttkit.passes.manager import run_passes
from ttkit.passes.registry import PASSES as REGISTERED
from ttkit.passes.stages import pipeline_text
from ttkit.target import Target
from ttkit.tuning import SWITCHES, TABLE, switched_off

TEST = Path(__file__).parents[1]
PASSES = sorted(name for name in SWITCHES if name.startswith("ttkit-"))
# Kernels of the corpus for sm_90, and the switches by which their PTX differs.
SAMPLE = {
    "matmul_f16_warps8": {"few-registers-order", "loop-addresses", "uniform-slots", "byte-addresses"},
    "layer_norm": {"programs-at-once", "streaming-programs", "hidden-thread-range"},
    "causal_attention": {"few-registers-order", "constant-comparisons"},
    "attention": {"wgmma-halves"},
    "custom_reductions": {"scalars-first", "divided-totals"},
    "matmul_ieee": {"fma-slices"},
}


@pytest.fixture
def off(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Turns switches off until the test ends."""
    yield lambda *names: monkeypatch.setenv("TTKIT_TUNING_OFF", ",".join(names))


# --- The table --------------------------------------------------------------------------------------------------------


def test_rows_are_the_constants() -> None:
    assert len({row.name for row in TABLE}) == len(TABLE) > 20
    constants = {}
    for file in (tuning.llvm, tuning.lowering, tuning.passes, tuning.registers):
        constants |= vars(file)
    for row in TABLE:
        assert constants[row.name] == row.value
        assert row.unit and row.measured and re.match(r"\d{4}-\d\d(-\d\d)?\b", row.date)
    assert {row.switch for row in TABLE} == set(SWITCHES)


def test_each_threshold_is_read() -> None:
    root = TEST.parent
    files = [*(root / "passes").rglob("*.py"), *(root / "python" / "ttkit").rglob("*.py")]
    words: set[str] = set()
    for path in files:
        if path.parent.name != "tuning":
            words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    assert not {row.name for row in TABLE} - words


def test_switches_that_there_are_not(off) -> None:
    off("ping-pong")
    with pytest.raises(ValueError, match="'ping-pong' is not a switch; did you mean 'ttkit-ping-pong'"):
        switched_off()


def test_switches_are_part_of_the_cache_key(off) -> None:
    assert "TTKIT_TUNING_OFF" not in knobs.cache_invalidating_variables()
    off("branches", "cut-chains")
    assert knobs.cache_invalidating_variables()["TTKIT_TUNING_OFF"] == "branches,cut-chains"


# --- Kernels of the corpus --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def corpus() -> Iterator[ModuleType]:
    """`kernel_sources` with the cases as CASES; `import triton` leads to ttkit while it is in use."""
    before, path = dict(sys.modules), list(sys.path)
    sys.path[:0] = [str(TEST), str(TEST / "oracle")]
    import compile_kernels
    import kernel_sources

    kernel_sources.CASES = compile_kernels.load()
    yield kernel_sources
    sys.path[:] = path
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("triton", "kernel_sources", "cases", "compile_kernels"):
            del sys.modules[name]


def ptx_of(corpus: ModuleType, name: str) -> str:
    case = corpus.CASES[name]
    options = CompileOptions.for_capability(90, **case.options)
    module = corpus.prepared_ttkit(case, 90)()
    with module.context:
        source = IRSource(f"{name}.ttir", 90, module)
        made = Compilation(source, ttkit.GPUTarget("cuda", 90, 32), options, until="ptx").run()
    return re.sub(r"^\s*\.(file|loc)\b.*$|\.section\s+\.debug(.|\n)*", "", str(made.asm["ptx"]), flags=re.MULTILINE)


@pytest.fixture(scope="module")
def usual(corpus: ModuleType) -> dict[str, str]:
    return {name: ptx_of(corpus, name) for name in SAMPLE}


@pytest.mark.parametrize("name", sorted(SWITCHES))
def test_kernels_compile_without_a_mechanism(name: str, off, corpus: ModuleType, usual: dict[str, str]) -> None:
    off(name)
    differ = {kernel for kernel, switches in SAMPLE.items() if name in switches}
    assert not [k for k in {"layer_norm", *differ} if (ptx_of(corpus, k) != usual[k]) != (k in differ)]


def test_kernels_compile_without_any(off, corpus: ModuleType, usual: dict[str, str]) -> None:
    off(*SWITCHES)
    assert all(ptx_of(corpus, name) != usual[name] for name in SAMPLE)


# --- What the sample does not show ------------------------------------------------------------------------------------


OF_TTGIR = tuple(
    f"ttkit-{name}" for name in ("choose-warp-groups", "run-longest-first", "run-persistently", "split-masked-loops")
)


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_leaves_its_stage(name: str, off) -> None:
    assert name in REGISTERED
    stage = "ttkit-ttgir" if name in OF_TTGIR else "ttkit-llir"
    assert name in pipeline_text(stage)
    off(name)
    assert name not in pipeline_text(stage)


@ttkit.jit
def error_function(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.erf(tl.load(x + at)))


@ttkit.jit
def halves(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + BLOCK + at, tl.load(x + at).to(tl.float16).to(tl.int32))


@ttkit.jit
def total(x, BLOCK: tl.constexpr):
    tl.store(x, tl.sum(tl.load(x + tl.arange(0, BLOCK)), 0))


@ttkit.jit
def lower_triangle(x, BLOCK: tl.constexpr):
    rows = (tl.program_id(0) % 2).to(tl.int64) * 32 + tl.arange(0, 32)
    at = x + tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
    total = tl.zeros((32, 32), tl.float32)
    for i in range(tl.program_id(1)):
        kept = (rows[:, None] < 64) & (i * 32 + tl.arange(0, 32)[None, :] < BLOCK)
        values = tl.load(at + i * BLOCK, mask=kept, other=0.0)
        total = tl.dot(values, values, total)
    tl.store(at, tl.where(rows[:, None] >= rows[None, :], total, 0.0).to(tl.float16))


@ttkit.jit
def many_terms(x, BLOCK: tl.constexpr):
    value = tl.load(x)
    total = value * 3
    for i in tl.static_range(BLOCK):
        total ^= value * (2 * i + 5)
    tl.store(x, total)


@ttkit.jit
def reversed_bytes(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + BLOCK + at, tl.flip(tl.load(x + at)))


@ttkit.jit
def sum_of_chosen_rows(x, BLOCK: tl.constexpr):
    at, total = tl.arange(0, BLOCK), tl.zeros((BLOCK,), tl.int32)
    for row in range(tl.load(x), tl.load(x + 1)):
        total += tl.load(x + tl.load(x + row) * BLOCK + at)
    tl.store(x + at, total)


@ttkit.jit
def chosen_by_bits(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    bits = tl.load(x + at)
    odd, two = bits & 1 != 0, bits & 2 != 0
    upper = tl.where(odd, tl.where(two, 3, 5), tl.where(two, 7, 11))
    lower = tl.where(odd, tl.where(two, 13, 17), tl.where(two, 19, 23))
    tl.store(x + BLOCK + at, tl.where(bits & 4 != 0, upper, lower))


@ttkit.jit
def stored_or_added(x, BLOCK: tl.constexpr):
    rows = tl.arange(0, 64) * tl.load(x)
    at = x + rows[:, None] + tl.arange(0, BLOCK)[None, :] * tl.load(x + 1)
    if tl.program_id(0) % 2:
        tl.store(at, 7)
    else:
        tl.atomic_add(at, 9)


@pytest.mark.parametrize(
    ("name", "function", "kind", "block", "warps"),
    [
        ("scalar-comparisons", lower_triangle, "*fp16", 1024, 1),
        ("scalars-first", sum_of_chosen_rows, "*i32", 128, 4),
        ("expression-order", chosen_by_bits, "*i32", 1024, 4),
        ("branch-arms", stored_or_added, "*i32", 64, 1),
        ("branches", error_function, "*fp32", 1024, 4),
        ("half-of-integers", halves, "*i32", 1024, 4),
        ("shared-reductions", total, "*fp32", 1024, 16),
        ("cut-expressions", many_terms, "*i32", tuning.llvm.MOST_TERMS + 100, 4),
        ("wide-vectors", reversed_bytes, "*i8", 2048, 4),
    ],
)
def test_ptx_differs(name: str, function: object, kind: str, block: int, warps: int, off) -> None:
    def ptx() -> str:
        source = ttkit.ASTSource(function, {"x": kind}, {"BLOCK": block})
        options = CompileOptions.for_capability(90, num_warps=warps)
        return Compilation(source, ttkit.GPUTarget("cuda", 90, 32), options, until="ptx").run().asm["ptx"]

    usual = ptx()
    off(name)
    assert ptx() != usual
    off()
    assert ptx() == usual


@pytest.mark.parametrize(
    ("name", "facts"),
    [("register-limits", KernelFacts(wgmma=True)), ("tensor-memory-registers", KernelFacts(tcgen5=True))],
)
def test_no_register_limit_is_tried(name: str, facts: KernelFacts, off) -> None:
    made, tried = Cubin(b""), []
    made.log = "Used 186 registers\n32 bytes spill stores\n"

    def assemble(text: str) -> Cubin:
        tried.append(text)
        return made

    text = ".visible .entry k()\n.reqntid 256\n{}"
    occupancy.with_best_limit(made, text, facts, 81920, Target(90), assemble)
    assert tried
    tried.clear()
    off(name)
    assert occupancy.with_best_limit(made, text, facts, 81920, Target(90), assemble) is made
    assert not tried


def test_many_addresses_stay_in_the_process(off) -> None:
    assert isolation.has_many_addresses(tuning.llvm.MANY_ADDRESSES + 1)
    off("isolated-addresses")
    assert not isolation.has_many_addresses(tuning.llvm.MANY_ADDRESSES + 1)


def test_chains_stay_whole(off) -> None:
    length = tuning.llvm.MANY_INTEGERS + 1
    lines = [f"  %v{i} = add i32 %v{i - 1}, %n" for i in range(1, length)]
    begin = "define ptx_kernel void @k(ptr addrspace(1) %x, i32 %n) {\n  %v0 = mul i32 %n, %n\n"
    text = "\n".join([begin, *lines, f"  store i32 %v{length - 1}, ptr addrspace(1) %x", "  ret void", "}"])

    def has_freeze() -> bool:
        with llvm.Module.parse(text) as module:
            cut_chains(module._context.pointer, [function for _, function, _ in module.functions()])
            return "freeze" in str(module)

    assert has_freeze()
    off("cut-chains")
    assert not has_freeze()


def test_wide_tensors_are_not_told_of(off) -> None:
    layout = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>"
    text = f"""#b = {layout}
    module attributes {{"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"}} {{
      tt.func public @k() {{
        %a = tt.make_range {{start = 0 : i32, end = 32768 : i32}} : tensor<32768xi32, #b>
        tt.return
      }}
    }}"""

    def is_wide() -> bool:
        with ttkit.Context():
            module = ttkit.parse(text)
            run_passes(module, "convert-triton-gpu-to-llvm")
            return KernelFacts.of_lowered(module.operation).wide

    assert is_wide()
    off("wide-tensors")
    assert not is_wide()
