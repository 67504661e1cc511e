"""Numbers of warps, threads per warp and CTAs that run an operation."""

from typing import NamedTuple

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.inspection import module_with
from ttkit.layout.encoding_base import is_power_of_two
from ttkit.module_attributes import NUM_CTAS, NUM_WARPS, TOTAL_NUM_WARPS, module_number
from ttkit.passes.infra import PassError


class Machine(NamedTuple):
    """All three numbers, in the order in which functions that create layouts take them."""

    num_warps: int
    threads_per_warp: int
    num_ctas: int


def machine_of(op: ir.Operation) -> Machine:
    """The warps, threads and CTAs that run an operation.

    Raises:
        PassError: no operation around it has the number of warps.
    """
    return Machine(num_warps(op), threads_per_warp(op), num_ctas(op))


def regular_machine_of(op: ir.Operation) -> Machine:
    """Likewise, for layouts that divide tensors among all of them.

    Raises:
        PassError: a number is not a power of two, or that of warps is missing.
    """
    machine = machine_of(op)
    if not all(map(is_power_of_two, machine)):
        found = ", ".join(map(str, machine))
        raise PassError(op, f"warps, threads of a warp and CTAs must be powers of two, found {found}")
    return machine


def num_warps(op: ir.Operation) -> int:
    """The warps of the CTA, or of the partition of a ttg.warp_specialize around the operation.

    Raises:
        PassError: no operation around it has their number.
    """
    count: int = library().ttkitNumWarps(operation_handle(op))
    if not count:
        # Raises an error that describes the attribute, if it is there but invalid.
        module_number(module_with(op, NUM_WARPS), NUM_WARPS, 0)
        raise PassError(op, "the module has no 'ttg.num-warps': run convert-triton-to-tritongpu first")
    return count


def total_warps(module: ir.Operation) -> int:
    """The warps of the CTA, including those of partitions once `allocate_warp_groups` has counted them."""
    found = module_number(module, TOTAL_NUM_WARPS)
    return num_warps(module) if found is None else found


def threads_per_warp(op: ir.Operation) -> int:
    """The threads of a warp: 32 if no module has the attribute."""
    count: int = library().ttkitThreadsPerWarp(operation_handle(op))
    return count


def num_ctas(op: ir.Operation) -> int:
    """The CTAs of a cluster: 1 if no module has the attribute."""
    return module_number(module_with(op, NUM_CTAS), NUM_CTAS, 1)
