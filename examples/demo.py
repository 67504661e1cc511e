"""A kernel before and after a pipeline of MLIR's own passes and of passes in Python, with the time each takes."""

import time
from pathlib import Path

from mlir import ir

import ttkit

KERNEL = Path(__file__).parent / "kernels" / "matmul_bias.ttir"
PASSES = ["canonicalize", "triton-combine", "triton-reorder-broadcast", "strength-reduction", "cse", "symbol-dce"]


def count_operations(module: ir.Module) -> int:
    total = 0

    def visit(op: ir.Operation) -> ir.WalkResult:
        nonlocal total
        total += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return total - 1


def main() -> None:
    with ttkit.Context():
        ttkit.load_pass_file(str(Path(__file__).parent / "passes" / "strength_reduction.py"))
        module = ttkit.parse(KERNEL.read_text())
        print(f"--- {KERNEL.name} ---\n{module}")
        print(f"{'pass':28}{'operations':>12}{'milliseconds':>14}")
        print(f"{'(input)':28}{count_operations(module):12}")
        for name in PASSES:
            start = time.perf_counter()
            ttkit.run_passes(module, name)
            elapsed = 1e3 * (time.perf_counter() - start)
            print(f"{name:28}{count_operations(module):12}{elapsed:14.2f}")
        print(f"\n--- after {', '.join(PASSES)} ---\n{module}")


if __name__ == "__main__":
    main()
