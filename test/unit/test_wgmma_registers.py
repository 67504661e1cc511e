"""No iteration writes registers that a wgmma of the iteration before may still read: operand a of wgmmas in flight.

PTX leaves a kernel undefined that does so before a wait for the wgmma.  No interpreter sees it, since tensors there are
values; on a GPU results were wrong only where several programs shared the tensor cores.
"""

import re

import pytest

import ttkit
import ttkit.language as tl
from ttkit.context import parse_text
from ttkit.passes.infra.events import PassSubscriber
from ttkit.passes.manager import run_passes
from ttkit.validation import validate
from ttkit.validation.functions import OPEN, PROVED
from ttkit.validation.proofs import decoded

pytestmark = pytest.mark.usefixtures("own_cache")
WGMMA = re.compile(r"wgmma\.mma_async\S* \{[^}]*\}, \{(?P<a>[^}]*)\}")
WAIT = re.compile(r"wgmma\.wait_group\.sync\.aligned (?P<pending>\d+)")
MOVE = re.compile(r"mov\.b\d+\s+(%\w+), \{?(%[^}]*?)\}?;")
WRITTEN = re.compile(r"(?:@!?%p\d+ )?(?!st|red|bar|cp|bra)[a-z]\S*\s+(?:\{(?P<many>[^}]*)\}|(?P<one>%\w+)),")


@ttkit.jit
def computed(a, b, scales, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, KIND: tl.constexpr):
    rows, columns, inner = tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN), tl.arange(0, BK)
    x_tile, y_tile = a + rows[:, None] * k + inner[None, :], b + inner[:, None] * n + columns[None, :]
    scale = tl.load(scales + rows)
    total = tl.zeros([BM, BN], tl.float32)
    for _ in range(0, k, BK):
        x = tl.load(x_tile)
        if KIND == "converted":
            x = x.to(tl.float16)
        elif KIND == "scaled":
            x = x * scale[:, None]
        elif KIND == "selected":
            x = tl.where(x > 0, x, 0.0).to(tl.float16)
        elif KIND == "twice":
            x = tl.exp2(x.to(tl.float32)).to(tl.float16)
        total = tl.dot(x, tl.load(y_tile), total)
        x_tile += BK
        y_tile += BK * n
    tl.store(c + rows[:, None] * n + columns[None, :], total)


def compiled(kind, warps, tile):
    """A loop with operand a in registers."""
    element = {"converted": "*i8", "swapped": "*fp32"}.get(kind, "*fp16")
    types = {"a": element, "b": "*fp32" if kind == "swapped" else "*fp16", "scales": "*fp16", "c": "*fp32"}
    types |= dict.fromkeys("mnk", "i32") | dict.fromkeys(("BM", "BN", "BK", "KIND"), "constexpr")
    constants = dict(zip(("BM", "BN", "BK"), tile), KIND=kind)
    divisible = {(place,): [["tt.divisibility", 16]] for place in range(7)}
    with ttkit.Context():
        source = ttkit.ASTSource(computed, types, constants, divisible)
        return ttkit.compile(source, ttkit.GPUTarget("cuda", 90, 32), {"num_warps": warps, "num_stages": 3})


def sources_of(registers, moves):
    """Registers and those that are moved to them: ptxas makes one register of both."""
    found = set(registers)
    for register in registers:
        found |= sources_of(moves[register], moves) if register in moves else set()
    return found


def written_in_flight(ptx):
    """Lines of loops that write registers with a of a wgmma for which no wait has come; moves of them do not count."""
    lines = ptx.splitlines()
    labels = {line[:-1]: number for number, line in enumerate(lines) if line.endswith(":")}
    found = set()
    for end, line in enumerate(lines):
        begin = labels.get(match[1], end) if (match := re.search(r"\bbra(?:\.uni)? \t?(\$\w+)", line)) else end
        moves = {match[1]: match[2].split(", ") for line in lines[begin:end] if (match := MOVE.match(line.strip()))}
        flight = []
        for number in [*range(begin, end)] * 2:  # a second time with what the first one left in flight
            text = lines[number].strip()
            if match := WGMMA.search(text):
                flight.append(sources_of(match["a"].split(", "), moves))
            elif match := WAIT.search(text):
                flight = flight[len(flight) - int(match["pending"]) :] if int(match["pending"]) else []
            elif (
                not MOVE.match(text)
                and (match := WRITTEN.match(text))
                and set().union(*flight) & set((match["many"] or match["one"]).split(", "))
            ):
                found.add(text)
    return sorted(found)


@pytest.mark.parametrize(("warps", "tile"), [(4, (128, 128, 64)), (8, (128, 128, 64)), (4, (64, 128, 64))], ids=str)
@pytest.mark.parametrize("kind", ["converted", "scaled", "selected", "twice", "swapped"])
def test_a_stays_until_it_was_read(kind, warps, tile):
    ptx = compiled(kind, warps, tile).asm["ptx"]
    assert any(WGMMA.search(line) for line in ptx.splitlines()), "a is not in registers"
    assert "wait_group.sync.aligned 3;" in ptx or "wait_group.sync.aligned 7;" in ptx, "no wgmma stays in flight"
    assert written_in_flight(ptx) == []


def test_what_is_written_too_early_is_found():
    loop = """
$L_1:
	ld.shared.b32 	%r1, [%r9];
	ld.shared.b32 	%r2, [%r9+4];
	wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%r5, %r6}, {%r1, %r1, %r1, %r1}, %rd1, 1, 1, 1;
	wgmma.wait_group.sync.aligned 1;
	wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%r5, %r6}, {%r2, %r2, %r2, %r2}, %rd1, 1, 1, 1;
	wgmma.wait_group.sync.aligned 1;
	@%p1 bra 	$L_1;
"""
    assert written_in_flight(loop) == ["ld.shared.b32 \t%r2, [%r9+4];"]


class Pipelined(PassSubscriber):
    """Keeps what the pipeliner leaves."""

    def after(self, event):
        if event.pass_name == "tritongpu-pipeline":
            self.text = event.text(generic=True)


def pipelined(kind):
    """The same loop in ttg, pipelined."""
    keep, text = Pipelined(), compiled(kind, 4, (128, 128, 64)).asm["ttir"]
    with ttkit.Context() as context:
        run_passes(parse_text(text, context), "ttkit-ttgir{capability=90}", subscribers=[keep])
    return keep.text


def test_a_wait_for_fewer_products_is_no_proof():
    """Each value has a name of its own in the IR: that registers are written again is seen from loops alone."""
    text = pipelined("converted")
    with ttkit.Context() as context:
        before = decoded(text, context)
        waits = list(re.finditer("pendings = 3", text))
        assert len(waits) == 4
        for wait in waits:
            late = f"{text[: wait.start()]}pendings = 4{text[wait.end() :]}"
            found = validate(before, decoded(late, context), "computed", searches=False)
            assert found.outcome == OPEN
            assert "registers with an operand of a product in the background are written before its end" in found.reason
        early = text.replace("pendings = 3", "pendings = 2", 1)
        assert validate(before, decoded(early, context), "computed", searches=False).outcome == PROVED
