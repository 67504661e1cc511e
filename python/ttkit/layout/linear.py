"""Linear layouts: where the elements of a tensor are, as a matrix over the field of two elements.

A layout maps hardware indices, its *in-dims* (register, lane, warp, block; or offset, block), to the coordinates of a
tensor, its *out-dims* (dim0, dim1, ...).  All sizes are powers of two, and the map is linear over GF(2).  Each *bit* of
an index has a *basis*: the coordinates that this bit alone moves to.  The coordinates of any index are the XOR of
the bases of its set bits.  A 4x8 tensor over 8 lanes of 4 registers:

    register   bit 0 -> (0, 1)   bit 1 -> (0, 2)                   what each register of lanes 0 .. 3 holds:
    lane       bit 0 -> (0, 4)   bit 1 -> (1, 0)   bit 2 -> (2, 0)
                                                                   register  0     1     2     3
    lane 3 = 011b, register 2 = 10b:                               lane 0  (0,0) (0,1) (0,2) (0,3)
    (0, 4) xor (1, 0) xor (0, 2) = (1, 6)                          lane 1  (0,4) (0,5) (0,6) (0,7)
                                                                   lane 2  (1,0) (1,1) (1,2) (1,3)
                                                                   lane 3  (1,4) (1,5) (1,6) (1,7)

What a layout does shows in its bases:

    all zeros                  *broadcast*: this bit changes nothing, both indices hold the same element
    one coordinate, 2**k       a step along one dimension; if all are so and differ, the layout permutes bits
    anything else              *swizzle*: offset bit 3 -> (1, 2) puts row 1 at columns xor 2

    surjective   every element is somewhere: the bases span the tensor
    injective    no element is twice: no basis is an XOR of others
    free bit     its basis is an XOR of the bases before it: with it clear, the index already reaches everything

The operations are those of matrices.  With A: register, lane -> dims and B: offset -> dims,

    A * B                      the *product*: copies of A, one for each place of B; B's coordinates count whole As
        4 registers * 8 lanes along dim0:  register 1 -> 1, 2 -> 2;  lane 1 -> 4, 2 -> 8, 4 -> 16
    A.compose(C)               C after A, where C's in-dims are A's out-dims
    A.invert_and_compose(B)    where B has what A has: register, lane -> offset.  All data movement is this product

Storage: the coordinates of a basis are packed into one int (dim0 in the lowest bits), all bases stand in one tuple
`columns`, in-dim after in-dim, bit 0 first.  A column *is* a column of the matrix, and the packed number counts
elements with the first dimension fastest.  So most operations are a few XORs of small ints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import ttkit.layout.gf2 as gf2
from ttkit.layout.linear_columns import LinearColumns
from ttkit.layout.linear_text import bases_text
from ttkit.layout.packing import Dims, log2, merged, pack, repack, sizes, unpack
from ttkit.records import dataclass


@dataclass(frozen=True)
class LinearLayout(LinearColumns):
    """A linear map over GF(2) between named dimensions.  Immutable and hashable; equality respects dimension order.

    Made by `from_bases`, `identity`, `strided`, `zeros` and products of those rather than by the constructor, which
    checks nothing.  What can be read of one is in `LinearColumns`.
    """

    # --- Making -------------------------------------------------------------------------------------------------------
    @classmethod
    def from_bases(
        cls, bases: Mapping[str, Iterable[Sequence[int]]], outs: Mapping[str, int] | Sequence[str]
    ) -> LinearLayout:
        """The layout with these bases: for each in-dim a list, bit 0 first, of coordinates, one for each out-dim.

        outs: sizes by name, or just names: then each size is the smallest power of two that holds the coordinates.
        Raises ValueError if a size is no power of two, or a basis has another rank or does not fit into the sizes.
        """
        rows = {name: [tuple(basis) for basis in of_dim] for name, of_dim in bases.items()}
        everything = [basis for of_dim in rows.values() for basis in of_dim]
        if any(len(basis) != len(outs) for basis in everything):
            raise ValueError(f"every basis needs one coordinate for each of {list(outs)}, got {rows}")
        if isinstance(outs, Mapping):
            out_dims = tuple((name, log2(size)) for name, size in outs.items())
        else:
            out_dims = tuple(
                (name, max((basis[i].bit_length() for basis in everything), default=0)) for i, name in enumerate(outs)
            )
        for basis in everything:
            if any(not 0 <= value < 1 << bits for value, (_, bits) in zip(basis, out_dims)):
                raise ValueError(f"basis {basis} lies outside of {dict(sizes(out_dims))}")
        ins = tuple((name, len(of_dim)) for name, of_dim in rows.items())
        return cls(ins, out_dims, tuple(pack(basis, out_dims) for basis in everything))

    @classmethod
    def identity(cls, size: int, in_dim: str, out_dim: str) -> LinearLayout:
        """i -> i, for i below `size`."""
        bits = log2(size)
        return cls(((in_dim, bits),), ((out_dim, bits),), tuple(1 << bit for bit in range(bits)))

    @classmethod
    def strided(cls, size: int, stride: int, in_dim: str, out_dim: str) -> LinearLayout:
        """i -> i * stride, for i below `size`; the out-dim has size * stride values."""
        bits, shift = log2(size), log2(stride)
        return cls(((in_dim, bits),), ((out_dim, bits + shift),), tuple(stride << bit for bit in range(bits)))

    @classmethod
    def zeros(cls, size: int, in_dim: str, out_dim: str, out_size: int = 1) -> LinearLayout:
        """i -> 0, for i below `size`: copies of one element."""
        return cls(((in_dim, log2(size)),), ((out_dim, log2(out_size)),), (0,) * log2(size))

    # --- Algebra ------------------------------------------------------------------------------------------------------
    def __mul__(self, outer: LinearLayout) -> LinearLayout:
        """The product: a copy of this layout for each place of `outer`, whose coordinates count copies.

        In-dims and out-dims are those of both, this one's first.
        """
        ins = merged(self.ins, outer.ins)
        outs = merged(self.outs, outer.outs)
        columns: list[int] = []
        inner_columns = {name: repack(self.columns_of(name), self.outs, outs) for name in self.in_dims}
        outer_columns = {
            name: repack(outer.columns_of(name), outer.outs, outs, self._out_bits_by_name) for name in outer.in_dims
        }
        for name, _ in ins:
            columns += inner_columns.get(name, ())
            columns += outer_columns.get(name, ())
        return LinearLayout(ins, outs, tuple(columns))

    def compose(self, outer: LinearLayout) -> LinearLayout:
        """`outer` after this layout: x -> outer(self(x)).

        Raises ValueError unless outer's in-dims are this layout's out-dims, in any order, and at least as large.
        """
        if self.outs == outer.ins:
            columns: Sequence[int] = self.columns
        else:
            if set(self.out_dims) != set(outer.in_dims) or any(outer.bits_in(dim) < bits for dim, bits in self.outs):
                raise ValueError(f"cannot compose: out-dims {dict(sizes(self.outs))}, in-dims {dict(sizes(outer.ins))}")
            columns = repack(self.columns, self.outs, outer.ins)
        matrix = outer.columns
        return LinearLayout(self.ins, outer.outs, tuple(gf2.combine(matrix, column) for column in columns))

    def invert(self) -> LinearLayout:
        """The layout from coordinates to indices.

        Raises ValueError if it is not invertible.
        """
        if not self.is_invertible:
            raise ValueError(f"not invertible: {self}")
        return self.pseudo_inverse()

    def pseudo_inverse(self) -> LinearLayout:
        """For each element an index that holds it, where every free bit is 0.

        Raises ValueError if the layout is not surjective.
        """
        columns = tuple(self.place_of(1 << bit) for bit in range(self.out_bits))
        return LinearLayout(self.outs, self.ins, columns)

    def place_of(self, packed: int) -> int:
        """A packed index that holds the element at packed coordinates, every free bit 0.

        Raises ValueError if none does.
        """
        found = self.span.combination(packed)
        if found is None:
            raise ValueError(f"no index reaches {self.unpack(packed)}: {self}")
        return found

    def invert_and_compose(self, outer: LinearLayout) -> LinearLayout:
        """Map from self's in-dims to the places where `outer` holds the same elements: C with outer(C(x)) = self(x).

        An in-dim of which both have the same bases is mapped to itself, even where elements have several places; the
        rest is the solution that leaves every free bit of `outer` 0.
        Raises ValueError unless the out-dims agree and outer reaches all that self reaches.
        """
        if set(self.out_dims) != set(outer.out_dims) or any(outer.bits_out(dim) < bits for dim, bits in self.outs):
            raise ValueError(f"out-dims {dict(sizes(self.outs))} do not fit into {dict(sizes(outer.outs))}")
        columns = tuple(repack(self.columns, self.outs, outer.outs))
        same, by_name, start = set(), {}, 0
        for name, bits in self.ins:
            by_name[name] = columns[start : start + bits]
            start += bits
            if outer.has_in_dim(name) and by_name[name] == outer.columns_of(name):
                same.add(name)
        others: list[int] = []  # the bits of outer's index that are not mapped to themselves
        starts, start = {}, 0
        for name, bits in outer.ins:
            starts[name] = start
            if name not in same:
                others += range(start, start + bits)
            start += bits
        span = gf2.Span(outer.columns[bit] for bit in others)
        weights = [1 << bit for bit in others]
        solved: list[int] = []
        for name, bits in self.ins:
            if name in same:
                solved += (1 << starts[name] + bit for bit in range(bits))
                continue
            for column in by_name[name]:
                found = span.combination(column)
                solved.append(outer.place_of(column) if found is None else gf2.combine(weights, found))
        return LinearLayout(self.ins, outer.ins, tuple(solved))

    # --- Parts --------------------------------------------------------------------------------------------------------
    def sublayout(self, in_dims: Iterable[str], out_dims: Iterable[str]) -> LinearLayout:
        """Only these in-dims and out-dims, in this layout's order."""
        keep_in, keep_out = set(in_dims), set(out_dims)
        ins = tuple(dim for dim in self.ins if dim[0] in keep_in)
        outs = tuple(dim for dim in self.outs if dim[0] in keep_out)
        columns = tuple(column for name, _ in ins for column in self.columns_of(name))
        return LinearLayout(ins, outs, tuple(repack(columns, self.outs, outs)))

    def is_zero(self, in_dims: Iterable[str], out_dims: Iterable[str]) -> bool:
        """Whether `in_dims` move nothing along `out_dims`."""
        mask = self.mask(out_dims)
        return not any(column & mask for name in in_dims for column in self.columns_of(name))

    def is_identity_on(self, dims: Iterable[str]) -> bool:
        """Whether, of what moves among `dims` (each an in-dim and an out-dim), each maps to itself."""
        names = set(dims)
        part = self.sublayout(names, names)
        if set(part.in_dims) != names or set(part.out_dims) != names:
            return False
        part = part.transpose_outs(part.in_dims)
        return part.ins == part.outs and part.columns == tuple(1 << bit for bit in range(part.in_bits))

    def is_trivial_over(self, dims: Iterable[str]) -> bool:
        """Whether each of `dims` maps to itself and has nothing to do with the other dimensions."""
        names = set(dims)
        others_in = [name for name in self.in_dims if name not in names]
        others_out = [name for name in self.out_dims if name not in names]
        return self.is_identity_on(names) and self.is_zero(others_in, names) and self.is_zero(names, others_out)

    def quotient(self, dims: Iterable[str]) -> LinearLayout | None:
        """Without `dims` if the layout is trivial over them, else None."""
        names = set(dims)
        if not self.is_trivial_over(names):
            return None
        return self.sublayout(set(self.in_dims) - names, set(self.out_dims) - names)

    def mask(self, out_dims: Iterable[str]) -> int:
        """The bits of `out_dims` in packed coordinates."""
        chosen, mask, shift = set(out_dims), 0, 0
        for name, bits in self.outs:
            if name in chosen:
                mask |= (1 << bits) - 1 << shift
            shift += bits
        return mask

    def free_variable_masks(self) -> dict[str, int]:
        """For each in-dim the mask of its free bits: with them 0, the other bits still reach every element.

        A store needs to happen only where all free bits are 0.
        """
        free = (1 << self.in_bits) - 1 & ~self.span.independent
        return dict(zip(self.in_dims, unpack(free, self.ins)))

    def num_consecutive_in_out(self) -> int:
        """Number of values of the first in-dim in a row that are consecutive along the first out-dim, from anywhere."""
        if not self.ins or not self.outs:
            return 1
        first_in, first_out = self.ins[0][1], self.outs[0][1]
        steps = 0
        while steps < first_in and self.columns[steps] == 1 << steps:
            steps += 1
        others = 0
        for column in self.columns[steps:]:
            others |= column & (1 << first_out) - 1
        return min(1 << steps, others & -others) if others else 1 << steps

    # --- Renaming and resizing ----------------------------------------------------------------------------------------
    def transpose_ins(self, order: Iterable[str]) -> LinearLayout:
        """The in-dims in this order."""
        ins = _reordered(self.ins, order)
        return LinearLayout(ins, self.outs, tuple(column for name, _ in ins for column in self.columns_of(name)))

    def transpose_outs(self, order: Iterable[str]) -> LinearLayout:
        """The out-dims in this order."""
        outs = _reordered(self.outs, order)
        return self if outs == self.outs else LinearLayout(self.ins, outs, tuple(repack(self.columns, self.outs, outs)))

    def reshape_ins(self, new_ins: Mapping[str, int]) -> LinearLayout:
        """Other in-dims, name -> size, for the same packed index.

        Raises ValueError if the total size differs.
        """
        return LinearLayout(_same_bits(new_ins, self.in_bits), self.outs, self.columns)

    def reshape_outs(self, new_outs: Mapping[str, int]) -> LinearLayout:
        """Other out-dims, name -> size, for the same packed coordinates: the first dimension counts fastest.

        Raises ValueError if the total size differs.
        """
        return LinearLayout(self.ins, _same_bits(new_outs, self.out_bits), self.columns)

    def flatten_outs(self) -> LinearLayout:
        """One out-dim, with the name of the first, which counts fastest."""
        return LinearLayout(self.ins, ((self.out_dims[0], self.out_bits),) if self.outs else (), self.columns)

    def squeeze_in(self, name: str) -> LinearLayout:
        """Without in-dim `name`, all of whose steps are dropped."""
        return self.sublayout((dim for dim in self.in_dims if dim != name), self.out_dims)

    def squeeze_out(self, name: str) -> LinearLayout:
        """Without out-dim `name`, whatever the coordinates in it."""
        return self.sublayout(self.in_dims, (dim for dim in self.out_dims if dim != name))

    def rename_outs(self, names: Mapping[str, str]) -> LinearLayout:
        """The same map with out-dims of other names; names that are not keys stay."""
        return LinearLayout(self.ins, tuple((names.get(name, name), bits) for name, bits in self.outs), self.columns)

    def resize_in(self, name: str, size: int) -> LinearLayout:
        """Only the first `size` values of an in-dim; where it has fewer, the new bits are copies."""
        bits = log2(size)
        columns = (self.columns_of(name) + (0,) * bits)[:bits]
        return self.with_columns(name, columns)

    def with_columns(self, name: str, columns: Sequence[int]) -> LinearLayout:
        """With other packed bases for in-dim `name`."""
        ins = tuple((dim, len(columns) if dim == name else bits) for dim, bits in self.ins)
        changed = (column for dim in self.in_dims for column in (columns if dim == name else self.columns_of(dim)))
        return LinearLayout(ins, self.outs, tuple(changed))

    def remove_zero_bases(self, name: str) -> LinearLayout:
        """Without the bits of in-dim `name` that only broadcast."""
        return self.with_columns(name, [column for column in self.columns_of(name) if column])

    def concat_ins(self, other: LinearLayout) -> LinearLayout:
        """The in-dims of both over the same out-dims: each index of one XOR each of the other.

        Raises ValueError if they share an in-dim or differ in out-dims.
        """
        if set(self.in_dims) & set(other.in_dims) or set(self.outs) != set(other.outs):
            raise ValueError(f"cannot join the in-dims of {self} and {other}")
        columns = repack(other.columns, other.outs, self.outs)
        return LinearLayout(self.ins + other.ins, self.outs, self.columns + tuple(columns))

    def _repr_svg_(self) -> str:
        """A picture, for notebooks."""
        from ttkit.layout.drawing.picture import picture_of
        from ttkit.layout.drawing.svg import svg

        return svg(picture_of(self, "linear layout", 32))

    def __str__(self) -> str:
        return bases_text(self)


def _reordered(dims: Dims, order: Iterable[str]) -> Dims:
    names, bits = tuple(order), dict(dims)
    if sorted(names) != sorted(bits):
        raise ValueError(f"{names} is no order of {tuple(bits)}")
    return tuple((name, bits[name]) for name in names)


def _same_bits(new_sizes: Mapping[str, int], bits: int) -> Dims:
    dims = tuple((name, log2(size)) for name, size in new_sizes.items())
    if sum(count for _, count in dims) != bits:
        raise ValueError(f"{dict(new_sizes)} has another total size than 2**{bits}")
    return dims
