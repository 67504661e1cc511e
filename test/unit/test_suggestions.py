"""Mistakes of a first hour: each error says what to write instead."""

import math
import subprocess
import sys

import pytest

import ttkit
import ttkit.language as tl
from ttkit import pipelines
from ttkit.frontend.source import ASTSource
from ttkit.language import gluon
from ttkit.options import CompileOptions
from ttkit.passes.infra import bridge
from ttkit.passes.infra.rewriting import NO_MATCH, apply_greedily
from ttkit.suggestions import suggestion

TARGET = ttkit.GPUTarget("cuda", 90, 32)
MODULE = "tt.func @a() { tt.return }\ntt.func @b() { tt.return }"


@ttkit.jit
def stores(x, B: tl.constexpr):
    tl.store(x, 1)


@ttkit.jit
def misspelt(x):
    tl.stor(x, 1)


@ttkit.jit
def sine_of_python(x):
    tl.store(x, math.sin(tl.load(x)))


class SeesFunctions(ttkit.Pass):
    """Note the functions that the pass runs on."""

    name = "sees-functions"
    anchor = "tt.func"
    seen: list[str] = []

    def run(self, op) -> None:
        assert op.name == "tt.func"
        self.seen.append(op.attributes["sym_name"].value)


def compiled(kernel, constants=None, **options):
    return ttkit.compile(ASTSource(kernel, {"x": "*fp32"}, constants or {}), target=TARGET, options=options)


@ttkit.jit
def range_of_a_number(x, n):
    tl.store(x + tl.arange(0, n), 1)


@ttkit.jit
def range_of_twelve(x):
    tl.store(x + tl.arange(0, 12), 1)


@ttkit.jit
def appends(x):
    values = [1, 2]
    values.append(3)
    tl.store(x, values[2])


@pytest.mark.parametrize(
    ("kernel", "advice"),
    [
        (range_of_a_number, "found int32[]; annotate the parameter as tl.constexpr"),
        (range_of_twelve, "found 12 elements; take 16, and mask the rest: mask=index < 12"),
        (appends, "lists in kernels can't change: use values + [value]"),
    ],
)
def test_kernels_are_told_what_to_write(kernel, advice) -> None:
    signature = {"x": "*fp32", "n": "i32"} if kernel is range_of_a_number else {"x": "*fp32"}
    with pytest.raises(ttkit.CompilationError) as error:
        ttkit.compile(ASTSource(kernel, signature, {}), target=TARGET)
    assert advice in str(error.value)


@pytest.mark.parametrize(("decorator", "name"), [(ttkit.jit, "@jit"), (gluon.jit, "@gluon.jit")])
def test_a_lambda_is_no_kernel(decorator, name) -> None:
    with pytest.raises(ValueError, match=f"found a lambda: {name} takes functions defined with `def`"):
        decorator(lambda x: None)


def test_a_letter_is_part_of_too_many_names():
    assert suggestion("C", ["num_ctas", "arch"]) == ""


def test_functions_of_the_language() -> None:
    with pytest.raises(AttributeError, match="no attribute 'sotre'; did you mean 'store'"):
        _ = tl.sotre
    with pytest.raises(ttkit.CompilationError, match="no attribute 'stor'; did you mean 'store'"):
        compiled(misspelt)
    with pytest.raises(ttkit.CompilationError, match=r"math.sin takes numbers of Python.*use tl.sin"):
        compiled(sine_of_python)


def test_launches() -> None:
    with pytest.raises(RuntimeError, match=r"a launch has a grid: stores\[grid\]\(...\)"):
        stores(1)
    with pytest.raises(KeyError, match="num_wraps was specified but unrecognised; did you mean 'num_warps'"):
        CompileOptions.check_names({"num_wraps": 4})


