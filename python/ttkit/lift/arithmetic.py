"""Arithmetic, comparisons, conversions and mathematics."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.lift.descriptors import is_stride_of_map
from ttkit.lift.registry import HANDLERS, writes
from ttkit.lift.values import element_of, element_text, refuse

_BINARY = {
    "arith.addi": "+",
    "arith.addf": "+",
    "arith.subi": "-",
    "arith.subf": "-",
    "arith.muli": "*",
    "arith.mulf": "*",
    "arith.andi": "&",
    "arith.ori": "|",
    "arith.xori": "^",
    "arith.shli": "<<",
    "arith.shrsi": ">>",
    "arith.divsi": "//",
    "arith.remsi": "%",
    "tt.addptr": "+",
}
_UNSIGNED = {"arith.divui": "//", "arith.remui": "%", "arith.shrui": ">>"}
_INTEGER_PREDICATES = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
_FLOAT_PREDICATES = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}
_FUNCTIONS = {
    "math.exp": "gl.exp",
    "math.exp2": "gl.exp2",
    "math.log": "gl.log",
    "math.log2": "gl.log2",
    "math.cos": "gl.cos",
    "math.sin": "gl.sin",
    "math.sqrt": "gl.sqrt",
    "math.rsqrt": "gl.rsqrt",
    "math.absf": "gl.abs",
    "math.absi": "gl.abs",
    "math.erf": "gl.erf",
    "math.floor": "gl.floor",
    "math.ceil": "gl.ceil",
    "math.fma": "gl.fma",
    "tt.precise_sqrt": "gl.sqrt_rn",
    "tt.precise_divf": "gl.div_rn",
    "arith.select": "gl.where",
    "arith.divf": "gl.fdiv",
    "arith.maxsi": "gl.maximum",
    "arith.minsi": "gl.minimum",
}
_METHODS = tuple(f"math.{name}" for name in "exp exp2 log log2 cos sin sqrt rsqrt erf floor ceil".split())
_EXTREMES = {
    "arith.maxnumf": ("maximum", ""),
    "arith.minnumf": ("minimum", ""),
    "arith.maximumf": ("maximum", ", propagate_nan=tl.PropagateNan.ALL"),
    "arith.minimumf": ("minimum", ", propagate_nan=tl.PropagateNan.ALL"),
}
_CONVERSIONS = ("arith.sitofp", "arith.fptosi", "arith.truncf", "arith.extf", "tt.fp_to_fp", "tt.int_to_ptr")


def _binary(writer: Any, op: Any) -> str | None:
    if is_stride_of_map(op):
        return None
    return _pair(writer, op, _BINARY[op.name])


def _pair(writer: Any, op: Any, operator: str) -> str:
    left, right = op.operands
    first = writer.ref(left) if writer.is_constant(right) or not writer.is_literal(left) else writer.literal(left)
    second = writer.literal(right) if not writer.is_constant(left) and writer.is_literal(right) else writer.ref(right)
    return f"{first} {operator} {second}"


HANDLERS.update(dict.fromkeys(_BINARY, _binary))


@writes(*_UNSIGNED)
def unsigned(writer: Any, op: Any) -> str:
    """Operators of unsigned integers: values are signed in the source, so they are converted, which moves nothing."""
    left, right = map(writer.unsigned, op.operands)
    return f"({left} {_UNSIGNED[op.name]} {right}).to({element_text(element_of(op.result))})"


@writes("arith.maxui", "arith.minui", "tt.mulhiui")
def unsigned_function(writer: Any, op: Any) -> str:
    """The same of functions."""
    name = {"arith.maxui": "maximum", "arith.minui": "minimum", "tt.mulhiui": "umulhi"}[op.name]
    arguments = ", ".join(map(writer.unsigned, op.operands))
    return f"gl.{name}({arguments}).to({element_text(element_of(op.result))})"


@writes("arith.cmpi")
def compare_integers(writer: Any, op: Any) -> str:
    """Comparisons."""
    predicate = ir.IntegerAttr(op.attributes["predicate"]).value
    if predicate < 6:
        if element_of(op.operands[0]).width < 32:  # next to a literal these would be widened
            return f" {_INTEGER_PREDICATES[predicate]} ".join(map(writer.ref, op.operands))
        return _pair(writer, op, _INTEGER_PREDICATES[predicate])
    left, right = map(writer.unsigned, op.operands)
    return f"{left} {_INTEGER_PREDICATES[predicate]} {right}"


@writes("arith.cmpf")
def compare_floats(writer: Any, op: Any) -> str:
    """Comparisons; != is true for NaN, the others are false."""
    predicate = ir.IntegerAttr(op.attributes["predicate"]).value
    if predicate == 14 and op.operands[0] == op.operands[1]:  # unordered with itself: NaN
        predicate = 13
    if predicate not in _FLOAT_PREDICATES:
        refuse(op, "no operator compares so")
    if element_of(op.operands[0]).width < 32:  # next to a literal these would be widened
        return f" {_FLOAT_PREDICATES[predicate]} ".join(map(writer.ref, op.operands))
    return _pair(writer, op, _FLOAT_PREDICATES[predicate])


@writes(*_FUNCTIONS)
def function(writer: Any, op: Any) -> str:
    """Functions of the same elements; of 16 bits most are methods only."""
    if op.name in _METHODS and element_of(op.operands[0]).width == 16:
        return f"{writer.ref(op.operands[0])}.{op.name.removeprefix('math.')}()"
    return f"{_FUNCTIONS[op.name]}({', '.join(map(writer.ref, op.operands))})"


@writes(*_EXTREMES)
def extreme(writer: Any, op: Any) -> str:
    """Maximum and minimum of floats; the language computes those of bfloat16 as float32."""
    if str(element_of(op.result)) == "bf16":
        refuse(op, "the language converts bfloat16 to float32 for it")
    name, option = _EXTREMES[op.name]
    return f"gl.{name}({', '.join(map(writer.ref, op.operands))}{option})"


@writes("tt.clampf")
def clamp(writer: Any, op: Any) -> str:
    """Between two bounds."""
    nan = ", propagate_nan=tl.PropagateNan.ALL" if writer.integer(op, "propagateNan") else ""
    return f"tl.clamp({', '.join(map(writer.ref, op.operands))}{nan})"


@writes("arith.remf")
def remainder(writer: Any, op: Any) -> str:
    """The remainder of floats."""
    return _pair(writer, op, "%")


@writes("arith.uitofp", "arith.extui")
def from_unsigned(writer: Any, op: Any) -> str:
    """From unsigned integers and bools."""
    return f"{writer.unsigned(op.operands[0])}.to({element_text(element_of(op.result))})"


@writes("arith.fptoui")
def to_unsigned(writer: Any, op: Any) -> str:
    """To unsigned integers."""
    signed = element_text(element_of(op.result))
    return f"{writer.ref(op.operands[0])}.to({writer.unsigned_type(op.result)}).to({signed})"


@writes("arith.extsi", "arith.trunci", *_CONVERSIONS)
def convert(writer: Any, op: Any) -> str:
    """From one type to another."""
    source, result = op.operands[0], op.result
    if "i1" in (str(element_of(source)), str(element_of(result))) and op.name in ("arith.extsi", "arith.trunci"):
        refuse(op, "bools are converted otherwise")
    rounding = ""
    if "rounding" in op.attributes and ir.IntegerAttr(op.attributes["rounding"]).value == 0:
        rounding = ', fp_downcast_rounding="rtz"'
    return f"{writer.ref(source)}.to({element_text(element_of(result))}{rounding})"


@writes("tt.bitcast", "tt.ptr_to_int")
def bitcast(writer: Any, op: Any) -> str:
    """The same bits."""
    option = ", bitcast=True" if op.name == "tt.bitcast" else ""
    return f"{writer.ref(op.operands[0])}.to({element_text(element_of(op.result))}{option})"


@writes("tt.extern_elementwise")
def library_function(writer: Any, op: Any) -> str:
    """Functions of a library, by their symbol: libdevice's names stand for several types, and convert their truths."""
    library, path, symbol = (ir.StringAttr(op.attributes[name]).value for name in ("libname", "libpath", "symbol"))
    arguments = [writer.ref(each) for each in op.operands]
    types = ", ".join(str(element_text(element_of(each))) for each in op.operands)
    result, pure = element_text(element_of(op.result)), ir.BoolAttr(op.attributes["pure"]).value
    table = writer.source.layouts.constant(f"{{({types},): ({symbol!r}, {result})}}", "LIBRARY")
    return f"tl.core.extern_elementwise({library!r}, {path!r}, [{', '.join(arguments)}], {table}, {pure})"
