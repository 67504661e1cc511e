"""The errors of the lowering about its input; every other exception is a bug and is reported as one."""

from typing import Any

from mlir import ir

from ttkit.passes.infra import PassError


class Unsupported(PassError):
    """An operation, or a form of one, that can't be lowered for the target."""

    def __init__(self, op: ir.Operation | ir.OpView, found: str, remedy: str = "") -> None:
        super().__init__(op, f"can't lower '{op.operation.name}': {found}" + (f"; {remedy}" if remedy else ""))


class TooMuchMemory(Unsupported):
    """A kernel takes more shared or tensor memory than a CTA can have.

    Attributes:
        resource: what it takes, what there is, both in bytes or columns, and the memory's name: as OutOfResources says.
    """

    def __init__(self, op: ir.Operation | ir.OpView, resource: tuple[int, int, str], found: str, remedy: str) -> None:
        super().__init__(op, found, remedy)
        self.resource = resource


class CannotLower(Exception):
    """As `Unsupported`, raised where the operation is not at hand: the walk makes it one at its operation.

    Args:
        message: what was found; what to do.
    """


def require_f32_accumulator(result: Any) -> None:
    """Raises CannotLower if the result of a dot with scales has elements of another type."""
    if not isinstance(result.element_type, ir.F32Type):
        raise CannotLower(f"found a result in {result.element_type}; dots with scales accumulate in f32")
