"""Let the CTAs of a divided kernel run one program after the other, one CTA for each multiprocessor.

    %m = tt.get_program_id x               %rounds = programs of this CTA, by numbers of CTAs and multiprocessors
    body(%m)                        =>     scf.for %round = 0 to %rounds {
                                             %m = place of the program that this CTA has in this round
                                             body(%m)
                                           }

Groups of warps take a whole multiprocessor, so that a program starts when the one before it has ended, and waits for
its first tiles.  In the loop, the group that loads fetches the tiles of the next program while the others compute and
store the last ones.

The launch keeps its grid: of as many CTAs as there are multiprocessors, each has a program in each round
(`python/ttkit/analysis/program_rounds.py`), and all others have none.  No CTA takes over from another, so programs must
have as much work as each other, or be sorted by their work, as ttkit-run-longest-first knows it.

Input:  tt.      Output: tt; the order of programs is part of the loop.
Order:  after ttkit-choose-warp-groups, which divides loops, and ttkit-run-longest-first.
Skips:  modules without divided loops; those with several functions, or whose kernel has several blocks; divided loops
        in loops; kernels that load tiles through pointers; whose work depends on their place in an unknown way; that
        may wait for other programs, print, or make descriptors for their own program; those of which tiles and results
        do not fit into shared memory at the same time.
Test:   test/lit/passes/run_persistently.mlir
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mlir import ir

from ttkit.analysis.program_order import LARGEST, LONGEST_FIRST, ProgramOrder
from ttkit.analysis.program_rounds import Rounds
from ttkit.dialects import arith, scf, tt
from ttkit.inspection import collect, is_public, terminator
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.module_attributes import WARPS_OF_GROUPS
from ttkit.passes.choose_warp_groups import GROUPS, is_divisible
from ttkit.passes.infra import Pass, option, remark
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.infra.loop_attributes import NUM_STAGES, num_stages, specialized_loops
from ttkit.passes.infra.program_growth import PROGRAM_ID, growth_along
from ttkit.passes.infra.rewriting import is_pure
from ttkit.passes.partitioning.divided_bytes import divided_bytes, is_received, loads_in
from ttkit.passes.run_longest_first import MAY_NOTICE, may_notice
from ttkit.records import dataclass
from ttkit.target import Target
from ttkit.tuning.passes import RECEIVED_SLOTS

AXES = range(3)
PRINTS = ("tt.print",)
"""Operations that tell the user the number of their program."""
DESCRIPTOR = "tt.make_tensor_descriptor"
MULTIPROCESSORS = "nvvm.read.ptx.sreg.nsmid"


@dataclass(frozen=True)
class RunPersistently(Pass):
    """Let the CTAs of divided kernels run one program after the other"""

    name = "ttkit-run-persistently"
    dependent_dialects = ("arith", "nvvm", "scf", "tt")
    renumbers_programs = "a CTA runs other programs than before, one after the other"

    capability: int = option(90, "the compute capability")
    num_warps: int = option(4, "warps in a CTA")
    num_stages: int = option(3, "slots of a buffer in loops that do not say")

    def run(self, op: ir.Operation) -> None:
        """Puts the body of a module's only function into a loop, if loops of it are divided."""
        kernel = divided_kernel(op, self.num_warps)
        if kernel is None or any(map(may_notice, collect(op, MAY_NOTICE))) or collect(op, PRINTS):
            return
        order = ProgramOrder.of(op)
        if not is_balanced(kernel, order) or not all(map(is_received, loads_in(kernel))):
            return
        stays = operations_of_all_programs(kernel)
        if any(descriptor not in stays for descriptor in collect(kernel, [DESCRIPTOR])):
            return
        slots = self.slots_that_fit(kernel)
        if slots is None:
            return
        if order is not None:
            del op.attributes[LONGEST_FIRST]
        loop = loop_over_programs(kernel, stays, order)
        loop.attributes[NUM_STAGES] = i32_attribute(slots)
        remark(kernel, "a CTA for each multiprocessor runs one program after the other")

    def slots_that_fit(self, kernel: ir.Operation) -> int | None:
        """Slots of the buffers of tiles that a program receives once, as many as fit; None if one takes too much."""
        loops = specialized_loops(kernel)
        inside = [num_stages(loop, self.num_stages) for loop in loops]
        for slots in range(RECEIVED_SLOTS, 0, -1):
            if divided_bytes(kernel, loops, inside, GROUPS, slots) <= Target(self.capability).shared_bytes:
                return slots
        return None


