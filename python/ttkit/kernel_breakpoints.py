"""breakpoint() in kernels whose IR runs in the interpreter: a tt.print with the place and the names of the values.

The front end writes it, with all tensors and scalars that have names there; the interpreter opens pdb with them as
NumPy arrays.  Passes keep it in its place among other effects, and keep the values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import ttkit.knobs as knobs

MARK = " breakpoint "
INTERPRET = "interpret:"


class Breakpoint(NamedTuple):
    """The place of a breakpoint in a kernel.

    file, line, function: the place.
    names: of the values that the operation takes, in order.
    constants: name -> text, of values that the compiler knows.
    """

    file: str
    line: int
    function: str
    names: list[str]
    constants: dict[str, str]

    @property
    def prefix(self) -> str:
        """The text of the operation."""
        return MARK + json.dumps(self._asdict())

    @classmethod
    def of_prefix(cls, prefix: str) -> Breakpoint | None:
        """The breakpoint that an operation with this text is; None for another print."""
        return cls(**json.loads(prefix.removeprefix(MARK))) if prefix.startswith(MARK) else None

    def stop(self, program: Sequence[int], values: Sequence[Any]) -> None:
        """Opens pdb at the kernel's line, or what `sys.breakpointhook` is.

        Args:
            program: its number in each dimension of the grid, as `program_id`.
            values: those of the names, as arrays.

        Raises:
            bdb.BdbQuit: the user ends the program.
        """
        found: Mapping[str, Any] = {"program_id": tuple(program), **self.constants, **dict(zip(self.names, values))}
        code = compile("\n" * (self.line - 1) + "breakpoint(); pass", self.file, "exec").replace(co_name=self.function)
        exec(code, dict(found))


def may_stop() -> bool:
    """Whether kernels that are compiled now run in the interpreter, which can stop."""
    return knobs.runtime.interpret or (knobs.runtime.device or "").startswith(INTERPRET)
