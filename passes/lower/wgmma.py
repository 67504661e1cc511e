"""Lower dots of warp groups (wgmma), which run asynchronously.

All instructions of a ttng.warp_group_dot are in one block of inline assembly, after the fence and before the commit.
If A was just computed, there are two such blocks, one for each half of A.  The accumulators are results of the assembly
and operands tied to them.  Between blocks they stay single registers (types.Fragment), so that nothing moves them
between issue and wait.  `ttkit.layout.wgmma` computes the operands of the instructions.

Ops: dialects/ttng/wgmma_ops.td    Test: test/lit/lower/wgmma.mlir
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from mlir import ir

from ttkit.analysis.dot_attributes import PING_PONG, TAKES_REGISTERS
from ttkit.analysis.membar import BARRIERS
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import defining
from ttkit.layout.encodings import NvidiaMma
from ttkit.layout.hardware import GROUP_WARPS, WGMMA_ROWS
from ttkit.layout.matrix_descriptor import K_BYTES, plan_descriptor
from ttkit.layout.mma_to_linear import operand_cga
from ttkit.layout.wgmma import Tiles, plan_fragments, plan_tiles
from ttkit.operation_sets import WGMMA, WGMMA_WAIT
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.lower.assembly import Assembly, in_assembly
from ttkit.passes.lower.buffer_places import memory_layout
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.matrix_descriptor import InMemory, rows_of_ctas
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.types import Fragment, SharedView
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.passes.lower.words import to_words
from ttkit.records import dataclass
from ttkit.target import NAMED_REGISTERS
from ttkit.tuning.lowering import HALVED_STEPS, WGMMA_HALVES

# Element type -> its name in the instruction.
OPERANDS = {"f16": "f16", "bf16": "bf16", "f32": "tf32", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2", "i8": "s8"}
RESULTS = {"f32": "f32", "f16": "f16", "i32": "s32"}
FP8 = ("e4m3", "e5m2")
SUMMED_IN = {
    "f16": ("f32", "f16"),
    "bf16": ("f32",),
    "tf32": ("f32",),
    "s8": ("s32",),
    **dict.fromkeys(FP8, ("f32", "f16")),
}
"""Element type of operands -> element types of results."""
# Types whose instructions can transpose an operand in shared memory.
HALVES = ("f16", "bf16")


@lowers(WGMMA)
def warp_group_dot(
    low: Lowering, op: ir.OpView, a: SharedView | ir.Value, b: SharedView, c: Fragment | ir.Value, *use: ir.Value
) -> Fragment:
    """d[m, n] = (useC ? c[m, n] : 0) + the sum over k of a[m, k] * b[k, n]; with isAsync only after the wait.

    Raises:
        CannotLower: a GPU without wgmma.
    """
    low.require("has_wgmma", "products of warp groups")
    wgmma = Wgmma.of(low, op, a, b)
    accumulator = None if constant_splat(op.c) == 0 else low.types.as_fragment(c)
    if use:
        known = constant_splat(op.useC)
        accumulator, use = (accumulator, use) if known is None else (accumulator if known else None, ())
    keeps = use[0] if use and accumulator is not None else None
    most = op.maxNumImpreciseAcc
    if wgmma.names[0] in FP8 and wgmma.result == "f32" and most <= wgmma.k_size:
        return with_partial_accumulators(low, wgmma, accumulator, keeps, most)
    if TAKES_REGISTERS in op.operation.attributes:
        accumulator, keeps = low.types.as_fragment(c), never(low)
    found: list[ir.Value] = []
    for steps in parts_along_k(wgmma, op):
        is_last = steps[-1] + wgmma.k == wgmma.k_size
        found = issue(low, wgmma, steps, accumulator, keeps, is_last and not op.isAsync, op, is_last)
        accumulator, keeps = Fragment(tuple(found), wgmma.element), None
    return Fragment(tuple(found), wgmma.element)


def parts_along_k(wgmma: "Wgmma", op: ir.OpView) -> list[range]:
    """The steps along K of a wgmma, divided into parts that start one after the other.

    There are two halves if A in registers was just computed: tensor cores start with the first half while threads
    compute the second.
    """
    steps = range(0, wgmma.k_size, wgmma.k)
    left = defining(op.a)
    is_fresh = left is not None and left.operation.block == op.operation.block
    has_halves = WGMMA_HALVES.on and len(steps) >= HALVED_STEPS and PING_PONG not in op.attributes
    if isinstance(wgmma.a, InMemory) or not is_fresh or not has_halves:
        return [steps]
    return [steps[: len(steps) // 2], steps[len(steps) // 2 :]]


def never(low: Lowering) -> ir.Value:
    """An i1 that is 0, in a form that neither LLVM nor ptxas can fold."""
    emit = low.emit
    processors = emit.intrinsic("llvm.nvvm.read.ptx.sreg.nsmid", emit.i32)
    return emit.compare("eq", processors, emit.i32_constant(0))


@lowers(WGMMA_WAIT)
def warp_group_dot_wait(low: Lowering, op: ir.OpView, *inputs: Fragment | ir.Value | SharedView) -> object:
    """outputs[i] = inputs[i], when at most `pendings` wgmmas are unfinished."""
    tensors = [low.types.as_fragment(value) for value in inputs if not isinstance(value, SharedView)]
    registers = [register for tensor in tensors for register in tensor.registers]
    text = f"wgmma.wait_group.sync.aligned {op.pendings};"
    rest = iter(in_assembly(low.emit, text, registers, [], []))
    found: list[object] = []
    for value in inputs:
        if isinstance(value, SharedView):
            found.append(value)
            continue
        fragment = low.types.as_fragment(value)
        waited = Fragment(tuple(next(rest) for _ in fragment.registers), fragment.element)
        found.append(waited if isinstance(value, Fragment) else low.types.as_vector(waited))
    return found if len(found) > 1 else found[0]


@dataclass
class Wgmma:
    """A ttng.warp_group_dot as instructions.

    names, result: the element types of the operands and of the result in the instruction.
    columns, k: the columns of an instruction, and its elements along K.
    k_size: the size of the operands along K.
    tiles: the instructions.
    element: the type of the result's elements.
    a, b: the operands, in registers or in memory.
    """

    names: tuple[str, str]
    result: str
    columns: int
    k: int
    k_size: int
    tiles: Tiles
    element: ir.Type
    a: "InMemory | InRegisters"
    b: "InMemory"

    @classmethod
    def of(cls, low: Lowering, op: ir.OpView, a: SharedView | ir.Value, b: SharedView) -> "Wgmma":
        """Raises CannotLower if there is no such instruction."""
        first, second, _ = (operand.type for operand in list(op.operation.operands)[:3])
        result = op.result
        names = [OPERANDS.get(str(type.element_type), "") for type in (first, second)]
        total = RESULTS.get(str(result.type.element_type), "")
        mixed = names[0] != names[1] and not all(name in FP8 for name in names)
        if mixed or any(total not in SUMMED_IN.get(name, ()) for name in names):
            found = f"found {first.element_type} times {second.element_type} into {result.type.element_type}"
            raise CannotLower(f"{found}; wgmma does not multiply these types; cast the operands, or use tt.dot")
        bits = first.element_type.width
        layout = layout_of(result.type)
        assert isinstance(layout, NvidiaMma), "the verifier asks for it"
        columns, k = layout.instr_shape[1], 8 * K_BYTES // bits
        if first.shape[1] % k:
            raise CannotLower(f"found {first.shape[1]} elements along K; an instruction takes {k}")
        tiles = plan_tiles(low.layout(result), columns)
        place_a: InMemory | InRegisters
        if isinstance(a, SharedView):
            ctas = rows_of_ctas(low, first, 1, operand_cga(layout.cga_layout, 1))
            plan = plan_descriptor(memory_layout(low, first), 1, WGMMA_ROWS, bits)
            groups = [group[0] for group in tiles.groups]
            place_a = InMemory.of(low, a, 1, plan, plan.bits, groups, ctas)
        else:
            place_a = InRegisters(to_words(low, a), plan_fragments(low.types.layout(first), bits), 32 // bits)
        ctas = rows_of_ctas(low, second, 0, operand_cga(layout.cga_layout, 0))
        plan = plan_descriptor(memory_layout(low, second), 0, columns, bits)
        place_b = InMemory.of(low, b, 0, plan, plan.bits, [group[1] for group in tiles.groups], ctas)
        return cls(
            (names[0], names[1]),
            total,
            columns,
            k,
            first.shape[1],
            tiles,
            low.types.element(result.type),
            place_a,
            place_b,
        )

    @property
    def registers(self) -> int:
        """The number of 32-bit registers of one instruction's result."""
        return self.tiles.registers * self.element.width // 32

    def text(self, accumulator: Sequence[int], operands: tuple[str, str], keeps: str) -> str:
        """The text of one instruction, for its operands in the assembly."""
        name = f"m64n{self.columns}k{self.k}.{self.result}.{self.names[0]}.{self.names[1]}"
        suffix = ""
        if self.names[0] != "s8":
            suffix = ", 1, 1"
        if self.names[0] in HALVES:
            suffix += "".join(
                f", {int(not side.k_contiguous)}" for side in (self.a, self.b) if isinstance(side, InMemory)
            )
        registers = ", ".join(f"${number}" for number in accumulator)
        return f"wgmma.mma_async.sync.aligned.{name} {{{registers}}}, {', '.join(operands)}, {keeps}{suffix};"


