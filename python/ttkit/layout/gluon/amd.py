"""Gluon's layouts of products on AMD's GPUs: values to look at and to compare; no kernel has tensors in them."""

from __future__ import annotations

from dataclasses import field

from ttkit.layout.distributed_encodings import AmdMfma, AmdWmma
from ttkit.layout.gluon.base import DistributedLayout, frozen, joined, joined_bases
from ttkit.records import dataclass


class _AmdLayout(DistributedLayout):
    version: int
    warps_per_cta: list[int]
    tiles_per_warp: list[int] | None
    cga_layout: list[list[int]]

    def _check(self) -> None:
        if self.tiles_per_warp is None:
            object.__setattr__(self, "tiles_per_warp", [1] * len(self.warps_per_cta))
        object.__setattr__(self, "cga_layout", self.cga_layout or [])
        self._check_ranks(self.rank, cga_layout=self.cga_layout)

    @property
    def rank(self) -> int:
        """One for each dimension of the warps."""
        return len(self.warps_per_cta)

    @property
    def text(self) -> str:
        """There is none in kernels.  Raises ValueError."""
        raise ValueError(f"{type(self).__name__} is a layout of AMD's GPUs, but kernels are compiled for NVIDIA's")

    def _check_version(self, last: int) -> None:
        if not 1 <= self.version <= last:
            self._refuse(f"version must be in the [1, {last}] range, found {self.version}")


@dataclass(frozen=True, eq=False)
class AMDMFMALayout(_AmdLayout):
    """The layout of the result of MFMA instructions.

    Args:
        version: of the GPU: 1 for gfx908, 2 for gfx90a, 3 for gfx942, 4 for gfx950.
        instr_shape: M, N and K of an instruction.
        transposed: whether a thread has neighbours of a row, not of a column.
        warps_per_cta: warps side by side, per dimension.
        element_bitwidth: bits of an element of the result, 32 or 64.
        tiles_per_warp: instructions of a warp side by side, per dimension; 1 by default.
        cga_layout: bases of the CTA index in the cluster.

    Raises:
        ValueError: there is no such instruction.
    """

    version: int
    instr_shape: list[int]
    transposed: bool
    warps_per_cta: list[int]
    element_bitwidth: int | None = None
    tiles_per_warp: list[int] | None = None
    cga_layout: list[list[int]] = field(default_factory=list)

    def _check(self) -> None:
        super()._check()
        if self.element_bitwidth is None:
            object.__setattr__(self, "element_bitwidth", 32)
        self._check_version(4)
        if len(self.instr_shape) != 3:
            self._refuse(f"instr_shape must follow the (M, N, K) format, found {self.instr_shape}")
        if self.instr_shape[:2] not in ([32, 32], [16, 16], [64, 4], [4, 64]):
            self._refuse(f"invalid intrinsic shape {self.instr_shape}")
        if self.element_bitwidth not in (32, 64):
            self._refuse(f"element bitwidth must be 32 or 64, found {self.element_bitwidth}")

    def _make_encoding(self) -> AmdMfma:
        warps, shape, cga, tiles = map(
            frozen, (self.warps_per_cta, self.instr_shape, self.cga_layout, self.tiles_per_warp)
        )
        return AmdMfma(self.version, warps, shape, self.transposed, cga, tiles, self.element_bitwidth or 32)

    def mangle(self) -> str:
        """All fields."""
        sizes = f"{joined(self.instr_shape)}_{self.transposed}_{joined(self.warps_per_cta)}_{self.element_bitwidth}"
        return f"MFMA_{self.version}_{sizes}_{joined(self.tiles_per_warp)}_{joined_bases(self.cga_layout)}_MFMA"


@dataclass(frozen=True, eq=False)
class AMDWMMALayout(_AmdLayout):
    """The layout of the result of WMMA instructions.

    Args:
        version: of the GPU: 1 for RDNA3, 2 for RDNA4, 3 for gfx1250.
        transposed: whether the result is computed transposed.
        warps_per_cta: warps side by side, per dimension.
        instr_shape: M, N and K of an instruction; 16 by default.
        tiles_per_warp, cga_layout: as of `AMDMFMALayout`.

    Raises:
        ValueError: there is no such version.
    """

    version: int
    transposed: bool
    warps_per_cta: list[int]
    instr_shape: list[int] | None = None
    tiles_per_warp: list[int] | None = None
    cga_layout: list[list[int]] = field(default_factory=list)

    def _check(self) -> None:
        super()._check()
        if self.instr_shape is None:
            object.__setattr__(self, "instr_shape", [16, 16, 16])
        self._check_version(3)

    def _make_encoding(self) -> AmdWmma:
        warps, shape, cga, tiles = map(
            frozen, (self.warps_per_cta, self.instr_shape, self.cga_layout, self.tiles_per_warp)
        )
        return AmdWmma(self.version, warps, self.transposed, cga, tiles, shape)

    def mangle(self) -> str:
        """All fields."""
        sizes = f"{joined(self.warps_per_cta)}_{joined(self.tiles_per_warp)}_{joined(self.instr_shape)}"
        return f"WMMA_{self.version}_{self.transposed}_{sizes}_{joined_bases(self.cga_layout)}_WMMA"
