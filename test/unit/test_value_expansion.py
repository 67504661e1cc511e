"""Values replaced by several: values that control flow must carry, and what is refused."""

import gc

import pytest

import ttkit
from ttkit import PassError
from ttkit.inspection import collect
from ttkit.passes.infra.value_expansion import ValueExpansion

POINTER, DESCRIPTOR = "triton-rewrite-tensor-pointer", "triton-rewrite-tensor-descriptor-to-pointer"
BLOCK = "!tt.ptr<tensor<8xf32>>"


def rewritten(body, arguments="", name=POINTER, before=""):
    """The operations that a kernel's body becomes.  It has %p, %q, %n, %m, %i and %c."""
    kinds = "%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i64, %m: i64, %i: i32, %c: i1"
    module = ttkit.parse(f"{before}\ntt.func @f({kinds}{arguments}) {{\n{body}\n  tt.return\n}}")
    ttkit.run_passes(module, name)
    assert module.operation.verify()
    return module


def pointer(name, base="%p", size="%n", stride="%n", offset="%i"):
    attributes = "{order = array<i32: 0>} : <tensor<8xf32>>"
    return f"{name} = tt.make_tensor_ptr {base}, [{size}], [{stride}], [{offset}] {attributes}"


# --- Contexts --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [POINTER, DESCRIPTOR])
def test_contexts_may_go_before_the_garbage_is_collected(name):
    gc.disable()
    try:
        for _ in range(3):
            with ttkit.Context():
                rewritten(pointer("%0") + f"\n%1 = tt.load %0 : {BLOCK}", name=name)
    finally:
        gc.enable()
    gc.collect()


# --- What is carried -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "types"),
    [
        ({}, {}, ["i64"]),
        ({}, {"offset": "%j"}, ["i64"]),
        ({}, {"base": "%q"}, ["!tt.ptr<f32>", "i64"]),
        ({}, {"size": "%m"}, ["i64", "i64"]),
        ({}, {"base": "%q", "size": "%m", "stride": "%m"}, ["!tt.ptr<f32>", "i64", "i64", "i64"]),
        # The same operations on the same values give the same number.
        ({"stride": "%one"}, {"stride": "%one_again"}, ["i64"]),
        ({"size": "%wide"}, {"size": "%wide_again"}, ["i64"]),
        ({"size": "%wide"}, {"size": "%other"}, ["i64", "i64"]),
    ],
)
def test_a_branch_gives_what_differs(first, second, types, context):
    numbers = """
      %j = arith.addi %i, %i : i32
      %one = arith.constant 1 : i64
      %one_again = arith.constant 1 : i64
      %wide = arith.extsi %i : i32 to i64
      %wide_again = arith.extsi %i : i32 to i64
      %other = arith.extui %i : i32 to i64
    """
    branch = f"%r = scf.if %c -> ({BLOCK}) {{\n scf.yield %0 : {BLOCK}\n}} else {{\n scf.yield %1 : {BLOCK}\n}}"
    body = "\n".join([numbers, pointer("%0", **first), pointer("%1", **second), branch, f"%x = tt.load %r : {BLOCK}"])
    module = rewritten(body)
    (op,) = collect(module.operation, ["scf.if"])
    assert [str(result.type) for result in op.results] == types


@pytest.mark.parametrize(
    ("yielded", "types"),
    [
        ("%a, %b", ["i64", "i64"]),
        # They only change places: both have the same base, size and stride, or carry them.
        ("%b, %a", ["i64", "i64"]),
        ("%a, %2", ["i64", "!tt.ptr<f32>", "i64"]),
        ("%2, %2", ["!tt.ptr<f32>", "i64"] * 2),
    ],
)
def test_a_loop_carries_what_changes(yielded, types, context):
    types_text = f"{BLOCK}, {BLOCK}"
    loop = f"""
      %r:2 = scf.for %k = %i to %i step %i iter_args(%a = %0, %b = %1) -> ({types_text}) : i32 {{
        %x = tt.load %a : {BLOCK}
        tt.store %b, %x : {BLOCK}
        scf.yield {yielded} : {types_text}
      }}
      %y = tt.load %r#1 : {BLOCK}
    """
    body = "\n".join([pointer("%0"), pointer("%1"), pointer("%2", base="%q"), loop])
    module = rewritten(body)
    (op,) = collect(module.operation, ["scf.for"])
    assert [str(result.type) for result in op.results] == types


def test_what_an_outer_loop_carries_an_inner_one_does_not(context):
    """The base changes in the outer loop, but not in the inner one."""
    body = f"""
      {pointer("%0")}
      {pointer("%1", base="%q")}
      %r = scf.for %k = %i to %i step %i iter_args(%a = %0) -> ({BLOCK}) : i32 {{
        %s = scf.for %l = %i to %i step %i iter_args(%b = %a) -> ({BLOCK}) : i32 {{
          %x = tt.load %b : {BLOCK}
          %t = tt.advance %b, [%i] : <tensor<8xf32>>
          scf.yield %t : {BLOCK}
        }}
        %u = scf.if %c -> ({BLOCK}) {{
          scf.yield %s : {BLOCK}
        }} else {{
          scf.yield %1 : {BLOCK}
        }}
        scf.yield %u : {BLOCK}
      }}
    """
    module = rewritten(body)
    outer, inner = collect(module.operation, ["scf.for"])
    (branch,) = collect(module.operation, ["scf.if"])
    assert [len(op.results) for op in (outer, inner, branch)] == [2, 1, 2]


