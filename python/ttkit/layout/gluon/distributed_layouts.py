"""Gluon's layouts of tensors held in registers."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ttkit.layout.distributed_encodings import Blocked, DotOperand, Linear, NvidiaMma, Slice
from ttkit.layout.encoding_base import Layout
from ttkit.layout.gluon.base import DistributedLayout, frozen, joined, joined_bases
from ttkit.records import dataclass


class _OpenLayout(DistributedLayout):
    """A layout that a pass finds."""

    _attribute: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    @property
    def rank(self) -> int:
        """There is none.  Raises ValueError."""
        raise ValueError(f"{type(self).__name__} has no rank")

    @property
    def text(self) -> str:
        """The attribute in the IR."""
        return self._attribute

    def _make_encoding(self) -> Layout:
        raise ValueError(f"{type(self).__name__} is open: a pass finds the layout after the kernel is read")


@dataclass(frozen=True, eq=False, repr=False)
class AutoLayout(_OpenLayout):
    """The layout that the tensor's uses ask for: each leads to a `set_auto_layout`, or to a tensor with a layout.

    Example:
        >>> gl.zeros([4], gl.float32, gl.AutoLayout()).type.layout
        AutoLayout()
    """

    _attribute = "#gluon.auto_encoding"

    def mangle(self) -> str:
        """`AL`."""
        return "AL"


@dataclass(frozen=True, eq=False, repr=False)
class CoalescedLayout(_OpenLayout):
    """The layout in which a warp accesses neighbouring addresses: it follows from the pointers of a load or store.

    Example:
        >>> offsets = gl.arange(0, 4, gl.CoalescedLayout())
        >>> gl.load(pointer(np.ones(4, np.float32)) + offsets)
        fp32[4] [1. 1. 1. 1.]
    """

    _attribute = "#gluon.coalesced_encoding"

    def mangle(self) -> str:
        """`CL`."""
        return "CL"


@dataclass(frozen=True, eq=False)
class BlockedLayout(DistributedLayout):
    """Boxes of elements: one a thread, side by side in a warp, in a CTA.

    Args:
        size_per_thread: elements of a thread's box, per dimension.
        threads_per_warp: threads of a warp side by side, per dimension.
        warps_per_cta: warps of a CTA side by side, per dimension.
        order: dimensions in which consecutive threads and warps advance, fastest first.
        cga_layout: bases of the CTA index in the cluster; empty for one CTA.

    Raises:
        ValueError: the fields differ in rank.

    Example:
        >>> gl.to_linear_layout(gl.BlockedLayout([1, 2], [2, 16], [4, 1], [1, 0]), [8, 32]).value.lane_bases
        [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]]
    """

    size_per_thread: list[int]
    threads_per_warp: list[int]
    warps_per_cta: list[int]
    order: list[int]
    cga_layout: list[list[int]] = field(default_factory=list)

    def _check(self) -> None:
        sizes = (self.size_per_thread, self.threads_per_warp, self.warps_per_cta, self.order)
        if len({len(each) for each in sizes}) > 1:
            self._refuse(
                f"size_per_thread {sizes[0]}, threads_per_warp {sizes[1]}, warps_per_cta {sizes[2]} and order "
                f"{sizes[3]} must have one entry for each dimension"
            )

    def _make_encoding(self) -> Blocked:
        per_thread, threads, warps = map(frozen, (self.size_per_thread, self.threads_per_warp, self.warps_per_cta))
        return Blocked(per_thread, threads, warps, frozen(self.order), frozen(self.cga_layout))

    def mangle(self) -> str:
        """All fields."""
        sizes = (self.size_per_thread, self.threads_per_warp, self.warps_per_cta, self.order)
        return f"B{'_'.join(joined(each) for each in sizes)}_{joined_bases(self.cga_layout)}B"

    @property
    def rank(self) -> int:
        """One for each dimension of the order."""
        return len(self.order)


@dataclass(frozen=True, eq=False)
class SliceLayout(DistributedLayout):
    """The layout of a tensor without one dimension: `parent` with that dimension reduced away.

    Args:
        dim: the dimension of the parent that is not there.
        parent: the layout before.

    Example:
        >>> row = gl.arange(0, 4, gl.SliceLayout(1, rows))
        >>> row[:, None].shape
        (constexpr[4], constexpr[1])
    """

    dim: int
    parent: DistributedLayout

    def _make_encoding(self) -> Slice:
        return Slice(self.dim, self.parent.encoding)

    def mangle(self) -> str:
        """Dimension and parent."""
        return f"SL{self.dim}_{self.parent.mangle()}SL"

    @property
    def rank(self) -> int:
        """One less than the parent's."""
        return self.parent.rank - 1

    @property
    def cga_layout(self) -> list[list[int]]:
        """The parent's bases without the dimension."""
        bases: Any = getattr(self.parent, "cga_layout", [])
        return [basis[: self.dim] + basis[self.dim + 1 :] for basis in bases]


