"""Facts of kernels: what they are, and that they reach the code whichever road it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from sweeps import swept

import ttkit
import ttkit.language as tl
from ttkit import knobs
from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.sources import IRSource
from ttkit.explorer import Workbench
from ttkit.options import CompileOptions
from ttkit.tracing import trace

HINTS = {(number,): [["tt.divisibility", 16]] for number in range(4)}


@ttkit.jit
def product(a, b, c, size, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr):
    rows, columns, depth = tl.arange(0, ROWS), tl.arange(0, COLUMNS), tl.arange(0, DEPTH)
    at_a, at_b = a + rows[:, None] * size + depth[None, :], b + depth[:, None] * size + columns[None, :]
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for _ in range(0, size, DEPTH):
        total = tl.dot(tl.load(at_a), tl.load(at_b), total)
        at_a += DEPTH
        at_b += DEPTH * size
    tl.store(c + rows[:, None] * size + columns[None, :], total.to(tl.float16))


@ttkit.jit
def doubled(a, b, c, size, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr):
    at = tl.arange(0, ROWS * DEPTH)
    tl.store(c + at, tl.load(a + at) + tl.load(b + at))


# Name: the function, its pointers' type, sizes, the GPU, the options.
CASES = {
    "plain": (doubled, "*fp16", (64, 64, 32), 90, {}),
    "mma.sync": (product, "*fp16", (64, 64, 32), 80, {"num_stages": 1}),
    "fma": (product, "*fp32", (32, 32, 32), 75, {}),
    "wgmma": (product, "*fp16", (64, 64, 32), 90, {"num_stages": 1}),
    "wgmma beside copies": (product, "*fp16", (128, 128, 32), 90, {"num_stages": 3}),
    "tcgen05": (product, "*fp16", (128, 128, 32), 100, {}),
    "wide": (doubled, "*fp16", (4096, 64, 32), 90, {}),
    "narrow": (doubled, "*fp16", (16, 32, 32), 90, {}),
}
FACTS = {
    "plain": [],
    "mma.sync": ["dots", "mma_sync"],
    "fma": ["dots"],
    "wgmma": ["dots", "wgmma"],
    "wgmma beside copies": ["dots", "wgmma", "copies"],
    "tcgen05": ["dots", "tcgen5", "copies"],
    "wide": ["wide"],
    "narrow": ["narrow"],
}


def compilation(name: str, until: str) -> Compilation:
    function, kind, sizes, capability, options = CASES[name]
    signature = {"a": kind, "b": kind, "c": kind, "size": "i32"}
    source = ttkit.ASTSource(function, signature, dict(zip(("ROWS", "COLUMNS", "DEPTH"), sizes)), HINTS)
    target = ttkit.GPUTarget("cuda", capability, 32)
    return Compilation(source, target, CompileOptions.for_capability(capability, **options), until=until).run()


@pytest.mark.parametrize("name", CASES)
def test_facts_of_a_kernel(name: str) -> None:
    assert compilation(name, "llir").metadata["facts"] == FACTS[name]


@pytest.mark.parametrize("name", ["plain", "mma.sync", "wgmma beside copies"])
def test_facts_reach_code_that_is_made_apart(name: str) -> None:
    here = compilation(name, "ptx")
    with knobs.compilation.scope():
        knobs.compilation.isolate = True
        apart = compilation(name, "ptx")
    assert apart.asm["ptx"] == here.asm["ptx"]
    assert apart.metadata["facts"] == here.metadata["facts"] == FACTS[name]


def test_facts_reach_code_from_files(tmp_path: Path) -> None:
    made = compilation("wgmma beside copies", "ptx")
    path = tmp_path / "product.llir"
    path.write_text(str(made.asm["llir"]))
    (tmp_path / "product.json").write_bytes(made.files["product.json"])
    target, options = ttkit.GPUTarget("cuda", 90, 32), CompileOptions.for_capability(90)
    again = Compilation(IRSource(str(path), 90), target, options, until="ptx").run()
    assert again.asm["ptx"] == made.asm["ptx"]
    assert again.metadata["facts"] == made.metadata["facts"]


@pytest.mark.parametrize("noted", ["", "ttkit.facts = 3", 'ttkit.facts = [3, "of a later version"]'])
def test_a_module_without_facts_has_none(noted: str) -> None:
    with ttkit.Context():
        module = ttkit.parse(f"module attributes {{{noted}}} {{}}")
        assert KernelFacts.of_lowered(module.operation) == KernelFacts()


# --- The explorer takes the same road ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["plain", "wgmma", *map(swept, ("mma.sync", "wgmma beside copies", "tcgen05"))])
def test_the_explorer_makes_the_code_that_is_launched(name: str, tmp_path: Path) -> None:
    with trace(tmp_path / "page.html") as recorder:
        made = compilation(name, "cubin")
    bench = Workbench("", recorder.kernels)
    again = bench.kernels[bench.run(0, 0, 0, "before", None, bench.rest(0, 0, 0, "before"), check=False)]
    assert again.error == ""
    assert again.files["ptx"].decode() == made.asm["ptx"]
    assert again.files["cubin"] == bytes(made.asm["cubin"])


def test_a_kernel_of_those_that_are_compared_has_a_register_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    limited = compilation("wgmma beside copies", "cubin").asm["cubin"].resources.registers
    monkeypatch.setattr("ttkit.compiler.occupancy.with_best_limit", lambda made, *_: made)
    assert compilation("wgmma beside copies", "cubin").asm["cubin"].resources.registers > limited
