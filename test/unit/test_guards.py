"""What Python holds of operations that are gone, and IR of several contexts: errors, and never a crash."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from mlir import ir

import ttkit
from ttkit.guards import erased

PRELUDE = '''
import gc, io
from mlir import ir
import ttkit
from ttkit.dialects import arith
from ttkit.passes.infra.bridge import register_pass
from ttkit.passes.infra import MATCHED, apply_greedily, canonicalize_ops

TEXT = """tt.func @f(%x: i32, %p: !tt.ptr<i32>) {
  %dead, %more = arith.mulsi_extended %x, %x : i32
  %0 = arith.addi %x, %x : i32
  %c = arith.constant false
  scf.if %c {
    %inner = arith.subi %x, %x : i32
    tt.store %p, %inner : !tt.ptr<i32>
  }
  tt.store %p, %0 : !tt.ptr<i32>
  tt.return
}"""


class Held:
    """All that can be held of a module of TEXT."""

    def __init__(self):
        self.module = ttkit.parse(TEXT, ttkit.Context())
        self.context = self.module.context
        self.function = self.module.body.operations[0].operation
        self.body = self.function.regions[0].blocks[0]
        self.view, self.add, _, self.branch, self.store, _ = self.body.operations
        self.op, self.x = self.view.operation, self.body.arguments[0]
        self.value, self.results, self.operands = self.op.results[0], self.op.results, self.op.operands
        self.attributes, self.region = self.op.attributes, self.branch.operation.regions[0]
        self.block = self.region.blocks[0]
        self.arguments, self.operations, self.iterator = self.block.arguments, self.block.operations, iter(self.block)
        self.inner = self.operations[0]
        self.detached = ir.Operation.create("tt.return", loc=ir.Location.unknown(self.context), ip=False)
        self.point, self.twin = ir.InsertionPoint(self.op), self.body.operations[0].operation


def erase(held):
    """Through other objects than those that are held."""
    branch, first = held.body.operations[3], held.body.operations[0]
    branch.operation.erase()
    first.operation.erase()


def rewrite(held):
    def double(op, rewriter):
        rewriter.erase_op(op)
        return MATCHED

    apply_greedily(held.function, {"arith.mulsi_extended": double})


class Erases(ttkit.Pass):
    """Erase what has no uses."""

    name = "test-erases"

    def run(self, op):
        block = op.regions[0].blocks[0].operations[0].regions[0].blocks[0]
        block.operations[3].operation.erase()
        block.operations[0].operation.erase()


def own_pass(held):
    register_pass(Erases)
    ttkit.run_passes(held.module, "test-erases")


ERASED_BY = {
    "passes": lambda held: ttkit.run_passes(held.module, "canonicalize,cse"),
    "erase": erase,
    "a pattern": rewrite,
    "a pass in Python": own_pass,
    "canonicalize_ops": lambda held: canonicalize_ops(held.function, ["scf.if"]),
}
'''

ASKED = """
str(held.view); held.op.name; held.op.results; held.op.result; held.op.operands; held.op.regions; held.op.location
held.op.parent; held.op.block; held.op.successors; held.op.context; held.op.clone(); held.op.verify(); held.op.erase()
held.op.detach_from_parent(); held.op.opview; held.op.move_after(held.store); held.store.move_after(held.op)
held.op.is_before_in_block(held.store); held.store.operation.is_before_in_block(held.op); held.op.get_asm()
held.op.write_bytecode(io.BytesIO()); held.op.walk(lambda op: ir.WalkResult.ADVANCE); held.twin.name; held.view.lhs
ir.InsertionPoint(held.op); ir.InsertionPoint.after(held.op); held.value.type; held.value.owner; list(held.value.uses)
str(held.value); held.value.get_name(); held.value.location; held.value.replace_all_uses_with(held.x)
held.x.replace_all_uses_with(held.value); held.value.set_type(held.x.type); held.value.result_number
ir.Operation.create("arith.negf", [held.x.type], [held.value], loc=ir.Location.unknown(held.context))
held.store.operation.operands.__setitem__(1, held.value); held.results[0]; held.results.owner; held.operands[0]
held.operands.__setitem__(0, held.x); held.attributes["x"]; list(held.attributes); len(held.attributes)
held.attributes.__setitem__("x", ir.UnitAttr.get(held.context)); held.point.insert(held.detached)
"""
ASKED_OF_REGIONS = """
str(held.block); held.block.arguments; held.block.operations; held.block.owner; held.block.region
list(held.block.successors); list(held.block.predecessors); held.block.append(held.store)
held.block.add_argument(held.x.type, ir.Location.unknown(held.context)); held.block.create_after()
held.block.append_to(held.function.regions[0]); list(held.block); ir.InsertionPoint(held.block); held.inner.name
ir.InsertionPoint.at_block_begin(held.block); held.region.blocks; held.region.owner; list(held.region)
held.operations[0]; list(held.operations); next(held.iterator)
"""

# glibc fills memory that is freed: what reads it ends the process.
FREED = {"MALLOC_PERTURB_": "165", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}


def run(program: str) -> str:
    """The output of a program, which ends in good order."""
    program = PRELUDE + textwrap.dedent(program)
    command, environment = [sys.executable, "-W", "ignore", "-c", program], os.environ | FREED
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("how", ["passes", "erase", "a pattern", "a pass in Python", "canonicalize_ops"])
def test_what_was_erased_can_be_used_no_more(how: str) -> None:
    asked = [] if how == "canonicalize_ops" else ASKED.replace("\n", ";").split(";")
    asked += [] if how == "a pattern" else ASKED_OF_REGIONS.replace("\n", ";").split(";")
    output = run(f"""
        held = Held()
        ERASED_BY[{how!r}](held)
        for asked in {[one.strip() for one in asked if one.strip()]!r}:
            try:
                eval(asked)
                print("no error:", asked)
            except (RuntimeError, TypeError, IndexError, ValueError) as error:
                pass
        assert held.add.operation.name == "arith.addi" and held.x.type == held.add.result.type
        assert held.module.operation.verify()
        print(held.module)
    """)
    assert "no error" not in output and "arith.addi" in output


def test_it_says_so() -> None:
    output = run("""
        held = Held()
        ttkit.run_passes(held.module, "canonicalize")
        try:
            held.view.lhs
        except RuntimeError as error:
            print(error)
    """)
    assert output == "the operation has been invalidated\n"


def test_what_is_left_stays_usable() -> None:
    text = "tt.func @f(%x: i32) -> i32 { %a = arith.muli %x, %x : i32 %b = arith.muli %x, %x : i32 tt.return %a : i32 }"
    module = ttkit.parse(text, ttkit.Context())
    function = module.body.operations[0]
    first, second, last = function.regions[0].blocks[0].operations
    value = first.result
    ttkit.run_passes(module, "cse")
    assert function.operation.name == "tt.func" and last.operands[0] == value == first.result
    with pytest.raises(RuntimeError, match="invalidated"):
        _ = second.result


def test_new_operations_are_never_taken_for_erased_ones() -> None:
    """They often lie where erased ones did."""
    module = ttkit.parse("tt.func @f(%x: i32) { tt.return }", ttkit.Context())
    block = module.body.operations[0].regions[0].blocks[0]
    x, gone = block.arguments[0], []
    from ttkit.dialects import arith

    with module.context, ir.Location.unknown():
        for round in range(40):
            with ir.InsertionPoint.at_block_begin(block):
                made = arith.muli(x, x).owner
            assert made.operation.name == "arith.muli" and made.result.type == x.type
            if round % 2:
                made.operation.erase()
            else:
                ttkit.run_passes(module, "canonicalize")
            gone.append(made)
    ttkit.run_passes(
        module, "canonicalize"
    )  # among thousands of objects the last erasure is noticed at the next search
    for op in gone:
        with pytest.raises(RuntimeError, match="invalidated"):
            _ = op.result


def test_results_in_use_are_not_erased() -> None:
    module = ttkit.parse("tt.func @f(%x: i32) -> i32 { %a = arith.muli %x, %x : i32 tt.return %a : i32 }")
    op = module.body.operations[0].regions[0].blocks[0].operations[0]
    with pytest.raises(ValueError, match="operation with used results"):
        op.operation.erase()
    assert op.operation.verify()


def test_compilations_are_not_watched() -> None:
    assert erased.is_watched()
    with erased.watching(False):
        assert not erased.is_watched()
    assert erased.is_watched()


def test_a_pattern_leaves_the_insertion_point_that_it_erases() -> None:
    module = ttkit.parse("tt.func @f(%x: i32) -> i32 { %a = arith.muli %x, %x : i32 tt.return %a : i32 }")
    from ttkit.dialects import arith
    from ttkit.passes.infra import MATCHED, apply_greedily

    def add(op, rewriter):
        with rewriter.ip, op.location:
            rewriter.replace_op(op, [arith.addi(op.lhs, op.rhs)])
        return MATCHED

    apply_greedily(module.operation, {"arith.muli": add})
    assert "arith.addi" in str(module) and module.operation.verify()


@pytest.mark.parametrize("watched", [True, False])
@pytest.mark.parametrize("count", [0, 2])
def test_a_pattern_replaces_each_result_by_one_value(count: int, watched: bool) -> None:
    output = run(f"""
        from ttkit.guards import erased

        def wrong(op, rewriter):
            rewriter.replace_op(op, [held.x] * {count})
            return MATCHED

        held = Held()
        try:
            with erased.watching({watched}):
                apply_greedily(held.function, {{"arith.addi": wrong}})
        except ValueError as error:
            print(error)
        assert held.module.operation.verify()
    """)
    found = "0 values" if count == 0 else "2 values"
    assert output == f"replace_op: arith.addi has 1 result, but got {found}: pass one value for each result\n"


CRASHES = {
    "the module's name is gone": """
        op = ttkit.parse(TEXT).body.operations[0]
        print(op)""",
    "the context is left": """
        with ttkit.Context():
            module = ttkit.parse(TEXT)
        value = module.body.operations[0].regions[0].blocks[0].arguments[0]
        del module
        print(value.type, value.owner)""",
    "all of it is gone": """
        def held():
            held = Held()
            ttkit.run_passes(held.module, "canonicalize")
            return held.view, held.value, held.results
        kept = [held() for _ in range(20)]
        gc.collect()
        for view, value, results in kept:
            try:
                view.lhs
            except RuntimeError as error:
                print(error)
            try:
                print(list(results))
            except ValueError as error:
                assert "was erased" in str(error)
        del kept
        gc.collect()
        ttkit.Context()
        print(ttkit.parse(TEXT))""",
    "an insertion point of what went while nothing was watched": """
        from mlir.passmanager import PassManager
        from ttkit.guards import erased
        held = Held()
        point = ir.InsertionPoint(held.block)
        with erased.watching(False):
            PassManager.parse("builtin.module(canonicalize)", held.context).run(held.module.operation)
        # Other IR may have the address of its block.
        erased.watched_instances().end(point)
        try:
            point.block
        except ValueError as error:
            print(error)""",
    "held by a set, and by a key": """
        held = Held()
        kept = {held.value: 1, held.x: 2}
        ttkit.run_passes(held.module, "canonicalize")
        print(kept[held.x])
        print(len(list(kept)))""",
}


@pytest.mark.parametrize("case", CRASHES)
def test_no_crash(case: str) -> None:
    assert run(CRASHES[case])


MIXED = """
a.op.attributes["x"] = ir.StringAttr.get("text", b.context)
a.op.operands[0] = b.x
a.body.append(b.store)
a.op.move_before(b.op)
a.op.move_after(b.op)
a.op.clone(ip=ir.InsertionPoint(b.op))
a.op.location = ir.Location.unknown(b.context)
a.value.replace_all_uses_with(b.x)
a.value.replace_all_uses_except(b.x, [a.add])
a.store.operation.replace_uses_of_with(a.x, b.x)
a.x.set_type(b.x.type)
a.x.set_location(ir.Location.unknown(b.context))
a.body.add_argument(b.x.type, ir.Location.unknown(b.context))
a.body.append_to(b.function.regions[0])
ir.InsertionPoint(a.op).insert(ir.Operation.create("tt.return", loc=ir.Location.unknown(b.context)))
ir.Operation.create("arith.addi", [a.x.type], [b.x, b.x], loc=ir.Location.unknown(a.context))
ir.Operation.create("tt.return", loc=ir.Location.unknown(b.context), ip=ir.InsertionPoint(a.op))
ir.Operation.create("tt.return", attributes={"x": ir.UnitAttr.get(b.context)}, loc=ir.Location.unknown(a.context))
arith.addi(b.x, b.x, loc=ir.Location.unknown(a.context))
arith.constant(b.x.type, 1, loc=ir.Location.unknown(b.context), ip=ir.InsertionPoint(a.op))
"""


def test_contexts_are_not_mixed() -> None:
    output = run(f"""
        for line in {MIXED.strip().splitlines()!r}:
            a, b = Held(), Held()
            before = str(a.module), str(b.module)
            try:
                exec(line)
                print("no error:", line)
            except ValueError as error:
                assert "of one context can't use" in str(error), error
            assert (str(a.module), str(b.module)) == before, line
        def replace(op, rewriter):
            rewriter.replace_op(op, [b.x])
            return MATCHED

        try:
            apply_greedily(a.function, dict([("arith.addi", replace)]))
        except ValueError as error:
            print(error)
    """)
    assert output.startswith("IR of one context can't use")


# --- Attributes -------------------------------------------------------------------------------------------------------
def test_attributes_of_another_kind() -> None:
    """Each attribute of each operation in the lit files of dialects: set to others, and removed."""
    folder = Path(__file__).parents[1] / "lit" / "dialects"
    output = run(f"""
        from pathlib import Path

        context = ttkit.Context()
        number = ir.IntegerType.get_signless(64, context)
        others = [
            *(ir.UnitAttr.get(context), ir.StringAttr.get("x", context), ir.IntegerAttr.get(number, 3)),
            *(ir.ArrayAttr.get([], context), ir.TypeAttr.get(number, context), ir.DenseI32ArrayAttr.get([1], context)),
        ]
        known, refused = set(), 0

        def tried(op):
            global refused
            for name in [] if op.name.startswith("tt.func") else list(op.attributes):
                if (op.name, name) in known:
                    continue
                known.add((op.name, name))
                before = op.attributes[name]
                for other in others:
                    last = op.attributes[name]
                    try:
                        op.attributes[name] = other
                    except ValueError as error:
                        assert f"'{{op.name}}' can't have the attribute '{{name}}'" in str(error)
                        assert op.attributes[name] == last
                        refused += 1
                    str(op)
                del op.attributes[name]
                str(op)
                op.attributes[name] = before
            return ir.WalkResult.ADVANCE

        for path in sorted(Path({str(folder)!r}).glob("*/ops*.mlir")):
            for text in path.read_text().split("// -----"):
                try:
                    module = ir.Module.parse(text, context)
                except ir.MLIRError:
                    continue
                module.operation.walk(tried)
        print(len(known) > 100, refused > 500)
    """)
    assert output == "True True\n"


def test_new_operations_with_attributes_of_another_kind() -> None:
    output = run("""
        from ttkit.dialects import tt

        text = "tt.func @f(%p: !tt.ptr<i32>) { %x = tt.load %p : !tt.ptr<i32> tt.return }"
        module = ttkit.parse(text, ttkit.Context())
        load = module.body.operations[0].regions[0].blocks[0].operations[0]
        given = {name: load.attributes[name] for name in load.attributes}
        with module.context, ir.InsertionPoint(load), ir.Location.unknown():
            given["cache"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 3)
            for build in (
                lambda: ir.Operation.create("tt.load", [load.result.type], [load.ptr], given),
                lambda: tt.LoadOp.build_generic([load.result.type], [load.ptr], attributes=given),
                lambda: tt.load(load.ptr, cache=given["cache"], results=[load.result.type]),
            ):
                try:
                    build()
                    print("built")
                except (ValueError, ir.MLIRError) as error:
                    assert "cache" in str(error), error
        print(str(module).count("tt.load"))
    """)
    assert output == "1\n"


def test_comparison_with_none_is_false():
    """As of any object in Python; the bindings raise TypeError."""
    with ttkit.Context():
        module = ttkit.parse("tt.func @f(%x: i32) {\n  %y = arith.addi %x, %x : i32\n  tt.return\n}")
        function = module.body.operations[0].operation
        block = function.regions[0].blocks[0]
        op = block.operations[0].operation
        held = [module, function, block, op, op.opview, op.result, block.arguments[0], function.regions[0]]
        held += [op.result.type, function.attributes["sym_name"], op.location]
        nothing = None
        for one in held:
            assert one != nothing
            assert nothing != one
            assert not one.__eq__(nothing)
            assert one in [nothing, one]
