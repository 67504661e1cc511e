"""Running pipelines from Python."""

from collections.abc import Callable

from mlir import ir
from mlir.passmanager import PassManager

from ttkit.passes.infra import bridge


def run_passes(
    module: ir.Module | ir.Operation | ir.OpView, pipeline: str, prepare: Callable[[PassManager], None] | None = None
) -> None:
    """Runs a textual pipeline, of passes in C++ and Python, on a module in place.

    Args:
        module: what to transform.
        pipeline: as for `tt-opt --pass-pipeline`: `builtin.module(canonicalize,triton-combine)`; the
            `builtin.module(...)` may be left out.
        prepare: called with the pass manager before it runs.

    Raises:
        ValueError: the pipeline does not parse.
        PassError: a Python pass could not handle its input.
        ir.MLIRError: a pass, or the verifier after it, failed; with MLIR's diagnostics.
        Exception: whatever a Python pass raised.
    """
    operation = module.operation
    bridge.register_passes()
    bridge.raised.clear()
    if not pipeline.lstrip().startswith(("builtin.module(", "any(")):
        pipeline = f"builtin.module({pipeline})"
    context = operation.context
    # Passes in Python need the interpreter's lock, which the bindings hold while a pipeline runs: no worker thread
    # could get it.
    context.enable_multithreading(False)
    with context:
        try:
            manager = PassManager.parse(pipeline)
            if prepare is not None:
                prepare(manager)
            manager.run(operation)
        except (ir.MLIRError, ValueError) as error:
            if bridge.raised:
                raise bridge.raised[0] from error
            raise
