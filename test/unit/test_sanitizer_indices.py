"""What sanitizers say of index arithmetic that wraps, and of hints that lie: the line, the numbers, what to do."""

import numpy as np
import pytest
from planted_mistakes import line_of

import ttkit
import ttkit.language as tl
from ttkit.runtime.compile import compile as compile_kernel
from ttkit.sanitizer import check, checking
from ttkit.sanitizer.reports import text_of

BIG = 1 << 30
WRONG, RIGHT = [], []


def kernel(listed, kind, grid, make, **constants):
    """Notes a kernel: the kind of finding, the grid, and what makes its arguments."""

    def note(function):
        listed.append((kind, ttkit.jit(function), grid, make, constants))
        return function

    return note


def wrong(kind, grid, make, **constants):
    return kernel(WRONG, kind, grid, make, **constants)


def right(grid, make, **constants):
    return kernel(RIGHT, None, grid, make, **constants)


def bytes_of(n, *others):
    return lambda: (np.zeros(n, np.int8), *others)


# --- arithmetic that wraps --------------------------------------------------------------------------------------------


@wrong("overflow", (4,), bytes_of(64, BIG), B=16)
def negative_index_passes_the_mask(x, stride, B: tl.constexpr):
    start = tl.program_id(0) * stride  # !
    i = start + tl.arange(0, B)
    tl.store(x + tl.arange(0, B), 1, mask=i < 64)


@wrong("overflow", (1,), bytes_of(64, 65536, 65536), B=16)
def loop_that_never_runs(x, rows, columns, B: tl.constexpr):
    for _ in range(rows * columns):  # !
        tl.store(x + tl.arange(0, B), 1)


@wrong("overflow", (1,), bytes_of(64, 2**31 - 1), B=16)
def ceiling_of_the_largest_size(x, n, B: tl.constexpr):
    for _ in range(tl.cdiv(n, B)):  # !
        tl.store(x + tl.arange(0, B), 1)


@wrong("overflow", (1,), bytes_of(64, 1 << 28), B=16)
def loop_until_a_sum(x, n, B: tl.constexpr):
    end = n * 9  # !
    at = 0
    while at < end:
        tl.store(x + at + tl.arange(0, B), 1)
        at += n


@wrong("overflow", (4,), bytes_of(64, BIG), B=16)
def early_return(x, stride, B: tl.constexpr):
    start = tl.program_id(0) * stride * 4  # !
    if start >= 64:
        return
    tl.store(x + tl.arange(0, B), 1)


@wrong("overflow", (4,), bytes_of(64, BIG), B=16)
def guarded_store(x, stride, B: tl.constexpr):
    start = tl.program_id(0) * stride * 4  # !
    if start < 64:
        tl.store(x + tl.arange(0, B), 1)


@wrong("overflow", (4,), bytes_of(64, BIG), B=16)
def after_programs_parted(x, stride, B: tl.constexpr):
    start = tl.program_id(0) * stride * 4  # !
    if tl.program_id(0) == 3:
        return
    at = start
    if tl.program_id(0) == 1:
        at += 16
    tl.store(x + at + tl.arange(0, B), 1)


@wrong("overflow", (2,), bytes_of(64, BIG), B=16)
def unsigned_index(x, stride, B: tl.constexpr):
    row = (tl.program_id(0) * 4).to(tl.uint32) * stride.to(tl.uint32)  # !
    tl.store(x + row + tl.arange(0, B), 1)


@wrong("overflow", (3,), bytes_of(64, BIG), B=16)
def clamped_index(x, stride, B: tl.constexpr):
    row = tl.program_id(0) * stride  # !
    tl.store(x + tl.maximum(tl.minimum(row, 48), 0) + tl.arange(0, B), 1)