@pytest.mark.parametrize(
    ("pipeline", "kind", "message"),
    [
        (["cse"], TypeError, r"a pipeline is a text, such as 'canonicalize,cse'; found list: \['cse'\]"),
        ("csee", ValueError, "there is no pass 'csee'; did you mean 'cse'"),
        (
            "my-new",
            ValueError,
            "there is no pass 'my-new'; load the file of your own: --load-pass, ttkit.load_pass_file",
        ),
        ("triton-combin", ValueError, "there is no pass 'triton-combin'; did you mean 'triton-combine'"),
    ],
)
def test_pipelines(pipeline, kind, message) -> None:
    with pytest.raises(kind, match=message):
        ttkit.run_passes(ttkit.parse(MODULE), pipeline)


def test_passes_run_on_modules() -> None:
    with pytest.raises(TypeError, match="passes run on a module, or an operation; found str"):
        ttkit.run_passes(MODULE, "cse")


def test_patterns() -> None:
    module = ttkit.parse(MODULE)
    with pytest.raises(TypeError, match=r"such as module\.operation; found Module"):
        apply_greedily(module, {})
    for name in ("tt.lod", "load"):
        with pytest.raises(ValueError, match=f"a pattern is for '{name}', and there is no such operation"):
            apply_greedily(module.operation, {name: lambda op, rewriter: NO_MATCH})
    apply_greedily(module.operation, {"tt.load": lambda op, rewriter: NO_MATCH})


def test_passes_on_functions_nest_by_themselves(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))  # a kernel in the cache runs no passes
    SeesFunctions.seen.clear()
    with pipelines.insert_before("ttkit-ttgir", SeesFunctions):
        compiled(stores, {"B": 1})
    assert SeesFunctions.seen == ["stores"]
    module = ttkit.parse(MODULE)
    ttkit.run_passes(module, "sees-functions")
    ttkit.run_passes(module, "canonicalize,tt.func(sees-functions)")
    assert SeesFunctions.seen == ["stores", "a", "b", "a", "b"]


def test_names_and_command() -> None:
    assert dir(ttkit) == sorted(ttkit.__all__)
    done = subprocess.run([sys.executable, "-m", "ttkit", "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "usage: ttkit" in done.stdout


def test_missing_pass_files() -> None:
    code = "import sys; from ttkit.drivers.opt import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "x.mlir", "--load-pass=nosuch.py"], capture_output=True, text=True, timeout=60
    )
    assert "error: --load-pass: no such file: nosuch.py\n" in done.stderr
    assert "opt.py" not in done.stderr


def test_short_reprs() -> None:
    from ttkit.analysis.ledger import Ledger
    from ttkit.compiler.launch_check import Checking
    from ttkit.pipelines.snapshots import Snapshot, Snapshots

    ledger = Ledger()
    assert repr(ledger) == "<Ledger, empty>"
    module = ttkit.parse(MODULE)
    for name in ("(input)", "cse"):
        ledger.add(name, module.operation)
    assert repr(ledger) == "<Ledger of 1 passes, 0 conversions at the end>"
    assert repr(Checking()) == "<Checking: 0 launches of 0 kernels>"
    snapshots = Snapshots([Snapshot("k", "ttgir", "cse", "module {\n}\n" * 5000)])
    assert repr(snapshots) == "[<Snapshot of k: ttgir after cse, 10000 lines>]"


class Refuses(ttkit.Pass):
    """Refuse every module."""

    name = "refuses-modules"

    def run(self, op) -> None:
        raise ttkit.PassError(op, "a module like this can't be handled")


def test_errors_of_passes_show_one_operation() -> None:
    module = ttkit.parse("tt.func @a() { %0 = arith.constant 123456 : i32 tt.return }")
    shown = []
    module.context.emit_error_diagnostics = True
    handler = module.context.attach_diagnostic_handler(
        lambda found: shown.append(" ".join([found.message, *(note.message for note in found.notes)])) or True
    )
    try:
        with pytest.raises(ttkit.PassError, match="can't be handled"):
            bridge.register_pass(Refuses)
            ttkit.run_passes(module, Refuses.name)
    finally:
        handler.detach()
    assert "a module like this can't be handled" in shown[0]
    assert "123456" not in shown[0]
