"""What sanitizers find in kernels, and what they say of it."""

import numpy as np
import pytest
from interpreter_kernels import CASES
from launched_kernels import add
from planted_mistakes import PLANTED, line_of
from sweeps import every
from test_interpreter_kernels import FILES

import ttkit
import ttkit.language as tl
from ttkit.interpreter.decode import decode_module
from ttkit.language import gluon
from ttkit.sanitizer import check, checking
from ttkit.sanitizer.atomic_orders import order_of
from ttkit.sanitizer.reports import text_of


@pytest.mark.parametrize(
    ("kind", "kernel", "grid", "make", "constants"), PLANTED, ids=lambda v: getattr(v, "__name__", "")
)
def test_planted_mistakes_are_found_with_their_line(kind, kernel, grid, make, constants):
    with checking(prints=False) as found:
        kernel[grid](*make(), **constants)
    assert (kind, line_of(kernel)) in [(f.kind, f.site[0].line) for f in found.found.values()]
    assert {finding.kind for finding in found.found.values()} == {kind}


@ttkit.jit
def wrapped_rows(x, out, stride, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    value = tl.load(x + (row * stride + i) % 1024)
    tl.store(out + row * BLOCK + i, value)


def test_a_negative_remainder_is_explained_by_its_sign():
    with checking(prints=False) as found:
        wrapped_rows[(4,)](np.ones(1024, np.float32), np.zeros(256, np.float32), -128, BLOCK=64)
    finding = next(iter(found.found.values()))
    assert finding.kind == "out-of-bounds" and "before the first" in finding.message
    assert "a negative value stays negative: in a kernel, as in C, -128 % 1024 is -128" in finding.fix


@ttkit.jit
def locked(lock, out, SCOPE: tl.constexpr, TAKE: tl.constexpr, GIVE: tl.constexpr, FENCE: tl.constexpr):
    while tl.atomic_cas(lock, 0, 1, scope=SCOPE, sem=TAKE) == 1:
        pass
    if FENCE:
        tl.inline_asm_elementwise(
            "membar.gl; mov.b32 $0, $1;", "=r,r", [lock.to(tl.int64).to(tl.int32)], tl.int32, False, 1
        )
    tl.store(out, tl.load(out) + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0, scope=SCOPE, sem=GIVE)


@pytest.mark.parametrize("level", ["source", "ttir", "ttgir", "llvm"])
@pytest.mark.parametrize(
    ("scope", "take", "give", "fence", "kinds"),
    [
        ("gpu", "acq_rel", "acq_rel", False, set()),
        ("sys", "acq_rel", "acq_rel", False, set()),
        ("gpu", "acquire", "release", False, set()),
        ("gpu", "relaxed", "release", False, {"race"}),
        ("gpu", "acquire", "relaxed", False, {"race"}),
        ("gpu", "relaxed", "relaxed", True, set()),
        ("cta", "acq_rel", "acq_rel", False, {"race"}),
    ],
)
def test_a_lock_orders_programs_by_its_order_and_scope(level, scope, take, give, fence, kinds):
    with checking(f"all,level={level}", prints=False) as found:
        locked[(4,)](np.zeros(1, np.int32), np.zeros(1, np.int32), scope, take, give, fence)
    assert {finding.kind for finding in found.found.values()} == kinds


LOWERED = {
    '"llvm.atomicrmw"(%p, %v) {bin_op = 11, ordering = 6, syncscope = "block"}': 0,
    '"llvm.atomicrmw"(%p, %v) {bin_op = 11, ordering = 2, syncscope = "device"}': 1,
    'llvm.inline_asm "@$2 ld.global.gpu.acquire.b32 $0, [$1];", "=r,l,b" %p, %v': 2,
    'llvm.inline_asm "atom.global.gpu.release.exch.b32 $0, [$1], $2;", "=r,l,r" %p, %v': 3,
    'llvm.inline_asm "atom.global.cta.acq_rel.exch.b32 $0, [$1], $2;", "=r,l,r" %p, %v': 0,
    'llvm.inline_asm "atom.global.add.u32 $0, [$1], $2;", "=r,l,r" %p, %v': 1,
}


@pytest.mark.parametrize("text", LOWERED)
def test_orders_of_lowered_atomics(text):
    module = f"llvm.func @k(%p: !llvm.ptr<1>, %v: f32) {{ %0 = {text} : (!llvm.ptr<1>, f32) -> f32 llvm.return }}"
    with ttkit.Context():
        (function,) = decode_module(ttkit.parse(module)).functions.values()
    assert order_of(next(function.operations())) == LOWERED[text]


@ttkit.jit
def without_values(x, out, n, BLOCK: tl.constexpr, WHAT: tl.constexpr, MASKED: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i)
    if WHAT == "gather":
        value = tl.gather(value, i + 1, 0)
    elif WHAT == "quotient":
        value = value // (BLOCK - 1 - i)
    else:
        value = value % (BLOCK - 1 - i)
    if MASKED:
        value = tl.where(i < n, value, 0)
    tl.store(out + i, value)


@pytest.mark.parametrize("level", ["source", "ttgir"])
@pytest.mark.parametrize("what", ["gather", "quotient", "remainder"])
def test_gathers_from_outside_and_quotients_by_zero(what, level):
    with checking(f"init,level={level}", prints=False) as found:
        without_values[(1,)](np.ones(32, np.int32), np.zeros(32, np.int32), 31, 32, what, True)
    assert not found.found
    with checking(f"init,level={level}", prints=False) as found:
        without_values[(1,)](np.ones(32, np.int32), np.zeros(32, np.int32), 31, 32, what, False)
    [finding] = found.found.values()
    assert (finding.kind, finding.element, finding.count) == ("uninitialized", (31,), 1)
    assert finding.message.startswith("tl.gather" if what == "gather" else "division by the integer 0")


@ttkit.jit
def block_by_descriptor(x, out, stride, BLOCK: tl.constexpr):
    block = tl.make_tensor_descriptor(x, [BLOCK, BLOCK], [stride, 1], [BLOCK, BLOCK])
    i = tl.arange(0, BLOCK)
    tl.store(out + i[:, None] * BLOCK + i[None, :], block.load([0, 0]))  # !


@pytest.mark.parametrize("level", ["source", "ttir", "ttgir", "llvm"])
@pytest.mark.parametrize("target", ["interpret:sm_90", "interpret:sm_80"])
def test_a_descriptor_that_tma_refuses(monkeypatch, level, target):
    """GPUs without TMA take it."""
    monkeypatch.setenv("TTKIT_DEVICE", target)
    kernel = ttkit.jit(block_by_descriptor.fn)  # with no code for another target
    with checking(f"all,level={level}", prints=False) as found:
        kernel[(1,)](np.ones(400, np.float32), np.zeros((16, 16), np.float32), 17, BLOCK=16)
    wanted = [("misaligned", line_of(kernel))] if target.endswith("90") else []
    assert [(f.kind, f.site[0].line) for f in found.found.values()] == wanted


def test_forty_are_planted():
    kinds = [kind for kind, *_ in PLANTED]
    addresses = sum(kinds.count(kind) for kind in ("misaligned", "hint", "overflow"))
    assert [kinds.count("out-of-bounds"), kinds.count("race"), kinds.count("uninitialized"), addresses] == [10] * 4


INCORRECT = {
    "barrier_between": "stores where other threads may still load, with no second barrier",
    "loop_hints": "all threads load out[0], which one of them stores to when it is done",
    "block_pointer_matmul": "uses what boundary_check leaves undefined for want of a padding_option",
    "pointer_hints": "says 128 of multiples of 64",
}
"""Kernels of test/data that have a mistake."""
FILES_OF_TT = [path for path in FILES if path.suffix == ".ttir"]
CORRECT = {path.name.split(".")[0]: path for path in (*FILES, *FILES_OF_TT)}
CORRECT = {name: path for name, path in CORRECT.items() if name not in INCORRECT}


@pytest.mark.parametrize("name", every(4, CORRECT))
def test_nothing_is_said_of_correct_kernels(name):
    case = CASES[name](np.random.default_rng(20), name)
    with ttkit.Context():
        found = check(ttkit.parse(CORRECT[name].read_text()), case.grid, case.args)
    assert not [text_of(finding) for finding in found.found.values()]


def test_a_script_may_look_at_all_levels():
    with checking(prints=False):
        kernel = add[(4,)](*(np.ones(1000, np.float32) for _ in range(3)), 1000, BLOCK=256)
    assert "tt.func" in kernel.asm["source"]
    assert "ptx" in kernel.asm
    assert ".visible .entry add" in kernel.asm["ptx"]
    with pytest.raises(KeyError):
        kernel.asm["amdgcn"]


@gluon.jit
def reads_beyond(src, dst, N: tl.constexpr):
    index = gluon.arange(0, N, gluon.CoalescedLayout())
    gluon.store(dst + index, gluon.load(src + index + 1))  # !


def test_kernels_in_gluon_are_checked_from_ttgir_on():
    with checking(prints=False) as found:
        reads_beyond[(1,)](np.zeros(128, np.float32), np.zeros(128, np.float32), 128)
    assert [(f.kind, f.site[0].line) for f in found.found.values()] == [("out-of-bounds", line_of(reads_beyond))]


def test_a_hundred_kernels_are_correct():
    assert len(CORRECT) >= 100


@ttkit.jit
def stored_then_loaded(x, out, B: tl.constexpr, MEETS: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, i)
    if MEETS == "barrier":
        tl.debug_barrier()
    elif MEETS == "sum":
        tl.store(out + B, tl.sum(i))
    tl.store(out + i, tl.load(x + (i + 1) % B))  # !


@ttkit.jit
def shifted_in_place(x, out, B: tl.constexpr, MEETS: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.load(x + (i + 1) % B)
    if MEETS == "barrier":
        tl.debug_barrier()
    elif MEETS == "sum":
        value += tl.sum(value)
    tl.store(x + i, value)  # !


@ttkit.jit
def written_twice(x, out, B: tl.constexpr, MEETS: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, i + 1)
    if MEETS == "barrier":
        tl.debug_barrier()
    elif MEETS == "sum":
        tl.store(out, tl.sum(i))
    tl.store(x + B - 1 - i, i + 2)  # !


@ttkit.jit
def last_of_the_block_before(x, out, B: tl.constexpr, MEETS: tl.constexpr):
    i = tl.arange(0, B)
    before = 0
    for block in range(2):
        tl.store(x + block * B + i, before + i)
        if MEETS == "barrier":
            tl.debug_barrier()
        elif MEETS == "sum":
            tl.store(out, tl.sum(i))
        before = tl.load(x + block * B + B - 1)  # !
    tl.store(out + 1, before)


@ttkit.jit
def counted_from_zeros(x, out, B: tl.constexpr, MEETS: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, 0)
    if MEETS == "barrier":
        tl.debug_barrier()
    elif MEETS == "sum":
        tl.store(out, tl.sum(i))
    tl.atomic_add(x + i // 2, 1)  # !


@pytest.mark.parametrize("meets", ["nowhere", "barrier", "sum"])
@pytest.mark.parametrize(
    "kernel",
    [stored_then_loaded, shifted_in_place, written_twice, last_of_the_block_before, counted_from_zeros],
    ids=lambda kernel: kernel.fn.__name__,
)
def test_races_between_threads_of_a_program(kernel, meets):
    x, out = np.arange(100, 356, dtype=np.int32), np.zeros(200, np.int32)
    with checking("tsan", prints=False) as found:
        kernel[(1,)](x, out, B=128, MEETS=meets)
    if meets != "nowhere":
        assert not found.found
        return
    (finding,) = found.found.values()
    assert (finding.kind, finding.site[0].line) == ("race", line_of(kernel))
    assert "another element of the same program" in finding.message
    assert "tl.debug_barrier()" in finding.fix


@ttkit.jit
def through_scratch(x, scratch, out, B: tl.constexpr):
    """Each element goes through a place of its own."""
    i = tl.program_id(0) * B + tl.arange(0, B)
    for step in range(3):
        tl.store(scratch + i, tl.load(x + i) + step)
        value = tl.load(scratch + i)
        tl.store(scratch + i, value * 2)
        tl.store(out + i, tl.load(scratch + i))


def test_elements_that_keep_to_themselves_need_no_barrier():
    with checking("tsan", prints=False) as found:
        through_scratch[(2,)](*(np.ones(256, np.int32) for _ in range(3)), B=128)
    assert not found.found


@ttkit.jit
def passed_on(flag, out):
    for step in range(2):
        tl.atomic_store(out + step, tl.atomic_load(flag + step) + 1)
    tl.atomic_add(flag, tl.program_id(0))


@pytest.mark.parametrize("kind", ["tsan", "all"])
def test_atomic_reads_and_stores_race_with_nothing_atomic(kind):
    out = np.zeros(2, np.int32)
    with checking(kind, prints=False) as found:
        passed_on[(2,)](np.zeros(2, np.int32), out)
    assert not found.found and out[1] == 1
