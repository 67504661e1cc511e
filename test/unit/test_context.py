"""Modules that `ttkit.parse` makes live for as long as anything in them is in use; what it says of other things."""

import gc
import subprocess
import sys

import pytest
from mlir import ir

import ttkit
import ttkit.language as tl
from ttkit import context as contexts
from ttkit.dialects import arith
from ttkit.inspection import address_of, addresses_of_users, has_uses, users_of
from ttkit.passes.infra.nesting import operations_in

TEXT = "tt.func @f(%x: i32) { %0 = arith.addi %x, %x : i32 tt.return }"

CASES = {
    "operation": "op = ttkit.parse(TEXT).body.operations[0]; print(op)",
    "operation in a given context": "with ttkit.Context(): op = ttkit.parse(TEXT).body.operations[0]\nprint(op)",
    "block": "block = ttkit.parse(TEXT).body.operations[0].body.blocks[0]; print(block)",
    "argument": "x = ttkit.parse(TEXT).body.operations[0].body.blocks[0].arguments[0]; print(x.owner)",
    "result": (
        "v = ttkit.parse(TEXT).body.operations[0].body.blocks[0].operations[0].result\nprint(v.owner, list(v.uses))"
    ),
    "while others are parsed": (
        "op = ttkit.parse(TEXT).body.operations[0]\nfor _ in range(20): ttkit.parse(TEXT)\nprint(op)"
    ),
    "after passes": (
        "def made():\n    m = ttkit.parse(TEXT); ttkit.run_passes(m, 'cse'); return m.body.operations[0]\nprint(made())"
    ),
    "type and attribute": (
        "op = ttkit.parse(TEXT).body.operations[0]\nt = op.operation.attributes['function_type']; del op; print(t)"
    ),
    "until the process ends": "m = ttkit.parse(TEXT); op = m.body.operations[0]; print(op)",
}


@pytest.mark.parametrize("case", CASES)
def test_module_outlives_its_name(case: str) -> None:
    program = f"import ttkit\nTEXT = {TEXT!r}\n{CASES[case]}\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "i32" in done.stdout


def test_modules_out_of_use_are_freed() -> None:
    for _ in range(20):
        ttkit.parse(TEXT)
    operation = ttkit.parse(TEXT).body.operations[0]
    ttkit.Context()
    kept = len(contexts._KEPT)
    assert kept >= 1
    del operation
    ttkit.Context()
    assert len(contexts._KEPT) == kept - 1


def test_paths_are_no_text(tmp_path) -> None:
    with pytest.raises(
        ValueError, match=r"takes the text of a module, not a path: ttkit.parse\(open\('/no/where.ttir'"
    ):
        ttkit.parse("/no/where.ttir")
    with pytest.raises(TypeError, match=r"not a path: ttkit.parse\(open\("):
        ttkit.parse(tmp_path)
    with pytest.raises(TypeError, match="takes the text of a module, not int"):
        ttkit.parse(3)
    with pytest.raises(ir.MLIRError, match="nonsense"):
        ttkit.parse("nonsense")


def test_contexts_are_not_mixed() -> None:
    first, second = (ttkit.parse("tt.func @f(%x: i32) { tt.return }", ttkit.Context()) for _ in range(2))
    blocks = [module.body.operations[0].regions[0].blocks[0] for module in (first, second)]
    x = blocks[0].arguments[0]
    with second.context, ir.Location.unknown(), ir.InsertionPoint.at_block_begin(blocks[1]):
        before = str(second)
        with pytest.raises(ValueError, match="IR of one context can't use"):
            arith.addi(x, x)
        with pytest.raises(ValueError, match="IR of one context can't use"):
            arith.constant(x.type, 1)
        assert str(second) == before