@wrong("overflow", (3,), bytes_of(64, BIG), B=16)
def divided_index(x, stride, B: tl.constexpr):
    row = tl.program_id(0) * stride  # !
    tl.store(x + row // stride * B + tl.arange(0, B), 1)


@wrong("overflow", (3,), bytes_of(64, BIG), B=16)
def block_pointer(x, stride, B: tl.constexpr):
    start = tl.program_id(0) * stride  # !
    block = tl.make_block_ptr(x, (64,), (1,), (start,), (B,), (0,))
    tl.store(block, tl.zeros((B,), tl.int8), boundary_check=(0,))


@wrong("overflow", (1,), bytes_of(64, BIG), B=16)
def advanced_block_pointer(x, stride, B: tl.constexpr):
    block = tl.make_block_ptr(x, (64,), (1,), (0,), (B,), (0,))
    for _ in range(4):
        tl.store(block, tl.zeros((B,), tl.int8), boundary_check=(0,))
        block = tl.advance(block, (stride,))  # !


@wrong("overflow", (3,), lambda: (np.zeros((64, 64), np.int8), BIG), B=16)
def descriptor(x, stride, B: tl.constexpr):
    block = tl.make_tensor_descriptor(x, [64, 64], [64, 1], [B, B])
    row = tl.program_id(0) * stride  # !
    block.store([row, 0], tl.zeros((B, B), tl.int8))


@wrong("overflow", (1,), lambda: (np.zeros(64, np.int8), np.full(4, BIG, np.int32)), B=4)
def running_sum(x, lengths, B: tl.constexpr):
    ends = tl.cumsum(tl.load(lengths + tl.arange(0, B)), 0)  # !
    tl.store(x + ends, 1, mask=(ends >= 0) & (ends < 64))


@wrong("overflow", (1,), lambda: (np.zeros(64, np.int8), np.full(4, BIG, np.int32)), B=4)
def whole_sum(x, lengths, B: tl.constexpr):
    end = tl.sum(tl.load(lengths + tl.arange(0, B)), 0)  # !
    tl.store(x + end, 1)


@right((1,), bytes_of(64, 123456789), B=16)
def hashed(x, seed, B: tl.constexpr):
    h = (tl.arange(0, B) + seed) * -1640531535
    h = h ^ (h >> 15)
    tl.store(x + (h * 0x2C1B3C6D & 63), 1)


@right((1,), lambda: (np.zeros(64, np.int32), 123456789), B=16)
def hashed_unsigned(x, seed, B: tl.constexpr):
    h = (tl.arange(0, B) + seed).to(tl.uint32) * 2654435761
    tl.atomic_add(x + h % 64, 1, mask=h < 3000000000)


@right((1,), lambda: (np.zeros(64, np.int32), 12345), B=16)
def congruential_generator(x, seed, B: tl.constexpr):
    state = tl.arange(0, B) + seed
    for _ in range(5):
        state = state * 1103515245 + 12345
    tl.store(x + tl.arange(0, B), state, mask=(state >> 16) % 2 == 0)


@right((1,), lambda: (np.zeros(64, np.float32), 77), B=64)
def random_mask(x, seed, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.randint(seed, i).to(tl.float32), mask=tl.rand(seed, i) > 0.5)


@right((1,), bytes_of(64, 2**31 - 1), B=16)
def wraps_and_comes_back(x, n, B: tl.constexpr):
    tl.store(x + ((tl.arange(0, B) + n) - n), 1)


@right((4,), bytes_of(64, BIG), B=16)
def in_64_bits(x, stride, B: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * stride + tl.arange(0, B)
    tl.store(x + i, 1, mask=i < 64)


@right((1,), lambda: (np.zeros(64, np.int32), BIG), B=16)
def wrapped_data(x, n, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), tl.arange(0, B) * n)


# --- hints that lie ---------------------------------------------------------------------------------------------------


@wrong("hint", (1,), bytes_of(64, 33), B=16)
def of_an_argument(x, n, B: tl.constexpr):
    n = tl.multiple_of(n, 16)  # !
    tl.store(x + tl.arange(0, B), 1, mask=tl.arange(0, B) < n)


@wrong("hint", (1,), lambda: (np.zeros(65, np.int8)[1:],), B=16)
def of_a_pointer(x, B: tl.constexpr):
    x = tl.multiple_of(x, 16)  # !
    tl.store(x + tl.arange(0, B), 1)


@wrong("hint", (1,), bytes_of(128, 33), B=16)
def of_a_carried_value(x, n, B: tl.constexpr):
    at = 0
    for _ in range(3):
        at = tl.multiple_of(at, 16)  # !
        tl.store(x + at + tl.arange(0, B), 1)
        at += n


@wrong("hint", (1,), bytes_of(128, 3), B=16)
def of_an_index_of_a_loop(x, n, B: tl.constexpr):
    for k in range(0, 20, n):
        k = tl.multiple_of(k, 4)  # !
        tl.store(x + k + tl.arange(0, B), 1)


@wrong("hint", (1,), bytes_of(64, 3), B=16)
def before_another_one(x, n, B: tl.constexpr):
    i = tl.arange(0, B) + n
    i = tl.multiple_of(i, 16)  # !
    i = tl.multiple_of(i, 1)
    tl.store(x + i, 1)


@right((4,), bytes_of(64, 32), B=16)
def that_hold(x, n, B: tl.constexpr):
    n = tl.multiple_of(n, 16)
    x = tl.multiple_of(x, 16)
    i = tl.max_contiguous(tl.multiple_of(tl.program_id(0) * B + tl.arange(0, B), B), B)
    tl.store(x + i, 1, mask=i < n)


def names(value):
    return value.fn.__name__ if hasattr(value, "fn") else ""


@pytest.mark.parametrize(("kind", "kernel", "grid", "make", "constants"), WRONG, ids=names)
def test_errors_are_found_at_their_line(kind, kernel, grid, make, constants):
    with checking("asan", prints=False) as found:
        kernel[grid](*make(), **constants)
    places = [(finding.kind, finding.site[0].line) for finding in found.found.values()]
    assert places == [(kind, line_of(kernel))], [text_of(finding) for finding in found.found.values()]


@pytest.mark.parametrize(("kind", "kernel", "grid", "make", "constants"), RIGHT, ids=names)
def test_what_wraps_on_purpose_is_no_error(kind, kernel, grid, make, constants):
    with checking("asan", prints=False) as found:
        kernel[grid](*make(), **constants)
    assert not [text_of(finding) for finding in found.found.values()]


def finding_of(name):
    _kind, kernel, grid, make, constants = next(row for row in WRONG if names(row[1]) == name)
    with checking("asan", prints=False) as found:
        kernel[grid](*make(), **constants)
    (finding,) = found.found.values()
    return finding


def test_the_numbers_are_those_of_the_program_that_is_named():
    finding = finding_of("negative_index_passes_the_mask")
    wraps = "2 * 1073741824 is 2147483648, which wraps to -2147483648 in 32 bits"
    assert finding.message == f"{wraps}, and decides the mask of an access"
    assert (finding.program, finding.element, finding.count) == ((2, 0, 0), (0,), 32)
    assert "x.to(tl.int64)" in finding.fix


def test_sums_say_of_how_many_elements():
    assert finding_of("whole_sum").message.startswith(
        "the sum of 4 elements is 4294967296, which wraps to 0 in 32 bits"
    )


@ttkit.jit
def compiled_for_multiples(x, n, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), 1, mask=tl.arange(0, B) < n)


