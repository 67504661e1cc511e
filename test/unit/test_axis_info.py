"""Axis facts: what is claimed of random programs holds for what they compute, and examples of each rule."""

import numpy as np
import pytest
from axis_programs import SLOT, random_axis_program
from mlir import ir
from sweeps import every

import ttkit
import ttkit.language as tl
from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.axis_info import AxisInfo
from ttkit.inspection import collect
from ttkit.interpreter import interpret


def refuted(info: AxisInfo, values: np.ndarray) -> str | None:
    """Which claim does not hold of these values; None if all do."""
    values = values.astype(np.int64)
    if info.constant_value is not None and ((values - info.constant_value) % 2**32).any():
        return "constant_value"
    for d in range(values.ndim):
        along = np.moveaxis(values, d, -1).reshape(-1, values.shape[d])
        index = np.arange(values.shape[d])
        first = index // info.contiguity[d] * info.contiguity[d]
        if (along != along[:, first] + index - first).any():
            return f"contiguity[{d}]"
        if (along[:, first] % info.divisibility[d]).any():
            return f"divisibility[{d}]"
        if (along != along[:, index // info.constancy[d] * info.constancy[d]]).any():
            return f"constancy[{d}]"
    return None


def check(seed: int, steps: int = 25) -> None:
    text, numbers, slots = random_axis_program(seed, steps)
    with ttkit.Context():
        module = ir.Module.parse(text)
        module.operation.verify()
        out = np.zeros(slots * SLOT, np.int32)
        interpret(module, 1, [out, *numbers])
        analysis = AxisInfoAnalysis()
        for slot, store in enumerate(collect(module.operation, ["tt.store"])):
            value = store.operands[1]
            shape = value.type.shape
            info = analysis.info(value)
            found = out[slot * SLOT :][: int(np.prod(shape))].reshape(shape)
            wrong = refuted(info, found)
            assert wrong is None, f"seed {seed}, {value}: {wrong} of {info}\n{found}\n{text}"


@pytest.mark.parametrize("seed", every(5, range(150)))
def test_claims_hold(seed: int) -> None:
    check(seed)


def facts(text: str, arguments: str) -> str:
    """What is found of the value `%r` that is returned by a function with that body."""
    *before, last = text.split("\n")
    kind = last.rsplit(" : ", 1)[1].split("->")[-1].split(" to ")[-1].strip()
    lines = "\n".join(before)
    body = f"tt.func @f({arguments}) -> {kind} {{\n{lines}\n%r = {last}\ntt.return %r : {kind}\n}}"
    with ttkit.Context():
        module = ir.Module.parse(body)
        module.operation.verify()
        value = collect(module.operation, ["tt.return"])[0].operands[0]
        info = AxisInfoAnalysis().info(value)
        return f"{list(info.contiguity)} {list(info.divisibility)} {list(info.constancy)} {info.constant_value}"


RANGE = "%range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>\n"
FOUR = "%four = arith.constant dense<4> : tensor<16xi32>\n"
BIG = 2**30

RULES = {
    "range": ("tt.make_range {end = 24 : i32, start = 8 : i32} : tensor<16xi32>", "[16] [8] [1] None"),
    "splat": ("tt.splat %n : i32 -> tensor<8xi32>", "[1] [16] [8] None"),
    "sum": (RANGE + FOUR + "arith.addi %range, %four : tensor<16xi32>", "[16] [4] [1] None"),
    "difference the wrong way": (RANGE + FOUR + "arith.subi %four, %range : tensor<16xi32>", "[1] [1] [1] None"),
    "twice a range": (RANGE + "arith.addi %range, %range : tensor<16xi32>", "[1] [1] [1] None"),
    "product": (RANGE + FOUR + "arith.muli %range, %four : tensor<16xi32>", "[1] [4] [1] None"),
    "quotient": (RANGE + FOUR + "arith.divsi %range, %four : tensor<16xi32>", "[1] [1] [4] None"),
    "remainder": (RANGE + FOUR + "arith.remui %range, %four : tensor<16xi32>", "[4] [4] [1] None"),
    "comparison": (
        RANGE + FOUR + "%m = arith.cmpi slt, %range, %four : tensor<16xi32>\n"
        + "arith.extui %m : tensor<16xi1> to tensor<16xi32>",
        "[1] [1] [4] None",
    ),
    "negative constants": (
        "%m = arith.constant -1 : i32\n%z = arith.constant 0 : i32\narith.addi %m, %z : i32",
        "[1] [1] [1] 4294967295",
    ),
    "wrapping constants": (
        "%m = arith.constant 65536 : i32\narith.muli %m, %m : i32",
        f"[1] [{2**62}] [1] 0",
    ),
    "division by zero": ("%z = arith.constant 0 : i32\narith.divsi %z, %z : i32", f"[1] [{2**62}] [1] None"),
    "shift out of range": ("%z = arith.constant 40 : i32\narith.shli %n, %z : i32", "[1] [1] [1] None"),
    "shift right": ("%z = arith.constant 2 : i32\narith.shrsi %n, %z : i32", "[1] [4] [1] None"),
    "choice of tensors": (RANGE + FOUR + "arith.select %c, %range, %four : tensor<16xi32>", "[1] [1] [1] None"),
    "extended": ("%m = arith.constant -8 : i32\narith.extsi %m : i32 to i64", "[1] [8] [1] -8"),
    "pointer cast": (
        "%s = tt.splat %p : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>\n" + RANGE
        + "%q = tt.addptr %s, %range : tensor<16x!tt.ptr<i32>>, tensor<16xi32>\n"
        + "tt.bitcast %q : tensor<16x!tt.ptr<i32>> -> tensor<16x!tt.ptr<i8>>",
        "[1] [4] [1] None",
    ),
    "if": (
        "%k = arith.constant 24 : i32\n"
        "%x = scf.if %c -> (i32) {\nscf.yield %k : i32\n} else {\nscf.yield %n : i32\n}\n%o = arith.constant 1 : i32\n"
        "arith.muli %x, %o : i32",
        "[1] [8] [1] None",
    ),
    "while": (
        "%x = scf.while (%a = %n) : (i32) -> i32 {\nscf.condition(%c) %a : i32\n} do {\n^bb0(%b: i32):\n"
        "%eight = arith.constant 8 : i32\n%next = arith.addi %b, %eight : i32\nscf.yield %next : i32\n}\n"
        "%o = arith.constant 1 : i32\narith.muli %x, %o : i32",
        "[1] [8] [1] None",
    ),
    "poison": ("ub.poison : tensor<4xi32>", f"[{2**62}] [{2**62}] [{2**62}] None"),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_rule(name: str) -> None:
    text, expected = RULES[name]
    arguments = "%n: i32 {tt.divisibility = 16 : i32}, %c: i1, %p: !tt.ptr<i32> {tt.divisibility = 16 : i32}"
    assert facts(text, arguments) == expected


def test_branches_and_switches() -> None:
    text = """
    tt.func @f(%a: i32 {tt.divisibility = 12 : i32}, %b: i32 {tt.divisibility = 8 : i32}, %c: i1) -> i32 {
      cf.cond_br %c, ^one(%a : i32), ^two
    ^two:
      cf.switch %a : i32, [default: ^one(%b : i32), 4: ^one(%a : i32)]
    ^one(%x: i32):
      tt.return %x : i32
    }"""
    with ttkit.Context():
        module = ir.Module.parse(text)
        value = collect(module.operation, ["tt.return"])[0].operands[0]
        assert AxisInfoAnalysis().info(value).divisibility == (4,)


def test_captures_of_specialized_warps() -> None:
    text = """
    module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.num-ctas" = 1 : i32} {
      tt.func @f(%a: i32 {tt.divisibility = 16 : i32}, %p: !tt.ptr<i32>) {
        ttg.warp_specialize(%a, %p)
        default { ttg.warp_yield }
        partition0(%x: i32, %q: !tt.ptr<i32>) num_warps(1) {
          tt.store %q, %x : !tt.ptr<i32>
          ttg.warp_return
        } : (i32, !tt.ptr<i32>) -> ()
        tt.return
      }
    }"""
    with ttkit.Context():
        module = ir.Module.parse(text)
        store = collect(module.operation, ["tt.store"])[0]
        assert AxisInfoAnalysis().info(store.operands[1]).divisibility == (16,)


def test_a_loop_of_blocks() -> None:
    text = """
    tt.func @f(%a: i32 {tt.divisibility = 12 : i32}, %c: i1) -> i32 {
      %eight = arith.constant 8 : i32
      cf.br ^loop(%a, %a : i32, i32)
    ^loop(%x: i32, %y: i32):
      %next = arith.addi %x, %eight : i32
      cf.cond_br %c, ^loop(%y, %next : i32, i32), ^end
    ^end:
      tt.return %next : i32
    }"""
    with ttkit.Context():
        module = ir.Module.parse(text)
        value = collect(module.operation, ["tt.return"])[0].operands[0]
        assert AxisInfoAnalysis().info(value).divisibility == (4,)


@ttkit.jit
def stores_in_groups(x, n, GROUP: tl.constexpr):
    i = tl.arange(0, 1024)
    tl.store(x + i, 1.0, mask=tl.max_constancy(i < n, GROUP))


@pytest.mark.parametrize(("group", "width"), [(1, ""), (2, "v2."), (3, ""), (4, "v4."), (6, "v2."), (12, "v4.")])
def test_a_vector_is_within_a_group_of_equal_elements_of_a_mask(group, width):
    """Groups of 6 elements divide every second vector of 4."""
    types, hints = {"x": "*fp32", "n": "i32"}, {(0,): [["tt.divisibility", 16]]}
    source = ttkit.ASTSource(stores_in_groups, types, {"GROUP": group}, hints)
    assert f"st.global.{width}b32" in ttkit.compile(source, ttkit.GPUTarget("cuda", 90, 32)).asm["ptx"]
