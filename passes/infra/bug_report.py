"""Bugs in ttkit's passes: the operation at which an exception was raised, and a report in a file.

Errors in the input are `PassError`s; any other exception of a pass is a bug, and is reported as one.
"""

import functools
import os
import re
import traceback

import mlir
from mlir import ir

import ttkit.temporary as temporary
from ttkit.inspection import address_of
from ttkit.installation import VERSION
from ttkit.installation import folders as folders_of_ttkit
from ttkit.passes.infra.nesting import operations_in

_PREFIX = "ttkit-internal-error-"
_KEPT = 10
"""The number of a user's reports that are kept."""


def blame(error: BaseException, operation: ir.Operation | ir.OpView) -> None:
    """Records the operation at which an exception was raised, the innermost one if there are several.

    Args:
        operation: must live until the pass ends.
    """
    if not hasattr(error, "_ttkit_operation"):
        error._ttkit_operation = operation.operation


def blamed(error: BaseException) -> ir.Operation | None:
    """The operation that `blame` recorded; None without one."""
    return getattr(error, "_ttkit_operation", None)


def matched(error: BaseException, operation: ir.Operation | ir.OpView, root: ir.Operation | ir.OpView) -> None:
    """Records the location and the text of an operation of `root` whose pattern has raised, unless it has erased it."""
    try:
        address = address_of(operation.operation)
        if all(address_of(living) != address for living in operations_in(root)):
            return
        text = operation.operation.get_asm(large_elements_limit=8, use_local_scope=True).partition("\n")[0]
        error._ttkit_matched = operation.location, text
    except Exception:  # the bindings know that it is erased
        return


def matched_by(error: BaseException) -> tuple[ir.Location, str] | None:
    """The location and text that `matched` recorded; None without it."""
    return getattr(error, "_ttkit_matched", None)


def write_report(pass_name: str, error: BaseException) -> str:
    """Writes traceback and operation to a temporary file.

    Returns:
        The path of the file, or the reason why it could not be written, as the end of a sentence.
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


@functools.cache
def is_library(path: str) -> bool:
    """Whether a file is of what users' passes call: ttkit and its passes, MLIR's bindings, Python's own modules."""
    path = os.path.abspath(path)
    passes = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    own = [one for one in folders_of_ttkit() if os.path.basename(one) == "ttkit"]  # an editable one also has its root
    folders = [os.path.abspath(one) + os.sep for one in (*own, passes, *mlir.__path__)]
    standard = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
    is_standard = path.startswith(standard) and not re.search(r"\b(site|dist)-packages\b", path)
    return is_standard or path.startswith(tuple(folders))
