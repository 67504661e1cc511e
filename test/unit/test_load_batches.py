"""Batches of loads in loops: what PTX needs, what ptxas makes of it, and with a limit that keeps loads together."""

import pytest

import ttkit
import ttkit.language as tl
from ttkit.compiler.load_batches import Batches, batches_of_cubin, batches_of_ptx, functions_of_cubin, innermost_loops
from ttkit.tuning.registers import LOADS_TOGETHER

LOOP = """
.visible .entry k()
{
$outer:
$inner:
	@%p1 ld.global.v2.b32 	{ %r1, %r2 }, [ %rd1 + 0 ];
	BETWEEN
	ld.global.b32 	%r3, [ %rd2 + 0 ];	// %r1
	add.s32 	%r4, %r1, %r3;
	@%p2 bra 	$inner;
	ld.global.b32 	%r5, [ %rd3 + 0 ];
	@%p3 bra.uni 	$outer;
}
"""


@pytest.mark.parametrize(
    ("between", "batches"),
    [
        ("", 1),
        ("add.s32 %r7, %r1, %r2;", 1),  # a use alone makes no later load wait
        ("mul.wide.s32 %rd2, %r1, 4;", 2),  # an address
        ("mov.b64 {%r8, %r9}, %rd9;\n\tcvt.s64.s32 %rd2, %r8;", 1),
        ("bar.sync 0;", 2),
        ("@%p4 st.global.b32 [%rd9], %r1;", 2),
        ("st.shared.b32 [%r9], %r1;", 1),
    ],
)
def test_what_ptx_needs(between, batches):
    assert batches_of_ptx(LOOP.replace("BETWEEN", between)) == Batches(2, batches)


def test_innermost_loops():
    jumps = [(5, 2), (6, None), (7, 9), (12, 10), (15, 1), (16, 16)]
    assert innermost_loops(jumps) == [(2, 5), (10, 12)]
    assert Batches(6, 2).share == Batches(3, 1).share and Batches().share == 0


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"text" * 99])
def test_what_is_not_a_cubin_has_none(data):
    assert batches_of_cubin(data) == Batches()


@ttkit.jit
def online_sum(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    most, total = tl.full([BLOCK], -1e30, tl.float32), tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * n + at, mask=at < n, other=-1e30).to(tl.float32)
        more = tl.maximum(most, value)
        total = total * tl.exp(most - more) + tl.where(at < n, tl.exp(value - more), 0.0)
        most = more
    largest = tl.max(most, 0)
    tl.store(y + row, largest + tl.log(tl.sum(total * tl.exp(most - largest), 0)))


def test_a_limit_keeps_loads_together(monkeypatch):
    signature = {"x": "*fp16", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    attributes = {(i,): [["tt.divisibility", 16]] for i in range(3)}
    source = ttkit.ASTSource(online_sum, signature, {"BLOCK": 4096}, attributes)

    def compiled():
        return ttkit.compile(source, target=ttkit.GPUTarget("cuda", 90, 32), options={"num_warps": 8})

    together = compiled()
    monkeypatch.setenv("TTKIT_TUNING_OFF", LOADS_TOGETHER.name)
    apart = compiled()
    assert batches_of_ptx(apart.asm["ptx"]) == Batches(2, 1)
    assert batches_of_cubin(apart.asm["cubin"]) == Batches(2, 2)
    assert batches_of_cubin(together.asm["cubin"]) == Batches(2, 1)
    assert len(list(functions_of_cubin(together.asm["cubin"]))) == 1
    # As many programs of 8 warps run at once as before.
    registers = [one.asm["cubin"].resources.registers for one in (apart, together)]
    assert max(registers) <= 64
