"""Expressions that test bits of words: their order, in LLVM IR."""

import re

import pytest

import ttkit
import ttkit.compiler.expression_order as expression_order
from ttkit.compiler.llvm import Module
from ttkit.context import take
from ttkit.tuning.llvm import TESTED_BITS

HEAD = "define ptx_kernel void @k(ptr addrspace(1) %x, i32 %a, i32 %b) {\n"


def ordered(body: str) -> list[str]:
    """The instructions of a kernel in their new order; LLVM's verifier has accepted it."""
    with Module.parse(f"{HEAD}{body}\n}}\n") as module:
        module.move_to_uses(by_element=True)
        module.verify()
        return re.findall(r"^  (?:%\w+ = )?(\w+)", str(module), re.MULTILINE)


def test_each_element_is_computed_by_itself() -> None:
    found = ordered("""  %s = and i32 %a, 1
  %t = and i32 %b, 1
  %p = icmp eq i32 %s, 0
  %q = icmp eq i32 %t, 0
  %u = select i1 %p, i32 3, i32 5
  %v = select i1 %q, i32 3, i32 5
  store i32 %u, ptr addrspace(1) %x
  store i32 %v, ptr addrspace(1) %x
  ret void""")
    assert found == [*["and", "icmp", "select", "store"] * 2, "ret"]


def test_loads_and_what_other_blocks_use_stay() -> None:
    found = ordered("""  %l = load i32, ptr addrspace(1) %x
  %s = add i32 %a, 1
  %t = add i32 %l, 1
  %c = icmp eq i32 %b, 0
  store i32 %a, ptr addrspace(1) %x
  br i1 %c, label %then, label %end
then:
  %m = mul i32 %s, %t
  store i32 %m, ptr addrspace(1) %x
  br label %end
end:
  ret void""")
    assert found == ["load", "add", "add", "store", "icmp", "br", "mul", "store", "br", "ret"]


def test_values_of_phis_stay() -> None:
    found = ordered("""  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %more, %loop ]
  %more = add i32 %n, 1
  %t = add i32 %b, 7
  store i32 %t, ptr addrspace(1) %x
  %again = icmp slt i32 %more, %a
  br i1 %again, label %loop, label %end
end:
  ret void""")
    assert found == ["br", "phi", "add", "add", "store", "icmp", "br", "ret"]


def test_what_nothing_uses_comes_after_what_it_needs() -> None:
    found = ordered("""  %l = load i32, ptr addrspace(1) %x
  %t = add i32 %l, 1
  %unused = xor i32 %t, %b
  %u = add i32 %l, 2
  store i32 %b, ptr addrspace(1) %x
  store i32 %u, ptr addrspace(1) %x
  ret void""")
    assert found == ["load", "add", "xor", "store", "add", "store", "ret"]


def has_many(bits: list[int], length: int = 8) -> bool:
    """Whether a function that tests these bits of a vector tests many."""
    tests = "\n".join(
        f"""    %c{i} = llvm.mlir.constant(dense<{bit}> : vector<{length}xi32>) : vector<{length}xi32>
    %a{i} = llvm.and %x, %c{i} : vector<{length}xi32>
    %t{i} = llvm.icmp "ne" %a{i}, %zero : vector<{length}xi32>"""
        for i, bit in enumerate(bits)
    )
    text = f"""llvm.func @k(%x: vector<{length}xi32>) {{
    %zero = llvm.mlir.constant(dense<0> : vector<{length}xi32>) : vector<{length}xi32>
{tests}
    llvm.return
  }}"""
    with take():
        return expression_order.tests_many_bits(ttkit.parse(text).operation)


@pytest.mark.parametrize(
    ("bits", "many"),
    [
        ([1 << i for i in range(TESTED_BITS)], True),
        ([1 << i for i in range(TESTED_BITS - 1)], False),
        ([1] * TESTED_BITS, False),
        ([3 << i for i in range(TESTED_BITS)], False),
    ],
    ids=["different", "too-few", "equal", "two-at-once"],
)
def test_single_bits_are_counted(bits: list[int], many: bool) -> None:
    assert has_many(bits) == many
