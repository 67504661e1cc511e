"""A compilation that takes more time or memory than it may ends with an error at the line with most code."""

import os
import sys
import time

import pytest

import ttkit
import ttkit.language as tl
from ttkit import budget
from ttkit.compiler import isolation
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.over_budget import BudgetError
from ttkit.compiler.pass_inspection import run_stage
from ttkit.compiler.ptxas import PTXASError, assemble
from ttkit.frontend.source import ASTSource
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

OPTIONS = CompileOptions.for_capability(90)


@ttkit.jit
def unrolled(p, n: tl.constexpr):
    x = tl.load(p)
    for i in tl.static_range(n):
        x = x * x + i  # most of the code
    tl.store(p, x)


def compiled(n=20, until="cubin"):
    source = ASTSource(unrolled, {"p": "*fp32", "n": "constexpr"}, {"n": n})
    return Compilation(source, GPUTarget("cuda", 90, 32), OPTIONS, until=until).run()


def program(folder, monkeypatch, text):
    """An assembler in Python, which has ptxas's version."""
    path = folder / "ptxas"
    version = "Cuda compilation tools, release 13.0, V13.0.88"
    lines = [f"#!{sys.executable}", "import sys", f"if '--version' in sys.argv: sys.exit(print({version!r}))", text]
    path.write_text("\n".join(lines))
    path.chmod(0o755)
    monkeypatch.setenv("TRITON_PTXAS_PATH", str(path))


def test_an_assembler_that_takes_long_is_ended(tmp_path, monkeypatch):
    program(tmp_path, monkeypatch, "import time; time.sleep(60)")
    monkeypatch.setenv("TTKIT_COMPILE_SECONDS", "2")
    began = time.monotonic()
    with pytest.raises(BudgetError) as raised:
        compiled()
    assert time.monotonic() - began < 20
    first, source, share = str(raised.value).split("\n")
    line = unrolled.starting_line_number + 4
    assert first.startswith(f"{os.path.abspath(__file__)}:{line}: error: compiling unrolled took more than 2 s")
    assert first.endswith("(TTKIT_COMPILE_SECONDS), on the way from ptx to cubin")
    assert source == "    x = x * x + i  # most of the code"
    assert "% of the code at the level ptx comes from there; unroll less" in share


def test_an_assembler_that_takes_much_memory_is_ended(tmp_path, monkeypatch):
    program(tmp_path, monkeypatch, "a = [b'a' * (1 << 20) for _ in range(2000)]")
    monkeypatch.setenv("TTKIT_COMPILE_MEMORY", "300")
    with pytest.raises(BudgetError, match=r"more than 300 MiB of memory \(TTKIT_COMPILE_MEMORY\)"):
        compiled()


def test_memory_is_blamed_only_where_the_process_says_so(tmp_path, monkeypatch):
    """Its largest size would say less: that of a child begins with its parent's."""
    program(tmp_path, monkeypatch, "sys.exit('ptxas error: wrong')")
    monkeypatch.setenv("TTKIT_COMPILE_MEMORY", "300")
    with pytest.raises(PTXASError, match="wrong"):
        compiled()


def test_its_own_errors_stay_its_own():
    with budget.limited(60, 4000), pytest.raises(PTXASError, match="PTXAS error"):
        assemble("no PTX", OPTIONS.target)


def test_llvm_is_ended_where_there_is_much_code(monkeypatch):
    monkeypatch.setattr(isolation, "LONG", 0)
    monkeypatch.setattr(isolation, "SERVE", "import time; time.sleep(60)")
    monkeypatch.setenv("TTKIT_COMPILE_SECONDS", "2")
    with pytest.raises(BudgetError, match="on the way from ttgir to llir\n    x = x"):
        compiled()


def test_it_is_looked_at_between_statements_and_passes(monkeypatch):
    now, module = time.perf_counter, ttkit.parse("module {}")
    with budget.limited(1, 0):
        monkeypatch.setattr(time, "perf_counter", lambda: now() + 10)
        with pytest.raises(Exception, match=r"more than 1 s \(TTKIT_COMPILE_SECONDS\)"):
            compiled(until="ttir")
        with pytest.raises(budget.OverBudget):
            run_stage(module, "ttir", ["cse"])


def test_the_growth_of_this_process_counts(monkeypatch):
    sizes = iter([1 << 30, 2 << 30])
    monkeypatch.setattr(budget, "_resident", lambda: next(sizes))
    with budget.limited(0, 512), pytest.raises(budget.OverBudget, match="512 MiB"):
        budget.check()


def test_code_is_the_same_with_a_budget(monkeypatch):
    plain = compiled(until="ptx").asm["ptx"]
    monkeypatch.setenv("TTKIT_COMPILE_SECONDS", "600")
    assert compiled(until="ptx").asm["ptx"] == plain
    monkeypatch.setattr(isolation, "LONG", 0)
    assert compiled(until="ptx").asm["ptx"] == plain


def test_an_outer_budget_counts():
    with budget.limited(1, 0), budget.limited(100, 0):
        assert budget._budget.get().seconds == 1
    assert not budget.is_limited()
    budget.check()


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system does not tell when a process ends")
def test_the_end_of_a_process_is_not_looked_for(monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail(f"waits for {seconds} s"))
    with budget.limited(seconds=60, mebibytes=0):
        assert budget.run_process(["sleep", "0.1"]).returncode == 0
