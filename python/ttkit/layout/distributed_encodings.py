"""Layouts of tensors held in registers.  `encodings` explains the terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ttkit.layout.encoding_base import (
    Bases,
    Distributed,
    Ints,
    Layout,
    Value,
    cga_entry,
    is_power_of_two,
    tiles_entry,
    tiles_or_ones,
)


@dataclass(frozen=True)
class Blocked(Distributed):
    """Each thread, warp and CTA holds a box of contiguous elements.

    size_per_thread: elements of a thread's box, per dimension.
    threads_per_warp, warps_per_cta: how many boxes lie side by side, per dimension.
    order: in which dimensions consecutive threads and warps advance, fastest first.
    """

    size_per_thread: Ints
    threads_per_warp: Ints
    warps_per_cta: Ints
    order: Ints
    cga_layout: Bases = ()
    mnemonic: ClassVar[str] = "blocked"

    def __post_init__(self) -> None:
        sizes = ("size_per_thread", "threads_per_warp", "warps_per_cta")
        self._check_ints(*sizes, "order")
        if any(len(getattr(self, field)) != self.rank for field in sizes):
            raise self._error("size_per_thread, threads_per_warp, warps_per_cta and order must have the same rank")
        self._check_powers_of_two(*sizes)
        self._check_size(*sizes)
        self._check_order(self.order)
        self._check_cga_layout()

    @property
    def rank(self) -> int:
        return len(self.order)

    def entries(self) -> dict[str, Value]:
        return {
            "sizePerThread": self.size_per_thread,
            "threadsPerWarp": self.threads_per_warp,
            "warpsPerCTA": self.warps_per_cta,
            "order": self.order,
            **cga_entry(self.cga_layout),
        }


@dataclass(frozen=True)
class Slice(Distributed):
    """`parent` with its dimension `dim` removed: what a reduction of a `parent` tensor along `dim` leaves."""

    dim: int
    parent: Layout
    mnemonic: ClassVar[str] = "slice"

    def __post_init__(self) -> None:
        self._check_int("dim")
        if not isinstance(self.parent, Distributed):
            raise self._error(f"parent must be a distributed layout, got {self.parent!r}")
        if self.parent.rank < 2:
            raise self._error(f"parent must have rank >= 2, got rank {self.parent.rank}")
        if self.dim >= self.parent.rank:
            raise self._error(f"dim must be less than the parent's rank {self.parent.rank}, got {self.dim}")

    @property
    def rank(self) -> int:
        return self.parent.rank - 1

    def entries(self) -> dict[str, Value]:
        return {"dim": self.dim, "parent": self.parent}


class _Mma(Distributed):
    """The result of a matrix instruction: rank 2, or 3 with a batch in front."""

    warps_per_cta: Ints
    instr_shape: Ints

    @property
    def rank(self) -> int:
        return len(self.warps_per_cta)

    def _check_mma(self, *sizes: str) -> None:
        """Check the fields that all matrix layouts have; `sizes` names those that count warps and tiles."""
        if self.rank not in (2, 3):
            raise self._error(f"warps_per_cta must have 2 or 3 elements, got {self.warps_per_cta}")
        if any(not 1 <= size <= 1024 for size in self.instr_shape):
            raise self._error(f"instr_shape must be between 1 and 1024, got {self.instr_shape}")
        if any(len(getattr(self, field)) != self.rank for field in sizes):
            raise self._error(f"{' and '.join(sizes)} must have {self.rank} elements")
        self._check_powers_of_two(*sizes)
        self._check_size(*sizes, "instr_shape")
        self._check_cga_layout()


@dataclass(frozen=True)
class NvidiaMma(_Mma):
    """The result of NVIDIA's tensor-core instructions: version 1 Volta's, 2 mma.sync, 3 wgmma.

    warps_per_cta: warps per dimension.  instr_shape: elements of one instruction, per dimension (version 3: m, n, k).
    """

    version_major: int
    version_minor: int
    warps_per_cta: Ints
    instr_shape: Ints
    cga_layout: Bases = ()
    mnemonic: ClassVar[str] = "nvidia_mma"

    def __post_init__(self) -> None:
        self._check_int("version_major", "version_minor")
        self._check_ints("warps_per_cta", "instr_shape")
        self._check_mma("warps_per_cta")
        if self.version_major not in (1, 2, 3):
            raise self._error(f"version_major must be 1, 2 or 3, got {self.version_major}")
        if self.version_major == 2 and len(self.instr_shape) != self.rank:
            raise self._error(f"instr_shape must have {self.rank} elements, as warps_per_cta, got {self.instr_shape}")
        if self.version_major == 3 and (len(self.instr_shape), self.rank) != (3, 2):
            raise self._error(f"version 3 needs instr_shape (m, n, k) and rank 2, got {self.instr_shape}, {self.rank}")

    def entries(self) -> dict[str, Value]:
        return {
            "versionMajor": self.version_major,
            "versionMinor": self.version_minor,
            "warpsPerCTA": self.warps_per_cta,
            **cga_entry(self.cga_layout),
            "instrShape": self.instr_shape,
        }


@dataclass(frozen=True)
class AmdMfma(_Mma):
    """The result of the matrix instructions of AMD's CDNA GPUs (version 1 to 4; 0 before them).

    warps_per_cta: warps per dimension.  instr_shape: elements (m, n, k) of one instruction.
    is_transposed: the instruction computes the transposed product, so that m and n swap.
    tiles_per_warp: instruction tiles that a warp holds side by side, per dimension; empty means one.
    element_bit_width: bits of an accumulator element, 32 or 64.
    """

    version: int
    warps_per_cta: Ints
    instr_shape: Ints
    is_transposed: bool = False
    cga_layout: Bases = ()
    tiles_per_warp: Ints = ()
    element_bit_width: int = 32
    mnemonic: ClassVar[str] = "amd_mfma"

    def __post_init__(self) -> None:
        self._check_int("version", "element_bit_width")
        self._check_ints("warps_per_cta", "instr_shape", "tiles_per_warp")
        if self.version > 4:
            raise self._error(f"version must be 0 to 4, got {self.version}")
        if self.instr_shape[:2] not in ((32, 32), (16, 16), (64, 4), (4, 64)):
            raise self._error(
                f"instr_shape must start with (32, 32), (16, 16), (64, 4) or (4, 64), got {self.instr_shape}"
            )
        if self.element_bit_width not in (32, 64):
            raise self._error(f"element_bit_width must be 32 or 64, got {self.element_bit_width}")
        self._set("is_transposed", bool(self.is_transposed))
        self._set("tiles_per_warp", tiles_or_ones(self.tiles_per_warp, self.rank))
        self._check_mma("warps_per_cta", "tiles_per_warp")

    def entries(self) -> dict[str, Value]:
        return {
            "version": self.version,
            "warpsPerCTA": self.warps_per_cta,
            "instrShape": self.instr_shape,
            "isTransposed": self.is_transposed,
            **cga_entry(self.cga_layout),
            **tiles_entry(self.tiles_per_warp),
            **({"elementBitWidth": self.element_bit_width} if self.element_bit_width != 32 else {}),
        }


_WMMA_SHAPES = {  # by version
    1: ((16, 16, 16),),
    2: ((16, 16, 16), (16, 16, 32)),
    3: ((16, 16, 4), (16, 16, 32), (16, 16, 64), (16, 16, 128)),
}


@dataclass(frozen=True)
class AmdWmma(_Mma):
    """The result of the matrix instructions of AMD's RDNA GPUs: version 1 gfx11, 2 gfx12, 3 gfx1250.

    warps_per_cta: warps per dimension.  instr_shape: elements (m, n, k) of one instruction.
    tiles_per_warp: instruction tiles that a warp holds side by side, per dimension; empty means one.
    """

    version: int
    warps_per_cta: Ints
    is_transpose: bool = False
    cga_layout: Bases = ()
    tiles_per_warp: Ints = ()
    instr_shape: Ints = (16, 16, 16)
    mnemonic: ClassVar[str] = "amd_wmma"

    def __post_init__(self) -> None:
        self._check_int("version")
        self._check_ints("warps_per_cta", "tiles_per_warp", "instr_shape")
        if self.version not in _WMMA_SHAPES:
            raise self._error(f"version must be 1 to 3, got {self.version}")
        shapes = _WMMA_SHAPES[self.version]
        if self.instr_shape not in shapes:
            raise self._error(f"instr_shape of version {self.version} must be one of {shapes}, got {self.instr_shape}")
        self._set("is_transpose", bool(self.is_transpose))
        self._set("tiles_per_warp", tiles_or_ones(self.tiles_per_warp, self.rank))
        self._check_mma("warps_per_cta", "tiles_per_warp")

    def entries(self) -> dict[str, Value]:
        return {
            "version": self.version,
            "isTranspose": self.is_transpose,
            "warpsPerCTA": self.warps_per_cta,
            **cga_entry(self.cga_layout),
            **tiles_entry(self.tiles_per_warp),
            **({"instrShape": self.instr_shape} if self.instr_shape != (16, 16, 16) else {}),
        }


_WMMA_K_WIDTHS = {1: (8, 16), 2: (4, 8, 16), 3: tuple(1 << bit for bit in range(11))}  # by version


@dataclass(frozen=True)
class DotOperand(Distributed):
    """Operand `op_idx` (0 is a, 1 is b) of a dot whose result has layout `parent`.

    k_width: consecutive elements along the reduced dimension in one register group; 0 where `parent` has no say in it.
    """

    op_idx: int
    parent: Layout
    k_width: int = 0
    mnemonic: ClassVar[str] = "dot_op"

    def __post_init__(self) -> None:
        self._check_int("op_idx", "k_width")
        if self.op_idx > 1:
            raise self._error(f"op_idx must be 0 or 1, got {self.op_idx}")
        parent, width = self.parent, self.k_width
        if width and (not is_power_of_two(width) or width > 1024):
            raise self._error(f"k_width must be 0 or a power of two of at most 1024, got {width}")
        if isinstance(parent, NvidiaMma) and parent.version_major in (2, 3):
            if width == 0:
                raise self._error(
                    f"k_width must be positive for an nvidia_mma parent of version {parent.version_major}"
                )
            if parent.version_major == 3 and self.op_idx == 1:
                raise self._error("op_idx must be 0 for an nvidia_mma parent of version 3: wgmma reads b from memory")
        elif isinstance(parent, AmdMfma):
            if width == 0:
                raise self._error("k_width must be positive for an amd_mfma parent")
        elif isinstance(parent, AmdWmma):
            widths = _WMMA_K_WIDTHS[parent.version]
            if width not in widths:
                raise self._error(f"k_width must be one of {widths} for amd_wmma version {parent.version}, got {width}")
        elif isinstance(parent, (Blocked, NvidiaMma)):
            if width != 0:
                raise self._error(f"k_width must be 0 for a {parent.mnemonic} parent of this kind, got {width}")
        else:
            raise self._error(f"parent must be a blocked, nvidia_mma, amd_mfma or amd_wmma layout, got {parent!r}")
        if self.rank < 2:
            raise self._error(f"parent must have rank >= 2, got rank {self.rank}")

    @property
    def rank(self) -> int:
        return self.parent.rank

    def entries(self) -> dict[str, Value]:
        return {"opIdx": self.op_idx, "parent": self.parent, **({"kWidth": self.k_width} if self.k_width else {})}


@dataclass(frozen=True)
class Linear(Distributed):
    """Any distributed layout, by the bases of its register, lane, warp and CTA (`block`) index."""

    register: Bases
    lane: Bases
    warp: Bases
    block: Bases = ()
    mnemonic: ClassVar[str] = "linear"

    def __post_init__(self) -> None:
        self._check_bases("register", "lane", "warp", "block")
        bases = self.register + self.lane + self.warp + self.block
        self._check_linear(bases)
        if any(sum(value != 0 for value in basis) > 1 for basis in bases):
            raise self._error("each basis must move in at most one dimension")

    @property
    def rank(self) -> int:
        return len((self.register + self.lane + self.warp + self.block)[0])

    def entries(self) -> dict[str, Value]:
        return {"register": self.register, "lane": self.lane, "warp": self.warp, "block": self.block}
