"""Proofs that accesses stay inside of their tensors, for all sizes (docs/sanitizers.md).

polynomials.py  what indices are: polynomials of sizes, programs and elements; proving one to be at most zero
conditions.py   conditions on them
symbols.py      walks the operations of a kernel: what values are, what is accessed when
meanings.py     what each operation makes of polynomials and conditions
assumptions.py  what a kernel is launched with: sizes of tensors and grids, by its integer arguments
solver.py       what that leaves open, by z3
verdicts.py     one verdict for each access
launch_proofs.py proofs for a launch
"""

from ttkit.sanitizer.proof.assumptions import Assumptions
from ttkit.sanitizer.proof.verdicts import Verdict, prove

__all__ = ["Assumptions", "Verdict", "prove"]
