"""Operations whose elements are spread over the CTAs of a cluster, in random layouts, on the GPU."""

import numpy as np
import pytest
from compiling import compile_kernel

from ttkit.runtime import DeviceArray

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from test_lower_cluster import cluster_sizes, linear_layouts, shared_layouts, tensor

pytestmark = pytest.mark.usefixtures("has_clusters")

MODULE = """
{aliases}
module attributes {{
    "ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = {warps} : i32, "ttg.threads-per-warp" = 32 : i32,
    ttg.target = "cuda:{capability}"}} {{
  tt.func public @f({parameters}) {{
    {body}
    tt.return
  }}
}}"""


# --- Layouts ----------------------------------------------------------------------------------------------------------
random_layouts = settings(
    max_examples=40,
    phases=[Phase.generate],
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def pointers(name: str, argument: str, shape: tuple[int, ...], element: str, layout: str) -> str:
    """Makes %name: pointers to the elements of an array in row-major order, in a layout."""
    rank, type = len(shape), tensor(shape, "i32", layout)
    lines, total = [], ""
    for dim in range(rank):
        sliced = layout
        for other in reversed([d for d in range(rank) if d != dim]):
            sliced = f"#ttg.slice<{{dim = {other}, parent = {sliced}}}>"
        one = f"%{name}_{dim}"
        lines.append(f"{one} = tt.make_range {{start = 0 : i32, end = {shape[dim]} : i32}} : "
                     f"tensor<{shape[dim]}xi32, {sliced}>")  # fmt: skip
        sizes = [shape[dim]]
        for other in [d for d in range(rank) if d != dim]:
            before, parent = tensor(tuple(sizes), "i32", sliced), sliced.split("parent = ", 1)[1][:-2]
            sizes.insert(other, 1)
            lines.append(f"{one}e{other} = tt.expand_dims {one} {{axis = {other} : i32}} : {before} -> "
                         f"{tensor(tuple(sizes), 'i32', parent)}")  # fmt: skip
            one, sliced = f"{one}e{other}", parent
        step = int(np.prod(shape[dim + 1 :], dtype=int))
        if rank > 1:
            lines.append(f"{one}b = tt.broadcast {one} : {tensor(tuple(sizes), 'i32', layout)} -> {type}")
            one += "b"
        lines.append(f"{one}c = arith.constant dense<{step}> : {type}")
        lines.append(f"{one}m = arith.muli {one}, {one}c : {type}")
        if total:
            lines.append(f"{one}s = arith.addi {total}, {one}m : {type}")
        total = f"{one}s" if total else f"{one}m"
    kind = tensor(shape, f"!tt.ptr<{element}>", layout)
    lines.append(f"%{name}_base = tt.splat %{argument} : !tt.ptr<{element}> -> {kind}")
    lines.append(f"%{name} = tt.addptr %{name}_base, {total} : {kind}, {type}")
    return "\n    ".join(lines)


def run(capability, aliases, inputs, outputs, body, ctas, warps):
    """inputs: for each name its array, element type and layout; outputs: name, shape, element type and layout.  The
    body gives the value %name for each output."""
    lines, parameters, passed, results = [], [], [], []
    for name, (array, element, layout) in inputs.items():
        lines += [pointers(f"p{name}", f"arg_{name}", array.shape, element, layout)]
        lines += [f"%{name} = tt.load %p{name} : {tensor(array.shape, f'!tt.ptr<{element}>', layout)}"]
        parameters.append(f"%arg_{name}: !tt.ptr<{element}>")
        passed.append(DeviceArray(array))
    lines.append(body)
    for name, (shape, element, layout) in outputs.items():
        lines += [pointers(f"p{name}", f"arg_{name}", shape, element, layout)]
        lines += [f"tt.store %p{name}, %{name} : {tensor(shape, f'!tt.ptr<{element}>', layout)}"]
        parameters.append(f"%arg_{name}: !tt.ptr<{element}>")
        results.append(DeviceArray(np.zeros(shape, f"u{int(element[1:]) // 8}")))
    text = MODULE.format(aliases=aliases, ctas=ctas, warps=warps, capability=capability,
                         parameters=", ".join(parameters), body="\n    ".join(lines))  # fmt: skip
    compile_kernel(text, capability, "ttgir", check=True, num_ctas=ctas, num_warps=warps)[2](*passed, *results)
    return [result.numpy() for result in results]


@random_layouts
@given(data=st.data())
def test_layouts(data, capability):
    """Changes of layout, buffers, reductions, scans, gathers and histograms in one kernel."""
    shape, (ctas, warps) = (16, 32), data.draw(cluster_sizes)
    source, target = (data.draw(linear_layouts(shape, ctas, warps)) for _ in range(2))
    bins, memory = data.draw(linear_layouts((64,), ctas, warps)), data.draw(shared_layouts(shape, ctas))
    axis = data.draw(st.integers(0, 1))
    rng = np.random.default_rng(1)
    values = rng.integers(0, 1 << 20, shape, dtype=np.uint32)
    where = rng.integers(0, shape[axis], shape, dtype=np.uint32)
    flat = tensor((512,), "i32", "#f")
    a, b = tensor(shape, "i32", "#s"), tensor(shape, "i32", "#t")
    sliced = f"#ttg.slice<{{dim = {axis}, parent = #s}}>"
    left = (shape[1 - axis],)
    buffer = "!ttg.memdesc<16x32xi32, #m, #ttg.shared_memory>"
    body = f"""
    %c = ttg.convert_layout %x : {a} -> {b}
    %buffer = ttg.local_alloc %x : ({a}) -> {buffer}
    %l = ttg.local_load %buffer : {buffer} -> {b}
    %r = "tt.reduce"(%x) <{{axis = {axis} : i32}}> ({{
    ^bb0(%p: i32, %q: i32):
      %sum = arith.addi %p, %q : i32
      tt.reduce.return %sum : i32
    }}) : ({a}) -> {tensor(left, "i32", sliced)}
    %s = "tt.scan"(%x) <{{axis = {axis} : i32, reverse = false}}> ({{
    ^bb0(%p: i32, %q: i32):
      %sum = arith.addi %p, %q : i32
      tt.scan.return %sum : i32
    }}) : ({a}) -> {a}
    %g = tt.gather %x[%i] {{axis = {axis} : i32}} : ({a}, {a}) -> {a}
    %small = ttg.convert_layout %j : {tensor((512,), "i32", "#k")} -> {flat}
    %h = tt.histogram %small : {flat} -> {tensor((64,), "i32", "#h")}"""
    flat_layout = f"""#ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [{warps}], order = [0],
        CGALayout = {[[1 << n] for n in range(ctas.bit_length() - 1)]}}}>"""
    one = data.draw(linear_layouts((512,), ctas, warps))
    aliases = f"#s = {source}\n#t = {target}\n#h = {bins}\n#m = {memory}\n#k = {one}\n#f = {flat_layout}"
    inputs = {"x": (values, "i32", "#s"), "i": (where, "i32", "#s"), "j": (where.reshape(-1), "i32", "#k")}
    outputs = {"c": (shape, "i32", "#t"), "l": (shape, "i32", "#t"), "r": (left, "i32", sliced),
               "s": (shape, "i32", "#s"), "g": (shape, "i32", "#s"), "h": ((64,), "i32", "#h")}  # fmt: skip
    found = run(capability, aliases, inputs, outputs, body, ctas, warps)
    wanted = [values, values, values.sum(axis), np.cumsum(values, axis), np.take_along_axis(values, where, axis),
              np.bincount(where.reshape(-1), minlength=64)]  # fmt: skip
    for name, one_found, one_wanted in zip(outputs, found, wanted, strict=True):
        np.testing.assert_array_equal(one_found, one_wanted, err_msg=name)
