"""Products of warp groups, evaluated with descriptors decoded, are the products; descriptors fit their layouts."""

import ml_dtypes
import numpy as np
import pytest
from lowered_tensors import compute, module

from ttkit.layout import UnsuitableLayout, to_linear_layout
from ttkit.layout.encodings import NvmmaShared
from ttkit.layout.wgmma import plan_descriptor

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


def shared(element: str, swizzle: int, transposed: bool) -> str:
    return (
        f"#ttg.nvmma_shared<{{swizzlingByteWidth = {swizzle}, transposed = {str(transposed).lower()}, "
        f"elementBitWidth = {BITS[element]}}}>"
    )


def product(
    shape: tuple[int, int, int],
    element: str,
    result: str,
    warps: tuple[int, int],
    columns: int,
    a: tuple[int, bool] | None,
    b: tuple[int, bool],
    attributes: str = "",
    asynchronous: bool = False,
    use: str = "",
) -> str:
    """A function that multiplies an m x k and a k x n tensor and adds an m x n one.

    a, b: swizzling width and whether transposed, in shared memory; `a` is None if in registers.
    """
    m, n, k = shape
    count, bits = warps[0] * warps[1], BITS[element]
    mma = (
        f"#ttg.nvidia_mma<{{versionMajor = 3, versionMinor = 0, warpsPerCTA = {list(warps)}, "
        f"instrShape = [16, {columns}, {256 // bits}]}}>"
    )
    blocked = (
        f"#ttg.blocked<{{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [{count}, 1], order = [1, 0]}}>"
    )
    operand = f"#ttg.dot_op<{{opIdx = 0, parent = #mma, kWidth = {32 // bits}}}>"
    aliases = [f"#mma = {mma}", f"#l = {blocked}", f"#sb = {shared(element, *b)}"]
    lines = []
    if a is None:
        type_a = f"tensor<{m}x{k}x{element}, {operand}>"
        parameters = f"%a: {type_a}"
        lines.append("")
        name = "%a"
    else:
        aliases.append(f"#sa = {shared(element, *a)}")
        parameters = f"%a: tensor<{m}x{k}x{element}, #l>"
        type_a = f"!ttg.memdesc<{m}x{k}x{element}, #sa, #ttg.shared_memory>"
        lines.append(f"%am = ttg.local_alloc %a : (tensor<{m}x{k}x{element}, #l>) -> {type_a}")
        name = "%am"
    type_b = f"!ttg.memdesc<{k}x{n}x{element}, #sb, #ttg.shared_memory>"
    lines.append(f"%bm = ttg.local_alloc %b : (tensor<{k}x{n}x{element}, #l>) -> {type_b}")
    lines.append("ttng.fence_async_shared {bCluster = false}")
    type_c = f"tensor<{m}x{n}x{result}, #mma>"
    extra = f"isAsync = {str(asynchronous).lower()}" + (f", {attributes}" if attributes else "")
    given = f", {use}" if use else ""
    lines.append(
        f"%d = ttng.warp_group_dot {name}, %bm, %c{given} {{inputPrecision = 0 : i32, {extra}}} : "
        f"{type_a} * {type_b} -> {type_c}"
    )
    if asynchronous:
        lines.append(f"%w = ttng.warp_group_dot_wait %d {{pendings = 0 : i32}} : {type_c}")
    given = ", %use: i1" if use else ""
    function = (
        f"tt.func public @f({parameters}, %b: tensor<{k}x{n}x{element}, #l>, %c: {type_c}{given}) -> {type_c} {{\n"
        + "\n".join(lines)
        + f"\ntt.return %{'w' if asynchronous else 'd'} : {type_c}\n}}"
    )
    return module(function, "\n".join(aliases), count)


def arrays(shape: tuple[int, int, int], element: str, result: str) -> list[np.ndarray]:
    m, n, k = shape
    rng = np.random.default_rng(m + n + k)
    small = rng.integers(-4, 5, (m, k)), rng.integers(-4, 5, (k, n)), rng.integers(-9, 9, (m, n))
    types = NUMBERS[element], NUMBERS[element], NUMBERS[result]
    return [numbers.astype(type) for numbers, type in zip(small, types)]


def check(shape: tuple[int, int, int], element: str, result: str, *rest, **options) -> None:
    a, b, c = arrays(shape, element, result)
    wanted = a.astype(np.float64) @ b.astype(np.float64) + c.astype(np.float64)
    views = [array.view(f"u{array.dtype.itemsize}") if array.dtype.itemsize == 1 or array.dtype.kind == "i" else array
             for array in (a, b, c)]  # fmt: skip
    (found,) = compute(product(shape, element, result, *rest, **options), *views)
    if result == "i32":
        found = found.view(np.int32)
    np.testing.assert_array_equal(found.astype(np.float64), wanted)


