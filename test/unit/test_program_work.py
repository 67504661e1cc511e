"""What a program does, counted in tt: bytes, dots, loops, what is live."""

import pytest

from ttkit.analysis.dot_operands import fragment_elements
from ttkit.analysis.program_numbers import UNKNOWN_TRIPS
from ttkit.analysis.program_work import work_of
from ttkit.context import Context, parse_text
from ttkit.inspection import collect

PRODUCT = """
tt.func public @k(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32>, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %row = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %wide = tt.broadcast %row : tensor<1x32xi32> -> tensor<64x32xi32>
  %base = tt.splat %a : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
  %p = tt.addptr %base, %wide : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
  %total = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = tt.load %p : tensor<64x32x!tt.ptr<f16>>
    %y = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %q = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %e = math.exp %total : tensor<64x64xf32>
  tt.store %q, %e : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
"""
BOUNDED = """
tt.func public @k(%n: i32, %out: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %id = tt.get_program_id x : i32
  %first = arith.muli %id, %c8 : i32
  %last = arith.addi %first, %c8 : i32
  %end = arith.minsi %last, %n : i32
  scf.for %i = %c0 to %end step %c1 : i32 {
    %p = tt.addptr %out, %i : !tt.ptr<f32>, i32
    %x = tt.load %p : !tt.ptr<f32>
    tt.store %p, %x : !tt.ptr<f32>
  }
  tt.return
}
"""
TWICE = """
tt.func public @k(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %x = tt.splat %a : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %y = tt.splat %b : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %step = tt.splat %c128 : i32 -> tensor<128xi32>
  %end = scf.for %i = %c0 to %n step %c128 iter_args(%p = %x) -> (tensor<128x!tt.ptr<f32>>) : i32 {
    %first = tt.addptr %p, %r : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %v = tt.load %first : tensor<128x!tt.ptr<f32>>
    %next = tt.addptr %p, %step : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    scf.yield %next : tensor<128x!tt.ptr<f32>>
  }
  scf.for %i = %c0 to %n step %c128 : i32 {
    %s = tt.splat %i : i32 -> tensor<128xi32>
    %at = arith.addi %r, %s : tensor<128xi32>
    %second = tt.addptr %x, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %third = tt.addptr %y, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %v = tt.load %second : tensor<128x!tt.ptr<f32>>
    %w = tt.load %third : tensor<128x!tt.ptr<f32>>
  }
  tt.return
}
"""


def work(text, arguments, grid=(1,), threads=128, by_groups=True):
    with Context() as context:
        module = parse_text(f"module {{{text}}}", context)
        return work_of(collect(module.operation, ["tt.func"])[0], arguments, grid, threads, by_groups)


def test_a_product():
    found = work(PRODUCT, [None, None, 256])
    assert found.trips == found.iterations == 8
    assert found.flops == 8 * 2 * 64 * 64 * 32 and found.wide_flops == 0
    assert found.slots == 32 * 2  # all rows are the same one: each address counts once
    assert found.loaded == 8 * found.slots and found.streamed == 0
    assert found.accumulated == 64 * 64 * 4 and (found.rows, found.columns) == (64, 64)
    assert found.specials == 64 * 64 / 128 and found.instructions >= found.specials
    assert found.live >= 64 * 64 * 4


def test_a_bound_that_nobody_knows():
    assert work(PRODUCT, [None, None, None]).trips == UNKNOWN_TRIPS


@pytest.mark.parametrize(("n", "grid", "trips"), [(1000, (10,), 48), (20, (10,), 20), (None, (10,), 48)])
def test_bounds_of_the_program_in_the_middle(n, grid, trips):
    """That of the place in the grid, cut off by an argument if that is known."""
    found = work(BOUNDED, [n, None], grid)
    assert found.trips == trips and found.loaded == found.stored == 4 * trips


def test_functions_of_libdevice_are_calls():
    assert work(PRODUCT, [None, None, 256]).calls == 0
    assert work(PRODUCT.replace("math.exp", "math.erf"), [None, None, 256]).calls == 64 * 64 / 128


def test_few_elements_take_a_thread_each():
    few, many = work(PRODUCT, [None, None, 256], threads=8192), work(PRODUCT, [None, None, 256], threads=32)
    assert few.specials == 1.0 and many.specials == 128.0


def test_pieces_of_memory():
    """A row of 32 halves is one piece in each iteration; so is an address that all elements are stored to."""
    found = work(PRODUCT, [None, None, 256])
    assert found.pieces == 8 + 1


def test_tiles_that_cannot_be_copied():
    """Pointers of unknown alignment: a thread loads two bytes at once, and cp.async copies four at least."""
    found = work(PRODUCT.replace("{tt.divisibility = 16 : i32}", ""), [None, None, 256])
    aligned = work(PRODUCT, [None, None, 256])
    assert found.slots == 0 and found.streamed == aligned.slots
    assert found.requests > aligned.requests and found.live > aligned.live


