"""Passes: running them from Python, what goes wrong, and that each is registered, documented and tested."""

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from mlir import ir

import ttkit
from ttkit.dialects import arith
from ttkit.passes.infra import (
    MATCHED,
    NO_MATCH,
    Pass,
    PassError,
    apply_greedily,
    bridge,
    collect,
    constant_splat,
    option,
)
from ttkit.passes.infra.description import describe_class, describe_source, option_text, option_value
from ttkit.passes.infra.given import given_passes
from ttkit.passes.registry import PASSES

ROOT = Path(__file__).parents[2]
FUNCTION = """
func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.muli %x, %x : i32
  return %0 : i32
}
"""


@dataclass(frozen=True)
class Recorder(Pass):
    """Keep the options it was given."""

    name = "test-recorder"
    depth: int = option(2, "levels")
    names: tuple[str, ...] = option((), "names")

    seen = []

    def run(self, op: ir.Operation) -> None:
        Recorder.seen.append((op.name, self))


@dataclass(frozen=True)
class Failing(Pass):
    """Fail."""

    name = "test-failing"
    how: str = option("input", "input, bug or pattern")

    def run(self, op: ir.Operation) -> None:
        (multiply,) = collect(op, [arith.MulIOp])
        if self.how == "input":
            raise PassError(multiply, "no products, please")
        if self.how == "pattern":
            apply_greedily(op, {arith.MulIOp: lambda op, rewriter: None})
        raise ZeroDivisionError("a bug")


@dataclass(frozen=True)
class Spoiling(Pass):
    """Make a function invalid."""

    name = "test-spoiling"
    what: str = option("nothing", "what is changed")

    def run(self, op: ir.Operation) -> None:
        (function,), (multiply,) = collect(op, ["func.func"]), collect(op, [arith.MulIOp])
        block, f32 = function.regions[0].blocks[0], ir.F32Type.get()
        match self.what:
            case "operand":
                multiply.operands[0] = block.arguments[1]
            case "result":
                multiply.results[0].set_type(f32)
            case "argument":
                block.arguments[0].set_type(f32)
            case "attribute":
                function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([f32], [f32]))
            case "terminator":
                block.operations[1].erase()


@pytest.fixture(scope="module", autouse=True)
def _registered():
    ttkit.Context()
    for cls in (Recorder, Failing, Spoiling):
        bridge.register_pass(cls)


@pytest.fixture
def module():
    with ttkit.Context():
        yield ttkit.parse(FUNCTION)


def test_options_arrive_typed(module: ir.Module) -> None:
    Recorder.seen.clear()
    ttkit.run_passes(module, "test-recorder{depth=5 names=a,b},test-recorder")
    assert Recorder.seen == [
        ("builtin.module", Recorder(depth=5, names=("a", "b"))),
        ("builtin.module", Recorder()),
    ]


def test_python_and_upstream_passes_share_a_pipeline(module: ir.Module) -> None:
    ttkit.run_passes(module, "builtin.module(func.func(canonicalize,cse),test-recorder)")
    assert "arith.constant" not in str(module)


@pytest.mark.parametrize(
    "nested", ["NAME", "NAME{}", "canonicalize,NAME,cse", "func.func(NAME),NAME", "builtin.module(NAME)"]
)
def test_passes_of_mlir_for_functions_run_on_those_of_a_module(module: ir.Module, nested: str) -> None:
    ttkit.run_passes(module, nested.replace("NAME", "optimize-allocation-liveness"))
    given_passes("optimize-allocation-liveness")


def test_a_pass_error_is_raised_as_it_was(module: ir.Module) -> None:
    with pytest.raises(PassError, match="no products") as caught:
        ttkit.run_passes(module, "test-failing")
    assert caught.value.operation.name == "arith.muli"


def test_a_bug_in_a_pass_is_raised_as_it_was(module: ir.Module) -> None:
    with pytest.raises(ZeroDivisionError, match="a bug"):
        ttkit.run_passes(module, "test-failing{how=bug}")


@pytest.mark.parametrize("what", ["operand", "result", "argument", "attribute", "terminator"])
def test_what_a_pass_changes_is_verified(what: str) -> None:
    with ttkit.Context():
        module = ttkit.parse("func.func @f(%x: i32, %y: f32) -> i32 { %0 = arith.muli %x, %x : i32 return %0 : i32 }")
        with pytest.raises(ir.MLIRError):
            ttkit.run_passes(module, f"test-spoiling{{what={what}}}")
        ttkit.run_passes(module, "test-spoiling")  # it changes nothing: what was found before is not found again


def test_a_pattern_must_say_whether_it_matched(module: ir.Module) -> None:
    with pytest.raises(TypeError, match="returned None; return MATCHED or NO_MATCH"):
        ttkit.run_passes(module, "test-failing{how=pattern}")


