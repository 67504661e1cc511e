"""Lower the nvg dialect, single instructions, to nvvm operations and inline PTX.

    %w = nvg.warp_id           =>  %t = nvvm.read.ptx.sreg.tid.x, %u = %t / 32, %w = nvvm.shfl.sync idx %u of lane 0
                                   (in a partition of ttg.warp_specialize: %t - the partition's first thread)
    %c = nvg.cluster_id        =>  %c = nvvm.read.ptx.sreg.cluster.ctarank
    %x = nvg.ld_acquire ...    =>  %x = llvm.inline_asm "... ld.global.gpu.acquire.b32 ..."
    %d = nvg.wgmma ...         =>  %d = llvm.inline_asm "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 ..."
    %b = nvg.tensor_memory_base=>  tcgen05.alloc when the kernel begins, tcgen05.dealloc where it returns

Input:  llvm and nvvm with operations of nvg.      Output: llvm, nvvm.
Order:  after convert-triton-gpu-to-llvm, which makes nvg.warp_id and nvg.cluster_id; only Triton's makes the others.
Skips:  modules without nvg.
Test:   test/lit/passes/convert_nv_gpu_to_llvm.mlir
"""

import re
from collections.abc import Callable

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.inspection import enclosing
from ttkit.module_attributes import USES_TWO_CTAS, module_flag, module_number
from ttkit.operation_sets import PARTITIONS
from ttkit.passes.infra import Pass, PassError, canonicalize_ops, collect, contains_any, replace_by
from ttkit.passes.layouts.thread_counts import threads_per_warp
from ttkit.passes.lower.assembly import Assembly
from ttkit.passes.lower.emitter import Emitter
from ttkit.passes.lower.function_memory import SHARED_MEMORY

SEMANTICS = {1: "relaxed", 2: "acquire", 3: "release", 4: "acq_rel"}
SCOPES = {1: "gpu", 2: "cta", 3: "sys"}
ELEMENTS = ("s8", "s32", "e4m3", "e5m2", "f16", "bf16", "tf32", "f32")
PRODUCTS = {("f16", "f16"), ("bf16", "bf16"), ("tf32", "tf32"), ("s8", "s8")} | {
    (a, b) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")
}
CONSTRAINTS = {"f32": "f", "f64": "d", "i64": "l", "i1": "b", "f16": "h", "bf16": "h", "i16": "h"}
K_BITS = 256
"""An instruction takes this many bits along k: 16 of f16, 32 of f8."""


class ConvertNVGPUToLLVM(Pass):
    """Lower nvg to llvm and nvvm"""

    name = "convert-nv-gpu-to-llvm"
    dependent_dialects = ("llvm", "nvvm")

    def run(self, op: ir.Operation) -> None:
        """Replaces operations in the order of the text; bases of tensor memory last, allocated once a function.

        It folds before, so that dead operations get no instruction, and after, so that equal constants are merged.  In
        modules from ttkit's lowering only identities remain, and the next pass of the stage folds.
        """
        if not contains_any(op, NAMES):
            return
        folds = contains_any(op, [name for name in NAMES if name not in IDENTITIES])
        if folds:
            canonicalize_ops(op, ())
        emit = Emitter(op.context)
        region: ir.Region | None = None
        bases: dict[ir.Operation, list[ir.Operation]] = {}
        for inner in collect(op, NAMES):
            if inner.name == "nvg.tensor_memory_base":
                bases.setdefault(function_of(inner), []).append(inner)
                continue
            if folds:
                begin(emit, inner)
            else:
                region = begin_identity(emit, inner, region)
            replace_by(inner, [LOWERINGS[inner.name](emit, inner)])
        if folds:
            canonicalize_ops(op, ())
        for function, uses in bases.items():
            allocate_tensor_memory(emit, op, function, uses)


def begin(emit: Emitter, op: ir.Operation) -> None:
    """Builds before `op`, constants too."""
    emit.place, emit.location = ir.InsertionPoint(op), op.location
    emit.begin_function(emit.place)


def begin_identity(emit: Emitter, op: ir.Operation, before: ir.Region | None) -> ir.Region | None:
    """Builds before `op`, constants once where its function or partition begins: no folding hoists them.

    Args:
        before: what this returned for the previous operation.

    Returns:
        The body of the function or partition that constants were last made for.
    """
    emit.place, emit.location = ir.InsertionPoint(op), op.location
    if op.name == "nvg.cluster_id":  # needs no constants
        return before
    region = body_around(op)
    if before is None or region != before:
        emit.begin_function(ir.InsertionPoint.at_block_begin(region.blocks[0]))
    return region


def body_around(op: ir.Operation) -> ir.Region:
    """The innermost body of a function or a partition that `op` is in."""
    while op.parent is not None and op.parent.name not in (*ISOLATED, "builtin.module"):
        op = op.parent.operation
    region: ir.Region = op.block.region
    return region


def function_of(op: ir.Operation) -> ir.Operation:
    """The llvm.func around an operation; raises PassError without one."""
    around = enclosing(op, "llvm.func")
    if around is None:
        raise PassError(op, f"{op.name} stands in no llvm.func")
    return around


