"""Print the results of the axis analysis as remarks: contiguity, divisibility and constancy in each dimension.

    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    // remark: ... => contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>

Input:  any level.      Output: the same.
Order:  anywhere; it is for looking at IR and for tests.
Skips:  block arguments: nothing is printed for them.
Test:   test/lit/passes/test_print_alignment.mlir
"""

import io

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.passes.infra import Pass, remark


class TestPrintAlignment(Pass):
    """Print contiguity, divisibility, constancy and constant value of each result, as remarks."""

    name = "test-print-alignment"

    def run(self, op: ir.Operation) -> None:
        """Remarks on each result, inner operations first."""
        analysis = AxisInfoAnalysis()
        names = ir.AsmState(op, use_local_scope=True)  # once for all: an operation alone numbers its whole function

        def visit(inner: ir.Operation) -> ir.WalkResult:
            """Remarks on the results of one operation."""
            for result in inner.results:
                text = asm(inner, names)
                remark(inner, f"{text} => {analysis.info(result)}")
            return ir.WalkResult.ADVANCE

        op.walk(visit)


def asm(op: ir.Operation, names: ir.AsmState) -> str:
    """The text of an operation, without its regions."""
    if len(op.regions):
        return op.get_asm(use_local_scope=True, skip_regions=True)
    text = io.StringIO()
    op.print(names, file=text)
    return text.getvalue()
