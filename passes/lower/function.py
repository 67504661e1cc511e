"""Lower functions, calls and returns.

A kernel takes the parameters of the source, and two pointers to global scratch memory: the program's, and the
profiler's.  A function that is called takes, and passes on, a pointer to its caller's shared memory in front of those.

Ops: dialects/tt/function_ops.td    Test: test/lit/lower/function.mlir
"""

from mlir import ir

from ttkit.dialects._tt_types import PointerType, TensorDescType
from ttkit.inspection import defining, element_bits, is_public, name_of
from ttkit.module_attributes import MAXNREG, module_number
from ttkit.operation_sets import TENSOR_VIEWS, TMEM_ALLOC
from ttkit.passes.infra import collect
from ttkit.passes.lower.address_sinking import sink_addresses
from ttkit.passes.lower.lowering import DONE, Lowering, loops_of, reachable_blocks
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.target import REGISTERS, SCHEDULERS, fewest_programs
from ttkit.tuning.registers import (
    FEW_WARPS,
    MANY_LOADED,
    MOST_LOADED,
    MOST_PROGRAMS,
    OTHER_REGISTERS,
    PROGRAMS_AT_ONCE,
    STREAMING_PROGRAMS,
    STREAMING_WARPS,
)

SCRATCH_POINTERS = 2
DESCRIPTOR_PARAMETER = (
    "{llvm.align = 64 : i32, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant, tt.nv_tma_desc = 1 : i32}"
)


def lower_function(low: Lowering, function: ir.OpView) -> None:
    """Replaces a tt.func by an llvm.func."""
    emit, operation = low.emit, function.operation
    emit.location = operation.location
    type = function.function_type
    is_kernel = is_public(operation)
    inputs = [part for input in type.inputs for part in low.types.parts(input)]
    extra = [*([] if is_kernel else [emit.pointers[3]]), *[emit.pointers[1]] * SCRATCH_POINTERS]
    outputs = [part for output in type.results for part in low.types.parts(output)]
    result = emit.void if not outputs else outputs[0] if len(outputs) == 1 else emit.struct(outputs)
    text = f"!llvm.func<{result} ({', '.join(map(str, [*inputs, *extra]))})>"
    signature = ir.TypeAttr.get(ir.Type.parse(text, emit.context))
    attributes = {
        "sym_name": operation.attributes["sym_name"],
        "function_type": signature,
        "CConv": emit.attribute("#llvm.cconv<ccc>"),
        "linkage": emit.attribute("#llvm.linkage<external>" if is_kernel else "#llvm.linkage<internal>"),
        "visibility_": emit.integer(0),
    }
    attributes |= kernel_attributes(low, operation) if is_kernel else callee_attributes(low, function)
    attributes |= own_attributes(operation)
    if inputs:
        passed = parameter_attributes(low, function, is_kernel)
        none = ir.DictAttr.get({}, context=emit.context)
        attributes["arg_attrs"] = ir.ArrayAttr.get([*passed, *[none] * len(extra)], context=emit.context)
    emit.place = ir.InsertionPoint(operation)
    lowered = ir.Operation.create("llvm.func", (), (), attributes, regions=1, loc=operation.location, ip=emit.place)
    arguments = [*inputs, *extra]
    places = [arg.location for arg in function.body.blocks[0].arguments for _ in low.types.parts(arg.type)]
    places += [operation.location] * len(extra)
    entry = lowered.regions[0].blocks.append(*arguments, arg_locs=places)
    low.begin_function(is_kernel, list(entry.arguments)[len(inputs) :])
    low.workers = low.tensor_memory = None
    if is_kernel and collect(operation, [TMEM_ALLOC]):
        from ttkit.passes.lower.tensor_memory_columns import Reservation  # few kernels have any

        low.tensor_memory = Reservation(low, function)
    if is_kernel and low.total_warps > low.kernel_warps:
        from ttkit.passes.lower.warp_specialize import Workers  # few kernels have any

        low.workers = Workers(low, function, entry)
    low.lower_body(operation.regions[0], entry)
    if low.workers is not None:
        low.workers.finish()
    if low.tensor_memory is not None:
        sink_addresses(lowered)


