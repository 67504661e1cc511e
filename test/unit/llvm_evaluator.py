"""Evaluates straight-line functions of the llvm dialect on arrays: enough for conversions between floats.

A value is an array of shape (batch, length) for a vector, (batch,) for a scalar; floats are kept as such, and integers
as unsigned.
"""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from mlir import ir

FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "shl": np.left_shift,
    "lshr": np.right_shift,
    "fmul": np.multiply,
    "intr.umin": np.minimum,
}
COMPARE = {0: np.equal, 1: np.not_equal, 6: np.less, 7: np.less_equal, 8: np.greater, 9: np.greater_equal}


def dtype_of(type: ir.Type) -> np.dtype:
    if isinstance(type, ir.VectorType):
        type = type.element_type
    if isinstance(type, ir.IntegerType):
        return np.dtype(bool) if type.width == 1 else np.dtype(f"u{type.width // 8}")
    return np.dtype(FLOATS[str(type)])


def evaluate(function: ir.OpView, argument: np.ndarray) -> np.ndarray:
    """What a function of one block behind its entry returns for its first argument."""
    blocks = list(function.regions[0].blocks)
    values: dict[ir.Value, np.ndarray] = {blocks[0].arguments[0]: argument}
    batch = argument.shape[0]
    with np.errstate(all="ignore"):
        for block in blocks:
            for op in block.operations:
                name = op.operation.name.removeprefix("llvm.")
                operands = [values.get(value) for value in op.operation.operands]
                if name == "return":
                    return operands[0]
                if name != "br":
                    values[op.operation.results[0]] = step(op.operation, name, operands, batch)
    raise AssertionError("no return")


def step(op: ir.Operation, name: str, operands: list[Any], batch: int) -> np.ndarray:
    type = op.results[0].type
    dtype = dtype_of(type)
    if name == "mlir.constant":
        return constant(op.attributes["value"], type, dtype, batch)
    if name == "mlir.poison":
        return np.zeros((batch, *type.shape), dtype)
    if name in BINARY:
        return BINARY[name](*operands).astype(dtype)
    if name == "ashr":
        signed = f"i{dtype.itemsize}"
        return (operands[0].view(signed) >> operands[1].view(signed)).view(dtype)
    if name == "icmp":
        return COMPARE[op.attributes["predicate"].value](*operands)
    if name == "select":
        return np.where(*operands)
    if name == "bitcast":
        return np.ascontiguousarray(operands[0]).view(dtype).reshape(batch, *getattr(type, "shape", ()))
    if name in ("zext", "trunc", "fpext", "fptrunc", "fptoui"):
        return operands[0].astype(dtype)
    if name == "intr.rint":
        return np.rint(operands[0])
    if name == "extractelement":
        return operands[0][:, int(operands[1][0])]
    if name == "insertelement":
        result = operands[0].copy()
        result[:, int(operands[2][0])] = operands[1]
        return result
    if name == "shufflevector":
        return np.concatenate(operands, 1)[:, list(op.attributes["mask"])]
    raise AssertionError(f"{op.name} is not known here")


def constant(value: ir.Attribute, type: ir.Type, dtype: np.dtype, batch: int) -> np.ndarray:
    number = value.get_splat_value() if isinstance(value, ir.DenseElementsAttr) else value
    bits = number.value
    if dtype.kind == "u":
        bits &= (1 << 8 * dtype.itemsize) - 1
    return np.full((batch, *getattr(type, "shape", ())), bits, dtype)