def divided_kernel(module: ir.Operation, num_warps: int) -> ir.Operation | None:
    """The only function of a module, if it is a kernel of one block with loops that two groups of warps compute.

    num_warps: those asked for; loops that ask for groups get them with GROUP_WARPS.
    """
    functions = collect(module, ["tt.func"])
    if len(functions) != 1 or not is_public(functions[0]) or len(functions[0].regions[0].blocks) != 1:
        return None
    (kernel,) = functions
    loops = specialized_loops(kernel)
    outermost = all(loop.parent.operation == kernel for loop in loops)
    has_results = len(terminator(kernel.regions[0].blocks[0]).operation.operands) > 0
    if not loops or not outermost or has_results:
        return None
    is_known = WARPS_OF_GROUPS in module.attributes  # ttkit-choose-warp-groups has looked
    return kernel if is_known or (num_warps == GROUP_WARPS and is_divisible(kernel)) else None


def is_balanced(kernel: ir.Operation, order: ProgramOrder | None) -> bool:
    """Whether programs have as much work as each other, but along the axis by which an order sorts them."""
    axes = {place.opview.axis for place in collect(kernel, [PROGRAM_ID])} - ({order.axis} if order else set())
    grown = [growth_along(kernel, axis) for axis in axes]
    return all(growth is not None and growth.iterations == 0 for growth in grown)


def operations_of_all_programs(kernel: ir.Operation) -> dict[ir.Operation, None]:
    """The operations of a kernel's block that do the same for all programs, in order, once before the loop."""
    found: dict[ir.Operation, None] = {}
    block = kernel.regions[0].blocks[0]
    for op in list(block.operations)[:-1]:
        op = op.operation
        known = all(isinstance(v.owner, ir.Block) or v.owner.operation in found for v in op.operands)
        if known and op.name != PROGRAM_ID and (op.name == DESCRIPTOR or (is_pure(op) and not len(op.regions))):
            found[op] = None
    return found


def loop_over_programs(
    kernel: ir.Operation, stays: Collection[ir.Operation], order: ProgramOrder | None
) -> ir.Operation:
    """Puts all operations but those that stay into a loop over the programs of a CTA; the loop."""
    block = kernel.regions[0].blocks[0]
    body = [op for op in (view.operation for view in block.operations) if op not in stays][:-1]
    for op in stays:
        op.move_before(body[0])
    arithmetic = Numbers()
    with kernel.location, ir.InsertionPoint(body[0]):
        rounds = rounds_of_cta(order, arithmetic)
        loop = scf.for_(arithmetic.number(0), rounds.count, arithmetic.number(1))
        with ir.InsertionPoint(loop.body):
            places = rounds.ids(loop.induction_variable)
            last = scf.yield_([])
    for op in body:
        op.move_before(last.operation)
        if op.name == PROGRAM_ID:
            op.result.replace_all_uses_with(places[op.opview.axis])
            op.erase()
    return loop.operation


def rounds_of_cta(order: ProgramOrder | None, arithmetic: Numbers) -> Rounds[ir.Value]:
    """The rounds of this CTA, at the present insertion point."""
    ids, counts = ([make(axis) for axis in AXES] for make in (tt.get_program_id, tt.get_num_programs))
    multiprocessors = ir.Operation.create(MULTIPROCESSORS, [arithmetic.type]).result
    return Rounds(ids, counts, multiprocessors, order, arithmetic)


class Numbers:
    """Arithmetic of `Rounds` in the arith dialect, at the present insertion point."""

    def __init__(self) -> None:
        self.type, self.wide = (ir.IntegerType.get_signless(bits) for bits in (32, 64))

    def number(self, value: int) -> ir.Value:
        """A constant."""
        return arith.i32(value)

    def compute(self, name: str, a: ir.Value, b: ir.Value) -> ir.Value:
        """An operation of arith by its name there."""
        return getattr(arith, name)(a, b)

    def product_is_small(self, factors: Sequence[ir.Value]) -> ir.Value:
        """Whether the product is at most LARGEST."""
        product, *others = (arith.extui(self.wide, factor) for factor in factors)
        for factor in others:
            product = arith.muli(product, factor)
        return arith.cmpi(arith.CmpIPredicate.ule, product, arith.constant(self.wide, LARGEST))

    def is_less(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """Whether an unsigned number is less than another one."""
        return arith.cmpi(arith.CmpIPredicate.ult, a, b)

    def select(self, condition: ir.Value, then: ir.Value, otherwise: ir.Value) -> ir.Value:
        """One of two values."""
        return arith.select(condition, then, otherwise)
