"""The errors of the lowering about its input; every other exception is a bug and is reported as one."""

from mlir import ir

from ttkit.passes.infra import PassError


class Unsupported(PassError):
    """An operation, or a form of one, that can't be lowered for the target."""

    def __init__(self, op: ir.Operation | ir.OpView, found: str, remedy: str = "") -> None:
        super().__init__(op, f"can't lower '{op.operation.name}': {found}" + (f"; {remedy}" if remedy else ""))


class TooMuchSharedMemory(Unsupported):
    """A kernel takes more shared memory than a CTA can have.

    Attributes:
        resource: bytes that it takes, bytes that there are, and the resource's name: what OutOfResources says.
    """

    def __init__(self, op: ir.Operation | ir.OpView, required: int, limit: int, found: str, remedy: str) -> None:
        super().__init__(op, found, remedy)
        self.resource = (required, limit, "shared memory")


class CannotLower(Exception):
    """As `Unsupported`, raised where the operation is not at hand: the walk makes it one at its operation.

    Args:
        message: what was found; what to do.
    """
