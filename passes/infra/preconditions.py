"""Preconditions of ttkit's passes on any module, checked after a pass has failed.

If a module does not meet them, the failure is an error in the input and not a bug in the pass.
"""

from collections.abc import Iterator

from mlir import ir

from ttkit.dialects._layouts import layout_of, linear_layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect
from ttkit.layout import UnsuitableLayout
from ttkit.layout.encoding_base import Shared, TensorMemoryLayout
from ttkit.module_attributes import NUM_WARPS, BadModuleAttribute, check_module_attributes
from ttkit.passes.infra.base import PassError
from ttkit.passes.infra.nesting import arguments_in
from ttkit.passes.infra.operation_attributes import bad_attribute
from ttkit.passes.infra.retyping import operation_names

TAKES_TT = frozenset(
    """triton-combine triton-reorder-broadcast triton-licm triton-loop-aware-cse triton-loop-unroll
    triton-rewrite-tensor-pointer triton-rewrite-tensor-descriptor-to-pointer triton-test-loop-peeling
    convert-triton-to-tritongpu relayout-tritongpu ttkit-choose-warp-groups ttkit-decompose-dot-scaled
    ttkit-locate-inlined-code ttkit-run-longest-first ttkit-run-persistently ttkit-split-masked-loops enable-line-info
    extract-variable-info gluon-inline test-print-alignment test-print-nesting""".split()
)
"""Passes that take tensors without layouts."""


def input_error_in(root: ir.Operation, pass_name: str) -> PassError | None:
    """The first part of a module that the pass `pass_name` can't handle; None if there is none."""
    for op in operations(root):
        if op.name == "tt.func" and not len(op.regions[0].blocks):
            return PassError(op, "found a function without a body; kernels call functions of their own module")
        values = [*op.results, *arguments_in(op)]
        for type in (value.type for value in values if pass_name not in TAKES_TT):
            if problem := problem_of(type):
                return PassError(op, problem)
        if problem := bad_attribute(op):
            return PassError(op, problem)
    if pass_name not in TAKES_TT and NUM_WARPS not in root.attributes:
        return PassError(root, "the module has no 'ttg.num-warps': run convert-triton-to-tritongpu first")
    try:
        check_module_attributes(root)
    except BadModuleAttribute as error:
        return PassError(root, error.message)
    for op in unknown_operations(root):
        return PassError(op, f"found '{op.name}', an unknown operation; lower it first")
    return None


def unknown_operations(root: ir.Operation) -> list[ir.Operation]:
    """The operations in a module that no loaded dialect defines."""
    known = root.context.is_registered_operation
    return collect(root, [name for name in operation_names(root) if not known(name)])


def refuse_unknown_symbol_tables(root: ir.Operation) -> None:
    """Raises PassError at an operation on which MLIR's inliner would abort: it may be a symbol table."""
    for op in unknown_operations(root):
        if len(op.regions) == 1:
            why = "may be a symbol table, and MLIR's inliner has to know all of them; lower it first"
            raise PassError(op, f"found '{op.name}', an unknown operation: it {why}")


def refuse_invalid(op: ir.Operation, blamed: ir.Operation | ir.OpView, why: str) -> None:
    """Raises PassError at `blamed` if an operation is invalid, with `why` and the verifier's message."""
    try:
        op.verify()
    except ir.MLIRError as error:
        raise PassError(blamed, f"{why}: {error.error_diagnostics[0].message}") from error


def operations(root: ir.Operation) -> Iterator[ir.Operation]:
    """An operation and all operations in its regions."""
    yield root
    for region in root.regions:
        for block in region:
            for op in block:
                yield from operations(op.operation)


def problem_of(type: ir.Type) -> str:
    """The reason why a pass on ttg can't handle values of a type; empty if it can.

    Such types are tensors without a layout, pointers to them or descriptors of them, and buffers with an unsuitable
    layout.
    """
    if isinstance(type, MemDescType):
        try:
            layout_of(type)
        except ValueError as error:
            return f"found {type}, whose layout is not one of a buffer: {error}"
        try:
            linear_layout_of(type)
        except UnsuitableLayout as error:
            return f"found {type}: {error}"
        except (TypeError, ValueError):
            return ""  # of tensor memory
        return ""
    tensor = getattr(type, "pointee_type", type)
    tensor = getattr(tensor, "block_type", tensor)
    if not isinstance(tensor, ir.RankedTensorType):
        return ""
    if tensor.encoding is None:
        return f"found {type}, which has no layout; run convert-triton-to-tritongpu first"
    try:
        layout = layout_of(tensor)
    except ValueError as error:
        return f"found {type}, whose encoding is not the layout of a tensor: {error}"
    if hasattr(type, "block_type") and not isinstance(layout, Shared):
        return f"found {type}, whose layout is not one of shared memory"
    if not hasattr(type, "block_type") and isinstance(layout, Shared | TensorMemoryLayout):
        return f"found {type}, whose layout is not one of registers"
    try:
        linear_layout_of(tensor)
    except UnsuitableLayout as error:
        return f"found {type}: {error}"
    except (TypeError, ValueError):
        return ""  # gluon's, which are not chosen yet
    return ""