@dataclass
class InRegisters:
    """A in registers.

    words: 32-bit registers, with `per_word` elements each.  first: (row, step) of a tile -> its first element.
    """

    words: list[ir.Value]
    first: dict[tuple[int, int], int]
    per_word: int

    def tile(self, row: int, k: int) -> list[ir.Value]:
        """The four words of a tile."""
        start = self.first[row, k] // self.per_word
        return self.words[start : start + 4]


def issue(
    low: Lowering,
    wgmma: Wgmma,
    steps: Sequence[int],
    accumulator: Fragment | None,
    keeps: ir.Value | None,
    waits: bool,
    op: ir.OpView | None = None,
    commits: bool = True,
    repetitions: Sequence[tuple[int, int]] | None = None,
) -> list[ir.Value]:
    """Builds the instructions for some steps along K, which add to `accumulator` if there is one and `keeps` holds.

    waits: whether the assembly waits for the results; otherwise they are complete after the next wait.
    op: the operation, if it may have a ping-pong attribute.
    commits: whether this is the last part of the group for a wait.
    repetitions: the first row and column of each instruction, if not of all of them.
    """
    repetitions = wgmma.tiles.repetitions if repetitions is None else repetitions
    assembly = Assembly(wgmma.registers * len(repetitions), accumulator is not None)
    flag = "1" if keeps is None else assembly.operand(keeps, "b")
    lines = ["wgmma.fence.sync.aligned;"]
    for number, (row, column) in enumerate(repetitions):
        registers = range(number * wgmma.registers, (number + 1) * wgmma.registers)
        for step in steps:
            first = step == steps[0]
            kept = "1" if not first else "0" if accumulator is None else flag
            lines.append(wgmma.text(registers, operands_of(assembly, wgmma, row, column, step), kept))
    if commits:
        lines.append("wgmma.commit_group.sync.aligned;")
    if waits:
        lines.append("wgmma.wait_group.sync.aligned 0;")
    register = low.emit.f32 if wgmma.result == "f32" else low.emit.i32
    tied = [] if accumulator is None else accumulator.registers
    with in_order(low, op):
        text, results = "\n\t".join(lines), [register] * assembly.results
        return in_assembly(low.emit, text, tied, assembly.operands, assembly.kinds, results)


