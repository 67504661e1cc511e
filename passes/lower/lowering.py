"""The walk from ttg to llvm: functions, their blocks, and a handler per operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mlir import ir

from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.inspection import count
from ttkit.layout import UnsuitableLayout
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.operation_sets import WGMMA
from ttkit.passes.infra import PassError
from ttkit.passes.infra.bridge import one_line
from ttkit.passes.infra.bug_report import blame
from ttkit.passes.lower.lowered_module import LoweredModule
from ttkit.passes.lower.registry import WITHOUT_LOWERING, Handler, handler_of
from ttkit.passes.lower.thread_index import ThreadIndex
from ttkit.passes.lower.unsupported import CannotLower, Unsupported
from ttkit.passes.lower.warps import Warps
from ttkit.target import Target
from ttkit.tuning.lowering import BYTE_ADDRESSES, FREE_THREADS, MOST_WGMMAS, UNIFORM_SLOTS

TAKE_FRAGMENTS = frozenset(
    """
    ttng.warp_group_dot ttng.warp_group_dot_wait cf.br cf.cond_br cf.switch tt.return tt.call ttg.mask.return
    ttg.warp_yield
    """.split()
)
"""Operations whose handlers take tensors in the form that asynchronous dots need (types.Fragment)."""

DONE = object()
"""What a handler returns that has taken care of the results itself."""


class Body(NamedTuple):
    """The only block of a region: its arguments, its operations, and what its terminator gives."""

    arguments: list[ir.Value]
    operations: list[ir.OpView]
    given: list[ir.Value]

    @classmethod
    def of(cls, region: ir.Region) -> Body:
        """That of a region, read once, since it takes as long as to compute one that is small."""
        block = region.blocks[0]
        *operations, last = block.operations
        return cls(list(block.arguments), operations, list(last.operation.operands))


class Lowering(LoweredModule):
    """The lowering of a module: its functions, and what handlers ask of the one that is lowered.

    Attributes:
        workers: of a kernel, where the warps go that only run partitions (warp_specialize.Workers); else None.
        tensor_memory: of a kernel that has any, its tensor memory (tensor_memory_columns.Reservation); else None.
        facts: of the kernel; `wide` is known when all functions are lowered.
        admitted_programs: that run on a multiprocessor at once as far as shared memory and threads are concerned.
        has_free_registers: whether products are by wgmma, and shared memory keeps out programs before registers do.
        has_uniform_slots: whether copies find buffer slots by uniform registers.
        repeats: whether the block that is lowered may run again.
        ctas_of_tcgen5: how many issue the function's operations on tensor memory together; 0 before the first.
        own_handlers: of single operations, in place of those of their names.
    """

    def __init__(self, module: ir.Operation, target: Target, scratch_bytes: dict[ir.Operation, int]) -> None:
        super().__init__(module, target, scratch_bytes)
        self.workers: Any = None
        self.tensor_memory: Any = None
        self.facts = KernelFacts.of_ttg(self.module)
        threads = self.total_warps * self.threads_per_warp
        self.admitted_programs = self.target.programs_at_once(threads, self._module_count("ttg.shared", 0))
        self.has_free_registers = self._has_free_registers()
        self.has_uniform_slots = self._has_uniform_slots()
        self.repeats = False
        self.ctas_of_tcgen5 = 0
        self._after_region: list[ir.Block] = []
        self.own_handlers: dict[ir.Operation, Handler] = {}

    def _has_free_registers(self) -> bool:
        """Whether so few programs have room in shared memory that their threads can have all registers."""
        threads = self.admitted_programs * self.total_warps * self.threads_per_warp
        return threads <= FREE_THREADS and self.facts.wgmma and BYTE_ADDRESSES.on

    def _has_uniform_slots(self) -> bool:
        """Whether several warp groups compute one product, whose loop has little else to do than to find addresses."""
        wgmmas = count(self.module, (WGMMA,))
        return self.total_warps > GROUP_WARPS and 0 < wgmmas <= MOST_WGMMAS and UNIFORM_SLOTS.on

    # --- Functions ----------------------------------------------------------------------------------------------------
    def begin_function(self, is_kernel: bool, extra: list[ir.Value]) -> None:
        """Starts a function, which takes `extra` after the parameters of the source."""
        self.parameters.begin(is_kernel, extra)
        self.ctas_of_tcgen5 = 0

    # --- The walk -----------------------------------------------------------------------------------------------------
    def lower_body(self, source: ir.Region, entry: ir.Block) -> None:
        """Lowers the blocks of a function's region to `entry`, whose first arguments are those of the first block."""
        # Constants and indices of the thread stand in a block of their own in front, so that they are known everywhere.
        self.values.blocks = self.blocks_for(source, entry)
        emit = self.emit
        emit.place = ir.InsertionPoint(entry)
        emit.branch(next(iter(self.values.blocks.values())))
        place = ir.InsertionPoint(entry.operations[0])
        emit.begin_function(place)
        index = ThreadIndex(emit, place, self.machine, self.kernel_warps)
        self.warps.begin(Warps(self.kernel_warps, (0,), index, self.register_limit))
        if self.tensor_memory is not None:
            emit.place = place
            self.tensor_memory.take()
        self._lower_blocks(self.values.blocks, entry.arguments)

    def _lower_blocks(self, created: dict[ir.Block, ir.Block], arguments: Sequence[ir.Value]) -> None:
        """Lowers blocks to those that were made for them; `arguments` are the parts of what those of the first are."""
        for number, (block, target) in enumerate(created.items()):
            self.values.set(block.arguments, target.arguments if number else arguments)
        outer, again = self.repeats, loops_of(list(created))
        for block, target in created.items():
            self.emit.place = ir.InsertionPoint(target)
            self.repeats = outer or block in again
            for op in block.operations:
                self._lower(op)
        self.repeats = outer

    def _lower(self, op: ir.OpView, length: int = 0) -> None:
        """Lowers an operation; its scalar operands as vectors of `length`, if that is not 0."""
        operation = op.operation
        name = operation.name
        own = self.own_handlers  # an operation's hash takes as long as all that its handler is found by
        handler = (own.get(operation) if own else None) or handler_of(name)
        if handler is None:
            remedy = "run convert-scf-to-cf first" if name.startswith("scf.") else WITHOUT_LOWERING.get(name, "")
            raise Unsupported(op, "there is no lowering for this operation", remedy)
        self.emit.location = operation.location
        values, plain = self.values.known, self.values.plain
        operands = [values.get(operand) for operand in operation.operands]
        if name not in TAKE_FRAGMENTS:
            operands = [plain(operand) for operand in operands]
        if length:
            operands = [self.elements.of_length(operand, length) for operand in operands]
        try:
            lowered = self._called(handler, op, operands)
        except (CannotLower, UnsuitableLayout) as error:
            raise Unsupported(op, str(error)) from error
        except PassError:
            raise
        except Exception as error:
            blame(error, op)
            raise
        results = operation.results
        if lowered is DONE:
            return
        if len(results) == 1:
            values[results[0]] = lowered
        elif len(results):
            for result, part in zip(results, lowered, strict=True):
                values[result] = part

    def _called(self, handler: Handler, op: ir.OpView, operands: list[Any]) -> Any:
        """Calls a handler.  One of another package may use the builders of `ttkit.dialects`, too.

        Raises:
            Unsupported: a handler of another package has raised, with its file and line.
        """
        if handler.__module__.partition(".")[0] == "ttkit" or self.emit.place is None:
            return handler(self, op, *operands)
        with self.emit.location, self.emit.place:
            try:
                return handler(self, op, *operands)
            except (CannotLower, UnsuitableLayout, PassError):
                raise
            except Exception as error:
                raise Unsupported(op, f"its lowering raised {one_line(error)}") from error

    def inline_region(self, region: ir.Region, arguments: Sequence[ir.Value]) -> list[ir.Value]:
        """Computes a region of one block on scalars, or on vectors of one length element by element.

        Returns:
            What the operands of its terminator became.
        """
        return self.inline_body(Body.of(region), arguments)

    def inline_body(self, body: Body, arguments: Sequence[ir.Value]) -> list[ir.Value]:
        """`inline_region`, of a region that is computed several times."""
        shape = arguments[0].type
        length = shape.shape[0] if isinstance(shape, ir.VectorType) else 0
        known = self.values.known
        known.update(zip(body.arguments, arguments))
        for op in body.operations:
            self._lower(op, length)
        return [self.elements.of_length(known[value], length) for value in body.given]

    def inline_blocks(
        self, region: ir.Region, arguments: Sequence[ir.Value], results: Sequence[ir.Type]
    ) -> list[ir.Value]:
        """Computes a region of any blocks, here; `leave_region` is for its terminators.

        Args:
            results: types of what the region gives.
        """
        emit = self.emit
        assert emit.place is not None
        created = self.blocks_for(region, emit.place.block)
        targets = list(created.values())
        after = targets[-1].create_after(*results, arg_locs=[emit.location] * len(results))
        emit.branch(targets[0])
        self.lower_region(created, arguments, after)
        emit.place = ir.InsertionPoint(after)
        return list(after.arguments)

    def blocks_for(self, region: ir.Region, last: ir.Block) -> dict[ir.Block, ir.Block]:
        """Makes a block for each that the region's first one reaches, in their order after `last`.

        The one for the first has no arguments: nothing branches to that.
        """
        created: dict[ir.Block, ir.Block] = {}
        for block in reachable_blocks(region):
            arguments = block.arguments if created else ()
            types = [part for argument in arguments for part in self.types.parts(argument.type)]
            last = created[block] = last.create_after(*types, arg_locs=[self.emit.location] * len(types))
        return created

    def lower_region(self, created: dict[ir.Block, ir.Block], arguments: Sequence[ir.Value], after: ir.Block) -> None:
        """Lowers blocks to those that were made for them; `leave_region` then goes to `after`.

        Args:
            arguments: the parts of what the arguments of the region are.
        """
        self._after_region.append(after)
        outer, self.values.blocks = self.values.blocks, self.values.blocks | created
        self._lower_blocks(created, arguments)
        self.values.blocks = outer
        self._after_region.pop()

    def leave_region(self, values: Sequence[ir.Value]) -> None:
        """Goes on after the region that `inline_blocks` computes, with its results."""
        self.emit.branch(self._after_region[-1], *values)


