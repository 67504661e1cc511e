"""The tuning table: each threshold that was fitted by measuring, with a switch that turns off what it is for.

    TTKIT_TUNING_OFF=programs-at-once,ttkit-ping-pong python script.py      # off, in this process and its children

A threshold is a constant of one of the files, and a row of `TABLE`: name, value, unit, what it was measured on, date,
switch.  A switch covers the thresholds of one mechanism.  One with the name of a pass takes the pass out of its stage.
The variable is part of the cache key.

Not in the table: limits of the hardware (`ttkit.target`), limits that keep memory and time finite, such as
`MAX_ELEMENTS`, and numbers that choose what Triton chooses, such as the costs of layout propagation.
"""

from ttkit.tuning import llvm, lowering, passes, registers
from ttkit.tuning.switches import SWITCHES, TABLE, switched_off

__all__ = ["SWITCHES", "TABLE", "llvm", "lowering", "passes", "registers", "switched_off"]