def test_ordinary_results_of_rebuilt_operations_as_parts(context):
    """The size comes from a loop that is made anew."""
    body = f"""
      {pointer("%0")}
      %r:2 = scf.for %k = %i to %i step %i iter_args(%a = %0, %s = %n) -> ({BLOCK}, i64) : i32 {{
        %t = arith.addi %s, %m : i64
        scf.yield %a, %t : {BLOCK}, i64
      }}
      {pointer("%1", size="%r#1")}
      %u = scf.while (%b = %1) : ({BLOCK}) -> {BLOCK} {{
        scf.condition(%c) %b : {BLOCK}
      }} do {{
      ^bb0(%d: {BLOCK}):
        %x = tt.load %d {{boundaryCheck = array<i32: 0>}} : {BLOCK}
        scf.yield %d : {BLOCK}
      }}
    """
    module = rewritten(body)
    (loop,) = collect(module.operation, ["scf.for"])
    (size,) = (use.owner for use in loop.results[1].uses)
    assert size.operation.name == "tt.splat"


@pytest.mark.parametrize("count", [1, 50, 2000])
def test_long_chains(count, context):
    """As deep as the pass need not recurse."""
    steps = [f"%{k + 1} = tt.advance %{k}, [%i] : <tensor<8xf32>>" for k in range(count)]
    body = "\n".join([pointer("%0"), *steps, f"%x = tt.load %{count} : {BLOCK}"])
    module = rewritten(body)
    assert len(collect(module.operation, ["arith.addi"])) == count + 1


def test_annotations_stay(context):
    body = f"""
      {pointer("%0")}
      %r = scf.while (%b = %0) : ({BLOCK}) -> {BLOCK} {{
        scf.condition(%c) %b : {BLOCK}
      }} do {{
      ^bb0(%d: {BLOCK}):
        scf.yield %d : {BLOCK}
      }} attributes {{kept = 1 : i32}}
      %s = scf.if %c -> ({BLOCK}) {{
        scf.yield %r : {BLOCK}
      }} else {{
        scf.yield %0 : {BLOCK}
      }} {{kept = 1 : i32}}
    """
    assert str(rewritten(body)).count("{kept = 1 : i32}") == 2


# --- What is refused -------------------------------------------------------------------------------------------------
PARALLEL = f"""
  scf.parallel (%k) = (%x) to (%x) step (%x) init (%0) -> {BLOCK} {{
    scf.reduce(%0 : {BLOCK}) {{
    ^bb0(%a: {BLOCK}, %b: {BLOCK}):
      scf.reduce.return %a : {BLOCK}
    }}
  }}
"""


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        (
            POINTER,
            pointer("%0") + f"\n%1 = builtin.unrealized_conversion_cast %0 : {BLOCK} to i64",
            "can't have a value",
        ),
        (
            POINTER,
            pointer("%0") + "\n" + PARALLEL,
            "'scf.parallel' can't have|'scf.reduce.*' can't have",
        ),
        (
            DESCRIPTOR,
            "tt.descriptor_reduce min, %d[%i], %v : !tt.tensordesc<tensor<8xf32>>, tensor<8xf32>",
            "no atomic",
        ),
    ],
)
def test_refused_without_a_change(name, body, message, context):
    arguments = ", %x: index, %d: !tt.tensordesc<tensor<8xf32>>, %v: tensor<8xf32>"
    kinds = "%p: !tt.ptr<f32>, %n: i64, %i: i32" + arguments
    module = ttkit.parse(f"tt.func @f({kinds}) {{\n{body}\n  tt.return\n}}")
    before = str(module)
    with pytest.raises(PassError, match=message):
        ttkit.run_passes(module, name)
    assert str(module) == before


def test_nothing_to_do_is_left_alone(context):
    module = ttkit.parse("tt.func @f(%p: !tt.ptr<f32>) {\n  %0 = tt.load %p : !tt.ptr<f32>\n  tt.return\n}")
    expansion = ValueExpansion(module.operation, lambda type: None, {"tt.load": None}, seeds=["tt.load"])
    before = str(module)
    expansion.run()
    assert expansion.merge_points == [] and str(module) == before


def test_kernels_run_with_the_parts_of_their_descriptors(context):
    """Checking passes goes on after arguments have changed."""
    descriptor = "!tt.tensordesc<tensor<4x8xf32>>"
    module = ttkit.parse(f"""
      tt.func @f(%d: {descriptor}, %i: i32, %e: {descriptor}) {{
        %0 = tt.descriptor_load %d[%i, %i] : {descriptor} -> tensor<4x8xf32>
        tt.descriptor_store %e[%i, %i], %0 : {descriptor}, tensor<4x8xf32>
        tt.return
      }}
    """)
    report = ttkit.check_passes(module, f"{DESCRIPTOR},canonicalize,cse")
    assert report.checked == [DESCRIPTOR, "canonicalize", "cse"] and not report.skipped