@contextmanager
def in_order(low: Lowering, op: ir.OpView | None) -> Iterator[None]:
    """A context whose code the second of two warp groups runs after the first, if the wgmma asks for ping-pong.

    Raises:
        CannotLower: not two warp groups run this code.
    """
    if op is None or PING_PONG not in op.operation.attributes:
        yield
        return
    groups, number = low.num_warps // GROUP_WARPS, op.operation.attributes[PING_PONG].value
    if groups != 2 or low.total_warps != low.num_warps:
        raise CannotLower(f"found {PING_PONG} in code of {low.num_warps} of {low.total_warps} warps; it takes 8 of 8")
    threads = low.num_warps * low.threads_per_warp
    is_second = low.emit.compare("uge", low.index.thread(), low.emit.i32_constant(threads // groups))
    low.emit.inline_asm(f"@$0 bar.sync {number}, {threads};", "b", None, is_second)
    yield
    # The first group need not wait if it can't reach this point again before the second one does.
    synchronizes = any(other.operation.name in BARRIERS for other in op.operation.block.operations)
    low.emit.inline_asm(f"@!$0 bar.{'arrive' if synchronizes else 'sync'} {number}, {threads};", "b", None, is_second)


def operands_of(assembly: "Assembly", wgmma: Wgmma, row: int, column: int, step: int) -> tuple[str, str]:
    """The names of an instruction's operands: a descriptor, or registers in braces."""
    if isinstance(wgmma.a, InMemory):
        a = assembly.operand(wgmma.a.tile(row, step), "l")
    else:
        a = f"{{{', '.join(assembly.operand(word, 'r') for word in wgmma.a.tile(row, step))}}}"
    return a, assembly.operand(wgmma.b.tile(column, step), "l")


def with_partial_accumulators(
    low: Lowering, wgmma: Wgmma, accumulator: Fragment | None, keeps: ir.Value | None, most: int
) -> Fragment:
    """The wgmma of fp8: tensor cores accumulate at most `most` elements along K, f32 additions the rest.

    Where a thread has no registers for the results and as many parts of them, one instruction's parts follow another's.
    """
    emit = low.emit
    add = partial(emit.same, "llvm.fadd", fastmathFlags=low.float_flags)
    total = None if accumulator is None else list(accumulator.registers)
    if keeps is not None and total is not None:
        zero = emit.constant(emit.f32, 0.0)
        total = [emit.select(keeps, register, zero) for register in total]
    count = max(1, -(-most // wgmma.k)) * wgmma.k
    every = wgmma.tiles.repetitions
    fits = 2 * wgmma.registers * len(every) < NAMED_REGISTERS
    found: list[ir.Value] = []
    for repetitions in [every] if fits else [(repetition,) for repetition in every]:
        own = slice(len(found), len(found) + wgmma.registers * len(repetitions))
        so_far = None if total is None else total[own]
        for first in range(0, wgmma.k_size, count):
            steps = range(first, min(first + count, wgmma.k_size), wgmma.k)
            part = issue(low, wgmma, steps, None, None, waits=True, repetitions=repetitions)
            so_far = part if so_far is None else [add(x, y) for x, y in zip(so_far, part, strict=True)]
        found += so_far or []
    return Fragment(tuple(found), wgmma.element)
