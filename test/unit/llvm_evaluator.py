"""Evaluates straight-line functions of the llvm dialect on arrays, one row for each thread of a warp.

A value is an array of shape (threads, length) for a vector, (threads,) for a scalar; floats are kept as such, and
integers as unsigned.  Where threads have nothing to do with each other there may be any number of rows.
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
    "mul": np.multiply,
    "xor": np.bitwise_xor,
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


def evaluate(function: ir.OpView, *arguments: np.ndarray) -> np.ndarray:
    """What a function of one block behind its entry returns for its first arguments."""
    blocks = list(function.regions[0].blocks)
    values: dict[ir.Value, np.ndarray] = dict(zip(blocks[0].arguments, arguments))
    batch = arguments[0].shape[0]
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
        condition, then, otherwise = operands
        return np.where(condition if condition.ndim == then.ndim else condition[:, None], then, otherwise)
    if name == "bitcast":
        return np.ascontiguousarray(operands[0]).view(dtype).reshape(batch, *getattr(type, "shape", ()))
    if name in ("zext", "trunc", "fpext", "fptrunc", "fptoui"):
        return operands[0].astype(dtype)
    if name == "nvvm.read.ptx.sreg.tid.x":
        return np.arange(batch, dtype=np.uint32)
    if name == "nvvm.shfl.sync":
        kind = str(op.attributes["kind"])
        return operands[1][operands[2] if "idx" in kind else np.arange(batch) ^ operands[2]]
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
    one_for_all = not isinstance(value, ir.DenseElementsAttr) or value.is_splat
    if one_for_all:
        numbers = [value.get_splat_value().value if isinstance(value, ir.DenseElementsAttr) else value.value]
    else:
        numbers = list(value)
    if dtype.kind == "u":
        numbers = [number & (1 << 8 * dtype.itemsize) - 1 for number in numbers]
    row = np.array(numbers, dtype)
    return np.broadcast_to(row if hasattr(type, "shape") else row[0], (batch, *getattr(type, "shape", ()))).copy()
