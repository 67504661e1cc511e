"""Products of warp groups as text: for tests of the lowering, and on a GPU."""

from dataclasses import dataclass

import ml_dtypes
import numpy as np

NUMBERS = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "i8": np.int8,
    "i32": np.int32,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
}
BITS = {"f16": 16, "bf16": 16, "f32": 32, "i8": 8, "f8E5M2": 8, "f8E4M3FN": 8}


@dataclass(frozen=True)
class Product:
    """d = a b + c by one ttng.warp_group_dot.

    shape: m, n, k.  element, result: types.  warps: per dimension.  columns: of an instruction.
    a, b: swizzling width and whether transposed, in shared memory; `a` is None if in registers.
    attributes: more of them.  use: the name of an i1 that says whether c is added.
    view: what b is a view of: "" of nothing, "index" of one of three buffers, "trans" of the buffer of its transpose,
        "rows" of the second half of a buffer of twice as many rows.
    """

    shape: tuple[int, int, int]
    element: str
    result: str
    warps: tuple[int, int]
    columns: int
    a: tuple[int, bool] | None
    b: tuple[int, bool]
    attributes: str = ""
    asynchronous: bool = False
    use: str = ""
    view: str = ""

    @property
    def num_warps(self) -> int:
        return self.warps[0] * self.warps[1]

    @property
    def aliases(self) -> str:
        """#mma: of the result; #l: of a and b before they are stored; #op: of a in registers; #sa, #sb: of memory."""
        bits = BITS[self.element]
        lines = [
            f"#mma = #ttg.nvidia_mma<{{versionMajor = 3, versionMinor = 0, warpsPerCTA = {list(self.warps)}, "
            f"instrShape = [16, {self.columns}, {256 // bits}]}}>",
            "#l = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], "
            f"warpsPerCTA = [{self.num_warps}, 1], order = [1, 0]}}>",
            f"#op = #ttg.dot_op<{{opIdx = 0, parent = #mma, kWidth = {32 // bits}}}>",
            f"#sb = {self.shared(*self.b)}",
        ]
        lines.append(f"#sbt = {self.shared(self.b[0], not self.b[1])}")
        return "\n".join([*lines, *([f"#sa = {self.shared(*self.a)}"] if self.a else [])])

    def shared(self, swizzle: int, transposed: bool) -> str:
        return (
            f"#ttg.nvmma_shared<{{swizzlingByteWidth = {swizzle}, transposed = {str(transposed).lower()}, "
            f"elementBitWidth = {BITS[self.element]}}}>"
        )

    @property
    def type_c(self) -> str:
        return f"tensor<{self.shape[0]}x{self.shape[1]}x{self.result}, #mma>"

    @property
    def shape_b(self) -> tuple[int, int]:
        """What `body` takes as b: of a view, the tensor that is stored."""
        _, n, k = self.shape
        return {"trans": (n, k), "rows": (2 * k, n)}.get(self.view, (k, n))

    def stored_b(self) -> tuple[str, list[str]]:
        """The type of %bm, and operations that make it of %b."""
        _, n, k = self.shape
        columns, memory = f"{k}x{n}x{self.element}", "#ttg.shared_memory"
        type = f"!ttg.memdesc<{columns}, #sb, {memory}>"
        if self.view == "index":
            type, buffers = type[:-1] + ", mutable>", f"!ttg.memdesc<3x{columns}, #sb, {memory}, mutable>"
            return type, [
                "%second = arith.constant 1 : i32",
                f"%buffers = ttg.local_alloc : () -> {buffers}",
                f"%bm = ttg.memdesc_index %buffers[%second] : {buffers} -> {type}",
                f"ttg.local_store %b, %bm : tensor<{columns}, #l> -> {type}",
            ]
        if self.view == "trans":
            stored = f"!ttg.memdesc<{n}x{k}x{self.element}, #sbt, {memory}>"
            return type, [
                f"%bt = ttg.local_alloc %b : (tensor<{n}x{k}x{self.element}, #l>) -> {stored}",
                f"%bm = ttg.memdesc_trans %bt {{order = array<i32: 1, 0>}} : {stored} -> {type}",
            ]
        if self.view == "rows":
            both = f"{2 * k}x{n}x{self.element}"
            stored, type = f"!ttg.memdesc<{both}, #sb, {memory}>", f"{type[:-1]}, {2 * k}x{n}>"
            return type, [
                f"%b2 = ttg.local_alloc %b : (tensor<{both}, #l>) -> {stored}",
                f"%bm = ttg.memdesc_subslice %b2[{k}, 0] : {stored} -> {type}",
            ]
        return type, [f"%bm = ttg.local_alloc %b : (tensor<{columns}, #l>) -> {type}"]

    def body(self) -> str:
        """Operations that make %d of %a and %b in layout #l and %c in #mma."""
        m, _, k = self.shape
        rows = f"{m}x{k}x{self.element}"
        lines, name = [], "%am"
        if self.a is None:
            type_a = f"tensor<{rows}, #op>"
            lines.append(f"%am = ttg.convert_layout %a : tensor<{rows}, #l> -> {type_a}")
        else:
            type_a = f"!ttg.memdesc<{rows}, #sa, #ttg.shared_memory>"
            lines.append(f"%am = ttg.local_alloc %a : (tensor<{rows}, #l>) -> {type_a}")
        type_b, stored = self.stored_b()
        lines += stored
        lines.append("ttng.fence_async_shared {bCluster = false}")
        extra = f"isAsync = {str(self.asynchronous).lower()}" + (f", {self.attributes}" if self.attributes else "")
        result = "%issued" if self.asynchronous else "%d"
        lines.append(
            f"{result} = ttng.warp_group_dot {name}, %bm, %c{', ' + self.use if self.use else ''} "
            f"{{inputPrecision = 0 : i32, {extra}}} : {type_a} * {type_b} -> {self.type_c}"
        )
        if self.asynchronous:
            lines.append(f"%d = ttng.warp_group_dot_wait %issued {{pendings = 0 : i32}} : {self.type_c}")
        return "\n".join(lines)

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """a, b, c and d, of small whole numbers."""
        m, n, k = self.shape
        rng = np.random.default_rng(m + n + k)
        a, b = (rng.integers(-4, 5, size).astype(NUMBERS[self.element]) for size in ((m, k), (k, n)))
        c = rng.integers(-9, 9, (m, n)).astype(NUMBERS[self.result])
        d = (a.astype(np.float64) @ b.astype(np.float64) + c.astype(np.float64)).astype(NUMBERS[self.result])
        if self.view == "trans":
            b = b.T.copy()
        elif self.view == "rows":
            b = np.concatenate([b[::-1], b])
        return a, b, c, d


