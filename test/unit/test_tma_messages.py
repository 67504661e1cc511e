"""Messages of the tensor memory accelerator: together they write each element of a tile where its layout says."""

import itertools

import numpy as np
import pytest

from ttkit.layout import to_linear_layout
from ttkit.layout.encodings import NvmmaShared
from ttkit.layout.tma_messages import message_place, place_of, plan_messages

CASES = [
    ((512,), 0, 32, {"rank": 1}),
    ((64, 128), 0, 16, {}),
    ((64, 128), 32, 16, {}),
    ((64, 128), 64, 8, {}),
    ((64, 128), 128, 16, {}),
    ((16, 512), 128, 32, {}),
    ((512, 128), 128, 8, {"cga_layout": ((0, 0),)}),
    ((64, 128), 128, 16, {"cga_layout": ((1, 0), (0, 1))}),
    ((64, 128), 128, 8, {"fp4_padded": True}),
    ((4, 16, 64), 128, 16, {"rank": 3}),
    ((2, 2, 4, 8, 64), 64, 16, {"rank": 5}),
]


def written_by_message(encoding: NvmmaShared, box: tuple[int, ...]) -> np.ndarray:
    """For each element of a box the byte at which the hardware writes it, from the message's own place on."""
    width = encoding.element_bit_width // 8
    index = np.arange(int(np.prod(box))) * width
    if encoding.fp4_padded:
        index = index // 8 * 16 + index % 8
    rows = {128: 8, 64: 4, 32: 2}.get(encoding.swizzling_byte_width, 1)
    return (index ^ index // 128 % rows * 16).reshape(box)


@pytest.mark.parametrize(("shape", "swizzle", "bits", "options"), CASES)
def test_messages_write_the_layout(shape, swizzle, bits, options):
    encoding = NvmmaShared(swizzle, False, bits, **options)
    memory = to_linear_layout(shape, encoding)
    plan = plan_messages(encoding, shape, memory)
    scale = [1] * (len(shape) - 1) + [2 if encoding.fp4_padded else 1]
    ctas, seen = 1 << memory.bits_in("block"), set()
    written = written_by_message(encoding, plan.box)
    for cta, number in itertools.product(range(ctas), range(plan.count)):
        start, offset = [0] * len(shape), 0
        for dim in range(len(shape)):
            for columns, index in ((plan.coordinates, number), (plan.of_ctas, cta)):
                for bit, step in enumerate(columns[dim]):
                    start[dim] ^= step // scale[dim] if index >> bit & 1 else 0
        for bit, step in enumerate(plan.offsets):
            offset ^= step if number >> bit & 1 else 0
        for corner in {(0,) * len(shape), tuple(n - 1 for n in plan.box), tuple(n // 3 for n in plan.box)}:
            element = tuple(a + b for a, b in zip(start, corner))
            assert place_of(memory, element) * bits // 8 == offset * bits // 8 + written[corner]
        seen.add((tuple(start), cta))
    distinct = 1 << sum(any(step) for step in memory.bases("block"))
    assert len({start for start, _ in seen}) * np.prod(plan.box) == np.prod(shape)
    assert len(seen) == plan.count * ctas and distinct <= ctas


def test_rows_begin_where_no_swizzle_has_moved_them():
    encoding = NvmmaShared(128, False, 16)
    memory = to_linear_layout((64, 64), encoding)
    assert [message_place(memory, encoding, [row, 0]) for row in (4, 8, 12)] == [4 * 64, 8 * 64, 12 * 64]


def test_what_no_message_writes():
    with pytest.raises(ValueError, match="transposed"):
        encoding = NvmmaShared(128, True, 16)
        plan_messages(encoding, (64, 64), to_linear_layout((64, 64), encoding))
    with pytest.raises(ValueError, match="narrower than the swizzle"):
        encoding = NvmmaShared(128, False, 16)
        plan_messages(encoding, (64, 32), to_linear_layout((64, 64), encoding))