def warp_id(emit: Emitter, op: ir.Operation) -> ir.Value:
    """The number of the warp in its CTA, or in its partition; LLVM knows that it is the same in all lanes."""
    if library().ttkitNumWarps(operation_handle(op)) == 1:
        return emit.i32_constant(0)
    members, last, first, width = (emit.i32_constant(value) for value in (-1, 31, 0, 32))
    start = first_thread(op)
    first_of_group = None if start is None else emit.i32_constant(start)
    thread = emit.op("nvvm.read.ptx.sreg.tid.x", emit.i32)
    if first_of_group is not None:
        thread = emit.sub(thread, first_of_group)
    warp = emit.same("llvm.udiv", thread, width)
    kind = emit.attribute("#nvvm<shfl_kind idx>")
    return emit.op("nvvm.shfl.sync", emit.i32, members, warp, first, last, kind=kind)


def first_thread(op: ir.Operation) -> int | None:
    """The first thread of the partition that `op` is in, or None outside of partitions.

    Raises:
        PassError: no pass has chosen the warps of the partition.
    """
    partitions = enclosing(op, PARTITIONS)
    if partitions is None:
        return None
    specialization = partitions.parent.operation
    starts = specialization.attributes.get("warpGroupStartIds")
    if starts is None:
        raise PassError(specialization, "nobody chose the warps of its partitions; run tritongpu-allocate-warp-groups")
    body = body_around(op)
    number = next(index for index, region in enumerate(partitions.regions) if region == body)
    return int(starts[number]) * threads_per_warp(op)


def cluster_id(emit: Emitter, op: ir.Operation) -> ir.Value:
    """The number of the CTA in its cluster."""
    return emit.op("nvvm.read.ptx.sreg.cluster.ctarank", emit.i32)


def load_acquire(emit: Emitter, op: ir.Operation) -> ir.Value:
    """0 where the mask does not hold.  Raises PassError for other than 8, 16, 32 or 64 bits."""
    type = op.result.type
    bits = type.width
    if bits not in (8, 16, 32, 64):
        raise PassError(op, f"nvg.ld_acquire loads 8, 16, 32 or 64 bits, not {type}")
    held = max(bits, 16)  # a byte is in a register of 16 bits
    integer = ir.IntegerType.get_signless(held, emit.context)
    register = {16: "c", 32: "r", 64: "l"}[held]
    access = f"ld.global.{SCOPES[op.attributes['scope'].value]}.{SEMANTICS[op.attributes['sem'].value]}.b{bits}"
    if len(op.operands) == 2:
        text, constraints = f"mov.u{held} $0, 0x0;\n\t@$2 {access} $0, [ $1 + 0 ];", f"={register},l,b"
    else:
        text, constraints = f"{access} $0, [ $1 + 0 ];", f"={register},l"
    loaded = emit.inline_asm(text, constraints, integer, *op.operands)
    assert loaded is not None
    if bits < held:
        loaded = emit.cast("trunc", loaded, ir.IntegerType.get_signless(bits, emit.context))
    return emit.bitcast(loaded, type)


def fields_of(emit: Emitter, struct: ir.Value) -> list[ir.Value]:
    """The values in a struct, by the types that its text names: `!llvm.struct<(f32, ptr<3>)>`."""
    names = re.findall(r"\w+(?:<[^<>]*>)?", str(struct.type).partition("(")[2])
    types = [ir.Type.parse(name if name[0] in "fib" else f"!llvm.{name}", emit.context) for name in names]
    return [emit.field(struct, index, type) for index, type in enumerate(types)]


def constraint(value: ir.Value) -> str:
    """The constraint letter of inline PTX for a register of the value's type."""
    type = str(value.type)
    return "l" if "ptr" in type else CONSTRAINTS.get(type, "r")


