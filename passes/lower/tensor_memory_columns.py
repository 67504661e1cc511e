"""The columns of tensor memory that a kernel reserves, and the CTAs that share them.

    entry     the first warp reserves columns for the kernel, and all read where they are
    return    all warps synchronize, and the first one gives them back

Test: test/lit/lower/sm_100/tensor_memory.mlir
"""

from mlir import ir

from ttkit.layout.hardware import TENSOR_MEMORY_COLUMNS
from ttkit.module_attributes import module_flag, module_number
from ttkit.passes.lower.cluster import synchronize_ctas
from ttkit.passes.lower.fence import fence_before_copies
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.unsupported import CannotLower, TooMuchMemory


class Reservation:
    """The columns of tensor memory that a kernel has.

    Attributes:
        base: i32, the address of the first, once they are taken.

    Raises TooMuchMemory if there are not as many.
    """

    base: ir.Value

    def __init__(self, low: Lowering, kernel: ir.OpView) -> None:
        self.low = low
        self.columns = module_number(low.module, "ttg.tensor_memory_size", 0)
        if self.columns > TENSOR_MEMORY_COLUMNS:
            found = f"the kernel takes {self.columns} columns of tensor memory, and a CTA has {TENSOR_MEMORY_COLUMNS}"
            remedy = "choose smaller tiles, or fewer stages"
            raise TooMuchMemory(kernel, (self.columns, TENSOR_MEMORY_COLUMNS, "tensor memory"), found, remedy)
        # Where the hardware writes the address.
        if module_number(low.module, "ttg.shared", 0) < 4:
            low.module.attributes["ttg.shared"] = low.emit.integer(4, 32)

    def take(self) -> None:
        """The kernel's first warp reserves the columns, at the start of the kernel."""
        low, emit = self.low, self.low.emit
        if not self.columns:
            return
        low.require("has_tensor_memory", "buffers in tensor memory")
        thread = emit.op("nvvm.read.ptx.sreg.tid.x", emit.i32)
        self.first = emit.compare("ult", thread, emit.i32_constant(low.threads_per_warp))
        self.group = f"{cta_group(low, 2 if uses_two_ctas(low) else 1)}.sync.aligned"
        shared = low.shared.pointer()
        text = f"@$0 tcgen05.alloc.{self.group}.shared::cta.b32 [$1], {self.columns};"
        emit.inline_asm(text, "b,r", None, self.first, shared)
        emit.effect("nvvm.barrier0")
        self.base = emit.load(shared, emit.i32, 4)
        fence_before_copies(low)  # a buffer may have the bytes of the address
        emit.effect("nvvm.barrier0")
        emit.inline_asm(f"@$0 tcgen05.relinquish_alloc_permit.{self.group};", "b", None, self.first)

    def give_back(self) -> None:
        """The first warp frees the columns, once all are done with them."""
        low, emit = self.low, self.low.emit
        if not self.columns:
            return
        if uses_two_ctas(low):
            synchronize_pair(low)
        else:
            low.warps.synchronize()
        emit.inline_asm(f"@$0 tcgen05.dealloc.{self.group}.b32 $1, {self.columns};", "b,r", None, self.first, self.base)


def uses_two_ctas(low: Lowering) -> bool:
    """Whether pairs of CTAs share products, and then the reservation of tensor memory, in this module."""
    return module_flag(low.module, "ttng.two-ctas")


def cta_group(low: Lowering, ctas: int) -> str:
    """The part of an instruction's name that says whether CTAs issue it alone (1) or in pairs (2).

    Raises:
        CannotLower: others of the function say the opposite, which ptxas refuses.
    """
    low.ctas_of_tcgen5 = low.ctas_of_tcgen5 or ctas
    if low.ctas_of_tcgen5 != ctas:
        ways = {1: "by single CTAs", 2: "by pairs of CTAs"}
        raise CannotLower(
            f"it is issued {ways[ctas]}, and others before it {ways[low.ctas_of_tcgen5]}; "
            "use two_ctas for all operations on tensor memory of a function, or for none"
        )
    return f"cta_group::{ctas}"


def synchronize_pair(low: Lowering) -> None:
    """All threads of the CTAs that share products wait for each other; of specialized warps, the CTA's."""
    if low.total_warps > low.kernel_warps:
        low.warps.synchronize()
    else:
        synchronize_ctas(low)
