"""What Python holds of operations that were erased: an error, whatever it asks, and no crash."""

import subprocess
import sys

import pytest
from mlir import ir

import ttkit
from ttkit.dialects import arith

TEXT = """
tt.func @f(%x: i32, %p: !tt.ptr<i32>) {
  %dead = arith.muli %x, %x : i32
  %0 = arith.addi %x, %x : i32
  scf.if %c {
    %inner = arith.subi %x, %x : i32
  }
  tt.store %p, %0 : !tt.ptr<i32>
  tt.return
}""".replace("%c {", "%true {").replace("  %dead", "  %true = arith.constant true\n  %dead")


def body(module: ir.Module) -> ir.Block:
    return module.body.operations[0].regions[0].blocks[0]


def found(module: ir.Module, name: str) -> ir.OpView:
    return next(op for op in body(module).operations if op.operation.name == name)


def refused():
    return pytest.raises(ReferenceError, match=r"this arith.muli is gone: a pass, or erase\(\), has removed it")


def test_operations_erased_by_a_pass() -> None:
    module = ttkit.parse(TEXT)
    dead, alive = found(module, "arith.muli"), found(module, "arith.addi")
    plain, value, operand = dead.operation, dead.result, dead.lhs
    ttkit.run_passes(module, "canonicalize,cse")
    for ask in (
        lambda: str(dead),
        lambda: dead.lhs,
        lambda: dead.result,
        lambda: plain.name,
        lambda: plain.operands,
        lambda: plain.attributes["x"],
        lambda: plain.get_asm(),
        lambda: plain.erase(),
        lambda: plain.clone(),
        lambda: value.owner,
        lambda: value.type,
        lambda: str(value),
        lambda: value.replace_all_uses_with(operand),
    ):
        with refused():
            ask()
    assert "arith.addi" in str(alive) and operand.type == ir.IntegerType.get_signless(32, module.context)
    assert str(module).count("arith") == 1 and module.operation.verify()


def test_what_is_inside_of_an_erased_operation() -> None:
    module = ttkit.parse(TEXT.replace("arith.constant true", "arith.constant false"))
    conditional = found(module, "scf.if")
    block = conditional.regions[0].blocks[0]
    inner = block.operations[0]
    ttkit.run_passes(module, "canonicalize")
    for ask in (lambda: str(inner), lambda: inner.result, lambda: block.operations[0], lambda: str(block)):
        with pytest.raises(ReferenceError, match="is gone"):
            ask()


def test_operations_that_python_erases() -> None:
    module = ttkit.parse(TEXT)
    first, second = found(module, "arith.muli"), found(module, "arith.muli")
    value = first.result
    first.operation.erase()
    with refused():
        str(second)
    with pytest.raises(ReferenceError, match="its operation is gone"):
        _ = value.type
    assert "muli" not in str(module)


def test_what_a_pass_in_python_replaces() -> None:
    class Doubles(ttkit.Pass):
        """Replace x + x."""

        name = "doubles-nothing"

        def run(self, op) -> None:
            (add,) = (one for one in body(held).operations if one.operation.name == "arith.addi")
            with ir.InsertionPoint(add), add.location:
                add.result.replace_all_uses_with(arith.muli(add.lhs, add.lhs))
            add.operation.erase()

    from ttkit.passes.infra import bridge

    bridge.register_pass(Doubles)
    held = ttkit.parse(TEXT)
    before = found(held, "arith.addi")
    ttkit.run_passes(held, "doubles-nothing")
    with pytest.raises(ReferenceError, match=r"this arith.addi is gone"):
        str(before)
    assert held.operation.verify()


def test_new_operations_are_never_taken_for_erased_ones() -> None:
    """Their addresses differ, since those that are gone stay in memory."""
    module = ttkit.parse(TEXT)
    holder = [found(module, "arith.muli")]
    with module.context, ir.Location.unknown():
        for _ in range(50):
            ttkit.run_passes(module, "canonicalize")
            x = body(module).arguments[0]
            with ir.InsertionPoint.at_block_begin(body(module)):
                holder.append(arith.muli(x, x).owner)
            assert "arith.muli" in str(holder[-1])
        ttkit.run_passes(module, "canonicalize")
    for op in holder:
        with refused():
            str(op)


CRASHES = {
    "values of a context that is left": """
with ttkit.Context():
    module = ttkit.parse(TEXT)
value = module.body.operations[0].regions[0].blocks[0].arguments[0]
del module
print(value.type, value.owner)""",
    "erased, and the context is gone": """
def erased():
    module = ttkit.parse(TEXT)
    op = module.body.operations[0].regions[0].blocks[0].operations[1]
    ttkit.run_passes(module, "canonicalize")
    return op
op = erased()
for _ in range(20):
    other = ttkit.parse(TEXT)
    ttkit.run_passes(other, "canonicalize,cse")
try:
    print(op)
except ReferenceError as error:
    print("i32", error)
del op, other
ttkit.Context(); ttkit.Context()
print(ttkit.parse(TEXT))""",
    "many contexts": """
for _ in range(30):
    module = ttkit.parse(TEXT)
    held = list(module.body.operations[0].regions[0].blocks[0].operations)
    ttkit.run_passes(module, "canonicalize,symbol-dce,cse")
print("i32", len(held))""",
}


@pytest.mark.parametrize("case", CRASHES)
def test_no_crash(case: str) -> None:
    program = f"import ttkit\nTEXT = {TEXT!r}\n{CRASHES[case]}\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "i32" in done.stdout


def test_contexts_are_not_mixed() -> None:
    first, second = (ttkit.parse(TEXT, ttkit.Context()) for _ in range(2))
    x = body(first).arguments[0]
    with second.context, ir.Location.unknown(), ir.InsertionPoint.at_block_begin(body(second)):
        before = str(second)
        with pytest.raises(ValueError, match=r"arith.addi is built in one context from values, or types, of another"):
            arith.addi(x, x)
        with pytest.raises(ValueError, match=r"arith.constant is built in one context"):
            arith.constant(x.type, 1)
        assert str(second) == before
