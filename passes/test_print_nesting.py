"""Print the nesting of operations: their attributes, regions and blocks, indented.

    func.func @f(%x: i32) { return }
 =>
    visiting op: 'func.func' with 0 operands and 0 results
    2 attributes:
     - 'function_type' : '(i32) -> ()'
     - 'sym_name' : '"f"'
     1 nested regions:
      Region with 1 blocks:
        Block with 1 arguments, 0 successors, and 1 operations
          visiting op: 'func.return' with 0 operands and 0 results
           0 nested regions:

The format is that of MLIR's tutorial on the structure of IR.

Input:  anything.      Output: the same; text on stdout.
Order:  anywhere; it is for looking at IR and for tests.
Skips:  nothing.
Test:   test/lit/passes/test_print_nesting.mlir
"""

import sys

from mlir import ir

from ttkit.passes.infra import Pass

STEP = "  "


class TestPrintNesting(Pass):
    """Print operations, regions and blocks, indented"""

    name = "test-print-nesting"

    def run(self, op: ir.Operation) -> None:
        """Prints the operation, with all in it."""
        sys.stdout.write("\n".join([*_lines(op, ""), ""]))
        sys.stdout.flush()


def _lines(op: ir.Operation, indent: str) -> list[str]:
    lines = [f"visiting op: '{op.name}' with {len(op.operands)} operands and {len(op.results)} results"]
    attributes = [(name, op.attributes[name]) for name in op.attributes]
    if attributes:
        lines.append(f"{len(attributes)} attributes:")
        lines += [f" - '{name}' : '{value}'" for name, value in attributes]
    lines.append(f" {len(op.regions)} nested regions:")
    lines = [indent + line for line in lines]
    for region in op.regions:
        blocks = list(region.blocks)
        lines.append(f"{indent}{STEP}Region with {len(blocks)} blocks:")
        for block in blocks:
            inside = [inner.operation for inner in block.operations]
            successors = len(inside[-1].successors) if inside else 0
            counts = f"{len(block.arguments)} arguments, {successors} successors, and {len(inside)} operations"
            lines.append(f"{indent}{STEP * 2}Block with {counts}")
            for inner in inside:
                lines += _lines(inner, indent + STEP * 3)
    return lines
