"""Running pipelines from Python."""

from collections.abc import Sequence

from mlir import ir

from ttkit.guards.erased import watching
from ttkit.passes.infra import bridge
from ttkit.passes.infra.events import PassRun, PassSubscriber
from ttkit.passes.infra.pipeline_options import options_complaint, parse_pipeline, upstream_complaint


def run_passes(
    module: ir.Module | ir.Operation | ir.OpView,
    pipeline: str,
    subscribers: Sequence[PassSubscriber] = (),
    *,
    kernel: str = "",
    stage: str = "",
    verify_each: bool = True,
) -> None:
    """Runs a textual pipeline of passes in C++ and Python on a module in place.

    Python objects of operations that the passes erase can't be used afterwards: they raise, see `ttkit.guards.erased`.

    Args:
        module: the module to transform.
        pipeline: as for `tt-opt --pass-pipeline`: `builtin.module(canonicalize,triton-combine)`; the
            `builtin.module(...)` may be left out.
        subscribers: the observers of the passes, see `ttkit.passes.infra.events`.
        kernel, stage: for subscribers, the kernel's name and the stage, for instance "ttgir".
        verify_each: whether to verify after each pass that changed the IR; otherwise only at the end.

    Raises:
        TypeError: the pipeline is not a string, or the module is not a module.
        ValueError: the pipeline does not parse.
        PassError: a Python pass could not handle its input.
        ir.MLIRError: a pass, or the verifier after it, failed; with MLIR's diagnostics.
        Exception: an exception of a Python pass or a subscriber.
    """
    if not isinstance(pipeline, str):
        found = type(pipeline).__name__
        raise TypeError(f"a pipeline is a text, such as 'canonicalize,cse'; found {found}: {pipeline!r}")
    if not isinstance(module, (ir.Module, ir.Operation, ir.OpView)):
        raise TypeError(f"passes run on a module, or an operation; found {type(module).__name__}")
    operation = module.operation
    bridge.register_passes()
    if not pipeline.lstrip().startswith(("builtin.module(", "any(")):
        pipeline = f"builtin.module({pipeline})"
    context = operation.context
    run = PassRun(subscribers, context, kernel, stage)
    with context, watching(not stage):  # nobody holds operations of a kernel that is compiled
        try:
            if not stage and (complaint := options_complaint(pipeline)):
                raise ValueError(complaint)
            manager = parse_pipeline(pipeline)
            run.observe(manager, verify_each)
            manager.enable_verifier(verify_each)
            if context.allow_unregistered_dialects and ("inline" in pipeline or "ttkit-tt" in pipeline):
                from ttkit.passes.infra.preconditions import refuse_unknown_symbol_tables

                refuse_unknown_symbol_tables(operation)
            manager.run(operation)
            if not verify_each:
                operation.verify()
        except (ir.MLIRError, ValueError) as error:
            _raise_cause(error, run, pipeline)
            raise
    if run.failures:
        raise run.failures[0]


def _raise_cause(error: Exception, run: PassRun, pipeline: str) -> None:
    """Raises the exception of a pass in Python, or the problem of the pipeline, if it is the cause."""
    if run.errors:
        raise run.errors[0] from error
    if (failure := bridge.description_failure(pipeline)) is not None:
        raise failure from error
    if "does not refer to a registered pass" in str(error) or "failed to add `" in str(error):
        from ttkit.passes.infra.given import pipeline_complaint

        raise ValueError(upstream_complaint(pipeline) or pipeline_complaint(str(error))) from None
