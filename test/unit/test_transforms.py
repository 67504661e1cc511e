"""What passes call in C++: hoisting, unrolling, CSE, folding, cloning, setting operands; and peeling."""

import pytest
from mlir import ir

import ttkit
from ttkit.dialects import arith, tt
from ttkit.passes.infra import (
    clone_operations,
    collect,
    eliminate_common_subexpressions,
    fold,
    hoist_loop_invariants,
    set_operands,
    unroll_loop,
)
from ttkit.passes.infra.peeling import peel_last_iteration
from ttkit.passes.infra.transforms import update_operands

LOOP = """
tt.func @f(%p: !tt.ptr<f32>, %m: i1, %n: i32, %x: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = math.exp %x : f32
    %1 = tt.load %p : !tt.ptr<f32>
    %2 = arith.addf %0, %1 : f32
    %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
    tt.store %q, %2 : !tt.ptr<f32>
  }
  tt.return
}
"""


@pytest.fixture
def module(context):
    return ttkit.parse(LOOP)


def the(module: ir.Module, name: str) -> ir.Operation:
    (found,) = collect(module.operation, [name])
    return found


def test_what_may_leave_a_loop_is_asked_for(module):
    asked = []

    def refuse(loop: ir.Operation, load: ir.Operation) -> bool:
        asked.append((loop.name, load.name))
        return False

    assert hoist_loop_invariants(module.operation, {tt.LoadOp: refuse}) == 1  # math.exp
    assert set(asked) == {("scf.for", "tt.load")}
    assert the(module, "math.exp").parent.name == "tt.func"
    assert the(module, "tt.load").parent.name == "scf.for"
    assert hoist_loop_invariants(module.operation, {tt.LoadOp: lambda loop, load: True}) == 2  # and the sum
    assert the(module, "arith.addf").parent.name == "tt.func"


def test_an_exception_while_hoisting_arrives(module):
    def fail(loop: ir.Operation, load: ir.Operation) -> bool:
        raise KeyError("no")

    with pytest.raises(KeyError):
        hoist_loop_invariants(module.operation, {"tt.load": fail})
    assert module.operation.verify()


def test_unrolling_gives_the_loop_over_the_rest(module):
    done, rest = unroll_loop(the(module, "scf.for"), 2)
    assert done and rest is not None and rest.name == "scf.for"
    assert len(collect(module.operation, ["tt.store"])) == 3
    assert module.operation.verify()


def test_what_is_no_loop_is_not_unrolled(module):
    assert unroll_loop(the(module, "tt.store"), 2) == (False, None)


def test_cse_says_whether_it_changed_anything(context):
    text = "%0 = arith.addi %x, %x : i32\n %1 = arith.addi %x, %x : i32\n tt.store %p, %1 : !tt.ptr<i32>"
    module = ttkit.parse(f"tt.func @f(%x: i32, %p: !tt.ptr<i32>) {{ {text}\n tt.return }}")
    assert eliminate_common_subexpressions(module.operation)
    assert not eliminate_common_subexpressions(module.operation)


def test_folding_gives_a_value_or_none(module):
    (c0, c1, *_) = collect(module.operation, ["arith.constant"])
    with ir.InsertionPoint(the(module, "scf.for")):
        total = arith.addi(c1.result, c1.result)
        same = arith.addi(c1.result, c0.result)
        unknown = arith.addi(c1.result, the(module, "scf.for").operands[1])
    assert fold(total.owner)[0].owner.attributes["value"].value == 2
    assert fold(same.owner) == [c1.result]
    assert fold(unknown.owner) is None


def test_clones_use_clones_and_what_is_mapped(module):
    load, total = the(module, "tt.load"), the(module, "arith.addf")
    other = the(module, "tt.addptr").results[0]
    at = ir.InsertionPoint(the(module, "tt.store"))
    new_load, new_total = clone_operations([load, total], [(load.operands[0], other)], at)
    assert new_load.operands[0] == other
    assert list(new_total.operands) == [total.operands[0], new_load.result]
    assert module.operation.verify()


def test_an_operation_gets_more_operands(module):
    load = the(module, "tt.load")
    mask = module.body.operations[0].regions[0].blocks[0].arguments[1]
    set_operands(load, [load.operands[0], mask])
    load.attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, 1, 0])
    assert load.opview.mask == mask
    assert module.operation.verify()


def test_only_operands_that_differ_are_set(module):
    sum_, store = the(module, "arith.addf"), the(module, "tt.store")
    x = module.body.operations[0].regions[0].blocks[0].arguments[3]
    loaded, exponential = the(module, "tt.load").result, the(module, "math.exp").result
    update_operands(store, (operand for operand in store.operands))
    assert [use.owner.operation.name for use in store.opview.ptr.uses] == ["tt.store"]
    update_operands(sum_, [exponential, x])
    assert list(sum_.operands) == [exponential, x] and not list(loaded.uses)
    update_operands(sum_, [x])
    assert list(sum_.operands) == [x, x]
    # The uses of a value that stays keep their order: the last one comes first.
    order = [(use.owner.operation.name, use.operand_number) for use in x.uses]
    update_operands(sum_, [x, exponential])
    update_operands(the(module, "math.exp"), [x])
    assert [(use.owner.operation.name, use.operand_number) for use in x.uses] == [
        place for place in order if place != ("arith.addf", 1)
    ]


def test_peeled_operations_are_shown_and_replaced(module):
    seen = []

    def rewrite(op: ir.Operation, is_peeled: bool) -> ir.Operation | None:
        seen.append((op.name, is_peeled))
        if op.name != "math.exp" or not is_peeled:
            return None
        with ir.InsertionPoint(op), op.location:
            return arith.constant(op.result.type, 1.0).owner.operation

    peeled = peel_last_iteration(the(module, "scf.for").opview, rewrite)
    names = [name for name, is_peeled in seen if is_peeled]
    assert names == [name for name, is_peeled in seen if not is_peeled] == [
        "math.exp", "tt.load", "arith.addf", "tt.addptr", "tt.store"
    ]  # fmt: skip
    total = next(op for op in peeled.then_block.operations if isinstance(op, arith.AddFOp))
    assert isinstance(total.lhs.owner, arith.ConstantOp)
    assert module.operation.verify()
