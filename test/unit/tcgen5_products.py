"""Products in tensor memory as text: for tests of the lowering, and for comparisons with Triton."""

import re
from dataclasses import dataclass

import ml_dtypes
import numpy as np
from mlir import ir
from wgmma_products import BITS, NUMBERS

from ttkit.passes.layouts.tmem_access_layouts import access_layout

SMEM, TMEM = "#ttg.shared_memory", "#ttng.tensor_memory"
SCALED = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2, "e2m1": ml_dtypes.float4_e2m1fn}
MODULE = """
{aliases}
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = {warps} : i32, "ttg.threads-per-warp" = 32 : i32,
                   ttg.tensor_memory_size = 512 : i32}} {{
  tt.func public @f({parameters}) -> {result} {{
    {body}
  }}
}}"""
ISSUE = """
    %true = arith.constant true
    %zero = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
    ttng.fence_async_shared {{bCluster = false}}
    {product}
    ttng.wait_barrier %bar, %zero : !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
    ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
    %r = ttng.tmem_load %d : {type_d} -> {result}
    tt.return %r : {result}"""
SCALES_IN_SHARED_MEMORY = (
    "#ss = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], "
    "[0, 4]]}, alignment = 16>"
)
"""Units of 32 rows by 4, four of them beside each other, as a copy takes them."""
BAR = "#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>"


def tensor_memory(shape: tuple[int, int], element: str, layout: str, mutable: bool = True) -> str:
    """The type of a buffer in tensor memory."""
    end = ", mutable" if mutable else ""
    return f"!ttg.memdesc<{shape[0]}x{shape[1]}x{element}, {layout}, {TMEM}{end}>"


def access(type: str, warps: int) -> str:
    """The layout of registers that are loaded from a buffer, or stored to it."""
    return str(access_layout(ir.Type.parse(type), warps, ()))


def alloc(column: int) -> str:
    return f"{{tensor_memory_col_offset = {column} : i32, tensor_memory_row_offset = 0 : i32}}"


@dataclass(frozen=True)
class Product:
    """d = a b + (use ? c : 0) by one ttng.tc_gen5_mma.

    shape: m, n, k.  elements: of a, b and d.  block: rows and columns of a block of d.
    a, b: swizzling width and whether transposed; `a` is None if in tensor memory.
    """

    shape: tuple[int, int, int]
    elements: tuple[str, str, str] = ("f16", "f16", "f32")
    warps: int = 4
    block: tuple[int, int] = (128, 128)
    a: tuple[int, bool] | None = (128, False)
    b: tuple[int, bool] = (128, False)

    def text(self) -> str:
        """A function of a, b, c and the i1 %use; in a context."""
        m, n, k = self.shape
        a, b, d = self.elements
        stride = 4 // np.dtype(NUMBERS[d]).itemsize
        acc = f"#ttng.tensor_memory_encoding<blockM = {self.block[0]}, blockN = {self.block[1]}, colStride = {stride}>"
        type_d = tensor_memory((m, n), d, acc)
        result = f"tensor<{m}x{n}x{d}, #c>"
        aliases = [
            BAR,
            f"#c = {access(type_d, self.warps)}",
            "#l = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], "
            f"warpsPerCTA = [{self.warps}, 1], order = [1, 0]}}>",
            f"#sb = {shared(*self.b, BITS[b])}",
        ]
        lines = []
        if self.a is None:
            left = f"#ttng.tensor_memory_encoding<blockM = {self.block[0]}, blockN = {k}, colStride = 1>"
            type_a = tensor_memory((m, k), a, left, mutable=False)
            aliases.append(f"#la = {access(type_a, self.warps)}")
            lines.append(f"%am = ttng.tmem_alloc %a {alloc(256)} : (tensor<{m}x{k}x{a}, #la>) -> {type_a}")
        else:
            type_a = f"!ttg.memdesc<{m}x{k}x{a}, #sa, {SMEM}>"
            aliases += [f"#sa = {shared(*self.a, BITS[a])}", aliases[2].replace("#l =", "#la =", 1)]
            lines.append(f"%am = ttg.local_alloc %a : (tensor<{m}x{k}x{a}, #la>) -> {type_a}")
        type_b = f"!ttg.memdesc<{k}x{n}x{b}, #sb, {SMEM}>"
        lines.append(f"%bm = ttg.local_alloc %b : (tensor<{k}x{n}x{b}, #l>) -> {type_b}")
        lines.append(f"%d = ttng.tmem_alloc %c {alloc(0)} : ({result}) -> {type_d}")
        product = (
            f"ttng.tc_gen5_mma %am, %bm, %d, %use, %true, %bar[%true] {{is_async}} : {type_a}, {type_b}, {type_d}, "
            f"!ttg.memdesc<1xi64, #bar, {SMEM}, mutable>"
        )
        body = "\n    ".join(lines) + ISSUE.format(product=product, type_d=type_d, result=result)
        parameters = f"%a: tensor<{m}x{k}x{a}, #la>, %b: tensor<{k}x{n}x{b}, #l>, %c: {result}, %use: i1"
        return MODULE.format(
            aliases="\n".join(aliases), warps=self.warps, parameters=parameters, result=result, body=body
        )

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """a, b, c and d, of small whole numbers."""
        m, n, k = self.shape
        rng = np.random.default_rng(m + n + k)
        a, b = (
            rng.integers(-3, 4, size).astype(NUMBERS[element]) for size, element in zip(((m, k), (k, n)), self.elements)
        )
        c = rng.integers(-9, 9, (m, n)).astype(NUMBERS[self.elements[2]])
        return a, b, c, (a.astype(np.float64) @ b.astype(np.float64) + c.astype(np.float64)).astype(c.dtype)