@pytest.mark.parametrize("swizzles", [(128, 128), (64, 128), (128, 64), (32, 32)])
@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
def test_halves_in_memory(swizzles, transposed):
    check((64, 64, 64), "f16", "f32", (4, 1), 64, *zip(swizzles, transposed))


@pytest.mark.parametrize(
    ("shape", "warps", "columns"),
    [
        ((128, 128, 64), (4, 1), 128),
        ((128, 64, 32), (8, 1), 64),
        ((64, 128, 32), (4, 2), 64),
        ((256, 64, 64), (4, 2), 16),
        ((64, 32, 16), (8, 1), 32),
        ((64, 8, 64), (4, 1), 8),
        ((128, 256, 64), (8, 1), 256),
    ],
)
def test_tiles(shape, warps, columns):
    width = min(128, 2 * shape[1])
    a = min(128, 2 * shape[2])
    check(shape, "f16", "f32", warps, columns, (a, False), (width, False) if width > 16 else (128, True))


@pytest.mark.parametrize("element", ["bf16", "f32", "i8", "f8E5M2", "f8E4M3FN"])
@pytest.mark.parametrize("in_registers", [False, True])
def test_elements(element, in_registers):
    result = "i32" if element == "i8" else "f32"
    k = 1024 // BITS[element]
    options = {"attributes": "maxNumImpreciseAcc = 64 : i32"} if element.startswith("f8") else {}
    check((64, 32, k), element, result, (4, 1), 32, None if in_registers else (128, False), (128, True), **options)


@pytest.mark.parametrize("most", [32, 64, 1 << 30])
@pytest.mark.parametrize("use", ["", "%use"])
def test_partial_sums(most, use):
    text = product(
        (64, 16, 128), "f8E4M3FN", "f32", (4, 1), 16, (128, False), (128, True), f"maxNumImpreciseAcc = {most} : i32",
        use=use,
    )  # fmt: skip
    a, b, c = arrays((64, 16, 128), "f8E4M3FN", "f32")
    for flag in (False, True) if use else (True,):
        extra = [np.bool_(flag)] if use else []
        (found,) = compute(text, a.view(np.uint8), b.view(np.uint8), c, *extra)
        np.testing.assert_array_equal(found, a.astype(np.float32) @ b.astype(np.float32) + (c if flag else 0))


def test_results_of_halves():
    check((64, 32, 32), "f16", "f16", (4, 1), 32, (64, False), (64, False))


def test_in_the_background():
    check((128, 32, 32), "f16", "f32", (4, 1), 32, None, (64, False), asynchronous=True)


def test_first_product():
    a, b, c = arrays((64, 32, 32), "f16", "f32")
    text = product((64, 32, 32), "f16", "f32", (4, 1), 32, (64, False), (64, False), use="%use")
    for flag in (False, True):
        (found,) = compute(text, a, b, c, np.bool_(flag))
        np.testing.assert_array_equal(found, a.astype(np.float32) @ b.astype(np.float32) + (c if flag else 0))


@pytest.mark.parametrize("swizzle", [128, 64, 32])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("bits", [8, 16, 32])
def test_descriptors_describe_the_layout(swizzle, transposed, bits):
    """Every element of every tile is where the hardware looks for it."""
    shape, elements = (128, 128), 256 // bits
    memory = to_linear_layout(shape, NvmmaShared(swizzle, transposed, bits, False))
    inverse = memory.pseudo_inverse()
    for k_dim in (0, 1):
        if bits != 16 and (k_dim == 1) == transposed:
            with pytest.raises(UnsuitableLayout, match="contiguous along K"):
                plan_descriptor(memory, k_dim, 64, bits)
            continue
        plan = plan_descriptor(memory, k_dim, 64, bits)
        assert plan.swizzle == swizzle
        assert plan.k_contiguous == ((k_dim == 1) != transposed)
        for row in range(0, 128, 64):
            for k in range(0, 128, elements):
                for i, j in ((0, 0), (1, 0), (8, 3), (63, elements - 1), (13, elements // 2)):
                    at = (row + i, k + j) if k_dim == 1 else (k + j, row + i)
                    packed = at[0] | at[1] << inverse.ins[0][1]
                    place = sum_of(inverse.columns, packed) * bits // 8
                    assert place == hardware_place(plan, plan.place(row, k), i, j * bits // 8, bits // 8)


def sum_of(columns, packed: int) -> int:
    total = 0
    for bit, column in enumerate(columns):
        total ^= column if packed >> bit & 1 else 0
    return total


def hardware_place(plan, start: int, row: int, k_byte: int, size: int) -> int:
    """Where the hardware looks for an element of a tile that begins at `start`, in bytes."""
    width = plan.swizzle
    if plan.k_contiguous:
        place = k_byte + row % 8 * width + row // 8 * plan.stride
    else:
        byte, k = row * size, k_byte // size
        place = byte % width + byte // width * plan.leading + k % 8 * width + k // 8 * plan.stride
    place += start
    return place ^ place >> 3 & {128: 0x70, 64: 0x30, 32: 0x10}[width]