def test_sequences_are_iterated_as_often_as_they_have_items() -> None:
    with ttkit.Context(), ir.Location.unknown():
        function = ttkit.parse(TEXT).body.operations[0]
        assert [len(region.blocks) for region in function.regions] == [1]
        assert not list(function.body.blocks[0].operations[0].regions)
        assert tuple(ir.DenseI32ArrayAttr.get([3, 4])) == (3, 4)
        assert list(ir.DenseBoolArrayAttr.get([])) == []
        assert [str(item) for item in ir.ArrayAttr.get([ir.UnitAttr.get(), ir.BoolAttr.get(True)])] == ["unit", "true"]
        assert [item.name for item in ir.DictAttr.get({"a": ir.UnitAttr.get()})] == ["a"]
        block = function.body.blocks[0]
        for value in (*block.arguments, *(result for op in block.operations for result in op.operation.results)):
            users = [op for op in block.operations for operand in op.operation.operands if operand == value]
            assert sorted(map(address_of, users_of(value))) == sorted(address_of(op.operation) for op in users)
            assert has_uses(value) == bool(users)


def test_iteration_ends_where_uses_are_others() -> None:
    with ttkit.Context(), ir.Location.unknown():
        block = ttkit.parse(TEXT).body.operations[0].body.blocks[0]
        argument = block.arguments[0]
        one = arith.constant(argument.type, 1, ip=ir.InsertionPoint.at_block_begin(block))
        for use in argument.uses:
            use.owner.operands[use.operand_number] = one
        assert not has_uses(argument) and len(users_of(one)) == 2


def test_users_and_operations_are_told_however_many_there_are() -> None:
    with ttkit.Context(), ir.Location.unknown():
        function = ttkit.parse(TEXT).body.operations[0]
        block = function.body.blocks[0]
        one = arith.constant(ir.IntegerType.get_signless(32), 1, ip=ir.InsertionPoint.at_block_begin(block))
        for _ in range(40):
            arith.addi(one, one, ip=ir.InsertionPoint.after(one.owner))
        assert [op.name for op in users_of(one)] == ["arith.addi"] * 80
        assert addresses_of_users(one) == [address_of(use.owner.operation) for use in one.uses]
        walked: list[int] = []
        function.operation.walk(lambda op: walked.append(address_of(op)) or ir.WalkResult.ADVANCE)
        assert [address_of(op) for op in operations_in(function)] == walked


def compiled_in(context: contexts.Context, size: int = 100) -> None:
    """Uses a context as a compilation does."""
    with context:
        ttkit.run_passes(ttkit.parse(TEXT), "cse")
    contexts.leave(context, size)


def test_compilations_take_the_context_that_another_has_left() -> None:
    first = contexts.take()
    number = id(first)
    compiled_in(first)
    del first
    again = contexts.take()
    assert id(again) == number and again is not contexts.take()
    compiled_in(again, 1 << 20)  # it has the types and attributes of many kernels now
    assert again is not contexts.take()


def test_contexts_of_what_is_in_use_are_not_taken() -> None:
    context = contexts.take()
    with context:
        op = ttkit.parse(TEXT).body.operations[0]
    contexts.leave(context, 100)
    number = id(context)
    del context
    other = contexts.take()
    assert id(other) != number
    assert "arith.addi" in str(op)


@ttkit.jit
def products(a, b, out, steps, N: tl.constexpr):
    rows, columns = tl.arange(0, 64), tl.arange(0, N)
    total = tl.zeros((64, N), tl.float32)
    for step in range(steps):
        left = tl.load(a + rows[:, None] * 64 + tl.arange(0, 64)[None, :] + step * 4096)
        total = tl.dot(left, tl.load(b + tl.arange(0, 64)[:, None] * N + columns[None, :] + step * 4096), total)
    tl.store(out + rows, tl.sum(total, axis=1))


def test_compilations_in_a_row_need_one_context(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a compilation is left in a cycle, which would hold its context until the collector runs."""
    made: list[int] = []
    original = contexts.Context.__init__

    def counted(context: contexts.Context) -> None:
        made.append(1)
        original(context)

    def compile_all() -> None:
        types = {"a": "*fp16", "b": "*fp16", "out": "*fp32", "steps": "i32", "N": "constexpr"}
        for columns in (16, 32, 64):
            ttkit.compile(ttkit.ASTSource(products, types, {"N": columns}), ttkit.GPUTarget("cuda", 90, 32))

    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "1")
    compile_all()  # which loads modules
    gc.collect()
    monkeypatch.setattr(contexts.Context, "__init__", counted)
    gc.disable()
    try:
        compile_all()
    finally:
        gc.enable()
    assert not made