def test_all_accumulators_of_a_loop():
    """A result that the loop does not carry does not count."""
    second = "    %d2 = tt.dot %x, %y, {} : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>\n"
    loop = PRODUCT.replace(
        "iter_args(%acc = %zero) -> (tensor<64x64xf32>)",
        "iter_args(%acc = %zero, %a2 = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>)",
    )
    loop = loop.replace("%total = scf.for", "%total:2 = scf.for").replace("math.exp %total", "math.exp %total#0")
    yields = "    scf.yield %d : tensor<64x64xf32>"
    for accumulator, count in (("%a2", 2), ("%zero", 1)):
        text = loop.replace(
            yields, second.format(accumulator) + "    scf.yield %d, %d2 : tensor<64x64xf32>, tensor<64x64xf32>"
        )
        assert work(text, [None, None, 256]).accumulated == count * 64 * 64 * 4


def test_operands_besides_slots():
    """Loaded before the loop, it takes shared memory once; computed, it is in registers as the first operand alone."""
    before = "    %x = tt.load %p : tensor<64x32x!tt.ptr<f16>>\n"
    (load,) = [line + "\n" for line in PRODUCT.splitlines() if "= tt.load" in line]
    assert load == before and work(PRODUCT, [None, None, 256]).operands == 0
    loop = "  %total = scf.for"
    outside = work(PRODUCT.replace(load, "").replace(loop, load + loop), [None, None, 256])
    assert outside.slots == 0 and outside.operands == 64 * 32 * 2
    computed = load.replace("%x", "%z") + "    %x = math.exp %z : tensor<64x32xf16>\n"
    found = work(PRODUCT.replace(load, computed), [None, None, 256])
    assert found.operands == 64 * 32 * 2  # %x, as the second operand


def test_shared_memory_of_a_loop():
    """A group of warps multiplies the tile where it is.  mma.sync reads it into registers, so a slot less is enough.
    Values that are added to an operand are loaded ahead as well."""
    tile = 64 * 32 * 2
    found = work(PRODUCT, [None, None, 256])
    assert (found.direct, found.relayed, found.ahead, found.fragments) == (tile, 0, 0, 0)
    for given in ({"threads": 64}, {"by_groups": False}):
        found = work(PRODUCT, [None, None, 256], **given)
        assert (found.direct, found.relayed, found.ahead) == (0, tile, 0)
    load = "    %x = tt.load %p : tensor<64x32x!tt.ptr<f16>>\n"
    changed = load.replace("%x", "%z") + "    %x = math.absf %z : tensor<64x32xf16>\n"
    found = work(PRODUCT.replace(load, changed), [None, None, 256])
    assert (found.direct, found.relayed, found.ahead) == (0, tile, 0)
    added = load.replace("%x", "%z") + "    %x = arith.addf %z, %z : tensor<64x32xf16>\n"
    found = work(PRODUCT.replace(load, added), [None, None, 256])
    assert (found.direct, found.relayed, found.ahead) == (0, 0, tile)


@pytest.mark.parametrize(
    ("warps", "elements"), [(1, 32 * (64 + 64)), (2, 32 * (64 + 2 * 64)), (4, 32 * (2 * 64 + 2 * 64))]
)
def test_operands_of_several_warps(warps, elements):
    """Warps side by side have the same rows, those above each other the same columns."""
    found = work(PRODUCT, [None, None, 256], threads=32 * warps, by_groups=False)
    assert found.fragments == 2 * elements


def test_operands_of_more_warps_than_rows():
    assert fragment_elements(16, 64, 32, 8) == 32 * (16 * 8 + 64)
    assert fragment_elements(16, 8, 32, 1) == 32 * (16 + 8) and fragment_elements(16, 8, 32, 2) == 32 * (2 * 16 + 16)


def test_what_a_second_loop_loads_again():
    """A row that one loop reads and another reads again; a third one reads another array."""
    found = work(TWICE, [None, None, 1024])
    assert found.loaded == 3 * 4096 and (found.again, found.kept) == (4096, 4096)
    assert work(TWICE.replace("tt.load %second", "tt.load %third"), [None, None, 1024]).again == 0


ADDED = """
tt.func public @k(%a: !tt.ptr<f32>, %n: i32) {
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %id = tt.get_program_id y : i32
  %p = tt.addptr %a, %id : !tt.ptr<f32>, i32
  %old = tt.atomic_rmw fadd, relaxed, gpu, %p, %one, %true : (!tt.ptr<f32>, f32, i1) -> f32
  tt.return
}
"""


def test_programs_that_change_the_same_address():
    """Those of the axes that the address does not depend on."""
    assert work(ADDED, [None, None], grid=(10, 5)).rivals == 10
    assert work(ADDED.replace("%a, %id", "%a, %n"), [None, None], grid=(10, 5)).rivals == 50


def test_what_a_loop_carries():
    """The accumulator, and what is computed before the loop and used in it."""
    tile = 64 * 64 * 4
    assert work(PRODUCT, [None, None, 256]).carried == tile
    outside = "  %w = math.exp %zero : tensor<64x64xf32>\n  %total = scf.for"
    text = PRODUCT.replace("  %total = scf.for", outside).replace("yield %d", "yield %e2")
    text = text.replace("    scf.yield", "    %e2 = arith.addf %d, %w : tensor<64x64xf32>\n    scf.yield")
    assert work(text, [None, None, 256]).carried == 2 * tile