@dataclass(frozen=True, eq=False)
class DistributedLinearLayout(DistributedLayout):
    """A layout by its bases: the coordinates that each bit of an index moves to.

    Args:
        reg_bases, lane_bases, warp_bases, block_bases: of the register, lane, warp and CTA.
        shape: sizes of the tensor.

    Raises:
        ValueError: a basis has another rank than the shape.

    Example:
        >>> gl.arange(0, 8, gl.DistributedLinearLayout([[1]], [[2], [4], [0], [0], [0]], [[0], [0]], [], [8]))
        int32[8] [0 1 2 3 4 5 6 7]
    """

    reg_bases: list[list[int]]
    lane_bases: list[list[int]]
    warp_bases: list[list[int]]
    block_bases: list[list[int]]
    shape: list[int]

    def _check(self) -> None:
        names = ("reg_bases", "lane_bases", "warp_bases", "block_bases")
        self._check_ranks(len(self.shape), **{name: getattr(self, name) for name in names})

    def _make_encoding(self) -> Linear:
        return Linear(*(frozen(each) for each in (self.reg_bases, self.lane_bases, self.warp_bases, self.block_bases)))

    def mangle(self) -> str:
        """All fields."""
        return f"DLL{self.reg_bases}_{self.lane_bases}_{self.warp_bases}_{self.block_bases}_{self.shape}DLL"

    @property
    def rank(self) -> int:
        """That of the shape."""
        return len(self.shape)


@dataclass(frozen=True, eq=False)
class DotOperandLayout(DistributedLayout):
    """The layout of an operand of a product whose result has the layout `parent`.

    Args:
        operand_index: 0 for the left operand, 1 for the right one.
        parent: layout of the result.
        k_width: consecutive elements along K of a thread; 0 for a blocked parent.

    Example:
        >>> mma = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
        >>> gl.zeros([64, 16], gl.float16, gl.DotOperandLayout(0, mma, k_width=2)).type.layout.operand_index
        0
    """

    operand_index: int
    parent: DistributedLayout
    k_width: int

    def _make_encoding(self) -> DotOperand:
        return DotOperand(self.operand_index, self.parent.encoding, self.k_width)

    def mangle(self) -> str:
        """All fields."""
        return f"DO{self.operand_index}_{self.parent.mangle()}_{self.k_width}DO"

    @property
    def rank(self) -> int:
        """The parent's."""
        return self.parent.rank

    @property
    def cga_layout(self) -> list[list[int]]:
        """The parent's bases, where CTAs along K hold copies."""
        k = self.rank - 1 if self.operand_index == 0 else self.rank - 2
        bases: Any = getattr(self.parent, "cga_layout", [])
        return [[0 if dim == k else value for dim, value in enumerate(basis)] for basis in bases]


@dataclass(frozen=True, eq=False)
class NVMMADistributedLayout(DistributedLayout):
    """The layout of the result of mma.sync (version 2) or wgmma (version 3).

    Args:
        version: major and minor, such as [2, 0].
        warps_per_cta: warps side by side, per dimension.
        instr_shape: elements of one instruction: [16, 8] of version 2, [16, N, K] of version 3.
        cga_layout: bases of the CTA index in the cluster; empty for one CTA.

    Example:
        >>> wgmma = gl.NVMMADistributedLayout([3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16])
        >>> gl.zeros([64, 64], gl.float32, wgmma).shape
        (constexpr[64], constexpr[64])
    """

    version: list[int]
    warps_per_cta: list[int]
    instr_shape: list[int]
    cga_layout: list[list[int]] = field(default_factory=list)

    def _make_encoding(self) -> NvidiaMma:
        major, minor = self.version
        return NvidiaMma(major, minor, frozen(self.warps_per_cta), frozen(self.instr_shape), frozen(self.cga_layout))

    def mangle(self) -> str:
        """All fields."""
        sizes = f"{self.version}_{self.warps_per_cta}_{self.instr_shape}"
        return f"MMA_{sizes}_{joined_bases(self.cga_layout)}_MMA"

    @property
    def rank(self) -> int:
        """One for each dimension of the warps."""
        return len(self.warps_per_cta)
