"""Give accesses to tensor memory, and TMA gathers and scatters, tensors in the layouts that they need.

    %x = ttng.tmem_load %m : !ttg.memdesc<128x64xf32, ...> -> tensor<128x64xf32>
    %y = ttg.convert_layout %x : tensor<128x64xf32> -> tensor<128x64xf32, #blocked>
  =>
    %x = ttng.tmem_load %m : !ttg.memdesc<128x64xf32, ...> -> tensor<128x64xf32, #linear>    // a row for each lane
    %z = ttg.convert_layout %x : tensor<128x64xf32, #linear> -> tensor<128x64xf32, #blocked>
    %y = ttg.convert_layout %z : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #blocked>

If the number of warps of code changes, its tensors lose their layouts.  convert-triton-to-tritongpu gives other
operations new layouts; this pass handles the accesses whose layouts the hardware determines.

Input:  ttg whose ttng operations may have tensors without layouts.      Output: ttg.
Order:  after convert-triton-to-tritongpu{enable-source-remat}; its casts stay before the conversions made here.
Skips:  operations whose tensors have layouts.
Test:   test/lit/passes/relayout_tritongpu.mlir
"""

from mlir import ir

from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout.clusters import cga_layout
from ttkit.layout.tensor_memory_access import WARP_ROWS
from ttkit.operation_sets import TMEM_ACCESSES, TMEM_ALLOC, TMEM_LOAD
from ttkit.passes.infra import Pass, PassError, collect
from ttkit.passes.infra.preconditions import refuse_invalid
from ttkit.passes.layouts.assignment import (
    Layouts,
    convert_layout,
    convert_operand,
    is_bare,
    tensor_layout,
    with_layout,
)
from ttkit.passes.layouts.gather import convert_gather_indices
from ttkit.passes.layouts.thread_counts import num_warps, threads_per_warp
from ttkit.passes.layouts.tmem_access_layouts import access_layout

GATHERS = ("ttng.async_tma_gather", "ttng.async_tma_scatter")


class RelayoutTritonGPU(Pass):
    """Give tensor memory accesses and TMA gathers the layouts that they need"""

    name = "relayout-tritongpu"

    def run(self, op: ir.Operation) -> None:
        """Converts operands without a layout to the default one, then sees to what each kind of access demands.

        Raises:
            PassError: no layout suits an access.
        """
        accesses = collect(op, [*GATHERS, *TMEM_ACCESSES])
        bare = [
            access for access in accesses if any(is_bare(value.type) for value in (*access.operands, *access.results))
        ]
        if not bare:
            return
        layouts = Layouts(op)
        for access in bare:
            for i, operand in enumerate(access.operands):
                if is_bare(operand.type):
                    convert_operand(access, i, layouts.default(operand.type), access.location)
            if access.name in GATHERS:
                convert_gather_indices(access, layouts)
            elif access.name == TMEM_LOAD:
                set_loaded_layout(access, layouts)
            else:
                set_stored_layout(access)
            refuse_invalid(access, access, "found no layout to access it")


def set_loaded_layout(load: ir.Operation, layouts: Layouts) -> None:
    """The result has the layout of the buffer; users see the default one."""
    result = load.opview.result
    default = layouts.default(result.type)
    loaded = buffer_layout(load, load.opview.src, default)
    result.set_type(loaded)
    if loaded != default:
        converted = convert_layout(result, default, ir.InsertionPoint.after(load), load.location)
        result.replace_all_uses_except(converted, converted.owner.operation)


def set_stored_layout(access: ir.Operation) -> None:
    """Convert the tensors that an access stores to the layout of its buffer."""
    buffer = access.opview.result if access.name == TMEM_ALLOC else access.opview.dst
    for i, operand in enumerate(access.operands):
        if isinstance(operand.type, ir.RankedTensorType):
            convert_operand(access, i, buffer_layout(access, buffer, operand.type), access.location)


def buffer_layout(access: ir.Operation, buffer: ir.Value, tensor: ir.RankedTensorType) -> ir.Type:
    """The tensor type in which the buffer is accessed.

    Raises:
        PassError: there is none.
    """
    if threads_per_warp(access) != WARP_ROWS:
        raise PassError(access, f"found {threads_per_warp(access)} threads in a warp; {WARP_ROWS} access tensor memory")
    try:
        layout = access_layout(MemDescType(buffer.type), num_warps(access), cga_layout(tensor_layout(tensor)))
    except ValueError as error:
        raise PassError(access, f"found no layout to access {buffer.type}: {error}") from error
    return with_layout(tensor, layout)