def reachable_blocks(region: ir.Region) -> list[ir.Block]:
    """The blocks of a region that its first one reaches, each after one of its predecessors."""
    first = region.blocks[0]
    order: list[ir.Block] = []
    seen = {first}
    # Reverse postorder: a definition comes before its uses.
    stack = [(first, _successors(first))]
    while stack:
        block, rest = stack[-1]
        if not rest:
            order.append(block)
            stack.pop()
            continue
        following = rest.pop()
        if following not in seen:
            seen.add(following)
            stack.append((following, _successors(following)))
    return order[::-1]


def loops_of(blocks: Sequence[ir.Block]) -> dict[ir.Block, ir.Block]:
    """Blocks of loops -> the first block of the innermost loop around each.

    Args:
        blocks: in the order of `reachable_blocks`; those from a loop's first to its last one belong to it.
    """
    numbers = {block: number for number, block in enumerate(blocks)}
    first: dict[int, int] = {}
    for last, block in enumerate(blocks):
        for following in _successors(block):
            begin = numbers.get(following, last + 1)
            for inside in range(begin, last + 1):
                first[inside] = max(first.get(inside, 0), begin)
    return {blocks[inside]: blocks[begin] for inside, begin in first.items()}


def _successors(block: ir.Block) -> list[ir.Block]:
    return list(block.operations[len(block.operations) - 1].operation.successors)
