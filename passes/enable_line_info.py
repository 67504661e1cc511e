"""Give every function its scope for debug information: file and line of the source, for profilers and debuggers.

    llvm.func @k(...) {                                       llvm.func @k(...) {
      llvm.store ... loc(callsite(#inner at #outer))  =>        llvm.store ... loc(callsite(#inner_file at #outer_file))
    } loc("kernel.py":7:0)                                    } loc(fused<#di_subprogram>["kernel.py":7:0])

Code that was inlined gets the file of its own as its scope, a `di_lexical_block_file`, as in Triton.  MLIR's
ensure-debug-info-scope-on-llvm-func, which the stages use, gives inlined code a subprogram.

Input:  llvm.      Output: the same, with scopes in locations.
Order:  the last of llvm, before it becomes LLVM IR; extract-variable-info follows it.
Skips:  functions that have a scope.
Test:   test/lit/passes/enable_line_info.mlir
"""

from __future__ import annotations

import os

from mlir import ir

from ttkit.passes.infra import Pass, collect
from ttkit.passes.infra.debug_info import lexical_block_file, source_place, subprogram

FILE = '#llvm.di_file<"{}" in "{}">'
SUBPROGRAM = (
    "#llvm.di_subprogram<{unit}scope = {file}, name = {name}, linkageName = {name}, file = {file}, line = {line}, "
    "scopeLine = {line}, {flags}type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal>>"
)
DEFINED = (
    "id = distinct[0]<>, compileUnit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, "
    'file = {file}, producer = "triton", isOptimized = true, emissionKind = LineTablesOnly>, '
)


class EnableLineInfo(Pass):
    """Give every function its scope for debug information"""

    name = "enable-line-info"
    dependent_dialects = ("llvm",)

    def run(self, op: ir.Operation) -> None:
        """Gives scopes to functions that have none."""
        for function in collect(op, ["llvm.func"]):
            if subprogram(function.location) is None:
                add_scopes(function)


def add_scopes(function: ir.Operation) -> None:
    """The function's subprogram, and the files of what was inlined into it."""
    place = source_place(function.location)
    file = file_text(place)
    defined = len(function.regions[0].blocks) > 0
    text = SUBPROGRAM.format(
        unit=DEFINED.format(file=file) if defined else "",
        file=file,
        name=f'"{ir.StringAttr(function.attributes["sym_name"]).value}"',
        line=place.start_line if place is not None else 1,
        flags='subprogramFlags = "Definition|Optimized", ' if defined else "subprogramFlags = Optimized, ",
    )
    scope = ir.Attribute.parse(text, function.context)
    function.location = ir.Location.fused([function.location], scope)

    def visit(inner: ir.Operation) -> ir.WalkResult:
        """Gives both ends of an inlined operation's location scopes of their files."""
        location = inner.location
        if inner.name != "llvm.func" and location.is_a_callsite():
            callee, caller = in_own_file(scope, location.callee), in_own_file(scope, location.caller)
            inner.location = ir.Location.callsite(callee, [caller])
        return ir.WalkResult.ADVANCE

    function.walk(visit)


def in_own_file(scope: ir.Attribute, location: ir.Location) -> ir.Location:
    """`location` with its file as its scope, inside of `scope`; of inlined code inside of inlined code, too."""
    block = lexical_block_file(scope, ir.Attribute.parse(file_text(source_place(location)), scope.context))
    inner = in_own_file(block, location.callee) if location.is_a_callsite() else location
    return ir.Location.fused([inner], block)


def file_text(place: ir.Location | None) -> str:
    """The text of the file's attribute."""
    folder, name = os.path.split(place.filename if place is not None else "<unknown>")
    return FILE.format(name, folder)
