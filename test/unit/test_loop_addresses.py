"""Loops that keep their addresses, and those whose pointers are too many for that."""

import pytest

from ttkit.compiler.llvm import Module
from ttkit.tuning.llvm import MOST_POINTERS


def stay(count: int, kind: str = "ptr addrspace(1)") -> bool:
    """Whether a loop that carries `count` values of a kind keeps its addresses."""
    zero = "null" if "ptr" in kind else "0.0"
    step = f"getelementptr i8, {kind} %p{{0}}, i64 4" if "ptr" in kind else "fadd float %p{0}, 1.0"
    carried = "\n".join(f"  %p{i} = phi {kind} [ {zero}, %0 ], [ %q{i}, %loop ]" for i in range(count))
    counted = "\n".join(f"  %q{i} = {step.format(i)}" for i in range(count))
    text = f"""define ptx_kernel void @k(i1 %c) {{
  br label %loop
loop:
{carried}
{counted}
  br i1 %c, label %loop, label %end
end:
  ret void
}}"""
    with Module.parse(text) as module:
        return module.addresses_stay()


@pytest.mark.parametrize(("more", "expected"), [(0, True), (1, False)])
def test_pointers_are_counted(more: int, expected: bool) -> None:
    assert stay(MOST_POINTERS + more) == expected


def test_other_values_are_not() -> None:
    assert stay(4 * MOST_POINTERS, "float")
