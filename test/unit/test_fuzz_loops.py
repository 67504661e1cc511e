"""The fuzzer of pipelined loops: its kernels have what they should, what is wrong with one is named, and made small."""

import re
import sys
from pathlib import Path

import pytest

import ttkit
import ttkit.language as tl

sys.path.insert(0, str(Path(__file__).parents[1]))
from fuzz import shrink
from fuzz.level import ACCEPTED, REFUSED
from fuzz.levels import loops
from fuzz.loop_texts import BadText, read

FEATURES = {
    "a load used in a branch": r"x(\d+) = tl\.load.*\n(?:.*\n)*?( +)if .*\n(?:\2 .*\n)*?\2 .*\bx\1\b",
    "a load in a branch": r"( +)if .*\n(?:\1 .*\n)*\1 .*tl\.load",
    "both sides of a branch": r"\n +else:\n",
    "an accumulator that is set anew in a branch": r" if .*\n +acc\d+ = tl\.zeros",
    "one tile as both operands": r"tl\.dot\((x\d+), \1[,)]",
    "a tile and its transpose": r"tl\.dot\((x\d+), tl\.trans\(\1\)",
    "operands in registers": r"tl\.dot\(\((x\d+) \+",
    "products without accumulators": r"= tl\.dot\([^,]+, [^,]+\)\n",
    "an index from memory": r"j\d+ = tl\.load\(index",
    "two of them": r"j(\d+) = tl\.load.*\n +j\d+ = tl\.load\(index\d+ \+ j\1\)",
    "rows by a vector of indices": r"j\d+\[:, None\] \* ",
    "pointers that advance": r" q\d+ \+= ",
    "pointers that change places": r" (q\d+), (q\d+) = \2, \1\n",
    "pointers from elsewhere at first": r" (q\d+) = a\d+ \+ r(?:.*\n)*? {8,}\1 = a\d+ \+",
    "pointers to blocks": r"tl\.load\(b\d+",
    "blocks that reach beyond": r"tl\.load\(b\d+, boundary_check",
    "descriptors made in the loop": r"\n {8,}t\d+ = tl\.make_tensor_descriptor",
    "carried tiles": r"\n {8,}(c\d+) = x\d+\n",
    "two loops": r"\n    for .*\n(?:.*\n)*    for ",
    "loops in loops": r"\n        for ",
    "flattened loops": r"flatten=True",
    "specialized warps": r"warp_specialize=True",
    "no copies of accumulators": r"disallow_acc_multi_buffer=True",
    "unrolled loops": r"loop_unroll_factor",
    "a mask with what else": r"mask=.*other=",
    "a mask without": r"mask=[^=]*\)\n",
    "descriptors of the host": r"d\d+\.load\(",
    "descriptors of the device": r"t\d+\.load\(",
    "stores by descriptors": r"[ot]\d+\.store\(",
    "updates by descriptors": r"[ot]\d+\.atomic_add\(",
    "one tile that is loaded and stored": r"tl\.load\((w\d+ \+ .*)[,)].*\n(?:.*\n)*?.*tl\.store\(\1, ",
    "a tile that is stored before it is loaded": r"tl\.store\((w\d+) .*\n(?:.*\n)*?.*tl\.load\(\1 ",
    "a store to what is loaded next": r"tl\.load\((w\d+) \+ (\w+) .*\n(?:.*\n)*?.*tl\.store\(\1 \+ \(\2 \+ 1\) ",
    "every other element in place": r"tl\.store\(w\d+ \+ .* \+ 1 \+ \(r.*\) \* 2, ",
    "a tensor in place by a descriptor": r"t\d+ = tl\.make_tensor_descriptor\(w",
    "updates": r"tl\.atomic_add\(",
    "reductions": r"tl\.sum\(",
    "halves joined": r"tl\.(join|interleave)\(",
    "halves split": r"tl\.split\(",
    "sums up to each element": r"tl\.cumsum\(",
    "sorted tiles": r"tl\.sort\(",
    "gathered elements": r"tl\.gather\(",
    "histograms": r"tl\.histogram\(",
    "packed numbers": r">> 4\) & 15",
    "batched products": r"tl\.dot\(.*reshape\(2, ",
    "products with scales": r"tl\.dot_scaled\(",
    "what an update returns": r"x\d+ = tl\.atomic_",
    "two layouts of it": r"(x\d+) = tl\.atomic_.*\n(?:.*\n)*?.*tl\.sum\(\1, 0\).*\n(?:.*\n)*?.*tl\.sum\(\1, 1\)",
    "tiny blocks": r"tensordesc<\w+\[(1|4|8), (8|16)\]>",
    "clusters": r"num_ctas=[24]",
    "one warp": r"num_warps=1 ",
    "sm_120": r"target=120",
    "no iteration": r"# n=0 ",
    "one iteration": r"# n=1 ",
    "odd ones": r"# n=5 ",
    "eight warps": r"num_warps=8",
    **{f"{stages} stages of a loop": rf"tl\.range\(.*num_stages={stages}" for stages in range(1, 6)},
    **{f"{stages} stages of a kernel": rf"# num_warps=. num_stages={stages}" for stages in range(1, 5)},
    **{kind: rf"\*{kind} " for kind in ("fp16", "bf16", "fp32", "fp8e4nv", "fp8e5", "i8")},
    **{f"tiles of {size}": rf"tl\.arange\(0, {size}\)" for size in (16, 32, 64, 128)},
}


