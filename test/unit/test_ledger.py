"""The layout ledger, and its bank conflicts against a simulation of banks."""

import random
from collections.abc import Iterator

import pytest

import ttkit
from ttkit.analysis.ledger import Count, Ledger, count_layouts
from ttkit.layout import parse_layout, to_linear_layout
from ttkit.layout.exchange import Transfer, plan_exchange

BLOCKED = "#ttg.blocked<{{sizePerThread = {}, threadsPerWarp = {}, warpsPerCTA = {}, order = {}}}>"
ROWS = BLOCKED.format([1, 4], [8, 4], [4, 1], [1, 0])
COLUMNS = BLOCKED.format([4, 1], [4, 8], [1, 4], [0, 1])
KERNEL = f"""
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func @f(%x: tensor<64x64xf32, {ROWS}>) -> (tensor<64x64xf32, {COLUMNS}>, tensor<64x64xf32, {COLUMNS}>) {{
    %0 = ttg.convert_layout %x : tensor<64x64xf32, {ROWS}> -> tensor<64x64xf32, {COLUMNS}>
    %1 = ttg.convert_layout %x : tensor<64x64xf32, {ROWS}> -> tensor<64x64xf32, {COLUMNS}>
    tt.return %0, %1 : tensor<64x64xf32, {COLUMNS}>, tensor<64x64xf32, {COLUMNS}>
  }}
}}"""


def test_entries_of_a_pipeline() -> None:
    with ttkit.Context():
        ledger = ttkit.layout_ledger(ttkit.parse(KERNEL), "cse,canonicalize")
    assert [entry.pass_name for entry in ledger.entries] == ["(input)", "cse", "canonicalize"]
    assert [entry.count.conversions for entry in ledger.entries] == [2, 1, 1]
    assert ledger.entries[0].count == Count(conversions=2, shared=2, shared_bytes=16384)
    assert ledger.to_json()[1]["shared"] == 1
    assert ledger.table().split("\n")[3].split() == ["canonicalize", *"......."]


def test_without_layouts_there_is_nothing_to_count() -> None:
    with ttkit.Context():
        assert count_layouts(ttkit.parse("tt.func @f() {\n tt.return\n}")) == Count()


def test_a_layout_that_does_not_fit_is_told() -> None:
    with ttkit.Context():
        ledger = Ledger()
        bad = KERNEL.replace("tensor<64x64xf32, " + ROWS, "tensor<64x64xf32").replace(f", {COLUMNS}", "")
        ledger.add("some-pass", ttkit.parse(bad).operation)
    assert "has no layout" in ledger.table()


def accesses(transfer: Transfer, bits: int) -> Iterator[tuple[list[list[int]], int]]:
    """For each instruction of a warp: the words that lanes access at once, and wavefronts that are needed anyway."""
    words = max(1, transfer.vector * bits // 32)
    lanes = 32 // words
    offset = list(transfer.offsets.out_dims).index("offset")
    for _ in transfer.registers:
        for first in range(0, len(transfer.registers[0]), transfer.vector):
            groups = []
            for group in range(0, 32, lanes):
                touched: set[int] = set()
                for lane in range(group, group + lanes):
                    for register in range(first, first + transfer.vector):
                        place = transfer.offsets.apply({"register": register, "lane": lane, "warp": 0, "block": 0})
                        start = list(place.values())[offset] * bits // 8
                        touched |= {byte // 4 for byte in range(start, start + max(1, bits // 8))}
                groups.append(sorted(touched))
            yield groups, words


def random_layout(rng: random.Random) -> str:
    def split(total: int) -> list[int]:
        rows = 1 << rng.randrange(total.bit_length())
        return [rows, total // rows]

    size = [1 << rng.randrange(4), 1 << rng.randrange(4)]
    return BLOCKED.format(size, split(32), split(4), rng.choice([[0, 1], [1, 0]]))


@pytest.mark.parametrize("seed", range(60))
def test_bank_conflicts_are_those_of_the_banks(seed: int) -> None:
    rng = random.Random(seed)
    shape, bits = (1 << rng.randrange(3, 6), 1 << rng.randrange(3, 6)), rng.choice([8, 16, 32, 64])
    source, target = (to_linear_layout(shape, parse_layout(random_layout(rng))) for _ in range(2))
    exchange = plan_exchange(source, target, bits)
    for transfer in (exchange.store, exchange.load):
        expected = 0
        for groups, needed in accesses(transfer, bits):
            taken = 0
            for touched in groups:
                banks = [word % 32 for word in touched]
                taken += max(banks.count(bank) for bank in set(banks))
            expected += taken - needed
        assert transfer.conflicts(bits) == expected
