"""Threads that compile and run passes at the same time: each gets its own result, or its own error."""

import importlib.util
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from mlir import ir
from sweeps import swept

import ttkit
import ttkit.language as tl
from ttkit import pipelines
from ttkit.passes.infra import Pass, PassError, bridge, collect, option
from ttkit.passes.infra.events import PassSubscriber

THREADS = 8
TARGET = ttkit.GPUTarget("cuda", 90, 32)
needs_ptxas = pytest.mark.skipif(
    importlib.util.find_spec("nvidia") is None, reason="needs ptxas of the nvidia-cuda-nvcc wheel"
)


@ttkit.jit
def add(x, y, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(y + i, tl.load(x + i) + tl.load(y + i))


@ttkit.jit
def softmax(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    row = tl.load(x + tl.program_id(0) * N + i)
    powers = tl.exp(row - tl.max(row, axis=0))
    tl.store(y + tl.program_id(0) * N + i, powers / tl.sum(powers, axis=0))


@ttkit.jit
def transpose(x, y, N: tl.constexpr):
    i = tl.arange(0, 16)
    j = tl.arange(0, N)
    tile = tl.load(x + i[:, None] * N + j[None, :])
    tl.store(y + j[:, None] * 16 + i[None, :], tile.T)


@ttkit.jit
def scan(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, tl.cumsum(tl.load(x + i), 0))


@ttkit.jit
def loop(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    total = tl.zeros((N,), tl.float32)
    for step in range(8):
        total += tl.math.erf(tl.load(x + step * N + i))
    tl.store(y + i, total)


KERNELS = [(fn, size, warps) for fn in (add, softmax, transpose, scan, loop) for size in (32, 64, 128, 256, 512)
           for warps in (2, 4)]  # fmt: skip


def compiled(fn, size, warps):
    source = ttkit.ASTSource(fn, {"x": "*fp32", "y": "*fp32", "N": "constexpr"}, {"N": size})
    made = ttkit.compile(source, TARGET, {"num_warps": warps}).asm
    return {level: made[level] for level in ("ttir", "ttgir", "llir", "ptx", "cubin")}


@dataclass(frozen=True)
class Raise(Pass):
    """Raise what it is told."""

    name = "test-raise"
    number: int = option(0, "a number for the message")
    is_mistake: bool = option(False, "whether it is one of the input")

    def run(self, op: ir.Operation) -> None:
        for _ in range(20):  # so that others run meanwhile
            collect(op, ["arith.addi"])
        if self.is_mistake:
            raise PassError(op, f"mistake {self.number}")
        raise LookupError(f"bug {self.number}")


MODULE = """
func.func @f(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
"""


@pytest.fixture(autouse=True)
def frequent_switches(monkeypatch, tmp_path):
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "1")
    yield
    sys.setswitchinterval(interval)


@pytest.fixture(scope="module", autouse=True)
def registered():
    bridge.register_as(Raise.name, Raise)


def at_once(function, jobs):
    """What a function gives for each of the jobs, done by threads that begin together."""
    threads = min(THREADS, len(jobs))
    barrier = threading.Barrier(threads)
    with ThreadPoolExecutor(threads, initializer=barrier.wait) as pool:
        return list(pool.map(lambda job: function(*job), jobs))


def raised(number, is_mistake):
    """What a run says and raises: its own number each time."""
    with ttkit.Context():
        module = ttkit.parse(MODULE)
        try:
            options = f"number={number} is-mistake={str(is_mistake).lower()}"
            ttkit.run_passes(module, f"canonicalize,test-raise{{{options}}},cse")
        except (PassError, LookupError) as error:
            assert f"{'mistake' if is_mistake else 'bug'} {number}" in str(error.__cause__)
            return type(error).__name__, str(error)
    return "nothing", ""


def expected(number, is_mistake):
    return ("PassError", f"mistake {number}") if is_mistake else ("LookupError", f"'bug {number}'".strip("'"))


FAILURES = [(number, number % 3 == 0) for number in range(200)]


def test_each_run_raises_its_own_error():
    assert at_once(raised, FAILURES) == [expected(*job) for job in FAILURES]


@needs_ptxas
@pytest.mark.parametrize("step", [3, swept(1)])
def test_kernels_and_errors_at_once(step):
    """Kernels, as one thread compiles them, among 200 passes that raise."""
    assert len(KERNELS) == 50
    kernels = KERNELS[::step]
    alone = [compiled(*kernel) for kernel in kernels]

    def either(kind, *job):
        return compiled(*job) if kind == "kernel" else raised(*job)

    jobs = [("kernel", *kernel) for kernel in kernels] + [("error", *failure) for failure in FAILURES]
    jobs = [job for first in range(5) for job in jobs[first::5]]  # mixed
    wanted = dict(zip((("kernel", *kernel) for kernel in kernels), alone))
    wanted |= {("error", *failure): expected(*failure) for failure in FAILURES}
    for job, found in zip(jobs, at_once(either, jobs)):
        assert found == wanted[job], job


@needs_ptxas
def test_the_first_compilation_may_be_in_threads():
    """In a process that has loaded nothing yet: every pass is described, every module imported, by whoever is first."""
    import subprocess

    code = """
import sys, threading
sys.setswitchinterval(1e-5)
sys.path.insert(0, sys.argv[1])
import test_threads as t
from concurrent.futures import ThreadPoolExecutor
barrier = threading.Barrier(t.THREADS)
with ThreadPoolExecutor(t.THREADS, initializer=barrier.wait) as pool:
    made = list(pool.map(lambda kernel: t.compiled(*kernel)["ptx"], t.KERNELS[:16]))
print(len(made), len(set(made)))
"""
    from pathlib import Path

    command = [sys.executable, "-X", "faulthandler", "-c", code, str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "16 16\n", "")


def test_each_thread_has_its_own_subscribers():
    class Names(PassSubscriber):
        def __init__(self):
            self.names, self.threads = [], set()

        def after(self, event):
            self.names.append(event.arguments)
            self.threads.add(threading.get_ident())

    def watched(factor):
        names = Names()
        with ttkit.Context():
            ttkit.run_passes(
                ttkit.parse(MODULE), f"cse,sccp,canonicalize{{max-num-rewrites={factor}}}", subscribers=[names]
            )
        assert names.threads == {threading.get_ident()}
        assert len(names.names) == 3 and f"max-num-rewrites={factor} " in names.names[2]
        return factor

    assert at_once(watched, [(n,) for n in range(1, 101)]) == list(range(1, 101))


@needs_ptxas
def test_snapshots_and_ledgers_are_of_the_thread(monkeypatch):
    def watched(fn, size, warps):
        with pipelines.snapshots() as shots, pipelines.ledgers() as ledgers:
            compiled(fn, size, warps)
        assert list(ledgers) == [fn.__name__]
        return {shot.kernel for shot in shots}, len(shots), [len(ledger.entries) for ledger in ledgers.values()]

    jobs = KERNELS[::7]
    alone = [watched(*job) for job in jobs]
    assert at_once(watched, jobs) == alone


@needs_ptxas
def test_dumps_are_whole(monkeypatch, tmp_path):
    """Texts of kernels that are compiled at once don't mix."""
    monkeypatch.setenv("MLIR_ENABLE_DUMP", "1")
    monkeypatch.setenv("MLIR_DUMP_PATH", str(tmp_path / "dump"))
    at_once(compiled, KERNELS[::10])
    texts = (tmp_path / "dump").read_text().split("// -----// IR Dump Before ")[1:]
    assert len(texts) > 100
    for text in texts:
        header, _, body = text.partition("//----- //\n")
        assert header.endswith("operation) ") or ": @" in header
        with ttkit.Context():
            ttkit.parse(body)


@needs_ptxas
def test_flags_of_llvm_are_those_of_one_compilation(monkeypatch, capfd):
    monkeypatch.setenv("LLVM_IR_ENABLE_DUMP", "softmax")
    at_once(compiled, [(fn, 64, 4) for fn in (add, softmax, scan, add, softmax, scan)])
    dumped = capfd.readouterr().err
    assert dumped.count("IR Dump After") > 20 and "@softmax(" in dumped
    assert "@add(" not in dumped and "@scan(" not in dumped


def test_classes_of_passes_may_be_registered_in_threads():
    def register(number):
        cls = type(f"Numbered{number}", (Pass,), {"name": "test-numbered", "run": lambda self, op: None})
        return bridge.register_as("test-numbered", cls)

    names = at_once(register, [(n,) for n in range(40)])
    assert len(set(names)) == 40


def test_descriptions_that_fail_are_told_each_time():
    class Wrong(Pass):
        name = "test-wrong"

    bridge.register_as("test-wrong", Wrong)

    def run():
        with ttkit.Context(), pytest.raises(TypeError, match="Wrong has no run method"):
            ttkit.run_passes(ttkit.parse(MODULE), "test-wrong")

    at_once(run, [()] * 24)
