"""Proofs of lowered products that accumulate in tensor memory (tcgen05); bugs planted there and in other products."""

from __future__ import annotations

from functools import cache

import planted_in_tensor_memory
import planted_in_tiles
import pytest
from planted_in_passes import planted
from sweeps import swept
from test_lowering_proofs import ORDER, PASS, changed, context, lowered, proved, sides_of
from test_validation import check_proved_mistakes

from ttkit.validation.functions import PROVED, REFUTED

ONCE = """
  %xv = tt.load %xp : tensor<64x32x!tt.ptr<f16>>
  %yv = tt.load %yp : tensor<32x32x!tt.ptr<f16>>
  %sum = tt.dot %xv, %yv, %one, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x32xf16> -> tensor<64x32xf32>
"""
LOOP = """
  %sum, %xe, %ye = scf.for %i = %zero to %n step %step iter_args(%acc = %one, %xq = %xp, %yq = %yp)
      -> (tensor<64x32xf32>, tensor<64x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>) : i32 {
    %xv = tt.load %xq : tensor<64x32x!tt.ptr<f16>>
    %yv = tt.load %yq : tensor<32x32x!tt.ptr<f16>>
    %more = tt.dot %xv, %yv, %acc, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x32xf16> -> tensor<64x32xf32>
    %xn = tt.addptr %xq, %xstep : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %yn = tt.addptr %yq, %ystep : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    scf.yield %more, %xn, %yn : tensor<64x32xf32>, tensor<64x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>
  } {tt.num_stages = 3 : i32}
"""
KERNEL = """
tt.func public @product(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                        %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %m = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %k = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %columns = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %width = arith.constant dense<32> : tensor<64x1xi32>
  %starts = arith.muli %rows, %width : tensor<64x1xi32>
  %a = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x32xi32>
  %b = tt.broadcast %columns : tensor<1x32xi32> -> tensor<64x32xi32>
  %at = arith.addi %a, %b : tensor<64x32xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
  %xp = tt.addptr %xs, %at : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
  %krows = tt.expand_dims %k {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %kwidth = arith.constant dense<32> : tensor<32x1xi32>
  %kstarts = arith.muli %krows, %kwidth : tensor<32x1xi32>
  %c = tt.broadcast %kstarts : tensor<32x1xi32> -> tensor<32x32xi32>
  %d = tt.broadcast %columns : tensor<1x32xi32> -> tensor<32x32xi32>
  %kat = arith.addi %c, %d : tensor<32x32xi32>
  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %yp = tt.addptr %ys, %kat : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %one = arith.constant dense<1.0> : tensor<64x32xf32>
  %xstep = arith.constant dense<2048> : tensor<64x32xi32>
  %ystep = arith.constant dense<1024> : tensor<32x32xi32>
  BODY
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  %outp = tt.addptr %outs, %at : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
  tt.store %outp, %sum : tensor<64x32x!tt.ptr<f32>>
  tt.return
}
"""


@cache
def product(body: str, capability: int = 100) -> tuple[str, str]:
    """A small product, before and after the lowering."""
    return sides_of(KERNEL.replace("BODY", body), capability)


@pytest.mark.parametrize("body", [ONCE, swept(LOOP)])
def test_products_in_tensor_memory_are_proved(body):
    found = proved(*product(body))
    assert (found.outcome, found.reason, found.rounding) == (PROVED, "", (ORDER,))


@pytest.mark.parametrize(
    "name",
    [
        swept("matmul_epilogue.100.ttir"),
        swept("matmul_f8_e4m3.100.ttir"),
        swept("scaled_matmul_packed_rows.100.ttir"),
        swept("scaled_matmul_fp4.100.ttir"),
        swept("scaled_matmul.100.ttir"),
    ],
)
def test_products_of_the_corpus_are_proved(name):
    found = proved(*lowered(name))
    assert (found.outcome, found.reason) == (PROVED, "")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("}, [$16 + 0]", "}, [$16 + 1]", "columns of tensor memory beyond 32"),
        ("}, [$16 + 0]", "}, [$16 + 2097152]", "rows of tensor memory that are another's|an address in tensor memory"),
        ("}, [$16 + 0], 16", "}, [$16 + 0], 8", "of tt.store: thread 4 writes"),
        ("{$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, [",
         "{$1, $0, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, [", "thread 0 writes"),
        (r"\0A\09tcgen05.wait::ld.sync.aligned;", "", "no tcgen05.wait::ld"),
        (r"\0A\09tcgen05.wait::st.sync.aligned;", "", "what another thread stored, and nothing orders them"),
        ("f16 [ $4 + 0 ], $2", "f16 [ $4 + 1 ], $2", "row 0, column 32 of tensor memory"),
        ("$2, $3, $1", "$2, $3, 134742032", "with no fence between"),
        ("$2, $3, $1", "$2, $3, 67641360", "an instruction descriptor|thread 0 writes|memory|product reads"),
        ("$2, $3, $1", "$6, $7, $1", "thread 0 writes"),
        ("@$0 tcgen05.mma", "tcgen05.mma", "32 threads issue a product"),
        ("tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [$1];", "mov.b32 _, 0;", "the kernel has"),
        ("arrive::one.b64 [$1]", "arrive::one.b64 [$1 + 8]", "an mbarrier at 6152, not at 6144"),
        ("complete, [$0], $1", "complete, [$0], 1", "the phase of a wait: found 1, not 0"),
        ("[$1], 32;", "[$1], 16;", "16 columns of tensor memory"),
        ("@$0 tcgen05.alloc", "tcgen05.alloc", "128 threads do what one warp does"),
        ("@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 32;", "", "that is not given back"),
    ],
)  # fmt: skip
def test_a_wrong_product_is_not_proved(old, new, reason):
    before, after = product(ONCE)
    found = proved(before, changed(after, old, new))
    assert found.outcome != PROVED
    assert any(one in found.reason for one in reason.split("|")), found.reason


@pytest.mark.parametrize(
    ("capability", "kind"),
    [
        (100, "load of the rows of another warp"),
        (100, "loaded registers swapped"),
        (100, "dropped wait"),
        (100, "other rows"),
        (100, "columns that are not given back"),
        (80, "matrix of another row"),
        (80, "second operand's registers swapped"),
        (90, "distance of eight rows of a descriptor"),
        (90, "another swizzle of a descriptor"),
        (90, "negative product"),
        (90, "dropped fence of registers"),
    ],
)
def test_a_wrong_product_is_refuted(capability, kind):
    before, after = product(ONCE, capability)
    mistakes = planted_in_tensor_memory.MISTAKES if capability == 100 else planted_in_tiles.MISTAKES
    [mistake] = [one for one in mistakes if one.kind == kind]
    [text] = [text for _, _, text in planted(after, context(), 1, 1, [mistake])]
    assert proved(before, text, searches=True).outcome == REFUTED


@pytest.mark.parametrize(
    ("body", "capability", "mistakes", "count"),
    [
        swept((ONCE, 100, planted_in_tensor_memory, 40)),
        swept((LOOP, 100, planted_in_tensor_memory, 40)),
        swept((ONCE, 80, planted_in_tiles, 20)),
        swept((ONCE, 90, planted_in_tiles, 20)),
        swept((LOOP, 80, planted_in_tiles, 20)),
        swept((LOOP, 90, planted_in_tiles, 20)),
    ],
)
def test_a_mistake_that_is_proved_changes_no_result(body, capability, mistakes, count):
    assert check_proved_mistakes(*product(body, capability), context(), PASS, 1, mistakes.MISTAKES) >= count
