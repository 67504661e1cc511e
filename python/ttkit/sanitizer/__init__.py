"""Finding bugs in kernels without a GPU: every launch of a script goes through the interpreter, which checks each
access (docs/sanitizers.md).

    findings.py     a bug, where it is, and all that were found in a process
    source_lines.py places in a kernel's source: from locations of IR to lines with carets
    reports.py      findings as text, JSON and SARIF
    settings.py     the sanitizers and options that TTKIT_SANITIZE names
    sanitizing_driver.py the driver that runs launches
    device.py       kernels with checks of bounds on a GPU
    checked_memory.py arguments as memory: bounds of views, alignment, what was written
    initialized.py  arrays that nobody has written yet
    races.py        programs that touch one place
    atomic_orders.py     which atomic operations order programs
    shadows.py      values that are undefined, as they flow through a kernel
    exact_integers.py    integers as they would be without wrapping, beside those that a kernel computes
    index_arithmetic.py  which integer operations may reach an address, a mask or the bounds of a loop
    hints.py        `tl.multiple_of` and its kind, checked on the values
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttkit.lazy_names import lazy_names

if TYPE_CHECKING:
    from ttkit.sanitizer.findings import Finding, Findings
    from ttkit.sanitizer.sanitizing_driver import check, checking

__all__ = ["Finding", "Findings", "check", "checking"]
_HOMES = {
    **dict.fromkeys(("Finding", "Findings"), "ttkit.sanitizer.findings"),
    **dict.fromkeys(("check", "checking"), "ttkit.sanitizer.sanitizing_driver"),
}


__getattr__ = lazy_names(__name__, _HOMES)  # the command needs no interpreter
