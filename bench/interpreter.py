"""Times of the interpreter: a vector add, matrix products at both levels, and functions that numpy lacks.

    .venv/bin/python bench/interpreter.py [--repeat 5]

The products are 512 x 512 x 512 kernels of the corpus (test/data/ir), in tt, and in ttg for three architectures: with
cp.async, with wgmma, and with tensor memory.  Times include the checks of every access; reading the IR is not counted.
"""

import argparse
import statistics
import time
from pathlib import Path

import numpy as np
from result_file import as_text

import ttkit
from ttkit.interpreter import interpret
from ttkit.interpreter.decode import decode_module

IR = Path(__file__).parents[1] / "test" / "data" / "ir"
PROGRAMS, BLOCK, SIZE = 4096, 1024, 512
ADD = f"""
tt.func public @add(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {{
  %block = arith.constant {BLOCK} : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %block : i32
  %range = tt.make_range {{start = 0 : i32, end = {BLOCK} : i32}} : tensor<{BLOCK}xi32>
  %starts = tt.splat %start : i32 -> tensor<{BLOCK}xi32>
  %index = arith.addi %starts, %range : tensor<{BLOCK}xi32>
  %ns = tt.splat %n : i32 -> tensor<{BLOCK}xi32>
  %mask = arith.cmpi slt, %index, %ns : tensor<{BLOCK}xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<{BLOCK}x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %index : tensor<{BLOCK}x!tt.ptr<f32>>, tensor<{BLOCK}xi32>
  %a = tt.load %xp, %mask : tensor<{BLOCK}x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<{BLOCK}x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %index : tensor<{BLOCK}x!tt.ptr<f32>>, tensor<{BLOCK}xi32>
  %b = tt.load %yp, %mask : tensor<{BLOCK}x!tt.ptr<f32>>
  %sum = arith.addf %a, %b : tensor<{BLOCK}xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<{BLOCK}x!tt.ptr<f32>>
  %op = tt.addptr %os, %index : tensor<{BLOCK}x!tt.ptr<f32>>, tensor<{BLOCK}xi32>
  tt.store %op, %sum, %mask : tensor<{BLOCK}x!tt.ptr<f32>>
  tt.return
}}"""
MATMULS = {
    "matmul, tt": "matmul_f16.80.ttir",
    "matmul, ttg, cp.async": "matmul_f16.80.ttgir",
    "matmul, ttg, wgmma": "matmul_f16_warps8.90.ttgir",
    "matmul, ttg, tensor memory": "matmul_f8_e4m3.100.ttgir",
}
TILES = {"matmul_f16": (128, 128), "matmul_f16_warps8": (128, 256), "matmul_f8_e4m3": (128, 64)}


def read(text: str):
    """A module as the interpreter walks it."""
    with ttkit.Context():
        return decode_module(ttkit.parse(text))


def seconds(function, repeat: int) -> dict[str, float]:
    """Median and least seconds of a function."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return {"median_s": round(statistics.median(times), 4), "min_s": round(min(times), 4)}


def vector_add():
    """The launch of a vector addition, whose result was checked."""
    module, n = read(ADD), PROGRAMS * BLOCK
    x, y, out = np.random.rand(n).astype(np.float32), np.random.rand(n).astype(np.float32), np.zeros(n, np.float32)

    def run():
        interpret(module, PROGRAMS, [x, y, out, n])

    run()
    np.testing.assert_array_equal(out, x + y)
    return run


def matmul(file: str):
    """The launch of a product of a file of the corpus, whose result was checked."""
    import ml_dtypes

    name = file.split(".")[0]
    tile_m, tile_n = TILES[name]
    kind = ml_dtypes.float8_e4m3fn if "f8" in name else np.float16
    module = read((IR / file).read_text())
    a, b = (np.random.randn(SIZE, SIZE).astype(np.float32).astype(kind) for _ in range(2))
    out = np.zeros((SIZE, SIZE), np.float16)
    args = [a, b, out, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE]

    def run():
        interpret(module, (SIZE // tile_m, SIZE // tile_n), args)

    run()
    np.testing.assert_allclose(out.astype(float), a.astype(float) @ b.astype(float), 2e-2, 2e-1)
    return run


def functions():
    """Functions of numbers that numpy does not have, and one that it has."""
    from ttkit.interpreter.numerics.rounding import fused_multiply_add
    from ttkit.interpreter.numerics.special import erf

    x = np.random.randn(1 << 20)
    return {
        "erf, 2^20 f64": lambda: erf(x),
        "fma, 2^20 f64": lambda: fused_multiply_add(x, x, x),
        "exp, 2^20 f64 (numpy)": lambda: np.exp(x),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    results = {f"vector add, {PROGRAMS} programs of {BLOCK}": seconds(vector_add(), repeat)}
    results |= {f"{name}, {SIZE}^3": seconds(matmul(file), repeat) for name, file in MATMULS.items()}
    results |= {name: seconds(function, repeat) for name, function in functions().items()}
    print(as_text(results), end="")


if __name__ == "__main__":
    main()
