"""How much shared memory the operations take, which depends on the layouts of their tensors."""

from roll.dialect import RotateOp
from ttkit.analysis.scratch_sizes import ScratchTarget, bytes_to_take, takes_scratch


@takes_scratch("roll.rotate")
def rotate(op: RotateOp, target: ScratchTarget) -> int:
    """Room for the tensor, unless each warp has whole lines along the axis."""
    return bytes_to_take(op.src.type, op.result.type, op.axis)
