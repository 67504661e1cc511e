"""Kernels with loops whose loads and products have users in several stages, clusters and branches."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import ttkit
import ttkit.language as tl


@ttkit.jit
def stored_in_a_branch(a, o, n, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    """The branch runs behind the copy of a later iteration."""
    at = tl.arange(0, BLOCK)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.load(a + i * BLOCK + at)
        if i % 2 == 0:
            tl.store(o + i * BLOCK + at, x)


@ttkit.jit
def stored_in_a_branch_by_tma(a, o, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    at = tl.arange(0, SIZE)
    for i in tl.range(0, n, num_stages=STAGES):
        x = a.load([i * SIZE, 0])
        if i % 2 == 0:
            tl.store(o + (i * SIZE + at)[:, None] * SIZE + at[None, :], x)


@ttkit.jit
def multiplied_in_a_branch(a, b, o, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    at = tl.arange(0, SIZE)
    tile = at[:, None] * SIZE + at[None, :]
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.load(a + i * SIZE * SIZE + tile)
        y = tl.load(b + i * SIZE * SIZE + tile)
        if i % 2 == 0:
            total = tl.dot(x, y, total)
    tl.store(o + tile, total)


@ttkit.jit
def multiplied_twice(a, b, o, p, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    """Two products read one view of what is loaded."""
    at = tl.arange(0, SIZE)
    tile = at[:, None] * SIZE + at[None, :]
    y, z = tl.load(b + tile), tl.load(b + SIZE * SIZE + tile)
    first, second = tl.zeros((SIZE, SIZE), tl.float32), tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.trans(tl.load(a + i * SIZE * SIZE + tile))
        first = tl.dot(x, y, first)
        second = tl.dot(x, z, second)
    tl.store(o + tile, first)
    tl.store(p + tile, second)


@ttkit.jit
def squared(a, o, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    """A product reads one view as both operands."""
    at = tl.arange(0, SIZE)
    tile = at[:, None] * SIZE + at[None, :]
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.trans(tl.load(a + i * SIZE * SIZE + tile))
        total = tl.dot(x, x, total)
    tl.store(o + tile, total)


@ttkit.jit
def squared_by_tma(a, o, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    at = tl.arange(0, SIZE)
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.trans(a.load([i * SIZE, 0]))
        total = tl.dot(x, x, total)
    tl.store(o + at[:, None] * SIZE + at[None, :], total)


@ttkit.jit
def sums_in_a_branch(a, o, n, KIND: tl.constexpr, SIZE: tl.constexpr, STAGES: tl.constexpr):
    """A branch uses sums that the next iteration adds to; KIND says where they come from, and how they get there."""
    at = tl.arange(0, SIZE)
    tile = at[:, None] * SIZE + at[None, :]
    total = tl.zeros((SIZE, SIZE), tl.float32)
    other = tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.load(a + i * SIZE * SIZE + tile)
        if KIND == "of registers":
            total = tl.dot(x + x, x, total)
        elif KIND == "of two products":
            total = tl.dot(x, x, tl.dot(x, x, total))
        elif KIND == "beside another product":
            other += tl.maximum(tl.dot(x, tl.trans(x)), 0.0)
            total = tl.dot(x, x, total)
        else:
            total = tl.dot(x, x, total)
        if KIND == "by way of a branch":  # noqa: SIM102 (a constant, then a number)
            if i % 3 == 1:
                total = total * 0.5
        seen = tl.trans(total) if KIND == "transposed" else total
        if i % 2 == 0:
            if KIND == "in a branch of a branch":  # noqa: SIM102 (a constant, then a number)
                if i % 4 == 0:
                    seen = seen + 1
            tl.store(o + i * SIZE * SIZE + tile, seen)
    tl.store(o + n * SIZE * SIZE + tile, total + other)


@ttkit.jit
def pointer_from_outside(a, b, o, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    at = tl.arange(0, SIZE)
    tile = at[:, None] * SIZE + at[None, :]
    total = tl.zeros((SIZE, SIZE), tl.float32)
    place = a + tile
    for _ in tl.range(0, n, num_stages=STAGES):
        x = tl.load(place)
        total = tl.dot(x, x, total)
        place = b + tile
    tl.store(o + tile, total)


@ttkit.jit
def described_in_the_loop(a, o, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    at = tl.arange(0, SIZE)
    for i in tl.range(0, n, num_stages=STAGES):
        tiles = tl.make_tensor_descriptor(a + i * SIZE * SIZE, [SIZE, SIZE], [SIZE, 1], [SIZE, SIZE])
        x = tiles.load([0, 0])
        if i % 2 == 0:
            tl.store(o + (i * SIZE + at)[:, None] * SIZE + at[None, :], x)


@ttkit.jit
def reset(a, o, n, SEEN: tl.constexpr, SIZE: tl.constexpr, STAGES: tl.constexpr):
    """Sums start anew in a branch.  SEEN: each iteration stores them, else the last one alone."""
    at = tl.arange(0, SIZE)
    tile = at[:, None] * SIZE + at[None, :]
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.load(a + i * SIZE * SIZE + tile)
        if SEEN:
            if i % 2 == 1:
                total = tl.zeros((SIZE, SIZE), tl.float32)
            tl.store(o + i * SIZE * SIZE + tile, total)
        total = tl.dot(x, x, total)
        if not SEEN:  # noqa: SIM102 (a constant, then a number)
            if i % 2 == 1:
                total = tl.zeros((SIZE, SIZE), tl.float32)
    tl.store(o + n * SIZE * SIZE + tile, total)


@ttkit.jit
def turned_in_branches(a, o, n, k, SIZE: tl.constexpr, STAGES: tl.constexpr):
    """Branch after branch gives the tile to the next one in other layouts."""
    at = tl.arange(0, SIZE)
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        if i > 0:
            x = a.load([i * SIZE, 0])
            total = tl.dot(x, x)
        else:
            tl.store(o + at[:, None] * SIZE + at[None, :], total)
        if k > 0:  # noqa: SIM108 (a branch, not a select)
            total = tl.minimum(tl.trans(total), 2.0)
        else:
            total = tl.trans(total) + total


@ttkit.jit
def written_twice(a, o, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    """The second store stands behind a branch with the first one."""
    at = tl.arange(0, SIZE)
    tile = at[:, None] * SIZE + at[None, :]
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.load(a + i * SIZE * SIZE + tile)
        if i % 2 == 0:
            tl.store(o + i * SIZE * SIZE + tile, total)
        total = tl.dot(x, x, total)
        tl.store(o + i * SIZE * SIZE + tile, total)


@ttkit.jit
def written_for_the_next(a, o, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    """Each iteration loads what the one before has stored."""
    at = tl.arange(0, SIZE)
    tile = at[:, None] * SIZE + at[None, :]
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.load(a + i * SIZE * SIZE + tile)
        total = tl.dot(x, x, total)
        tl.store(a + (i + 1) * SIZE * SIZE + tile, tl.clamp(total, -1.0, 1.0).to(tl.float16))
    tl.store(o + tile, total)


@ttkit.jit
def counted(a, o, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    """A branch and what follows it add to a counter, and use what they read."""
    at = tl.arange(0, SIZE)
    tile = at[:, None] * SIZE + at[None, :]
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES):
        x = tl.load(a + i * SIZE * SIZE + tile)
        total = tl.dot(x, x, total)
        if i % 2 == 0:
            tl.atomic_add(o + at, tl.sum(total, axis=0))
        total += tl.atomic_add(o + at, 1.0)[None, :]
        tl.store(o + (1 + i % 2) * SIZE + at, tl.max(total, axis=1))
    tl.store(o + 4 * SIZE + tile, total)


@ttkit.jit
def written_beside_its_copies(b, o, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    """A tensor that descriptors load, in a loop that is to be divided among warps."""
    at = tl.arange(0, SIZE)
    tile = at[:, None] * SIZE + at[None, :]
    tiles = tl.make_tensor_descriptor(b, [8 * SIZE, SIZE], [SIZE, 1], [SIZE, SIZE])
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for i in tl.range(0, n, num_stages=STAGES, warp_specialize=True):
        y = tiles.load([i * SIZE, 0])
        total = tl.dot(y, y, total)
        tl.store(b + (i + 1) * SIZE * SIZE + tile, tl.clamp(total, -1.0, 1.0).to(tl.float16))
    tl.store(o + tile, total)


@dataclass(frozen=True)
class Loop:
    """A kernel with its types and constants; capabilities: of the GPUs that it runs on."""

    name: str
    function: Callable[..., Any]
    types: dict[str, str]
    constants: dict[str, Any] = field(default_factory=dict)
    capabilities: tuple[int, ...] = (80, 90)


TILES = {"SIZE": 64}
BY_TMA = {"a": "tensordesc<fp16[64,64]>"}
KINDS = (
    *("of registers", "of two products", "beside another product"),
    *("by way of a branch", "transposed", "in a branch of a branch"),
)
LOOPS = [
    Loop("stored_in_a_branch", stored_in_a_branch, {"a": "*fp32", "o": "*fp32"}, {"BLOCK": 512}),
    Loop("stored_in_a_branch_by_tma", stored_in_a_branch_by_tma, {**BY_TMA, "o": "*fp16"}, TILES, (90,)),
    Loop("multiplied_in_a_branch", multiplied_in_a_branch, {"a": "*fp16", "b": "*fp16", "o": "*fp32"}, TILES),
    Loop("multiplied_twice", multiplied_twice, {"a": "*fp16", "b": "*fp16", "o": "*fp32", "p": "*fp32"}, TILES, (90,)),
    Loop("squared", squared, {"a": "*fp16", "o": "*fp32"}, TILES, (90,)),
    Loop("squared_by_tma", squared_by_tma, {**BY_TMA, "o": "*fp32"}, TILES, (90,)),
    Loop("pointer_from_outside", pointer_from_outside, {"a": "*fp16", "b": "*fp16", "o": "*fp32"}, TILES),
    Loop("described_in_the_loop", described_in_the_loop, {"a": "*fp16", "o": "*fp16"}, TILES, (90,)),
    *(
        Loop(f"sums {kind}", sums_in_a_branch, {"a": "*fp16", "o": "*fp32"}, {"KIND": kind, **TILES}, (90,))
        for kind in KINDS
    ),
    Loop("turned_in_branches", turned_in_branches, {**BY_TMA, "o": "*fp32", "k": "i32"}, TILES, (90,)),
    Loop("reset", reset, {"a": "*fp16", "o": "*fp32"}, {"SEEN": False, "SIZE": 128}, (100,)),
    Loop("reset, seen", reset, {"a": "*fp16", "o": "*fp32"}, {"SEEN": True, "SIZE": 128}, (100,)),
]

IN_ORDER = [
    Loop(function.fn.__name__, function, {argument: "*fp16", "o": "*fp32"}, {"SIZE": size}, capabilities)
    for function, argument, size, capabilities in (
        (written_twice, "a", 64, (80, 90)),
        (written_for_the_next, "a", 64, (80, 90)),
        (counted, "a", 64, (80, 90)),
        (written_beside_its_copies, "b", 128, (90, 100)),
    )
]
"""Loops with several accesses of one tensor in global memory, one of which writes."""
