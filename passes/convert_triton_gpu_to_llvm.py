"""Lower ttg to the llvm and nvvm dialects: from the program of all threads to that of one thread.

    tt.func public @add(%p: !tt.ptr<f32>) {        llvm.func @add(%p: !llvm.ptr<1>, ...) attributes {nvvm.kernel, ...} {
      %r = tt.make_range ... : tensor<256xi32, #b>   %t = nvvm.read.ptx.sreg.tid.x : i32
      %q = tt.splat %p : ...                     =>  ...
      %a = tt.addptr %q, %r : ...                    %a = llvm.getelementptr %p[%r] : ..., vector<2xi32>
      %x = tt.load %a : ...                          %x = llvm.load %a0 : !llvm.ptr<1> -> vector<2xf32>

Input:  ttg, control flow in blocks (cf), shared memory allocated.      Output: llvm, nvvm.
Order:  the first of the llir stage that makes llvm; canonicalize and cse clean up after it.
Skips:  operations of llvm and nvvm; an operation without a lowering is an error.
Test:   test/lit/passes/convert_triton_gpu_to_llvm.mlir, test/lit/lower/<family>.mlir
"""

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import replace

from mlir import ir

from ttkit._native import library, operation_from_pointer, operation_handle, told
from ttkit.analysis.allocation import Buffer, NotPlaced
from ttkit.analysis.scratch_sizes import ScratchTarget
from ttkit.analysis.signals import BY_WARPS, in_order
from ttkit.inspection import is_public
from ttkit.layout import UnsuitableLayout
from ttkit.operation_sets import ARRIVE_BARRIER, WARP_SPECIALIZE
from ttkit.passes.allocate_warp_groups import AllocateWarpGroups
from ttkit.passes.infra import Pass, PassError, collect, option
from ttkit.passes.infra.buffers_and_barriers import allocate_buffers, insert_barriers
from ttkit.passes.infra.launch_needs import is_lowered
from ttkit.passes.infra.target import target_of
from ttkit.passes.layouts.thread_counts import num_ctas, num_warps
from ttkit.passes.lower.function import lower_function
from ttkit.passes.lower.function_memory import SHARED_MEMORY
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.unsupported import CannotLower, TooMuchMemory, Unsupported
from ttkit.records import dataclass
from ttkit.target import Target
from ttkit.tuning.llvm import FEW_ELEMENTS, MANY_ELEMENTS, WIDE_TENSORS
from ttkit.tuning.lowering import EQUAL_PARTITIONS

CHECKS_SIZE: ContextVar[bool] = ContextVar("checks_size", default=True)
"""Whether kernels that take more shared memory than a CTA can have are refused here, not when they are loaded."""


@dataclass(frozen=True)
class ConvertTritonGPUToLLVM(Pass):
    """Lower ttg to llvm and nvvm"""

    name = "convert-triton-gpu-to-llvm"
    dependent_dialects = ("llvm", "nvvm", "nvg")
    may_change = "the order of floating-point sums, and the rounding of products on tensor cores"

    compute_capability: int = option(0, "the GPU to compile for, such as 90; 0: the module's ttg.target, else 80")
    ptx_version: int = option(80, "the version of PTX to use, such as 86 for 8.6")
    flush_denormals: bool = option(True, "whether exp2, sqrt and rsqrt flush denormal f32 numbers to zero")

    def run(self, op: ir.Operation) -> None:
        """Lowers the functions one by one beside their originals, which go when all are lowered.

        Warps are distributed and barriers placed first, where no pass has.

        Raises:
            Unsupported: an operation or a layout that can't be lowered.
        """
        target = target_of(op, self.compute_capability, self.ptx_version, default=80)
        if any("warpGroupStartIds" not in split.attributes for split in collect(op, [WARP_SPECIALIZE])):
            AllocateWarpGroups().run(op)
        functions = collect(op, ["tt.func"])
        if not functions and any(is_lowered(function) for function in collect(op, ["llvm.func"])):
            return  # again
        check_places(op, functions)
        low = Lowering(op, target, place_barriers(op, target))
        low.flushes_denormals = self.flush_denormals
        add_shared_memory(low)
        check_calls(op, functions)
        for function in functions:
            try:
                lower_function(low, function.opview)
            except (CannotLower, UnsuitableLayout) as error:
                raise Unsupported(function, str(error)) from error
        low.values.forget()
        wide, narrow = low.types.widest >= MANY_ELEMENTS and WIDE_TENSORS.on, low.types.widest <= FEW_ELEMENTS
        replace(low.facts, wide=wide, narrow=narrow).note(op)
        for function in functions:
            function.erase()
        check_assembly(op)