@pytest.fixture(scope="module")
def kernels():
    level = loops.Loops()
    return [level.input(1, number) for number in range(1000)]


@pytest.mark.parametrize("feature", FEATURES)
def test_kernels_have_every_feature(kernels, feature):
    assert sum(bool(re.search(FEATURES[feature], text)) for text in kernels) >= 4


WAITED = """# num_warps=4 num_stages=3 target={target}
# n=0
# n=5
# a: *fp16 20480
# o: *fp32 4096
@triton.jit
def kernel(a, o, n):
    r = tl.arange(0, 64)
    acc = tl.zeros([64, 64], tl.float32)
    for i in tl.range(0, n):
        x = tl.load(a + i * 4096 + r[:, None] * 64 + r[None, :])
        acc = tl.dot(x, x, acc)
    tl.store(o + r[:, None] * 64 + r[None, :], acc)
"""


@pytest.mark.parametrize(
    ("target", "old", "new", "reason"),
    [
        (90, "num = 1", "num = 2", "before the ttg.async_copy_global_to_local .* has been waited for"),
        (90, "pendings = 1", "pendings = 2", "while the ttng.warp_group_dot .* still reads it"),
        (90, "pendings = 0", "pendings = 1", "frees the buffer .* while the ttng.warp_group_dot"),
        (80, "num = 1", "num = 2", "before the ttg.async_copy_global_to_local .* has been waited for"),
    ],
)
def test_what_is_wrong_is_named(monkeypatch, target, old, new, reason):
    of_ttg = loops.of_ttg

    def changed(program, module, outcomes):
        text = str(module)
        assert old in text
        with ttkit.Context():
            return of_ttg(program, ttkit.parse(text.replace(old, new)), outcomes)

    text = WAITED.format(target=target)
    assert loops.Loops().check(text) == ACCEPTED
    monkeypatch.setattr(loops, "of_ttg", changed)
    assert re.match(f"sm_{target}, ttg: .*({reason})", loops.Loops().check(text))


@pytest.mark.parametrize("kind", ["fp16", "bf16", "fp32", "i8", "fp8e5"])
@pytest.mark.parametrize("target", [80, 90])
def test_lowered_kernels_take_descriptors(kind, target):
    text = f"""# num_warps=4 num_stages=2 lowered=1 target={target}
# n=3
# d: tensordesc<{kind}[32, 32]> 96 32
# o: tensordesc<{kind}[32, 32]> 96 32
@triton.jit
def kernel(d, o, n):
    for i in tl.range(0, n):
        o.store([i * 32, 0], d.load([i * 32, 0]))
"""
    assert loops.Loops().check(text) == ACCEPTED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# num_warps=4\n@triton.jit\ndef kernel(a:\n",
        "# a: *fp16 4 5 below\ndef other():\n    pass\n",
        "# a: *fp17 4\n@triton.jit\ndef kernel(a):\n    pass\n",
        "def kernel(a):\n    pass\n",
    ],
)
def test_what_is_no_kernel_is_refused(text):
    assert loops.Loops().check(text) == REFUSED
    with pytest.raises(BadText):
        read(text, ttkit.jit, tl)


class Transposes(loops.Loops):
    """Every kernel that transposes something under a branch is a finding."""

    def check(self, text):
        try:
            read(text, ttkit.jit, tl)
        except BadText:
            return REFUSED
        return "it transposes" if re.search(r"if .*\n +.*tl\.trans", text) else ACCEPTED


def test_findings_are_made_small(kernels):
    text = next(text for text in kernels if Transposes().check(text) == "it transposes" and len(text) > 2000)
    small = shrink.minimize(Transposes(), text, "it transposes", 60)
    assert Transposes().check(small) == "it transposes" and len(small.splitlines()) < 12