def shared(swizzle: int, transposed: bool, bits: int, padded: bool = False) -> str:
    extra = ", fp4Padded = true" if padded else ""
    return (
        f"#ttg.nvmma_shared<{{swizzlingByteWidth = {swizzle}, transposed = {str(transposed).lower()}, "
        f"elementBitWidth = {bits}{extra}}}>"
    )


@dataclass(frozen=True)
class ScaledProduct:
    """d = (a * its scales) (b * its scales) + c by one ttng.tc_gen5_mma_scaled.

    formats: of a and b.  by_fp8: whether scales are e4m3, of 16 elements each, not powers of two, of 32.
    turned: whether the rows of b are contiguous.
    copied: whether the scales of a, 128 x 8, come to tensor memory by a copy from shared memory.
    stored: whether a, of fp4, is stored to tensor memory, where each number has a byte.
    """

    shape: tuple[int, int, int]
    formats: tuple[str, str]
    by_fp8: bool = False
    warps: int = 4
    turned: bool = False
    copied: bool = False
    stored: bool = False

    @property
    def padded(self) -> tuple[bool, bool]:
        """Whether operands are padded fp4."""
        mixed = self.formats != ("e2m1", "e2m1") or self.turned
        return self.formats[0] == "e2m1" and mixed, self.formats[1] == "e2m1" and mixed

    def text(self) -> str:
        """A function of a and b, bytes, their scales, and c; in a context."""
        m, n, k = self.shape
        stored = {"e4m3": "f8E4M3FN", "e5m2": "f8E5M2", "e2m1": "i8"}
        a, b = (stored[format] for format in self.formats)
        packed = [2 if format == "e2m1" else 1 for format in self.formats]
        shape_a = (m, k // packed[0])
        shape_b = (k, n // packed[1]) if self.turned else (k // packed[1], n)
        acc = f"#ttng.tensor_memory_encoding<blockM = 128, blockN = {min(n, 128)}, colStride = 1>"
        type_d, result = tensor_memory((m, n), "f32", acc), f"tensor<{m}x{n}xf32, #c>"
        blocks, scale = k // (16 if self.by_fp8 else 32), "f8E4M3FN" if self.by_fp8 else "i8"
        scales = [
            tensor_memory((rows, blocks), scale, "#ttng.tensor_memory_scales_encoding<>", False) for rows in (m, n)
        ]
        blocked = (
            "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], "
            f"warpsPerCTA = [{self.warps}, 1], order = [1, 0]}}>"
        )
        aliases = [
            BAR,
            f"#c = {access(type_d, self.warps)}",
            f"#l = {blocked}",
            f"#sa = {shared(128, False, 8, self.padded[0])}",
            f"#sb = {shared(128, not self.turned, 8, self.padded[1])}",
            *(f"#s{i} = {access(type, self.warps)}" for i, type in enumerate(scales)),
        ]
        type_a = f"!ttg.memdesc<{shape_a[0]}x{shape_a[1]}x{a}, #sa, {SMEM}>"
        type_b = f"!ttg.memdesc<{shape_b[0]}x{shape_b[1]}x{b}, #sb, {SMEM}>"
        tensors = [
            f"tensor<{shape_a[0]}x{shape_a[1]}x{a}, #l>",
            f"tensor<{shape_b[0]}x{shape_b[1]}x{b}, #l>",
            *(f"tensor<{rows}x{blocks}x{scale}, #s{i}>" for i, rows in enumerate((m, n))),
        ]
        lines = [
            f"%am = ttg.local_alloc %a : ({tensors[0]}) -> {type_a}",
            f"%bm = ttg.local_alloc %b : ({tensors[1]}) -> {type_b}",
            f"%d = ttng.tmem_alloc %c {alloc(0)} : ({result}) -> {type_d}",
            f"%sa = ttng.tmem_alloc %x {alloc(256)} : ({tensors[2]}) -> {scales[0]}",
            f"%sb = ttng.tmem_alloc %y {alloc(384)} : ({tensors[3]}) -> {scales[1]}",
        ]
        if self.copied:
            aliases += [SCALES_IN_SHARED_MEMORY, aliases[2].replace("#l =", "#ls =", 1)]
            tensors[2] = tensors[2].replace("#s0", "#ls")
            scales[0] = f"{scales[0][:-1]}, mutable>"
            type_s = f"!ttg.memdesc<128x8xi8, #ss, {SMEM}>"
            lines[3:4] = [
                f"%ss = ttg.local_alloc %x : ({tensors[2]}) -> {type_s}",
                f"%sa = ttng.tmem_alloc {alloc(256)} : () -> {scales[0]}",
                "ttng.fence_async_shared {bCluster = false}",
                f"ttng.tmem_copy %ss, %sa : {type_s}, {scales[0]}",
            ]
        if self.stored:
            plain, padded = (
                f"#ttng.tensor_memory_encoding<blockM = 128, blockN = {columns}, colStride = 1{more}>"
                for columns, more in ((k, ""), (k // 2, ", fp4Padded = true"))
            )
            type_raw, type_a = tensor_memory((m, k), "i8", plain), tensor_memory((m, k // 2), "i8", padded)
            aliases.append(f"#la = {access(type_raw, self.warps)}")
            tensors[0] = f"tensor<{m}x{k}xi8, #la>"
            lines[0] = f"%raw = ttng.tmem_alloc %a {alloc(448)} : ({tensors[0]}) -> {type_raw}"
            lines.insert(1, f"%am = ttg.memdesc_reinterpret %raw : {type_raw} -> {type_a}")
        product = (
            f"ttng.tc_gen5_mma_scaled %am, %bm, %d, %sa, %sb, %true, %true lhs = {self.formats[0]} "
            f"rhs = {self.formats[1]}, %bar[%true] {{is_async}} : {type_a}, {type_b}, {type_d}, {scales[0]}, "
            f"{scales[1]}, !ttg.memdesc<1xi64, #bar, {SMEM}, mutable>"
        )
        body = "\n    ".join(lines) + ISSUE.format(product=product, type_d=type_d, result=result)
        if self.copied:  # which the wait ends too: until then the scales' place is theirs
            body = re.sub(r"(wait_barrier %bar, %zero)(.*)", rf"\1 deps %ss\2, {type_s}", body)
        parameters = ", ".join(f"%{name}: {type}" for name, type in zip("abxyc", [*tensors, result], strict=True))
        return MODULE.format(
            aliases="\n".join(aliases), warps=self.warps, parameters=parameters, result=result, body=body
        )

    def arrays(self) -> tuple[np.ndarray, ...]:
        """a, b, scales of both, c and d; the first four as bytes."""
        m, n, k = self.shape
        rng = np.random.default_rng(m + n + k)
        block = 16 if self.by_fp8 else 32
        a, b = (
            rng.integers(-2, 3, size).astype(np.float32).astype(SCALED[format])
            for size, format in zip(((m, k), (k, n)), self.formats)
        )
        scale = ml_dtypes.float8_e4m3fn if self.by_fp8 else ml_dtypes.float8_e8m0fnu
        x, y = (np.float32(2.0) ** rng.integers(-2, 3, (rows, k // block)) for rows in (m, n))
        x, y = x.astype(scale), y.astype(scale)
        c = rng.integers(-9, 9, (m, n)).astype(np.float32)
        factors = [np.repeat(one.astype(np.float64), block, axis=1) for one in (x, y)]
        d = (a.astype(np.float64) * factors[0]) @ (b.astype(np.float64) * factors[1].T) + c
        axes = [1, 1 if self.turned else 0]
        stored = [packed(one, axis) if format == "e2m1" else one.view(np.uint8)
                  for one, axis, format in zip((a, b), axes, self.formats)]  # fmt: skip
        if self.stored:
            stored[0] = (a.view(np.uint8) & 15) << 2
        return *stored, x.view(np.uint8), y.view(np.uint8), c, d.astype(np.float32)


def packed(numbers: np.ndarray, axis: int) -> np.ndarray:
    """fp4 numbers two in a byte, the first of neighbours along `axis` in its lower half."""
    bits = numbers.view(np.uint8) & 15
    even, odd = (np.take(bits, range(first, bits.shape[axis], 2), axis) for first in (0, 1))
    return even | odd << 4
