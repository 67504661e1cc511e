"""Accesses to shared memory: vectors, wavefronts and matrices, each against the hardware's rule played through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttkit.layout import LinearLayout, gf2, to_linear_layout
from ttkit.layout import encodings as enc
from ttkit.layout.division import divide_left, with_registers
from ttkit.layout.matrix_access import matrix_access
from ttkit.layout.shared_access import access_pattern, largest_vector, offsets, wavefronts

BITS = 10
OUTS = (("dim0", 5), ("dim1", 5))


@st.composite
def registers(draw) -> LinearLayout:
    """A permutation of bits over 5 lane bits, some of them copies."""
    columns = draw(st.permutations([1 << bit for bit in range(BITS)]))
    copies = draw(st.integers(0, 2))
    lanes = draw(st.permutations([*columns[: 5 - copies], *[0] * copies]))
    held = columns[5 - copies :]
    return LinearLayout((("register", len(held)), ("lane", 5)), OUTS, (*held, *lanes))


@st.composite
def memories(draw) -> LinearLayout:
    """Any bijective layout: units with XORs mixed in."""
    columns = list(draw(st.permutations([1 << bit for bit in range(BITS)])))
    for _ in range(draw(st.integers(0, 6))):
        a, b = draw(st.integers(0, BITS - 1)), draw(st.integers(0, BITS - 1))
        if a != b:
            columns[a] ^= columns[b]
    return LinearLayout((("offset", BITS),), OUTS, tuple(columns))


def counted_wavefronts(addresses: list[range]) -> int:
    """Byte ranges accessed at once -> the most words in one bank."""
    banks: dict[int, set[int]] = {}
    for address in addresses:
        for word in range(address.start // 4, -(-address.stop // 4)):
            banks.setdefault(word % 32, set()).add(word)
    return max(map(len, banks.values()))


@given(registers(), memories(), st.sampled_from([8, 16, 32, 64]))
def test_access_pattern_is_what_the_banks_see(layout, memory, bits):
    access = access_pattern(layout, memory, bits)
    places = with_registers(offsets(layout, memory), access.register_order)
    assert access.instructions * access.vector == layout.in_size("register")
    for instruction in range(access.instructions):
        starts = [places.apply({"register": instruction * access.vector, "lane": lane})["offset"] for lane in range(32)]
        for lane, start in enumerate(starts):
            for element in range(access.vector):
                index = {"register": instruction * access.vector + element, "lane": lane}
                assert places.apply(index)["offset"] == start + element
        group = 32 // access.ideal
        total = 0
        for first in range(0, 32, group):
            size = bits // 8
            spans = [range(s * size, (s + access.vector) * size) for s in starts[first : first + group]]
            total += counted_wavefronts(spans)
        assert total == access.wavefronts


@given(st.lists(st.integers(0, 1023), max_size=6), st.sampled_from([8, 16, 32, 64]))
def test_wavefronts_counts_words_in_banks(columns, bits):
    size = bits // 8
    spans = [range(offset * size, (offset + 1) * size) for offset in gf2.all_values(columns)]
    assert wavefronts(columns, bits) == counted_wavefronts(spans)


@given(registers(), memories(), st.sampled_from([8, 16, 32]))
def test_no_wider_vector_exists(layout, memory, bits):
    places = offsets(layout, memory)
    vector, _ = largest_vector(places, bits)
    wider = LinearLayout.identity(2 * vector, "register", "offset")
    if 2 * vector * bits <= 128:
        units = [1 << bit for bit in range(vector.bit_length())]
        columns = places.columns_of("register")
        others = [column for column in places.columns if column not in units]
        assert not all(unit in columns for unit in units) or any(column & 2 * vector - 1 for column in others)
        assert divide_left(places, wider) is None


def test_padding_removes_conflicts():
    """A column of a 32x32 f32 tensor lies in one bank, until rows are one element longer."""
    column = LinearLayout.from_bases(
        {"register": [(0, 1 << bit) for bit in range(5)], "lane": [(1 << bit, 0) for bit in range(5)]}, ["dim0", "dim1"]
    )
    padded = enc.PaddedShared.from_order(((32, 1),), (1, 0), (32, 32))
    memory = to_linear_layout((32, 32), padded)
    assert access_pattern(column, memory, 32, limit=1).wavefronts == 32
    assert access_pattern(column, memory, 32, limit=1, pads=padded.pads).wavefronts == 1
    swizzled = to_linear_layout((32, 32), enc.SwizzledShared(1, 1, 32, (1, 0)))
    assert access_pattern(column, swizzled, 32).conflicts == 0


@given(st.data())
def test_division_undoes_multiplication(data):
    def drawn(most: int) -> LinearLayout:
        columns = data.draw(st.permutations([1, 2, 4, 8]))
        cut = data.draw(st.integers(0, most))
        return LinearLayout((("register", cut), ("lane", 4 - cut)), (("dim0", 2), ("dim1", 2)), tuple(columns))

    a, b = drawn(4), drawn(4)
    assert divide_left(a * b, a) == b
    order = data.draw(st.permutations(range((a * b).bits_in("register"))))
    assert with_registers(a * b, order).span.rank == (a * b).span.rank


# --- Matrices --------------------------------------------------------------------------------------------------------
def loaded(rows: LinearLayout, matrices: int, elements: int, transposed: bool, warp: int) -> dict:
    """ldmatrix played through: (lane, element within the register, matrix, instruction) -> offset."""
    found = {}
    for instruction in range(rows.in_size("register")):
        for matrix in range(matrices):
            start = [
                rows.apply({"lane": 8 * matrix + row, "register": instruction, "warp": warp})["offset"]
                for row in range(8)
            ]
            assert all(offset % (4 * elements) == 0 for offset in start)
            for lane in range(32):
                for element in range(elements):
                    row, column = lane // 4, lane % 4 * elements + element
                    if transposed:
                        row, column = column, row
                    found[lane, element, matrix, instruction] = start[row] + column
    return found


MMA = enc.NvidiaMma(2, 0, (2, 2), (16, 8))


@pytest.mark.parametrize(
    ("layout", "memory", "bits", "transposed"),
    [
        (enc.DotOperand(0, MMA, 2), enc.SwizzledShared(8, 1, 8, (1, 0)), 16, False),
        (enc.DotOperand(1, MMA, 2), enc.SwizzledShared(8, 1, 8, (1, 0)), 16, True),
        (enc.DotOperand(1, MMA, 2), enc.NvmmaShared(128, False, 16), 16, True),
        (enc.DotOperand(1, MMA, 2), enc.NvmmaShared(128, True, 16), 16, False),
        (enc.DotOperand(0, MMA, 4), enc.SwizzledShared(16, 1, 4, (1, 0)), 8, False),
        (enc.DotOperand(0, MMA, 1), enc.SwizzledShared(4, 1, 8, (1, 0)), 32, False),
        (enc.NvidiaMma(3, 0, (4, 1), (16, 64, 16)), enc.NvmmaShared(128, False, 16), 16, False),
        (MMA, enc.SwizzledShared(8, 1, 8, (0, 1)), 16, True),
    ],
)
def test_matrix_access_loads_what_each_register_holds(layout, memory, bits, transposed):
    shape = (64, 64)
    places = offsets(to_linear_layout(shape, layout).remove_zero_bases("register"), to_linear_layout(shape, memory))
    access = matrix_access(places, bits, transposed)
    assert access is not None
    assert access.matrices == 4
    assert matrix_access(places, bits, not transposed) is None
    ordered = with_registers(places, access.register_order)
    elements = 32 // bits
    for warp in range(4):
        found = loaded(access.rows, access.matrices, elements, transposed, warp)
        for (lane, element, matrix, instruction), offset in found.items():
            register = element + elements * (matrix + access.matrices * instruction)
            assert ordered.apply({"register": register, "lane": lane, "warp": warp})["offset"] == offset


def test_matrix_access_does_not_fit():
    shape = (64, 64)
    blocked = to_linear_layout(shape, enc.Blocked((1, 8), (8, 4), (4, 1), (1, 0)))
    memory = to_linear_layout(shape, enc.SwizzledShared(8, 1, 8, (1, 0)))
    assert matrix_access(offsets(blocked, memory), 16) is None
    operand = to_linear_layout(shape, enc.DotOperand(0, MMA, 2))
    narrow = to_linear_layout(shape, enc.SwizzledShared(2, 1, 8, (1, 0)))
    assert matrix_access(offsets(operand, narrow), 16) is None  # rows shorter than 16 bytes
    assert matrix_access(offsets(operand, memory), 64) is None