# Shapes, warps, columns of an instruction.
TILES = [
    ((128, 128, 64), (4, 1), 128),
    ((128, 64, 32), (8, 1), 64),
    ((64, 128, 32), (4, 2), 64),
    ((256, 64, 64), (4, 2), 16),
    ((64, 32, 16), (8, 1), 32),
    ((64, 8, 64), (4, 1), 8),
    ((128, 256, 64), (8, 1), 256),
]


def tiles() -> list[Product]:
    """Products of f16 with every way of dividing the result among instructions and warps."""
    found = []
    for shape, warps, columns in TILES:
        a, width = min(128, 2 * shape[2]), min(128, 2 * shape[1])
        b = (width, False) if width > 16 else (128, True)
        found.append(Product(shape, "f16", "f32", warps, columns, (a, False), b))
    return found


def layouts() -> list[Product]:
    """Products of f16 with every swizzle, each operand transposed or not."""
    return [
        Product((64, 64, 64), "f16", "f32", (4, 1), 64, (left, a), (right, b))
        for left, right in ((128, 128), (64, 128), (128, 64), (32, 32))
        for a in (False, True)
        for b in (False, True)
    ]


def elements() -> list[Product]:
    """Products of each type, the first operand in memory and in registers."""
    found = []
    for element in ("f16", "bf16", "f32", "i8", "f8E5M2", "f8E4M3FN"):
        attributes = "maxNumImpreciseAcc = 64 : i32" if element.startswith("f8") else ""
        shape, result = (64, 32, 1024 // BITS[element]), "i32" if element == "i8" else "f32"
        for a in (None, (128, False)):
            found.append(Product(shape, element, result, (4, 1), 32, a, (128, True), attributes))
    return [*found, Product((64, 32, 32), "f16", "f16", (4, 1), 32, (64, False), (64, False))]


def views() -> list[Product]:
    """Second operands that are views, as pipelined loops make them."""
    return [
        Product((64, 64, 64), "f16", "f32", (4, 1), 64, a, (128, transposed), view=view)
        for view in ("index", "trans", "rows")
        for transposed in (False, True)
        for a in (None, (128, False))
    ]


def in_background() -> list[Product]:
    return [
        Product((128, 32, 32), "f16", "f32", (4, 1), 32, a, (64, False), asynchronous=True) for a in (None, (64, False))
    ]
