"""Random layouts that are legal by construction, for property tests."""

from collections.abc import Callable

from hypothesis import reject
from hypothesis import strategies as st

from ttkit.layout import LinearLayout, UnsuitableShape, to_linear_layout
from ttkit.layout.encodings import (
    AmdMfma,
    AmdRotatingShared,
    AmdWmma,
    Blocked,
    DotOperand,
    Layout,
    Linear,
    NvidiaMma,
    NvmmaShared,
    PaddedShared,
    SharedLinear,
    Slice,
    SwizzledShared,
)


def power_up_to(max_bits: int) -> st.SearchStrategy[int]:
    return st.integers(0, max_bits).map(lambda bits: 1 << bits)


small_powers = power_up_to(2)  # a tile of rank 4 stays below 2**31 elements


def powers(rank: int, max_bits: int = 2) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[power_up_to(max_bits)] * rank)


def shapes(max_bits: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Of rank 1 to 3, with sizes of at most 2**max_bits."""
    return st.integers(1, 3).flatmap(lambda rank: powers(rank, max_bits))


def orders(rank: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.permutations(range(rank)).map(tuple)


@st.composite
def unit_bases(draw, rank: int, max_bits: int = 6) -> list[tuple[int, ...]]:
    """Bases 1, 2, 4... along each dimension, so that every coordinate is reached exactly once, in random order."""
    bases = [
        tuple((1 << bit) * (dim == moved) for dim in range(rank))
        for moved in range(rank)
        for bit in range(draw(st.integers(0, max_bits // rank)))
    ]
    return draw(st.permutations(bases)) if bases else []


@st.composite
def cga_layouts(draw, rank: int) -> tuple[tuple[int, ...], ...]:
    bases = draw(unit_bases(rank, 3)) + [(0,) * rank] * draw(st.integers(0, 1))
    return tuple(draw(st.permutations(bases))) if bases else ()


@st.composite
def blocked(draw, rank: int) -> Blocked:
    return Blocked(*[draw(powers(rank)) for _ in range(3)], draw(orders(rank)), draw(cga_layouts(rank)))


@st.composite
def blocked_of_one_cta(draw, rank: int) -> Blocked:
    return Blocked(*[draw(powers(rank)) for _ in range(3)], draw(orders(rank)))


@st.composite
def nvidia_mma(draw, rank: int) -> NvidiaMma:
    versions = [(2, (1, 16, 8)[3 - rank :]), (1, (16, 16))] + [(3, (16, 64, 16))] * (rank == 2)
    version, shape = draw(st.sampled_from(versions))
    return NvidiaMma(version, draw(st.integers(0, 3)), draw(powers(rank)), shape, draw(cga_layouts(rank)))


@st.composite
def amd_mfma(draw, rank: int) -> AmdMfma:
    return AmdMfma(
        draw(st.integers(0, 4)),
        draw(powers(rank)),
        draw(st.sampled_from([(32, 32, 8), (16, 16, 16), (64, 4, 4), (4, 64, 4)])),
        draw(st.booleans()),
        draw(cga_layouts(rank)),
        draw(powers(rank)),
        draw(st.sampled_from([32, 64])),
    )


@st.composite
def amd_wmma(draw, rank: int) -> AmdWmma:
    version, depth = draw(st.sampled_from([(1, 16), (2, 16), (2, 32), (3, 4), (3, 32), (3, 64), (3, 128)]))
    tail = (draw(cga_layouts(rank)), draw(powers(rank)), (16, 16, depth))
    return AmdWmma(version, draw(powers(rank)), draw(st.booleans()), *tail)


@st.composite
def dot_operands(draw, rank: int) -> DotOperand:
    parent = draw(st.one_of(blocked(rank), *matrices(rank)))
    width = 0
    if isinstance(parent, AmdWmma):
        width = draw(st.sampled_from([8, 16]))
    elif isinstance(parent, AmdMfma) or (isinstance(parent, NvidiaMma) and parent.version_major in (2, 3)):
        width = draw(small_powers)
    hopper = isinstance(parent, NvidiaMma) and parent.version_major == 3
    return DotOperand(0 if hopper else draw(st.integers(0, 1)), parent, width)


@st.composite
def linear(draw, rank: int) -> Linear:
    bases = draw(unit_bases(rank).filter(bool)) + [(0,) * rank] * draw(st.integers(0, 2))
    first, second, third = sorted(draw(st.integers(0, len(bases))) for _ in range(3))
    parts = bases[:first], bases[first:second], bases[second:third], bases[third:]
    return Linear(*map(tuple, parts))


def matrices(rank: int) -> list[st.SearchStrategy[Layout]]:
    return [nvidia_mma(rank), amd_mfma(rank), amd_wmma(rank)]


def distributed(rank: int) -> st.SearchStrategy[Layout]:
    kinds = [blocked(rank), linear(rank)]
    if rank in (2, 3):
        kinds += [*matrices(rank), dot_operands(rank)]
    if rank < 4:
        kinds.append(st.deferred(lambda: slices(rank)))
    return st.one_of(kinds)


@st.composite
def slices(draw, rank: int) -> Slice:
    return Slice(draw(st.integers(0, rank)), draw(distributed(rank + 1)))


@st.composite
def phased(draw, rank: int) -> SwizzledShared | AmdRotatingShared:
    kind = draw(st.sampled_from([SwizzledShared, AmdRotatingShared]))
    return kind(*[draw(small_powers) for _ in range(3)], draw(orders(rank)), draw(cga_layouts(rank)))


@st.composite
def nvmma_shared(draw, rank: int) -> NvmmaShared:
    width, bits = draw(st.sampled_from([0, 32, 64, 128])), draw(st.sampled_from([8, 16, 32]))
    padded = draw(st.booleans()) if bits == 8 else False
    return NvmmaShared(width, draw(st.booleans()), bits, padded, rank, draw(cga_layouts(rank)))


@st.composite
def padded_shared(draw, rank: int) -> PaddedShared:
    intervals = draw(st.lists(small_powers, min_size=1, max_size=3, unique=True))
    pads = tuple((interval, draw(small_powers)) for interval in intervals)
    if draw(st.booleans()):
        return PaddedShared.from_order(pads, draw(orders(rank)), draw(powers(rank)))
    bases = draw(unit_bases(rank).filter(bool))
    split = draw(st.integers(0, len(bases)))
    return PaddedShared(pads, tuple(bases[:split]), tuple(bases[split:]))


@st.composite
def shared_linear(draw, rank: int) -> SharedLinear:
    bases = draw(unit_bases(rank).filter(bool)) + [(0,) * rank] * draw(st.integers(0, 1))
    split = draw(st.integers(1, len(bases)))
    return SharedLinear(tuple(bases[:split]), draw(small_powers), tuple(bases[split:]))


def shared(rank: int) -> st.SearchStrategy[Layout]:
    return st.one_of(phased(rank), nvmma_shared(rank), padded_shared(rank), shared_linear(rank))


@st.composite
def linear_layouts(
    draw, encodings: Callable[[int], st.SearchStrategy[Layout]], shapes: st.SearchStrategy[tuple[int, ...]]
) -> LinearLayout:
    """A layout of `encodings(rank)` for one of `shapes` that suits it."""
    shape = draw(shapes)
    try:
        return to_linear_layout(shape, draw(encodings(len(shape))))
    except UnsuitableShape:
        reject()


layouts = st.integers(1, 3).flatmap(lambda rank: st.one_of(distributed(rank), shared(rank)))
