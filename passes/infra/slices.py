"""Which operations depend on each other."""

import ctypes
from collections.abc import Sequence

from mlir import ir

from ttkit._native import Handle, library, operation_handle


def connected_slices(root: ir.Operation, ops: Sequence[ir.Operation]) -> tuple[list[int], list[list[int]]]:
    """Groups operations that definitions and uses connect, block arguments aside.

    Returns:
        The number of each operation's slice, and for each slice the numbers of itself and those inside of it: in the
        regions of its operations, and of theirs.
    """
    count = len(ops)
    handles = (Handle * count)(*(operation_handle(op) for op in ops))
    slices, reaches = (ctypes.c_size_t * count)(), (ctypes.c_bool * (count * count))()
    total = library().ttkitSlices(operation_handle(root), handles, count, slices, reaches)
    inside = [[b for b in range(total) if reaches[a * count + b]] for a in range(total)]
    return list(slices), inside