def own_attributes(operation: ir.Operation) -> dict[str, ir.Attribute]:
    """Attributes of a function that stay; others without a dialect's name may be llvm.func's own."""
    return {name: operation.attributes[name] for name in operation.attributes if "." in name or name == "noinline"}


def parameter_attributes(low: Lowering, function: ir.OpView, is_kernel: bool) -> list[ir.Attribute]:
    """Attributes of a function's parameters, of those that stay single values.

    A descriptor is a parameter of a kernel itself, of which the tensor memory accelerator takes the address.
    """
    attributes, context = function.operation.attributes, low.emit.context
    given = attributes.get("arg_attrs")
    found: list[ir.Attribute] = []
    for number, input in enumerate(function.function_type.inputs):
        parts = low.types.parts(input)
        named = {} if given is None or len(parts) > 1 else {each.name: each.attr for each in given[number]}
        if is_kernel and isinstance(input, TensorDescType):
            named |= {each.name: each.attr for each in low.emit.attribute(DESCRIPTOR_PARAMETER)}
        found += [ir.DictAttr.get(named, context=context)] * len(parts)
    return found


def callee_attributes(low: Lowering, function: ir.OpView) -> dict[str, ir.Attribute]:
    """Attributes of a function that is called: LLVM leaves it one."""
    visibility = function.operation.attributes["sym_visibility"]
    return {"passthrough": low.emit.attribute('["noinline"]'), "sym_visibility": visibility}


def kernel_attributes(low: Lowering, function: ir.Operation) -> dict[str, ir.Attribute]:
    """Attributes that mark a function as a kernel and state its launch bounds: threads, registers, cluster size."""
    threads = low.total_warps * low.threads_per_warp
    attributes = {
        "nvvm.kernel": low.emit.attribute("1 : ui1"),
        "nvvm.reqntid": low.emit.attribute(f"array<i32: {threads}>"),
    }
    if most := module_number(low.module, MAXNREG):
        attributes["nvvm.maxnreg"] = low.emit.integer(most, 32)
    elif programs := programs_at_once(low, function):
        attributes["nvvm.minctasm"] = low.emit.integer(programs, 32)
    if low.num_ctas > 1:
        attributes["nvvm.cluster_dim"] = low.emit.attribute(f"array<i32: {low.num_ctas}, 1, 1>")
    return attributes


