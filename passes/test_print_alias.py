"""Print which allocations of shared memory each descriptor may point into, as remarks.

    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x16x16xf16, ...>          =>  remark: %0 -> %0
    %1 = ttg.memdesc_index %0[%i] : ...                                   =>  remark: %1 -> %0
    %2 = scf.for ... iter_args(%buffer = %1) -> (...) { ... }             =>  remark: %arg1 -> %0, remark: %2 -> %0
    cf.br ^bb1(%1 : ...)                                                  =>  remark: %3 -> %0 (the block's argument)

A remark on each function has its name.  That of an argument of scf.for names the allocations of its initial value;
those of other arguments name all that they may be.

Input:  ttg.      Output: the same.
Order:  anywhere; it is for looking at IR and for tests.
Skips:  values that are not descriptors of shared memory.
Test:   test/lit/passes/test_print_alias.mlir
"""

from mlir import ir

from ttkit.analysis.alias import SharedMemoryAliases
from ttkit.passes.infra import Pass, collect, remark


class TestPrintAlias(Pass):
    """Print the allocations that each descriptor of shared memory may be, as remarks."""

    name = "test-print-alias"

    def run(self, op: ir.Operation) -> None:
        """Remarks on functions, results and arguments of blocks, outer operations first."""
        names = ir.AsmState(op)
        for function in collect(op, ["tt.func"]):
            aliases = SharedMemoryAliases(function)
            remark(function, function.attributes["sym_name"].value)

            def say(where: ir.Operation, value: ir.Value, of: ir.Value, aliases: SharedMemoryAliases = aliases) -> None:
                """Remarks that `value` lies in the allocations that `of` does, unless these are none."""
                found = sorted(allocation.get_name(names) for allocation in aliases.of.get(of, ()))
                if found:
                    remark(where, f"{value.get_name(names)} -> {','.join(found)}")

            def visit(inner: ir.Operation, function: ir.Operation = function) -> ir.WalkResult:
                """Says so of one operation."""
                if inner.name == "scf.for":
                    for argument, first in zip(
                        list(inner.regions[0].blocks[0].arguments)[1:], list(inner.operands)[3:], strict=True
                    ):
                        say(inner, argument, first)
                elif inner != function:
                    for argument in arguments_given_by(inner):
                        say(inner, argument, argument)
                for result in inner.results:
                    say(inner, result, result)
                return ir.WalkResult.ADVANCE

            function.walk(visit, ir.WalkOrder.PRE_ORDER)


def arguments_given_by(op: ir.Operation) -> list[ir.Value]:
    """Arguments of the blocks that an operation branches to, and of those in its regions."""
    blocks = [*op.successors, *(block for region in op.regions for block in region.blocks)]
    return [argument for block in blocks for argument in block.arguments]
