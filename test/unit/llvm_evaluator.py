"""Evaluates functions of the llvm dialect on arrays, one row for each thread of a CTA.

A value is an array of shape (threads, length) for a vector, (threads,) for a scalar; floats are kept as such, integers
as unsigned, pointers to shared memory as bytes from its start.  Threads run in lockstep and branch alike.  Where they
have nothing to do with each other there may be any number of rows.

Shared memory (`Shared`) raises AssertionError where warps touch the same bytes and no barrier stands in between.
"""

import re
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import wgmma_evaluator
from mlir import ir
from mma_evaluator import multiply

WARP = 32
FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


def signed(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *operands: function(*(as_signed(operand) for operand in operands))


def as_signed(value: np.ndarray) -> np.ndarray:
    return value if value.dtype == bool else value.view(f"i{value.dtype.itemsize}")


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c; exact up to the rounding of the sum for all but f64."""
    wide = np.longdouble if a.dtype == np.float64 else np.float64
    return a.astype(wide) * b.astype(wide) + c.astype(wide)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "xor": np.bitwise_xor,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "shl": np.left_shift,
    "lshr": np.right_shift,
    "ashr": signed(np.right_shift),
    "fadd": np.add,
    "fsub": np.subtract,
    "fmul": np.multiply,
    "fdiv": np.divide,
    "fneg": np.negative,
    "intr.fma": fused,
    "intr.umin": np.minimum,
    "intr.umax": np.maximum,
    "intr.smin": signed(np.minimum),
    "intr.smax": signed(np.maximum),
    "intr.maxnum": np.fmax,
    "intr.minnum": np.fmin,
    "intr.maximum": np.maximum,
    "intr.minimum": np.minimum,
    "intr.rint": np.rint,
    "ptrtoint": lambda value: value,
    "inttoptr": lambda value: value,
    "zext": lambda value: value,
    "trunc": lambda value: value,
    "sext": lambda value: as_signed(value),
    "sitofp": as_signed,
    "uitofp": lambda value: value,
    "fpext": lambda value: value,
    "fptrunc": lambda value: value,
    "fptoui": lambda value: value,
}
ICMP = [np.equal, np.not_equal, *map(signed, (np.less, np.less_equal, np.greater, np.greater_equal)),
        np.less, np.less_equal, np.greater, np.greater_equal]  # fmt: skip
# Ordered comparisons are false, unordered ones true where an operand is NaN.
ORDERED = {1: np.equal, 2: np.greater, 3: np.greater_equal, 4: np.less, 5: np.less_equal}


def unordered(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.isnan(a) | np.isnan(b)


FCMP: dict[int, Callable[..., Any]] = {
    **ORDERED,
    6: lambda a, b: (a != b) & ~unordered(a, b),
    7: lambda a, b: ~unordered(a, b),
    **{
        number + 7: lambda a, b, compare=compare: compare(a, b) | unordered(a, b) for number, compare in ORDERED.items()
    },
    13: np.not_equal,
    14: unordered,
}


def halves(format: type) -> Callable[[np.ndarray], np.ndarray]:
    """From two fp8 numbers in 16 bits to a vector of two f16."""
    return lambda pair: np.ascontiguousarray(pair).view(format).astype(np.float16).reshape(-1, 2)


def cut_to_f32(number: np.ndarray) -> np.ndarray:
    """f64 rounded toward zero."""
    nearest = number.astype(np.float32)
    below = np.nextafter(nearest, np.float32(0))
    return np.where(np.abs(nearest.astype(np.float64)) > np.abs(number), below, nearest)


def cut_pair(format: type) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Two f32 rounded toward zero to `format`; the second one comes first."""

    def cut(upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
        pair = np.stack([lower, upper], 1)
        nearest = pair.astype(format)
        below = np.nextafter(nearest, format(0))
        return np.where(np.abs(nearest.astype(np.float64)) > np.abs(pair), below, nearest)

    return cut


def over_warp(function: Callable[..., Any]) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """What all lanes of a warp have, combined."""

    def combined(values: np.ndarray, mask: np.ndarray) -> np.ndarray:
        warps = values.reshape(-1, WARP)
        return np.repeat(function(warps, axis=1, dtype=np.uint32), WARP)

    return combined


INTRINSICS = {
    "llvm.nvvm.redux.sync.add": over_warp(np.add.reduce),
    "llvm.nvvm.redux.sync.and": over_warp(np.bitwise_and.reduce),
    "llvm.nvvm.redux.sync.umax": over_warp(np.maximum.reduce),
    "llvm.nvvm.redux.sync.max": lambda values, mask: np.repeat(
        values.view(np.int32).reshape(-1, WARP).max(1), WARP
    ).view(np.uint32),
    "llvm.nvvm.d2f.rz": cut_to_f32,
    "llvm.nvvm.ff2f16x2.rz": cut_pair(np.float16),
    "llvm.nvvm.ff2bf16x2.rz": cut_pair(ml_dtypes.bfloat16),
    "llvm.nvvm.e5m2x2.to.f16x2.rn": halves(ml_dtypes.float8_e5m2),
    "llvm.nvvm.e4m3x2.to.f16x2.rn": halves(ml_dtypes.float8_e4m3fn),
}


class Shared:
    """Shared memory: bytes, and since the last barrier the warps that have read and written each."""

    NOBODY, SEVERAL = -1, -2

    def __init__(self, size: int, threads: int) -> None:
        self.data = np.full(size, 0xCD, np.uint8)
        self.warps = np.arange(threads) // WARP
        self.barrier()

        # Bytes that were stored and that no fence has shown to tensor cores yet; those that they may still read.
        self.unfenced = np.zeros(size, bool)
        self.in_flight = np.zeros(size, bool)

    def barrier(self) -> None:
        self.writer = np.full(self.data.shape, self.NOBODY)
        self.reader = np.full(self.data.shape, self.NOBODY)

    def places(self, pointer: np.ndarray, size: int) -> np.ndarray:
        assert not (pointer % min(size, 16)).any(), "a misaligned access"
        places = pointer.astype(np.int64)[:, None] + np.arange(size)
        assert places.max(initial=0) < len(self.data), "an access behind the end of shared memory"
        return places

    def load(self, pointer: np.ndarray, size: int) -> np.ndarray:
        """uint8 of shape (threads, size)"""
        places, warps = self.places(pointer, size), self.warps[: len(pointer), None]
        written = self.writer[places]
        assert ((written == self.NOBODY) | (written == warps)).all(), "a load of what another warp stores: no barrier"
        read = self.reader[places]
        self.reader[places] = np.where((read == self.NOBODY) | (read == warps), warps, self.SEVERAL)
        for warp in np.unique(warps):  # several warps that read at once
            mine = places[warps[:, 0] == warp]
            self.reader[mine] = np.where(self.reader[mine] == warp, warp, self.SEVERAL)
        return self.data[places]

    def store(self, pointer: np.ndarray, value: np.ndarray, mask: np.ndarray) -> None:
        """value: uint8 of shape (threads, size)"""
        places, warps = self.places(pointer[mask], value.shape[1]), self.warps[: len(pointer), None][mask]
        read = self.reader[places]
        assert ((read == self.NOBODY) | (read == warps)).all(), "a store to what another warp loads: no barrier"
        written = self.writer[places]
        assert ((written == self.NOBODY) | (written == warps)).all(), "stores of two warps: no barrier"
        assert not self.in_flight[places].any(), "a store to what a product still reads: no wait"
        self.unfenced[places] = True
        self.data[places] = value[mask]
        assert (self.data[places] == value[mask]).all(), "different values for one place"
        self.writer[places] = warps
        # Warps may store the same value at once.
        self.writer[places[self.writer[places] != warps]] = self.SEVERAL


def element_of(type: ir.Type) -> ir.Type:
    return type.element_type if isinstance(type, ir.VectorType) else type


def dtype_of(type: ir.Type) -> np.dtype:
    type = element_of(type)
    if isinstance(type, ir.IntegerType):
        return np.dtype(bool) if type.width == 1 else np.dtype(f"u{type.width // 8}")
    if "ptr<3>" in str(type):
        return np.dtype(np.uint32)
    if "ptr" in str(type):
        return np.dtype(np.uint64)
    return np.dtype(FLOATS[str(type)])


def evaluate(function: ir.OpView, *arguments: np.ndarray, shared: int = 0) -> np.ndarray | list[np.ndarray]:
    """What a function returns for its first arguments; where that is a struct, a list of its fields.

    shared: bytes of shared memory.
    """
    return Evaluation(function, arguments, shared).run()


class Evaluation:
    def __init__(self, function: ir.OpView, arguments: tuple[np.ndarray, ...], shared: int) -> None:
        self.function = function
        self.threads = arguments[0].shape[0]
        self.shared = Shared(shared, self.threads)
        self.values: dict[ir.Value, Any] = dict(zip(function.regions[0].blocks[0].arguments, arguments))

    def run(self) -> Any:
        block = self.function.regions[0].blocks[0]
        with np.errstate(all="ignore"):
            while True:
                for op in block.operations:
                    operation = op.operation
                    name = operation.name.removeprefix("llvm.")
                    operands = [self.values.get(value) for value in operation.operands]
                    if name == "return":
                        return operands[0]
                    if name in ("br", "cond_br"):
                        block = self.branch(operation, name, operands)
                        break
                    found = self.step(operation, name, operands)
                    if operation.results:
                        self.values[operation.results[0]] = found

    def branch(self, op: ir.Operation, name: str, operands: list[Any]) -> ir.Block:
        if name == "br":
            target, passed = op.successors[0], operands
        else:
            condition, *rest = operands
            assert (condition == condition[0]).all(), "threads branch apart"
            count = list(op.attributes["operandSegmentSizes"])[1]
            side = 0 if condition[0] else 1
            target, passed = op.successors[side], rest[count:] if side else rest[:count]
        for argument, value in zip(list(target.arguments), list(passed), strict=True):
            self.values[argument] = value
        return target

    def step(self, op: ir.Operation, name: str, operands: list[Any]) -> Any:
        if name == "nvvm.barrier0":
            return self.shared.barrier()
        if name == "store":
            value = operands[0]
            return self.shared.store(operands[1], as_bytes(value), np.ones(self.threads, bool))
        if name == "inline_asm":
            return self.assembly(op, operands)
        if name == "nvvm.bar.warp.sync":
            return None
        type = op.results[0].type
        if name == "mlir.undef" or name == "mlir.poison":
            return (
                [None] * str(type).count(",") + [None]
                if "struct" in str(type)
                else np.zeros((self.threads, *shape_of(type)), dtype_of(type))
            )
        if name == "extractvalue":
            return operands[0][next(iter(op.attributes["position"]))]
        if name == "insertvalue":
            fields = list(operands[0])
            fields[next(iter(op.attributes["position"]))] = operands[1]
            return fields
        if name == "call_intrinsic":
            return self.intrinsic(op.attributes["intrin"].value, operands)
        dtype = dtype_of(type)
        if name == "mlir.zero":
            return np.zeros((self.threads, *shape_of(type)), dtype)
        if name == "load":
            size = int(np.prod(shape_of(type), dtype=int)) * dtype.itemsize
            return self.shared.load(operands[0], size).view(dtype).reshape(self.threads, *shape_of(type))
        if name == "nvvm.read.ptx.sreg.tid.x":
            return np.arange(self.threads, dtype=np.uint32)
        if name == "nvvm.shfl.sync":
            return self.shuffle(str(op.attributes["kind"]), *operands[1:3])
        if name == "mlir.constant":
            return constant(op.attributes["value"], type, dtype, self.threads)
        if name == "mlir.addressof":
            return np.zeros(self.threads, dtype)
        if name == "getelementptr":
            return address(op, operands)
        return pure(op, name, operands, dtype, self.threads)

    def intrinsic(self, name: str, operands: list[Any]) -> Any:
        if found := re.fullmatch(r"llvm\.nvvm\.ldmatrix\.sync\.aligned\.m8n8\.x(\d)(\.trans)?\.b16", name):
            return self.load_matrices(int(found[1]), bool(found[2]), operands[0])
        if name.startswith("llvm.nvvm.mma."):
            return multiply(name, operands)
        return INTRINSICS[name](*operands)

    def shuffle(self, kind: str, value: np.ndarray, argument: np.ndarray) -> np.ndarray:
        threads = np.arange(self.threads)
        lane = argument if "idx" in kind else threads % WARP ^ argument
        return value[threads // WARP * WARP + lane % WARP]

    def assembly(self, op: ir.Operation, operands: list[Any]) -> Any:
        text = op.attributes["asm_string"].value
        if text.startswith("wgmma."):
            return wgmma_evaluator.run(self, op, text, operands)
        if text.startswith("fence.proxy.async"):
            self.shared.unfenced[:] = False
            return None
        if found := re.fullmatch(r"(?:@\$(\d+) )?st\.shared(?:\.v\d)?\.b\d+ \[ \$(\d+) \+ 0 \], .*", text):
            pointer = int(found[2])
            mask = np.ones(self.threads, bool) if found[1] is None else operands[int(found[1])]
            value = np.concatenate([as_bytes(word) for word in operands[:pointer]], 1)
            return self.shared.store(operands[pointer], value, mask)
        if text == "fma.rn.f32x2 $0, $1, $2, $3;":
            pairs = [np.ascontiguousarray(operand).view(np.float32).reshape(-1, 2) for operand in operands]
            return fused(*pairs).astype(np.float32).view(np.uint64)[:, 0]
        if found := re.fullmatch(r"stmatrix\.sync\.aligned\.m8n8\.x(\d)(\.trans)?\.shared\.b16 .*", text):
            self.store_matrices(int(found[1]), bool(found[2]), operands[0], operands[1:])
            return None
        raise AssertionError(f"{text} is not known here")

    def cells(self, transposed: bool) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each half of a lane's word the row and column of an 8x8 matrix: arrays (threads,)."""
        lane = np.arange(self.threads) % WARP
        cells = [(lane // 4, lane % 4 * 2 + half) for half in (0, 1)]
        return [(column, row) for row, column in cells] if transposed else cells

    def rows(self, matrix: int, pointer: np.ndarray, row: np.ndarray) -> np.ndarray:
        """For each thread where row `row` of a matrix of its warp begins: one of the addresses that lanes give."""
        return pointer[np.arange(self.threads) // WARP * WARP + 8 * matrix + row]

    def store_matrices(self, count: int, transposed: bool, pointer: np.ndarray, words: list[np.ndarray]) -> None:
        for matrix, word in zip(range(count), words, strict=True):
            for half, (row, column) in enumerate(self.cells(transposed)):
                value = as_bytes(word)[:, 2 * half : 2 * half + 2]
                where = self.rows(matrix, pointer, row) + (2 * column).astype(np.uint32)
                self.shared.store(where, value, np.ones(self.threads, bool))

    def load_matrices(self, count: int, transposed: bool, pointer: np.ndarray) -> Any:
        words = []
        for matrix in range(count):
            halves = [
                self.shared.load(self.rows(matrix, pointer, row) + (2 * column).astype(np.uint32), 2)
                for row, column in self.cells(transposed)
            ]
            words.append(np.concatenate(halves, 1).view(np.uint32)[:, 0])
        return words[0] if count == 1 else words


def pure(op: ir.Operation, name: str, operands: list[Any], dtype: np.dtype, threads: int) -> np.ndarray:
    type = op.results[0].type
    if name in OPERATIONS:
        return OPERATIONS[name](*operands).astype(dtype)
    if name == "icmp":
        return ICMP[op.attributes["predicate"].value](*operands)
    if name == "fcmp":
        return FCMP[op.attributes["predicate"].value](*operands)
    if name == "select":
        condition, then, otherwise = operands
        return np.where(condition if condition.ndim == then.ndim else condition[:, None], then, otherwise)
    if name == "bitcast":
        return np.ascontiguousarray(operands[0]).view(dtype).reshape(threads, *shape_of(type))
    if name == "extractelement":
        return operands[0][:, int(operands[1][0])]
    if name == "insertelement":
        result = operands[0].copy()
        result[:, int(operands[2][0])] = operands[1]
        return result
    if name == "shufflevector":
        return np.concatenate(operands, 1)[:, list(op.attributes["mask"])]
    raise AssertionError(f"{op.name} is not known here")


def address(op: ir.Operation, operands: list[Any]) -> np.ndarray:
    """A pointer, or vector of pointers, some elements further."""
    size = dtype_of(op.attributes["elem_type"].value).itemsize
    index = operands[1] if len(operands) > 1 else next(iter(op.attributes["rawConstantIndices"]))
    return (operands[0].astype(np.int64) + np.asarray(index).astype(np.int64) * size).astype(operands[0].dtype)


def as_bytes(value: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(value).view(np.uint8).reshape(len(value), -1)


def shape_of(type: ir.Type) -> tuple[int, ...]:
    return tuple(type.shape) if isinstance(type, ir.VectorType) else ()


def constant(value: ir.Attribute, type: ir.Type, dtype: np.dtype, threads: int) -> np.ndarray:
    one_for_all = not isinstance(value, ir.DenseElementsAttr) or value.is_splat
    if one_for_all:
        numbers = [value.get_splat_value().value if isinstance(value, ir.DenseElementsAttr) else value.value]
    else:
        numbers = list(value)
    if dtype.kind == "u":
        numbers = [number & (1 << 8 * dtype.itemsize) - 1 for number in numbers]
    row = np.array(numbers, dtype)
    shape = shape_of(type)
    return np.broadcast_to(row if shape else row[0], (threads, *shape)).copy()
