"""What one warp computes together, evaluated by thread: gathers and changes of layout by shuffles, packed fp4."""

import numpy as np
import pytest
from lowered_tensors import evaluate
from mlir import ir

import ttkit
from ttkit.dialects import ttg
from ttkit.layout import to_linear_layout

LANES = 32
MODULE = """
{aliases}
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func public @f({parameters}) -> {result} {{
    %r = {body}
    tt.return %r : {result}
  }}
}}"""
LAYOUTS = {
    "rows": "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>",
    "columns": "#ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>",
    "lanes": "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [0, 1]}>",
}


def indices(type: ir.Type) -> tuple[np.ndarray, ...]:
    """For each dimension of a tensor an array (lanes, registers): the coordinates of each thread's registers."""
    layout = to_linear_layout(tuple(type.shape), ttg.layout_of(type))
    places = np.array([layout.values("register")]) ^ np.array([layout.values("lane")]).T
    found, shift = [], 0
    for _, bits in layout.outs:
        found.append(places >> shift & (1 << bits) - 1)
        shift += bits
    return tuple(found)


def run(aliases: str, types: list[str], result: str, body: str, arrays: list[np.ndarray], shape: tuple[int, ...]):
    """The tensor that a function of one operation gives for whole tensors."""
    parameters = ", ".join(f"%{name}: {type}" for name, type in zip("abc", types))
    with ttkit.Context():
        module = ttkit.parse(MODULE.format(aliases=aliases, parameters=parameters, result=result, body=body))
        source = module.body.operations[0].operation.attributes["function_type"].value
        places = [indices(type) for type in (*source.inputs, *source.results)]
        ttkit.run_passes(module, "convert-triton-gpu-to-llvm{compute-capability=90 ptx-version=87}")
        (found,) = evaluate(module, *(array[place] for array, place in zip(arrays, places)))
    whole = np.zeros(shape, found.dtype)
    whole[places[-1]] = found
    assert (whole[places[-1]] == found).all(), "copies differ"
    return whole


@pytest.mark.parametrize("source", LAYOUTS)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(16, 8), (64, 16), (4, 4)])
def test_gathers(source: str, axis: int, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    values = rng.integers(0, 1 << 32, shape, dtype=np.uint32)
    where = rng.integers(0, shape[axis], shape, dtype=np.uint32)
    tensor = f"tensor<{shape[0]}x{shape[1]}xi32, #l>"
    body = f"tt.gather %a[%b] {{axis = {axis} : i32}} : ({tensor}, {tensor}) -> {tensor}"
    found = run(f"#l = {LAYOUTS[source]}", [tensor, tensor], tensor, body, [values, where], shape)
    np.testing.assert_array_equal(found, np.take_along_axis(values, where.astype(np.int64), axis))


# Where the bits of an element's number are: registers, then lanes.
ORDERS = {"pairs": (0, 1, 2, 3, 4, 5, 6), "swapped": (0, 6, 5, 4, 3, 2, 1), "turned": (1, 0, 3, 4, 5, 6, 2)}


@pytest.mark.parametrize("target", ORDERS)
@pytest.mark.parametrize("source", ORDERS)
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_changes_of_layout(source: str, target: str, bits: int) -> None:
    values = np.random.default_rng(6).integers(0, 1 << bits, (128,), dtype=f"u{bits // 8}")
    types = [f"tensor<128xi{bits}, #{name}>" for name in ("s", "t")]
    aliases = ""
    for name, order in (("s", ORDERS[source]), ("t", ORDERS[target])):
        bases = [[1 << bit] for bit in order]
        aliases += f"#{name} = #ttg.linear<{{register = {bases[:2]}, lane = {bases[2:]}, warp = [], block = []}}>\n"
    body = f"ttg.convert_layout %a : {types[0]} -> {types[1]}"
    np.testing.assert_array_equal(run(aliases, types[:1], types[1], body, [values], values.shape), values)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_every_byte_of_fp4(element: str, axis: int) -> None:
    magnitudes = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    numbers = np.concatenate([magnitudes, -magnitudes])
    shape = (16, 16)
    codes = np.arange(256, dtype=np.uint8).reshape(shape)
    pairs = np.stack([codes & 15, codes >> 4], axis + 1)
    wide = (32, 16) if axis == 0 else (16, 32)
    size = [1, 1]
    size[axis] = 4
    each = "#ttg.blocked<{{sizePerThread = {}, threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}}>"
    half = [2 if n == 4 else 1 for n in size]
    aliases = f"#s = {each.format(half)}\n#t = {each.format(size)}"
    source, target = "tensor<16x16xi8, #s>", f"tensor<{wide[0]}x{wide[1]}x{element}, #t>"
    body = f"ttg.fp4_to_fp %a {{axis = {axis} : i32}} : {source} -> {target}"
    found = run(aliases, [source], target, body, [codes], wide)
    np.testing.assert_array_equal(found.astype(np.float64), numbers[pairs.reshape(wide)])
