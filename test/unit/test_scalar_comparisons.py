"""Comparisons of integer vectors as comparisons of their elements, in LLVM IR."""

import re

import pytest

import ttkit
import ttkit.language as tl
from ttkit.compiler.llvm import Module
from ttkit.tuning.llvm import DEEPEST_COMPARED, MOST_COMPARED

HEAD = "define ptx_kernel void @k(ptr addrspace(1) %out, i64 %base, <4 x i32> %given) {\n"


def split(body: str) -> str:
    """The IR of a kernel whose comparisons are split; LLVM's verifier has accepted it."""
    with Module.parse(f"{HEAD}{body}\n  ret void\n}}\n") as module:
        module.split_comparisons()
        module.verify()
        return str(module)


STORE = "  store <4 x i1> %c, ptr addrspace(1) %out"


@pytest.mark.parametrize(
    "vectors",
    [
        "  %a = add <4 x i32> %given, <i32 1, i32 2, i32 3, i32 4>",
        "  %w = zext <4 x i32> %given to <4 x i64>\n  %a = trunc <4 x i64> %w to <4 x i32>",
        "  %a = shufflevector <4 x i32> %given, <4 x i32> zeroinitializer, <4 x i32> <i32 0, i32 5, i32 2, i32 poison>",
        "  %x = insertelement <4 x i32> %given, i32 7, i64 2\n  %a = xor <4 x i32> %x, splat (i32 3)",
        "  %a = load <4 x i32>, ptr addrspace(1) %out",
        "  %i = trunc i64 %base to i32\n  %a = insertelement <4 x i32> %given, i32 7, i32 %i",
    ],
    ids=["constants", "casts", "shuffle", "insert", "load", "variable-index"],
)
def test_each_element_is_compared(vectors: str) -> None:
    text = split(f"{vectors}\n  %c = icmp slt <4 x i32> %a, splat (i32 9)\n{STORE}")
    assert "icmp slt <4 x i32>" not in text
    assert len(re.findall(r"icmp slt i32", text)) >= 3


def test_a_carried_vector_is_taken_apart_after_the_phis() -> None:
    text = split(f"""  br label %loop
loop:
  %v = phi <4 x i32> [ %given, %0 ], [ %next, %loop ]
  %n = phi i64 [ 0, %0 ], [ %more, %loop ]
  %c = icmp ult <4 x i32> %v, %given
{STORE}
  %next = add <4 x i32> %v, splat (i32 1)
  %more = add i64 %n, 1
  %again = icmp slt i64 %more, %base
  br i1 %again, label %loop, label %end
end:""")
    assert text.count("icmp ult i32") == 4


def test_comparisons_of_elements_see_through_vectors() -> None:
    """As masks of copies, of which one element is asked for."""
    text = split("""  %x = insertelement <4 x i64> poison, i64 %base, i64 0
  %a = shufflevector <4 x i64> %x, <4 x i64> poison, <4 x i32> zeroinitializer
  %w = zext <4 x i32> %given to <4 x i64>
  %s = add <4 x i64> %a, %w
  %e = extractelement <4 x i64> %s, i64 2
  %c = icmp slt i64 %e, 64
  store i1 %c, ptr addrspace(1) %out""")
    assert re.search(r"(%\d+) = add i64 %base, %\d+\n(.*\n)*.*icmp slt i64 \1, 64", text)


@pytest.mark.parametrize("operation", ["add <4 x i32> %v{}, %given", "insertelement <4 x i32> %v{}, i32 7, i64 0"])
def test_long_chains_are_followed_for_a_while(operation: str) -> None:
    chain = "\n".join(f"  %v{i + 1} = {operation.format(i)}" for i in range(3000))
    text = split(f"  %v0 = add <4 x i32> %given, %given\n{chain}\n  %c = icmp eq <4 x i32> %v3000, %given\n{STORE}")
    assert text.count("icmp eq i32") == 4
    assert text.count("= add i32") <= 4 * DEEPEST_COMPARED


@pytest.mark.parametrize("type", ["<4 x float>", "<4 x ptr>"])
def test_other_vectors_stay(type: str) -> None:
    compare = "fcmp olt" if "float" in type else "icmp eq"
    text = split(f"  %a = load {type}, ptr addrspace(1) %out\n  %c = {compare} {type} %a, zeroinitializer\n{STORE}")
    assert f"{compare} {type}" in text


def test_long_vectors_stay() -> None:
    type = f"<{MOST_COMPARED + 1} x i32>"
    body = f"  %a = load {type}, ptr addrspace(1) %out\n  %c = icmp eq {type} %a, zeroinitializer\n"
    assert f"icmp eq {type}" in split(f"{body}  store <{MOST_COMPARED + 1} x i1> %c, ptr addrspace(1) %out")


@ttkit.jit
def causal(x, y, n, B: tl.constexpr):
    places = tl.program_id(0).to(tl.int64) * B + tl.arange(0, B)
    kept = (places[:, None] >= places[None, :]) & (places < n)[:, None]
    at = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    values = tl.load(x + at)
    tl.store(y + at, tl.where(kept, tl.dot(values, values), 0.0))


@pytest.mark.parametrize(("off", "compares_bases"), [("", False), ("scalar-comparisons", True)])
def test_a_common_base_is_not_compared(off: str, compares_bases: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTKIT_TUNING_OFF", off)
    source = ttkit.ASTSource(causal, {"x": "*fp16", "y": "*fp32", "n": "i64"}, {"B": 32})
    ptx = ttkit.compile(source, target=ttkit.GPUTarget("cuda", 90, 32), options={"num_warps": 1}).asm["ptx"]
    assert bool(re.search(r"setp\.g[te]\.[su]64", ptx)) == compares_bases


def test_constants_without_elements_are_compared() -> None:
    """As the address of a variable, which is known when the kernel is loaded."""
    with Module.parse(
        "@g = global i32 0\n"
        f"{HEAD}  %c = icmp eq <4 x i64> ptrtoint (<4 x ptr> splat (ptr @g) to <4 x i64>), zeroinitializer\n{STORE}\n"
        "  ret void\n}\n"
    ) as module:
        module.split_comparisons()
        module.verify()
        assert "icmp eq <4 x i64>" not in str(module)
