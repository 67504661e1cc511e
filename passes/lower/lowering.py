"""The walk from ttg to llvm: functions, their blocks, and a handler per operation."""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.inspection import count
from ttkit.layout import UnsuitableLayout
from ttkit.operation_sets import WGMMA
from ttkit.passes.infra import PassError
from ttkit.passes.infra.bug_report import blame
from ttkit.passes.layouts.machine import Machine
from ttkit.passes.lower.access_words import alignment, predicated_store
from ttkit.passes.lower.lowered_module import LoweredModule, Warps
from ttkit.passes.lower.registry import WITHOUT_LOWERING, Handler, handler_of
from ttkit.passes.lower.thread_index import ThreadIndex
from ttkit.passes.lower.unsupported import CannotLower, Unsupported
from ttkit.passes.products.instruction import GROUP_WARPS
from ttkit.target import THREADS_WITH_ALL_REGISTERS, Target

SHARED_MEMORY = "global_smem"
"""The symbol of a kernel's shared memory, whose size the launch gives."""

TAKE_FRAGMENTS = frozenset(
    """
    ttng.warp_group_dot ttng.warp_group_dot_wait cf.br cf.cond_br cf.switch tt.return tt.call ttg.mask.return
    ttg.warp_yield
    """.split()
)
"""Operations whose handlers take tensors in the form that products in the background need (types.Fragment)."""

DONE = object()
"""What a handler returns that has taken care of the results itself."""


