"""Operands of products in shared memory: descriptors of their tiles as values.

What stands in a descriptor is worked out by `ttkit.layout.matrix_descriptor`; here it gets an address.
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import to_linear_layout
from ttkit.layout.encoding_base import Bases
from ttkit.layout.encodings import SwizzledShared
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.layout.holders import stays_in_cta
from ttkit.layout.matrix_descriptor import Descriptor
from ttkit.passes.lower.buffer_places import memory_layout
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.shuffle import uniform_warp
from ttkit.passes.lower.thread_index import linear_sum
from ttkit.passes.lower.types import SharedView
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.records import dataclass

ADDRESS_BITS = 14
UNIT_BITS = 4  # descriptors count 16 bytes


@dataclass
class InMemory:
    """An operand in shared memory.

    descriptor: how descriptors look.  base: an i64, the one for the tile at row 0 and step 0 of this warp group.
    """

    low: Lowering
    descriptor: Descriptor
    base: ir.Value

    @classmethod
    def of(
        cls,
        low: Lowering,
        view: SharedView,
        k_dim: int,
        plan: Descriptor,
        bits: int,
        groups: Sequence[int] = (),
        ctas: Sequence[int] = (),
        packed: int | None = None,
    ) -> "InMemory":
        """The operand that a view is.

        Args:
            k_dim: the dimension of the view that is K.
            bits: of descriptors, all but the address.
            groups, ctas: for each bit of the warp group's and the CTA's number how many rows it is further.
            packed: the dimension along which an element of the view is two of the product, which `plan` counts.
        """
        emit = low.emit
        terms: list[tuple[ir.Value, tuple[int, ...]]] = []
        for dim, offset in enumerate(view.offsets):
            if offset != emit.i32_constant(0):
                terms.append((offset, plan.places[int(dim == k_dim)][int(dim == packed) :]))
        columns = tuple(plan.place(row, 0) for row in groups)
        if any(columns):
            terms.append((emit.lshr(uniform_warp(low), GROUP_WARPS.bit_length() - 1), columns))
        # A buffer that is divided as the product is has these rows at the same place in every CTA.
        of_cta = tuple(plan.place(row, 0) for row in ctas)
        if any(of_cta):
            terms.append((low.index.block(), of_cta))
        address = emit.cast("ptrtoint", view.base, emit.i32)
        if terms:
            address = emit.add(address, linear_sum(emit, terms))
        return cls(low, plan, with_address(low, address, bits))

    @property
    def k_contiguous(self) -> bool:
        """Whether elements along the summed dimension are consecutive."""
        return self.descriptor.k_contiguous

    def tile(self, row: int, k: int) -> ir.Value:
        """i64, the descriptor of a tile, computed again at each use.

        Before a loop, LLVM would compute the descriptors of all tiles: ptxas then keeps them in registers, or spills
        them, and moves each into a uniform register for its instruction.
        """
        emit, units = self.low.emit, self.descriptor.place(row, k) >> UNIT_BITS
        moved = emit.inline_asm(f"add.s64 $0, $1, {units};", "=l,l", emit.i64, self.base) if units else self.base
        assert moved is not None
        return moved


def with_address(low: Lowering, address: ir.Value, bits: int) -> ir.Value:
    """i64, the descriptor with these bits of a matrix at an address, an i32."""
    emit = low.emit
    units = emit.and_(emit.lshr(address, UNIT_BITS), emit.i32_constant((1 << ADDRESS_BITS) - 1))
    return emit.or_disjoint(emit.cast("zext", units, emit.i64), emit.constant(emit.i64, bits))


def rows_of_ctas(low: Lowering, type: MemDescType, k_dim: int, cga_layout: Bases) -> list[int]:
    """For each bit of the CTA's number in its cluster, how many rows of an operand further it multiplies.

    Args:
        cga_layout: how the CTAs divide the operand for the product; its buffer may be whole in each of them.

    Raises CannotLower if the part of an operand that a CTA multiplies is not all in its own shared memory.
    """
    if low.num_ctas == 1:
        return []
    multiplied = to_linear_layout(tuple(type.shape), SwizzledShared(1, 1, 1, (1, 0), cga_layout))
    if not stays_in_cta(memory_layout(low, type), multiplied):
        raise CannotLower(
            "found an operand divided among CTAs, and tensor cores read their own CTA's part only; choose num_ctas=1, "
            "or load it as the product divides it"
        )
    return list(multiplied.sublayout(["block"], [f"dim{1 - k_dim}"]).columns_of("block"))
