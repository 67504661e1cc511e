"""Layouts of tensors held in registers: what their fields must satisfy.  `encodings` explains the terms."""

from __future__ import annotations

import ttkit.layout._fields as _fields
from ttkit.layout.encoding_base import Bases, Distributed, Ints, is_power_of_two


class Blocked(_fields.BlockedFields):
    def _check(self) -> None:
        sizes = ("size_per_thread", "threads_per_warp", "warps_per_cta")
        if any(len(getattr(self, field)) != self.rank for field in sizes):
            raise self._error("size_per_thread, threads_per_warp, warps_per_cta and order must have the same rank")
        self._check_powers_of_two(*sizes)
        self._check_size(*sizes)
        self._check_order(self.order)
        self._check_cga_layout()

    @property
    def rank(self) -> int:
        """One for each dimension of the order."""
        return len(self.order)


class Slice(_fields.SliceFields):
    def _check(self) -> None:
        if not isinstance(self.parent, Distributed):
            raise self._error(f"parent must be a distributed layout, got {self.parent!r}")
        if self.parent.rank < 2:
            raise self._error(f"parent must have rank >= 2, got rank {self.parent.rank}")
        if self.dim >= self.parent.rank:
            raise self._error(f"dim must be less than the parent's rank {self.parent.rank}, got {self.dim}")

    @property
    def rank(self) -> int:
        """One less than the parent's."""
        return self.parent.rank - 1


class _Mma(Distributed):
    """The result of a matrix instruction: rank 2, or 3 with a batch in front."""

    warps_per_cta: Ints
    instr_shape: Ints

    @property
    def rank(self) -> int:
        """One for each dimension of the warps."""
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


class NvidiaMma(_Mma, _fields.NvidiaMmaFields):
    def _check(self) -> None:
        self._check_mma("warps_per_cta")
        if self.version_major not in (1, 2, 3):
            raise self._error(f"version_major must be 1, 2 or 3, got {self.version_major}")
        if self.version_major == 2 and len(self.instr_shape) != self.rank:
            raise self._error(f"instr_shape must have {self.rank} elements, as warps_per_cta, got {self.instr_shape}")
        if self.version_major == 3 and (len(self.instr_shape), self.rank) != (3, 2):
            raise self._error(f"version 3 needs instr_shape (m, n, k) and rank 2, got {self.instr_shape}, {self.rank}")


class AmdMfma(_Mma, _fields.AmdMfmaFields):
    def _check(self) -> None:
        if self.version > 4:
            raise self._error(f"version must be 0 to 4, got {self.version}")
        if self.instr_shape[:2] not in ((32, 32), (16, 16), (64, 4), (4, 64)):
            raise self._error(
                f"instr_shape must start with (32, 32), (16, 16), (64, 4) or (4, 64), got {self.instr_shape}"
            )
        if self.element_bit_width not in (32, 64):
            raise self._error(f"element_bit_width must be 32 or 64, got {self.element_bit_width}")
        self._check_mma("warps_per_cta", "tiles_per_warp")


_WMMA_SHAPES = {  # by version
    1: ((16, 16, 16),),
    2: ((16, 16, 16), (16, 16, 32)),
    3: ((16, 16, 4), (16, 16, 32), (16, 16, 64), (16, 16, 128)),
}


class AmdWmma(_Mma, _fields.AmdWmmaFields):
    def _check(self) -> None:
        if self.version not in _WMMA_SHAPES:
            raise self._error(f"version must be 1 to 3, got {self.version}")
        shapes = _WMMA_SHAPES[self.version]
        if self.instr_shape not in shapes:
            raise self._error(f"instr_shape of version {self.version} must be one of {shapes}, got {self.instr_shape}")
        self._check_mma("warps_per_cta", "tiles_per_warp")


_WMMA_K_WIDTHS = {1: (8, 16), 2: (4, 8, 16), 3: tuple(1 << bit for bit in range(11))}  # by version


class DotOperand(_fields.DotOperandFields):
    def _check(self) -> None:
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
        """The parent's."""
        return self.parent.rank


GENERIC_LINEAR = "generic_linear"
"""Triton's name, since 3.8, of linear layouts whose warps move in several dimensions at once."""


def _move_in_one(bases: Bases) -> bool:
    return all(sum(value != 0 for value in basis) <= 1 for basis in bases)


class Linear(_fields.LinearFields):
    def _check(self) -> None:
        bases = self.register + self.lane + self.warp + self.block
        self._check_linear(bases)
        if not _move_in_one(self.register + self.lane + self.block):
            raise self._error("each basis but those of warps must move in at most one dimension")

    def __str__(self) -> str:
        text = super().__str__()
        return text if _move_in_one(self.warp) else text.replace(self.mnemonic, GENERIC_LINEAR, 1)

    @property
    def rank(self) -> int:
        """That of its first basis; there is one at least."""
        return len((self.register + self.lane + self.warp + self.block)[0])