class Lowering(LoweredModule):
    """The lowering of a module: its functions, and what handlers ask of the one that is lowered.

    Attributes:
        total_warps: warps of a CTA, those of partitions included.
        machine: the same, with threads per warp and CTAs per cluster.
        workers: of a kernel, where the warps go that only run partitions (warp_specialize.Workers); else None.
        tensor_memory: of a kernel that has any, its tensor memory (tensor_memory.Reservation); else None.
        facts: of the kernel; `wide` is known when all functions are lowered.
        has_free_registers: whether products are by wgmma, and shared memory keeps out programs before registers do.
        has_uniform_parts: whether copies find parts of a ring by uniform registers.
        repeats: whether the block that is lowered may run again.
        ctas_of_tcgen5: how many issue the function's operations on tensor memory together; 0 before the first.
        own_handlers: of single operations, in place of those of their names.
    """

    def __init__(self, module: ir.Operation, target: Target, scratch_bytes: dict[ir.Operation, int]) -> None:
        super().__init__(module, target)
        self._scratch_bytes = scratch_bytes
        self.total_warps = max(self.kernel_warps, self._module_count("ttg.total-num-warps", self.kernel_warps))
        self.machine = Machine(self.total_warps, self.threads_per_warp, self.num_ctas)
        self.workers: Any = None
        self.tensor_memory: Any = None
        self.facts = KernelFacts.of_ttg(self.module)
        self.has_free_registers = self._has_free_registers()
        self.has_uniform_parts = self._has_uniform_parts()
        self.repeats = False
        self.ctas_of_tcgen5 = 0
        self._extra: list[ir.Value] = []
        self._after_region: list[ir.Block] = []
        self.own_handlers: dict[ir.Operation, Handler] = {}

    def _has_free_registers(self) -> bool:
        """Whether so few programs have room in shared memory that their threads can have all registers."""
        threads = self.total_warps * self.threads_per_warp
        programs = self.target.programs_at_once(threads, self._module_count("ttg.shared", 0))
        return programs * threads <= THREADS_WITH_ALL_REGISTERS and self.facts.wgmma

    def _has_uniform_parts(self) -> bool:
        """Whether several warp groups compute one product, whose loop has little else to do than to find addresses.

        On an H200 five such kernels take 0.987 to 1.001 of the time (2026-11, cubins_uniform_parts_2026-11-24.json);
        with one group 64x128 took 1.02 of it, with two products, attention, up to 1.07.
        """
        return self.total_warps > GROUP_WARPS and count(self.module, (WGMMA,)) == 1

    # --- Functions ----------------------------------------------------------------------------------------------------
    def begin_function(self, is_kernel: bool, extra: list[ir.Value]) -> None:
        """Starts a function, whose parameters behind those of the source are `extra`."""
        self._extra = extra
        self._is_kernel = is_kernel
        self.ctas_of_tcgen5 = 0

    def callee_pointers(self, call: ir.OpView) -> list[ir.Value]:
        """The pointers that a called function takes behind the parameters of the source."""
        shared = self.shared_memory() if self._is_kernel else self._extra[0]
        offset = call.operation.attributes.get("allocation.offset")
        if offset is not None:
            shared = self.emit.gep(shared, offset.value, self.emit.i8)
        scratch = self._extra[-2]
        if "ttg.global_scratch_memory_offset" in call.operation.attributes:
            scratch = self.global_scratch_pointer(call)
        return [shared, scratch, self._extra[-1]]

    def global_scratch_pointer(self, op: ir.OpView) -> ir.Value:
        """Pointer to the part of global scratch memory that belongs to `op` in this program.

        Raises:
            Unsupported: global scratch memory is not allocated.
        """
        attributes = op.operation.attributes
        if "ttg.global_scratch_memory_offset" not in attributes:
            remedy = "run tritongpu-global-scratch-memory-allocation"
            raise Unsupported(op, "it needs global scratch memory, of which none is allocated", remedy)
        base = self._of_program("global", self._extra[-2]) if self._is_kernel else self._extra[-2]
        return self.emit.gep(base, attributes["ttg.global_scratch_memory_offset"].value, self.emit.i8)

    def profile_scratch(self) -> ir.Value:
        """Pointer to this program's part of the memory that a launch provides for what kernels measure."""
        return self._of_program("profile", self._extra[-1])

    def _of_program(self, kind: str, memory: ir.Value) -> ir.Value:
        emit = self.emit
        size = emit.i32_constant(self._module_count(f"ttg.{kind}_scratch_memory_size", 0))
        return self.index.once(f"{kind} scratch", lambda: emit.gep(memory, emit.mul(self.cta(), size), emit.i8))

    def cta(self) -> ir.Value:
        """i32, the number of this CTA in the grid."""
        emit = self.emit
        x, y, z = (emit.op(f"nvvm.read.ptx.sreg.ctaid.{axis}", emit.i32) for axis in "xyz")
        width, height = (emit.op(f"nvvm.read.ptx.sreg.nctaid.{axis}", emit.i32) for axis in "xy")
        return emit.add(emit.mul(emit.add(emit.mul(z, height), y), width), x)

    def shared_memory(self) -> ir.Value:
        """Pointer to the shared memory of the current function."""
        if not self._is_kernel:
            return self._extra[0]
        emit = self.emit
        name = ir.FlatSymbolRefAttr.get(SHARED_MEMORY, emit.context)
        return self.index.once(
            SHARED_MEMORY, lambda: emit.op("llvm.mlir.addressof", emit.pointers[3], global_name=name)
        )

    def register_limit(self) -> int:
        """Registers that each thread has when the kernel starts; 0 if nobody has decided."""
        return self._module_count("ttg.maxnreg", 0)

    def scratch_pointer(self, op: ir.OpView, needed: int = 0) -> ir.Value:
        """Pointer to the part of shared memory that the allocation gave to `op` as scratch: `needed` bytes or more.

        Raises:
            Unsupported: shared memory is not allocated, or not as much.
        """
        offset = op.operation.attributes.get("allocation.offset")
        if offset is None:
            raise Unsupported(op, "it needs shared memory, of which none is allocated", "run allocate-shared-memory-nv")
        given = self._scratch_bytes.get(op.operation, needed)
        if given < needed:
            raise Unsupported(
                op, f"it needs {needed} bytes of shared memory and has {given}", "run allocate-shared-memory-nv"
            )
        return self.emit.gep(self.shared_memory(), offset.value, self.emit.i8)

    def store_shared(self, pointer: ir.Value, vector: ir.Value, mask: ir.Value | None = None) -> None:
        """Stores a vector to shared memory, aligned to its size, where an i1 holds."""
        element, count = vector.type.element_type, vector.type.shape[0]
        if mask is None:
            self.emit.store(vector, pointer, alignment(element, count))
        else:
            predicated_store(self, pointer, vector, mask, ".shared", element, count)

    def load_shared(self, pointer: ir.Value, type: ir.Type) -> ir.Value:
        """Loads a vector from shared memory, aligned to its size, at most 16 bytes."""
        emit, element = self.emit, type.element_type
        if type.shape[0] == 1:
            # LLVM makes shuffles of whole tensors of what it finds in vectors of one element: 11 s of 512 bytes.
            return emit.pack([emit.load(pointer, element, alignment(element, 1))])
        return emit.load(pointer, type, min(16, alignment(element, type.shape[0])))

    def barrier(self) -> None:
        """All threads of the CTA wait for each other; of a partition of specialized warps, those of the partition."""
        emit = self.emit
        if self.total_warps == self.num_warps:
            emit.effect("nvvm.barrier0")
        elif self.num_warps == 1:
            self.warp_barrier()
        else:
            number, threads = emit.i32_constant(self.warps.barrier), self.num_warps * self.threads_per_warp
            emit.named_barrier(number, emit.i32_constant(threads))

    def warp_barrier(self) -> None:
        """All threads of the warp wait for each other."""
        self.emit.effect("nvvm.bar.warp.sync", self.emit.i32_constant(-1))

    # --- The walk -----------------------------------------------------------------------------------------------------
    def lower_body(self, source: ir.Region, entry: ir.Block) -> None:
        """Lowers the blocks of a function's region to `entry`, whose first arguments are those of the first block."""
        # Constants and indices of the thread stand in a block of their own in front, so that they are known everywhere.
        self._blocks = self.blocks_for(source, entry)
        emit = self.emit
        emit.place = ir.InsertionPoint(entry)
        emit.branch(next(iter(self._blocks.values())))
        place = ir.InsertionPoint(entry.operations[0])
        emit.begin_function(place)
        index = ThreadIndex(emit, place, self.machine, self.kernel_warps)
        self._warps = Warps(self.kernel_warps, 0, index, self.register_limit())
        if self.tensor_memory is not None:
            emit.place = place
            self.tensor_memory.take()
        self._lower_blocks(self._blocks, entry.arguments)

    def _lower_blocks(self, created: dict[ir.Block, ir.Block], arguments: Sequence[ir.Value]) -> None:
        """Lowers blocks to those that were made for them; `arguments` are the parts of what those of the first are."""
        for number, (block, target) in enumerate(created.items()):
            self.set_values(block.arguments, target.arguments if number else arguments)
        outer, again = self.repeats, repeated(list(created))
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
        handler = self.own_handlers.get(operation) or handler_of(name)
        if handler is None:
            remedy = "run convert-scf-to-cf first" if name.startswith("scf.") else WITHOUT_LOWERING.get(name, "")
            raise Unsupported(op, "there is no lowering for this operation", remedy)
        self.emit.location = operation.location
        values = self._values
        operands = [values.get(operand) for operand in operation.operands]
        if name not in TAKE_FRAGMENTS:
            operands = [self.plain(operand) for operand in operands]
        if length:
            operands = [self.of_length(operand, length) for operand in operands]
        try:
            lowered = handler(self, op, *operands)
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

    def inline_region(self, region: ir.Region, arguments: Sequence[ir.Value]) -> list[ir.Value]:
        """Computes a region of one block on scalars, or on vectors of one length element by element.

        Returns:
            What the operands of its terminator became.
        """
        block = region.blocks[0]
        shape = arguments[0].type
        length = shape.shape[0] if isinstance(shape, ir.VectorType) else 0
        for argument, value in zip(block.arguments, arguments):
            self._values[argument] = value
        *body, last = block.operations
        for op in body:
            self._lower(op, length)
        return [self.of_length(self._values[operand], length) for operand in last.operation.operands]

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
        """Makes a block for each that the region's first one reaches, in their order behind `last`.

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
        outer, self._blocks = self._blocks, self._blocks | created
        self._lower_blocks(created, arguments)
        self._blocks = outer
        self._after_region.pop()

    def leave_region(self, values: Sequence[ir.Value]) -> None:
        """Goes on behind the region that `inline_blocks` computes, with its results."""
        self.emit.branch(self._after_region[-1], *values)

    def of_length(self, value: ir.Value, length: int) -> ir.Value:
        """A scalar that vectors are computed with, as a vector; where `length` is 0, none is."""
        return self.emit.splat(value, length) if length and not isinstance(value.type, ir.VectorType) else value


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


def repeated(blocks: Sequence[ir.Block]) -> set[ir.Block]:
    """The blocks of loops, of blocks in the order of `reachable_blocks`: those from a loop's first to its last one."""
    numbers = {block: number for number, block in enumerate(blocks)}
    found: set[ir.Block] = set()
    for number, block in enumerate(blocks):
        for following in _successors(block):
            found.update(blocks[numbers.get(following, number + 1) : number + 1])
    return found


def _successors(block: ir.Block) -> list[ir.Block]:
    return list(block.operations[len(block.operations) - 1].operation.successors)