def test_the_module_is_usable_after_a_failure(module: ir.Module) -> None:
    with pytest.raises(PassError):
        ttkit.run_passes(module, "test-failing")
    ttkit.run_passes(module, "canonicalize")
    assert module.operation.verify()


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        ("no-such-pass", "no-such-pass"),
        ("test-recorder{depth=x}", "test-recorder"),
        ("test-recorder{", "'}' is missing"),
        ("func.func(test-recorder)", "test-recorder"),
    ],
)
def test_a_malformed_pipeline_is_a_value_error(module: ir.Module, pipeline: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ttkit.run_passes(module, pipeline)


def test_patterns_that_undo_each_other_do_not_hang(module: ir.Module) -> None:
    def swap(op: arith.MulIOp, rewriter) -> bool:
        with rewriter.ip, op.location:
            rewriter.replace_op(op, [arith.muli(op.rhs, op.lhs)])
        return MATCHED

    with pytest.raises(RuntimeError, match="did not converge"):
        apply_greedily(module.operation, {arith.MulIOp: swap})


def test_patterns_are_tried_in_the_order_given(module: ir.Module) -> None:
    order = []

    def first(op: arith.MulIOp, rewriter) -> bool:
        order.append("first")
        return NO_MATCH

    def second(op: arith.MulIOp, rewriter) -> bool:
        order.append("second")
        return NO_MATCH

    apply_greedily(module.operation, {arith.MulIOp: [first, second]})
    assert order[:2] == ["first", "second"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("arith.constant 7 : i32", 7),
        ("arith.constant -7 : i8", -7),
        ("arith.constant true", 1),
        ("arith.constant dense<2.5> : tensor<4xf32>", 2.5),
        ("arith.constant dense<true> : tensor<4xi1>", 1),
        ("arith.constant dense<[1, 2]> : tensor<2xi32>", None),
        ("tt.splat %c : i32 -> tensor<4xi32>", 3),
        ("tt.splat %x : i32 -> tensor<4xi32>", None),
    ],
)
def test_constant_splat(text: str, number: float | None) -> None:
    with ttkit.Context():
        module = ttkit.parse(f"func.func @f(%x: i32) {{ %c = arith.constant 3 : i32\n %v = {text}\n return }}")
        value = module.body.operations[0].regions[0].blocks[0].operations[1].operation.results[0]
        assert constant_splat(value) == number


def test_two_passes_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="named 'test-recorder' exists already"):
        bridge.register_pass(Recorder)


def test_descriptions_from_source_equal_those_from_classes() -> None:
    for target in PASSES.values():
        module, _, name = target.partition(":")
        cls = getattr(__import__(module, fromlist=[name]), name)
        assert describe_source(target) == describe_class(cls)


@pytest.mark.parametrize("value", [True, False, 3, -1, 0.25, "text", (1, 2), (), ("a",)])
def test_option_text_reads_back(value) -> None:
    kind = {bool: "bool", int: "int", float: "float", str: "str"}.get(type(value))
    kind = kind or ("list[str]" if value and isinstance(value[0], str) else "list[int]")
    assert option_value(option_text(value), kind) == value


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_has_a_lit_file_and_a_docstring(name: str) -> None:
    stem = PASSES[name].partition(":")[0].rpartition(".")[2]
    docstring = ast.get_docstring(ast.parse((ROOT / "passes" / f"{stem}.py").read_text()))
    assert (ROOT / "test" / "lit" / "passes" / f"{stem}.mlir").exists()
    fields = ("\n\n    ", "=>", "\nInput:", "Output:", "\nOrder:", "\nSkips:", f"\nTest:   test/lit/passes/{stem}.mlir")
    for field in fields:
        assert field in docstring, field


def test_every_pass_file_is_registered() -> None:
    others = {"__init__", "changes", "manager", "registry", "stages"}
    stems = {path.stem for path in (ROOT / "passes").glob("*.py")} - others
    assert stems == {target.partition(":")[0].rpartition(".")[2] for target in PASSES.values()}
    assert list(PASSES) == sorted(PASSES)


def test_nothing_is_imported_before_a_pipeline_names_it() -> None:
    script = """
import sys, ttkit
assert not any(name.startswith("mlir") for name in sys.modules), "import ttkit loads MLIR"
with ttkit.Context():
    module = ttkit.parse("module {}")
    ttkit.run_passes(module, "canonicalize")
loaded = [name for name in sys.modules if name in ("ttkit.passes.combine", "ttkit.dialects.tt")]
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(
    ("annotation", "default"),
    [("int", "a"), ("int", True), ("int", 1.5), ("bool", 1), ("str", 1), ("tuple[int, ...]", ("a",))],
)
def test_the_default_of_an_option_has_its_type(annotation: str, default: object) -> None:
    from dataclasses import make_dataclass

    from ttkit.passes.infra import option
    from ttkit.passes.infra.description import describe_class

    fields = [("size", annotation, option(default, "a size"))]
    cls = make_dataclass("Sized", fields, bases=(ttkit.Pass,), namespace={"run": lambda self, op: None}, frozen=True)
    with pytest.raises(TypeError, match=r"Sized\.size: an option of type <.*> has the default"):
        describe_class(cls)


def test_a_misspelt_operation_is_not_just_absent() -> None:
    from ttkit.inspection import collect

    root = ttkit.parse("tt.func @f(%x: f32) { %0 = arith.mulf %x, %x : f32 tt.return }").operation
    with pytest.raises(ValueError, match=r"no operation is called 'arith\.mulff'; did you mean 'arith\.mulf'"):
        collect(root, ["arith.mulff"])
    assert collect(root, ["arith.addf"]) == [] == collect(root, ["later.op"])
    assert [op.name for op in collect(root, ["arith.mulf"])] == ["arith.mulf"]
