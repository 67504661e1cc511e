"""Bugs of our own passes: the operation at which an exception came up, and the file that says all that is known.

Mistakes in the input are `PassError`s; whatever else a pass raises is a bug, which nobody may take for one of these.
"""

import os
import traceback

from mlir import ir

import ttkit.temporary as temporary
from ttkit.installation import VERSION

_PREFIX = "ttkit-internal-error-"
_KEPT = 10
"""Reports of a user that are kept."""


def blame(error: BaseException, operation: ir.Operation | ir.OpView) -> None:
    """Notes the operation at which an exception came up, the innermost one if there are several.

    Args:
        operation: must live until the pass ends.
    """
    if not hasattr(error, "_ttkit_operation"):
        error._ttkit_operation = operation.operation


def blamed(error: BaseException) -> ir.Operation | None:
    """The operation that `blame` has noted."""
    return getattr(error, "_ttkit_operation", None)


def write_report(pass_name: str, error: BaseException) -> str:
    """Writes traceback and operation to a file among the temporary ones.

    Returns:
        Where it is, or why it could not be written, as the end of a sentence.
    """
    import tempfile  # 5 ms, which passes without bugs do without

    operation = blamed(error)
    lines = [f"ttkit {VERSION}: internal error in pass '{pass_name}'\n"]
    lines += traceback.format_exception(error)
    if operation is not None:
        lines += ["\nat the operation\n\n", operation.get_asm(enable_debug_info=True, large_elements_limit=16), "\n"]
    try:
        temporary.keep_newest(tempfile.gettempdir(), _PREFIX, _KEPT - 1)
        handle, path = tempfile.mkstemp(prefix=_PREFIX, suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(lines)
    except OSError as failure:
        return f"the traceback could not be written to {tempfile.gettempdir()}: {failure.strerror}"
    return f"traceback written to {path}; please report it with that file and the input"
