"""`triton.tools.LinearLayout`: a layout of `ttkit.layout` with the constructors and methods that Triton binds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ttkit.layout import linear
from ttkit.layout.drawing.triton_text import layout_text
from ttkit.layout.packing import sizes

Bases = Sequence[tuple[str, Sequence[Sequence[int]]]]


class LinearLayout:
    """A linear map over GF(2) between named dimensions; `layout` is the one of `ttkit.layout`."""

    __hash__ = None  # type: ignore[assignment]  # as in Triton; those of ttkit.layout have one

    def __init__(self, layout: linear.LinearLayout | None = None) -> None:
        self.layout = layout or linear.LinearLayout.from_bases({}, ())

    @staticmethod
    def identity_1d(size: int, inDim: str, outDim: str) -> LinearLayout:
        """i -> i, for i below `size`.

        Raises:
            ValueError: `size` is no power of two.
        """
        return LinearLayout(linear.LinearLayout.identity(size, inDim, outDim))

    @staticmethod
    def strided_1d(size: int, stride: int, inDim: str, outDim: str) -> LinearLayout:
        """i -> i * stride, for i below `size`.

        Raises:
            ValueError: `size` or `stride` is no power of two.
        """
        return LinearLayout(linear.LinearLayout.strided(size, stride, inDim, outDim))

    @staticmethod
    def zeros_1d(size: int, inDim: str, outDim: str, outDimSize: int = 1) -> LinearLayout:
        """i -> 0, for i below `size`.

        Raises:
            ValueError: a size is no power of two.
        """
        return LinearLayout(linear.LinearLayout.zeros(size, inDim, outDim, outDimSize))

    @staticmethod
    def from_bases(
        bases: Bases | Mapping[str, Sequence[Sequence[int]]],
        out_dim_names: Sequence[str],
        out_dim_sizes: Sequence[int] | None = None,
        require_surjective: bool = True,
    ) -> LinearLayout:
        """The layout with these bases.

        Args:
            bases: (in-dim, its bases, bit 0 first); a basis has a coordinate for each out-dim.
            out_dim_names: the out-dims.
            out_dim_sizes: in elements; by default the smallest that hold the coordinates.
            require_surjective: whether every place of the out-dims must be reached.

        Raises:
            ValueError: it is not surjective, a size is no power of two, or a basis does not fit.
        """
        if out_dim_sizes is not None and len(out_dim_sizes) != len(out_dim_names):
            raise ValueError(f"got {len(out_dim_sizes)} sizes for the out dims {list(out_dim_names)}")
        outs = out_dim_names if out_dim_sizes is None else dict(zip(out_dim_names, out_dim_sizes))
        made = LinearLayout(linear.LinearLayout.from_bases(dict(bases), outs))
        if require_surjective and not made.is_surjective():
            raise ValueError(
                "Layout is expected to be surjective, i.e. every `out` coordinate can be reached by some `in` "
                f"coordinate, but was not:{made}"
            )
        return made

    # --- What it is ---------------------------------------------------------------------------------------------------
    @property
    def bases(self) -> list[tuple[str, list[list[int]]]]:
        """(in-dim, its bases, bit 0 first)."""
        return [(name, [list(basis) for basis in of_dim]) for name, of_dim in self.layout.all_bases().items()]

    @property
    def out_dims(self) -> list[tuple[str, int]]:
        """(out-dim, its size in elements)."""
        return list(sizes(self.layout.outs))

    @property
    def num_in_dims(self) -> int:
        """The number of input dimensions."""
        return len(self.layout.ins)

    @property
    def num_out_dims(self) -> int:
        """The number of output dimensions."""
        return len(self.layout.outs)

    def get_in_dim_names(self) -> list[str]:
        """The names of the input dimensions."""
        return list(self.layout.in_dims)

    def get_out_dim_names(self) -> list[str]:
        """The names of the output dimensions."""
        return list(self.layout.out_dims)

    def is_surjective(self) -> bool:
        """Whether every output is reached."""
        return self.layout.is_surjective

    def is_injective(self) -> bool:
        """Whether no output is reached twice."""
        return self.layout.is_injective

    def is_invertible(self) -> bool:
        """Whether every output is reached once."""
        return self.layout.is_invertible

    def get_matrix_view(self) -> list[list[int]]:
        """The matrix of bits: a row for each bit of the out-dims, a column for each of the in-dims, bit 0 first."""
        columns = [basis for _, of_dim in self.bases for basis in of_dim]
        return [
            [column[dim] >> bit & 1 for column in columns]
            for dim, (_, bits) in enumerate(self.layout.outs)
            for bit in range(bits)
        ]

    def get_distributed_view(self, use_hw_view: bool) -> str:
        """Which thread and register holds each element, or with `use_hw_view` which elements a thread holds."""
        return layout_text(self.layout, use_hw_view)

    def get_shared_view(self, use_hw_view: bool) -> str:
        """The place of each element in shared memory, or with `use_hw_view` the element at each place."""
        return layout_text(self.layout, use_hw_view)

    # --- Algebra ------------------------------------------------------------------------------------------------------
    def compose(self, outer: LinearLayout) -> LinearLayout:
        """x -> outer(self(x)).

        Raises:
            ValueError: the in-dims of `outer` are not the out-dims of this one.
        """
        return LinearLayout(self.layout.compose(outer.layout))

    def invert(self) -> LinearLayout:
        """The inverse.

        Raises:
            ValueError: there is none.
        """
        if not self.is_invertible():
            raise ValueError("A linear layout must be surjective and square to be invertible")
        return LinearLayout(self.layout.invert())

    def pseudoinvert(self) -> LinearLayout:
        """A right inverse with the fewest bits set."""
        return LinearLayout(self.layout.pseudo_inverse())

    def invert_and_compose(self, outer: LinearLayout) -> LinearLayout:
        """x -> the place in `outer` of what this one has at x."""
        return LinearLayout(self.layout.invert_and_compose(outer.layout))

    def apply(self, inputs: Mapping[str, int]) -> dict[str, int]:
        """{out-dim: coordinate} of the place {in-dim: index}.

        Raises:
            ValueError: an in-dim is missing, or there is no such.
        """
        if set(inputs) != set(self.layout.in_dims):
            raise ValueError(
                "Dimensions must match, ignoring order, but they don't.  "
                f"Got dims: {list(inputs)} and {list(self.layout.in_dims)}"
            )
        return self.layout.apply(inputs)

    def __mul__(self, outer: LinearLayout) -> LinearLayout:
        return LinearLayout(self.layout * outer.layout)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, LinearLayout) and self.layout == other.layout

    def __repr__(self) -> str:
        return f"\n{self.layout}"
