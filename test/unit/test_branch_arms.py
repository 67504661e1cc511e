"""Arithmetic before a branch that only its arms need, in LLVM IR."""

import re

import pytest

from ttkit.compiler.llvm import Module
from ttkit.tuning.llvm import MANY_IN_ARMS

HEAD = "define ptx_kernel void @k(ptr addrspace(1) %x, i32 %n, i32 %m) {\n"


def moved(body: str) -> dict[str, int]:
    """How many additions each block of a kernel has in the end; LLVM's verifier has accepted it."""
    with Module.parse(f"{HEAD}{body}}}\n") as module:
        module.move_to_uses(by_element=False)
        module.verify()
        blocks = re.split(r"^(\w+):", str(module).partition("{")[2], flags=re.MULTILINE)
    return dict(zip(["entry", *blocks[1::2]], (text.count("= add i32") for text in blocks[::2])))


def branching(count: int, then: str = "", before: str = "", end: str = "  ret void") -> str:
    """A kernel that makes `count` numbers, and stores them in one arm, or adds them in the other."""
    made = "\n".join(f"  %v{i} = add i32 %n, {i + 1}" for i in range(count))
    stored = "\n".join(f"  store volatile i32 %v{i}, ptr addrspace(1) %x" for i in range(count))
    added = "\n".join(
        f"  %o{i} = atomicrmw add ptr addrspace(1) %x, i32 %v{i} monotonic" for i in reversed(range(count))
    )
    return f"""  %c = icmp eq i32 %m, 0
{made}
{before}
  br i1 %c, label %then, label %else
then:
{stored}
{then}
  br label %end
else:
{added}
  br label %end
end:
{end}
"""


def test_both_arms_compute_what_they_need() -> None:
    many = MANY_IN_ARMS
    assert moved(branching(many)) == {"entry": 0, "then": many, "else": many, "end": 0}


@pytest.mark.parametrize(
    ("body", "left"),
    [
        (branching(MANY_IN_ARMS - 1), MANY_IN_ARMS - 1),
        (branching(MANY_IN_ARMS, before="  store volatile i32 %v7, ptr addrspace(1) %x"), MANY_IN_ARMS),
    ],
    ids=["few", "one-is-used-before"],
)
def test_nothing_moves(body: str, left: int) -> None:
    assert moved(body) == {"entry": left, "then": 0, "else": 0, "end": 0}


def test_what_is_used_elsewhere_stays() -> None:
    end = "  store volatile i32 %v7, ptr addrspace(1) %x\n  ret void"
    assert moved(branching(MANY_IN_ARMS + 1, end=end))["entry"] == 1


def test_each_is_computed_right_before_its_use() -> None:
    with Module.parse(f"{HEAD}{branching(MANY_IN_ARMS)}}}\n") as module:
        module.move_to_uses(by_element=False)
        arm = str(module).partition("\nelse:")[2]
    found = re.findall(r"= (add|atomicrmw) ", arm.partition("\nend:")[0])
    assert found == ["add", "atomicrmw"] * MANY_IN_ARMS