def programs_at_once(low: Lowering, function: ir.Operation) -> int | None:
    """Programs that a multiprocessor is to run at once, at least; None where ptxas decides.

    By itself ptxas saves registers for as many threads as possible, and then loads one value after the other.  So
    kernels without dot operations that load many registers, and those of one warp, get as many registers as leave room
    for MOST_PROGRAMS: some programs compute while others load.  They get fewer programs where loaded and carried values
    need more registers, or a single value that outlives a reduction needs all of them.  Programs of one or two warps
    get the registers that leave room for FEW_WARPS warps.  Without loops, loads need not be in registers all at once:
    STREAMING_WARPS warps get room, if that of the largest load fits.  Small loads of loops ptxas does not put off, and
    many that no thread has registers for are of unrolled loops: it would start too many of them at once.
    Kernels with dot operations whose loops load many registers may have those that leave room for as many programs as
    shared memory does, where these are at most MOST_PROGRAMS.
    """
    if not PROGRAMS_AT_ONCE.on or not low.target.has_wgmma or low.total_warps > low.kernel_warps:
        return None
    loaded = loaded_registers(low, function)
    many = {block for block, count in loaded.items() if count >= MANY_LOADED}
    if not many and (low.facts.dots or low.total_warps > 1):
        return None
    loops = loops_of(reachable_blocks(function.regions[0]))
    if low.facts.dots:
        return low.admitted_programs if many & loops.keys() and low.admitted_programs <= MOST_PROGRAMS else None
    threads = low.total_warps * low.threads_per_warp
    held = max((count + carried_registers(low, loops.get(block)) for block, count in loaded.items()), default=0)
    most, needed = FEW_WARPS // low.total_warps, held + OTHER_REGISTERS
    if low.total_warps >= SCHEDULERS:
        outliving = outliving_registers(low, function)
        most = min(MOST_PROGRAMS, (REGISTERS - 1) // (threads * max(outliving, 1)))
        at_once = max(held_bits(low, load.result.type) // 32 for load in collect(function, ["tt.load"]))
        if at_once < MANY_LOADED and (loops or held > MOST_LOADED):
            return None
        if not loops and STREAMING_PROGRAMS.on:
            needed = max(outliving, at_once) + OTHER_REGISTERS
            most = max(STREAMING_WARPS // low.total_warps, MOST_PROGRAMS)
    return max(min(most, REGISTERS // (threads * needed)), fewest_programs(threads))


def loaded_registers(low: Lowering, function: ir.Operation) -> dict[ir.Block, int]:
    """Blocks that load tensors -> registers of a thread that these loads fill."""
    bits: dict[ir.Block, int] = {}
    for load in collect(function, ["tt.load"]):
        bits[load.block] = bits.get(load.block, 0) + held_bits(low, load.result.type)
    return {block: count // 32 for block, count in bits.items() if count}


def outliving_registers(low: Lowering, function: ir.Operation) -> int:
    """The most registers of a thread for a tensor of floats that a reduction takes, and a later operation too.

    The result of a reduction needs all of the tensor, so all of it is in registers then, or spilled.
    """
    most = 0
    for reduction in collect(function, ["tt.reduce"]):
        for value in reduction.operands:
            if isinstance(value.type.element_type, ir.FloatType) and outlives(value, reduction):
                most = max(most, held_bits(low, value.type) // 32)
    return most


def outlives(value: ir.Value, op: ir.Operation) -> bool:
    """Whether an operation after `op` in its block takes a value, or what the value is a view of."""
    users = [use.owner.operation for use in value.uses]
    if any(user.block == op.block and op.is_before_in_block(user) for user in users):
        return True
    maker = defining(value)
    if maker is None or name_of(maker) not in TENSOR_VIEWS:
        return False
    return any(outlives(operand, op) for operand in maker.operation.operands)


def carried_registers(low: Lowering, loop: ir.Block | None) -> int:
    """Registers of a thread for the tensors, other than pointers, that a loop carries; the loop by its first block."""
    return 0 if loop is None else sum(held_bits(low, argument.type) for argument in loop.arguments) // 32


def held_bits(low: Lowering, type: ir.Type) -> int:
    """Bits of a tensor that a thread holds, each element once; 0 for pointers and other types."""
    if not isinstance(type, ir.RankedTensorType) or isinstance(type.element_type, PointerType):
        return 0
    registers: int = low.types.layout(type).remove_zero_bases("register").in_size("register")
    return registers * element_bits(type.element_type)


@lowers("tt.return")
def return_(low: Lowering, op: ir.OpView, *operands: object) -> object:
    """The return of a kernel, or of a function with its values in a struct."""
    emit, values = low.emit, low.values.parts(op.operation.operands)
    if len(values) > 1:
        values = [emit.packed_struct(emit.struct(value.type for value in values), values)]
    if low.workers is not None:
        low.workers.dismiss()
    if low.tensor_memory is not None:
        low.tensor_memory.give_back()
    emit.effect("llvm.return", *values)
    return DONE


@lowers("tt.call")
def call(low: Lowering, op: ir.OpView, *operands: object) -> object:
    """llvm.call with the pointers to shared and scratch memory that functions take after their arguments.

    Raises:
        CannotLower: the call is in specialized warps, whose barriers the function does not know.
    """
    emit, operation = low.emit, op.operation
    if low.index.first_warp:
        found = "a call by a partition of specialized warps, whose barriers the function does not know"
        raise CannotLower(f"found {found}; let it be inlined: noinline = false")
    outputs = [part for result in operation.results for part in low.types.parts(result.type)]
    result = [] if not outputs else outputs if len(outputs) == 1 else [emit.struct(outputs)]
    passed = [*low.values.parts(operation.operands), *low.parameters.of_callee(op)]
    created = emit.call(operation.attributes["callee"], result, passed)
    parts = list(created.results)
    if len(outputs) > 1:
        parts = [emit.field(created.result, index, type) for index, type in enumerate(outputs)]
    low.values.set(operation.results, parts)
    return DONE