def wgmma(emit: Emitter, op: ir.Operation) -> ir.Value:
    """One instruction; its outputs are tied to the accumulator's registers, if it has one.

    Raises:
        PassError: there is no such instruction.
    """
    number = {name: op.attributes[name].value for name in ("m", "n", "k", "layoutA", "layoutB")}
    a, b, c = (ELEMENTS[op.attributes[f"eltType{operand}"].value] for operand in "ABC")
    width = {"f16": 16, "bf16": 16, "tf32": 32}.get(a, 8)
    accumulators = ("s32",) if a == "s8" else ("f32", "f16") if a in ("f16", "e4m3", "e5m2") else ("f32",)
    shape_fits = number["m"] == 64 and number["n"] % 8 == 0 and number["k"] == K_BITS // width
    if (a, b) not in PRODUCTS or c not in accumulators or not shape_fits:
        shape = "x".join(str(number[name]) for name in "mnk")
        raise PassError(op, f"WGMMA type or shape is not supported: {a} by {b} to {c}, {shape}")

    left, right, use, *rest = op.operands
    result = op.result.type
    outputs = str(result).count(",") + 1
    output = {"f32": "f"}.get(str(result).partition("(")[2].split(",")[0].rstrip(")>"), "r")
    tied = fields_of(emit, rest[0]) if rest else []
    given = Assembly(outputs, bool(rest), repeats=True)
    from_registers = "struct" in str(left.type)
    # Registers of a are 32-bit words for every element type.
    words = ",".join(given.operand(value, "r") for value in fields_of(emit, left)) if from_registers else ""
    spelled = f"{{{words}}}" if from_registers else given.operand(left, "l")
    arguments = [spelled, given.operand(right, "l"), given.operand(use, "b") if rest else "0"]
    if c != "s32":
        arguments += ["1", "1"]
        if width == 16:  # Whether an operand is transposed: shared memory has a by rows and b by columns.
            arguments += [] if from_registers else [str(number["layoutA"])]
            arguments.append(str(1 - number["layoutB"]))
    registers = ",".join(f"${index}" for index in range(outputs))
    name = f"wgmma.mma_async.sync.aligned.m{number['m']}n{number['n']}k{number['k']}.{c}.{a}.{b}"
    text = f"{name} {{{registers}}}, {', '.join(arguments)};"
    constraints = [*[f"={output}"] * outputs, *map(str, range(len(tied))), *given.kinds]
    product = emit.inline_asm(text, ",".join(constraints), result, *tied, *given.operands)
    assert product is not None
    return product


def wgmma_wait_group(emit: Emitter, op: ir.Operation) -> ir.Value:
    """The registers go through the instruction, so that nothing reads them before."""
    fields = fields_of(emit, op.opview.input)
    registers = ",".join(f"${index}" for index in range(len(fields)))
    text = f"// wait for regs: {registers}\n\twgmma.wait_group.sync.aligned {op.attributes['pendings'].value};"
    constraints = ["=" + constraint(field) for field in fields] + [str(index) for index in range(len(fields))]
    waited = emit.inline_asm(text, ",".join(constraints), op.result.type, *fields)
    assert waited is not None
    return waited


def is_shared_memory(symbol: ir.Operation) -> bool:
    """Whether a global of LLVM is the kernel's shared memory."""
    attributes = symbol.attributes
    space = attributes["addr_space"].value if "addr_space" in attributes else 0
    return attributes["sym_name"].value == SHARED_MEMORY and space == 3


def allocate_tensor_memory(
    emit: Emitter, module: ir.Operation, function: ir.Operation, uses: list[ir.Operation]
) -> None:
    """The first warp allocates `ttg.tensor_memory_size` columns, tells their address, and frees them at each return.

    Raises:
        PassError: the module does not say how many, or has no shared memory for the address.
    """
    columns = module_number(module, "ttg.tensor_memory_size")
    if columns is None:
        raise PassError(uses[0], "needs the module's attribute ttg.tensor_memory_size: how many columns to allocate")
    if not any(is_shared_memory(each) for each in collect(module, ["llvm.mlir.global"])):
        raise PassError(
            uses[0], f"needs an llvm.mlir.global @{SHARED_MEMORY} with addr_space 3, to have the address in"
        )
    two = module_flag(module, USES_TWO_CTAS)
    group = f"cta_group::{2 if two else 1}.sync.aligned"
    entry = function.regions[0].blocks[0]
    begin(emit, entry.operations[0].operation)
    thread = emit.op("nvvm.read.ptx.sreg.tid.x", emit.i32)
    first = emit.compare("ult", thread, emit.i32_constant(32))
    symbol = ir.FlatSymbolRefAttr.get(SHARED_MEMORY, emit.context)
    shared = emit.op("llvm.mlir.addressof", emit.pointers[3], global_name=symbol)
    emit.inline_asm(f"@$0 tcgen05.alloc.{group}.shared::cta.b32 [$1], {columns};", "b,r", None, first, shared)
    emit.effect("nvvm.barrier0")
    address = emit.op("llvm.load", emit.i32, shared)
    emit.effect("nvvm.barrier0")
    base = emit.cast("inttoptr", address, emit.pointers[6])
    emit.inline_asm(f"@$0 tcgen05.relinquish_alloc_permit.{group};", "b", None, first)
    for use in uses:
        replace_by(use, [base])
    for block in function.regions[0].blocks:
        if block.operations[len(block.operations) - 1].operation.name == "llvm.return":
            emit.place = ir.InsertionPoint(block.operations[len(block.operations) - 1])
            emit.effect("nvvm.barrier0")
            emit.inline_asm(f"@$0 tcgen05.dealloc.{group}.b32 $1, {columns};", "b,r", None, first, base)


LOWERINGS: dict[str, Callable[[Emitter, ir.Operation], ir.Value]] = {
    "nvg.warp_id": warp_id,
    "nvg.cluster_id": cluster_id,
    "nvg.ld_acquire": load_acquire,
    "nvg.wgmma": wgmma,
    "nvg.wgmma_wait_group": wgmma_wait_group,
}
NAMES = [*LOWERINGS, "nvg.tensor_memory_base"]
ISOLATED = ("llvm.func", PARTITIONS)
IDENTITIES = ("nvg.warp_id", "nvg.cluster_id")
