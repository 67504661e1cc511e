"""Proofs that passes keep what functions do, for all inputs: translation validation (docs/prove_a_pass.md).

* `terms.py`: what one element of a value is, as a shared term.
* `integers.py`, `comparisons.py`, `booleans.py`, `floats.py`: exact facts, by which terms are simplified.
* `values.py`: block pointers, descriptors, views of buffers and of tensors.
* `walk.py`: walks a function, with its state, its branches (`paths.py`) and its reads.
* `loops.py`: loops as systems of equations, equal up to the order of what they carry.
* `while_loops.py`: loops that end by a condition; `blocks.py`: those that branches make (`graphs.py`);
  `moving_views.py`: views that loops carry.
* `steady.py`: pipelined loops, by induction over a period; `iterations.py`: how many there are, one as another;
  `snapshots.py`: what they carry, and what is in the background.
* `together.py`: groups of warps, followed in turn; `steady_groups.py`: their pipelined loops as one.
* `happens_before.py`: what happens before what in groups of warps; `relative_clocks.py`: that of one moment as another.
* `background_registers.py`: registers that products in the background read.
* `meanings/`: the terms of operations, a family a file. `registry.py` finds them.
* `opaque.py`: operations of which only the order and the operands are known.
* `proxies.py`: fences between what threads write and what TMA and tensor cores read.
* `tensors_apart.py`: the tensors of arguments, where a pass takes them to be different ones.
* `facts.py`: facts that values keep, as their terms show (`axis_terms.py`).
* `promises.py`, `claims.py`: promises, and what is taken to hold.
* `interfaces.py`, `kept_attributes.py`, `placements.py`: how functions are called, attributes, places in memory.
* `outcomes.py`: whether a function may stand for another; `differences.py`: where it may not, in words.
* `comparison.py`: whether two functions are equal, with `pairing.py` (values of loops), `solver.py` (z3) and
  `rounding.py`.
* `consecutive.py`: loops that together stand for one; `sums.py`: sums in another order.
* `functions.py`: the verdict on a function, also for trip counts up to a bound; `budgets.py`: the time for it.
* `unchanged.py`: code that a pass leaves alone, which needs no terms.
* `counterexamples.py`: inputs on which the interpreter shows a difference; `undefined.py`: where it says nothing.
* `proofs.py`: the passes of a pipeline; `live.py`: those of the kernels that a process compiles.
"""

from ttkit.validation.functions import Verdict, validate
from ttkit.validation.proofs import PassProofs, PassVerdict

__all__ = ["PassProofs", "PassVerdict", "Verdict", "validate"]
