"""Print which allocations of shared memory each descriptor may point into, as remarks.

    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x16x16xf16, ...>          =>  remark: %0 -> %0
    %1 = ttg.memdesc_index %0[%i] : ...                                   =>  remark: %1 -> %0
    %2 = scf.for ... iter_args(%buffer = %1) -> (...) { ... }             =>  remark: %arg1 -> %0, remark: %2 -> %0

Input:  ttg.      Output: the same.
Order:  anywhere; it is for looking at IR and for tests.
Skips:  values that are no descriptors of shared memory; arguments other than those of scf.for.
Test:   test/lit/passes/test_print_alias.mlir
"""

from mlir import ir

from ttkit.analysis.alias import SharedMemoryAliases
from ttkit.passes.infra import Pass, collect, remark


class TestPrintAlias(Pass):
    """Print the allocations that each descriptor of shared memory may be, as remarks."""

    name = "test-print-alias"

    def run(self, op: ir.Operation) -> None:
        """Remarks on results and on arguments of loops, outer operations first."""
        names = ir.AsmState(op)
        for function in collect(op, ["tt.func"]):
            aliases = SharedMemoryAliases(function)

            def say(where: ir.Operation, value: ir.Value, of: ir.Value, aliases: SharedMemoryAliases = aliases) -> None:
                """Remarks that `value` lies in the allocations that `of` does, unless these are none."""
                found = sorted(allocation.get_name(names) for allocation in aliases.of.get(of, ()))
                if found:
                    remark(where, f"{value.get_name(names)} -> {','.join(found)}")

            def visit(inner: ir.Operation) -> ir.WalkResult:
                """Says so of one operation."""
                if inner.name == "scf.for":
                    for argument, first in zip(
                        list(inner.regions[0].blocks[0].arguments)[1:], list(inner.operands)[3:], strict=True
                    ):
                        say(inner, argument, first)
                for result in inner.results:
                    say(inner, result, result)
                return ir.WalkResult.ADVANCE

            function.walk(visit, ir.WalkOrder.PRE_ORDER)
