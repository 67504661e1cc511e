"""Give inlined code that has no place of its own the place of its call.

    %c = arith.constant 1 : i32 loc(callsite(unknown at "k.py":7:4))  =>  %c = arith.constant 1 : i32 loc("k.py":7:4)

Constants that a canonicalization has merged have no line.  MLIR's ensure-debug-info-scope-on-llvm-func reads the file
of all inlined code, and aborts if there is no file.

Input:  any.      Output: the same, with other locations.
Order:  right after `inline`.
Skips:  code that was not inlined.
Test:   test/lit/passes/locate_inlined_code.mlir
"""

from mlir import ir

from ttkit.passes.infra import Pass
from ttkit.passes.infra.debug_info import source_place


class LocateInlinedCode(Pass):
    """Give inlined code that has no place of its own the place of its call"""

    name = "ttkit-locate-inlined-code"

    def run(self, op: ir.Operation) -> None:
        """Replaces the location of each operation under `op`."""

        def visit(inner: ir.Operation) -> ir.WalkResult:
            """callsite(no place, caller) -> caller, repeated."""
            location = inner.location
            while location.is_a_callsite() and source_place(location.callee) is None:
                location = inner.location = location.caller
            return ir.WalkResult.ADVANCE

        op.walk(visit)