def check_places(module: ir.Operation, functions: Sequence[ir.Operation]) -> None:
    """Raises Unsupported at a function in another module, which would not see the symbols of this one."""
    for function in functions:
        if function.parent != module:
            raise Unsupported(function, "it is in a module inside of another one", "move it to the outer module")


def check_calls(module: ir.Operation, functions: Sequence[ir.Operation]) -> None:
    """Raises Unsupported at a call of a kernel: those are launched, and take other parameters."""
    kernels = {function.attributes["sym_name"].value for function in functions if is_public(function)}
    for call in collect(module, ["tt.call"]):
        if (callee := call.attributes["callee"]).value in kernels:
            raise Unsupported(call, f"{callee} is a kernel", "make the function private")


def check_assembly(module: ir.Operation) -> None:
    """Raises PassError at inline assembly that LLVM would end the process on."""
    found, problem = told(library().ttkitFindBadAssembly, operation_handle(module))
    if found is not None:
        raise PassError(operation_from_pointer(found), problem)


def place_barriers(module: ir.Operation, target: Target) -> dict[ir.Operation, int]:
    """Puts barriers between accesses to the same shared memory, where it is allocated.

    Returns:
        Bytes of scratch memory of each operation that has some.

    Raises:
        PassError: a tensor's layout does not fit its shape, or the target has less shared memory.
    """
    try:
        allocation = allocate_buffers(module, ScratchTarget(target), is_placed=True)
    except NotPlaced:
        return {}
    buffers = [buffer for function in allocation.functions.values() for buffer in function.buffers]
    if buffers:
        check_size(buffers, allocation.size, target)
        alone = num_ctas(module) == 1
        if alone and not target.is_blackwell:
            divide_arrivals(module)
        # Where a cluster's other CTAs take part, barriers stay as in Triton.
        insert_barriers(allocation, in_order if alone else None, keeps_phases=True)
        if EQUAL_PARTITIONS.on and collect(module, [WARP_SPECIALIZE]):
            from ttkit.passes.lower.equal_partitions import share_equal_partitions  # few kernels have any

            share_equal_partitions(module)
    return {buffer.owner.operation: buffer.size for buffer in buffers if buffer.kind == "scratch"}


def divide_arrivals(module: ir.Operation) -> None:
    """Notes which arrivals the warps share evenly."""
    for arrival in collect(module, [ARRIVE_BARRIER]):
        if arrival.attributes["count"].value % num_warps(arrival) == 0:
            arrival.attributes[BY_WARPS] = ir.UnitAttr.get(module.context)


def check_size(buffers: Sequence[Buffer], size: int, target: Target) -> None:
    """Raises TooMuchMemory, at the largest buffer, if a kernel takes more than a CTA can have."""
    if size <= target.shared_bytes or not CHECKS_SIZE.get():
        return
    largest = max(buffers, key=lambda buffer: buffer.size)
    raise TooMuchMemory(
        largest.owner,
        (size, target.shared_bytes, "shared memory"),
        f"the kernel takes {size} bytes of shared memory, of which sm_{target.capability} has {target.shared_bytes}; "
        f"the largest part, {largest.size} bytes, is here",
        "choose smaller tiles, or fewer stages or warps",
    )


def add_shared_memory(low: Lowering) -> None:
    """The symbol of shared memory: of no size, since the launch gives it one."""
    emit = low.emit
    array = ir.TypeAttr.get(ir.Type.parse("!llvm.array<0 x i8>", emit.context))
    place = {"addr_space": emit.integer(3, 32), "alignment": emit.integer(16)}
    low.symbols.add("llvm.mlir.global", SHARED_MEMORY, "external", global_type=array, **place)
