"""Errors in kernels that are interpreted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttkit.kernel_errors import TritonError

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Instruction


class InterpreterError(TritonError):
    """The kernel did something that has no defined result.

    Args:
        error_message: what was found.
        op: the operation, for its name and location.
        program: index of the program in the grid, (x, y, z).
        coordinates: the element of the operation's tensor operand, if it is about one.

    Attributes:
        address: of the access that went wrong, if it is about one.
        error_message: the whole text, with operation, place and program.
    """

    address: int | None = None

    def __init__(
        self,
        error_message: str = "",
        op: Instruction | None = None,
        program: tuple[int, ...] | None = None,
        coordinates: tuple[int, ...] | None = None,
    ) -> None:
        self.what, self.op, self.program, self.coordinates = error_message, op, program, coordinates
        self.error_message = self._text()
        super().__init__(self.error_message)

    def _text(self) -> str:
        lines = [self.what]
        if self.op is not None:
            lines[0] = f"{self.op.name}: {self.what}"
            lines.append(f"  at       {self.op.location}")
        if self.program is not None:
            lines.append(f"  program  {self.program}")
        if self.coordinates:
            lines.append(f"  element  {list(self.coordinates)}")
        return "\n".join(lines)


class OutOfBounds(InterpreterError):
    """An access outside of every buffer."""


class Uninitialized(InterpreterError):
    """A read of memory that nothing has written."""


class Misaligned(InterpreterError):
    """An access whose address is not a multiple of the element's size."""


class Race(InterpreterError):
    """Two unordered accesses to one address, at least one of them a plain write."""


class AssertionFailed(InterpreterError):
    """A tt.assert whose condition is false."""


class TookTooLong(InterpreterError):
    """The kernel did not end before its deadline, so nothing is known about its results."""


class InterpreterFailed(InterpreterError):
    """The meaning of an operation has failed on its operands, which says nothing about the kernel."""


class NotInterpretable(InterpreterError):
    """The operation has no meaning here, such as inline assembly."""