@pytest.mark.parametrize(("offset", "n", "argument"), [(0, 32, None), (0, 33, "n"), (1, 32, "x")])
def test_arguments_that_a_kernel_was_not_compiled_for(offset, n, argument):
    types = {"x": "*i8", "n": "i32", "B": "constexpr"}
    facts = {(0,): [["tt.divisibility", 16]], (1,): [["tt.divisibility", 16]]}
    source = ttkit.ASTSource(compiled_for_multiples, types, {"B": 16}, facts)
    with checking("asan", prints=False) as found:
        compile_kernel(source)[(1, 1, 1)](np.zeros(80, np.int8)[offset:], n)
    assert [finding.argument for finding in found.found.values()] == ([argument] if argument else [])
    for finding in found.found.values():
        assert finding.kind == "hint"
        assert f"compiled for {argument} being a multiple of 16" in finding.message
        assert finding.site[0].file == __file__


def test_files_are_checked_too():
    text = """
    tt.func public @f(%x: !tt.ptr<i8>, %n: i32 {tt.divisibility = 16 : i32}) {
      %square = arith.muli %n, %n : i32
      %p = tt.addptr %x, %square : !tt.ptr<i8>, i32
      %one = arith.constant 1 : i8
      tt.store %p, %one : !tt.ptr<i8>
      tt.return
    }"""
    with ttkit.Context():
        found = check(ttkit.parse(text), 1, [np.zeros(16, np.int8), 65538])
    assert [finding.kind for finding in found.found.values()] == ["hint", "overflow"]
