"""`convert_triton_to_gluon`: translated kernels compile, and compute what the kernels of the tile language do."""

import dataclasses
import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from sweeps import every

import ttkit
from ttkit import compat
from ttkit.interpreter.check.check_passes import compare, tolerance_of
from ttkit.interpreter.check.generated_inputs import NoInputs, find_inputs, run
from ttkit.interpreter.check.scale_arguments import scale_arguments
from ttkit.interpreter.decode import decode_module
from ttkit.interpreter.errors import NotInterpretable
from ttkit.language import gluon as gl
from ttkit.runtime import TensorDescriptor, driver
from ttkit.tools.triton_to_gluon_translater import translator_helpers
from ttkit.tools.triton_to_gluon_translater.descriptors import layout_of_block
from ttkit.tools.triton_to_gluon_translater.translator import convert_triton_to_gluon

sys.path.append(str(Path(__file__).parents[1]))
from lift_kernels import compiled, load, source_of

REFUSED = {"descriptor_gather_scatter": "sm_90 has no copies of chosen rows by TMA"}


@pytest.fixture(scope="module")
def cases():
    """Kernels of test/data, while `import triton` leads to ttkit."""
    before, path = dict(sys.modules), list(sys.path)
    yield load()["kernels"]
    compat.uninstall()
    sys.path[:] = path
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("triton", "cases"):
            del sys.modules[name]


def translated(kernel, folder):
    """A kernel in Gluon."""
    path = folder / "translated.py"
    path.write_text(convert_triton_to_gluon([kernel]))
    spec = importlib.util.spec_from_file_location("translated", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, kernel.fn.__name__)


def type_in_gluon(text, ctas):
    """A type of a parameter: descriptors have a layout."""
    found = re.fullmatch(r"tensordesc<(\w+)\[([\d, ]+)\]>", text)
    if found is None:
        return text
    element = {"fp32": gl.float32, "i32": gl.int32, "i8": gl.int8}.get(found[1], gl.float16)
    layout = layout_of_block(list(map(int, found[2].split(","))), element, ctas)
    return f"tensordesc<{found[1]}[{found[2]}],{layout!r}>"


def decoded(text):
    """The interpreter's module, and its kernel."""
    with ttkit.Context():
        module = decode_module(ttkit.parse(text))
    return module, next(iter(module.functions.values()))


def names():
    """The kernels' names without loading them: `name=` of a case, or what its first argument is."""
    folder = Path(__file__).parents[1] / "data" / "kernels"
    found = []
    for path in folder.glob("*.py"):
        for text in re.split(r"^    (?:case|plain)\(", path.read_text().partition("CASES = [")[2], flags=re.M)[1:]:
            found.append((re.search(r"name=\"(\w+)\"", text) or re.match(r"\"?(\w+)", text))[1])
    return sorted(set(found))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", every(6, names()))
def test_it_computes_the_same(name, cases, tmp_path):
    case = cases.get(name)
    capabilities = [arch for arch in (90, 80, 100) if case is not None and arch in case.archs]
    if not capabilities:
        pytest.skip("not for these GPUs")
    computes_the_same(case, capabilities[0], tmp_path, REFUSED.get(name))


def computes_the_same(case, capability, tmp_path, refused=None):
    """A kernel and its translation, interpreted; or the translation is refused with the text `refused`."""
    try:
        kernel = translated(case.kernel, tmp_path)
        ctas = case.options.get("num_ctas", 1)
        signature = {argument: type_in_gluon(text, ctas) for argument, text in case.signature.items()}
        source = ttkit.ASTSource(kernel, signature, case.constants, case.attributes)
        made = compiled(source, capability, case.options, "ttgir")[0]
    except (ValueError, ttkit.CompilationError) as error:
        assert refused is not None and refused in str(error)
        return
    assert refused is None
    if "tensordesc" in str(signature):
        return
    module, function = decoded(compiled(source_of(case), capability, case.options, "ttgir")[0])
    other, ours = decoded(made)
    try:
        inputs = find_inputs(module, function, 1, [])
        inputs.scales = scale_arguments(decoded(compiled(source_of(case), capability, case.options, "ttir")[0])[1])
    except (NoInputs, NotInterpretable):
        return
    difference = compare(run(module, function, inputs), run(other, ours, inputs), tolerance_of(function, ours))
    assert not difference, difference


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["row_softmax", "block_pointer_matmul", "integer_atomics"])
def test_clusters_compute_the_same(name, cases, tmp_path):
    case = cases[name]
    computes_the_same(dataclasses.replace(case, options={**case.options, "num_ctas": 2}), 90, tmp_path)


@pytest.mark.parametrize("module", ["translator_helpers", "hopper_helpers"])
def test_programs_by_tritons_names(module, cases, tmp_path, monkeypatch):
    """What Triton's own translators write, since 3.6 and since 3.8."""
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    driver.reset_active()
    old = module == "translator_helpers"
    package = "triton_to_gluon_translater" if old else "triton_to_gluon_translator"
    (tmp_path / f"by_{module}.py").write_text(BY_TRITONS_NAMES.format(module=f"triton.tools.{package}.{module}"))
    monkeypatch.syspath_prepend(tmp_path)
    kernel = importlib.import_module(f"by_{module}").program
    x = np.arange(32 * 32, dtype=np.float16).reshape(2, 16, 32) / 1024
    out = np.zeros((2, 16, 16), np.float32)
    sums = np.zeros(16, np.float32)
    kernel[(1,)](x, out, sums, 2, 16, 32)
    driver.reset_active()
    wide = x.astype(np.float32)
    np.testing.assert_allclose(out, wide @ wide.transpose(0, 2, 1), rtol=1e-3)
    np.testing.assert_allclose(sums, wide[0, :, ::2].sum(1) - wide[0, :, 1::2].sum(1), rtol=1e-2, atol=1e-3)


def test_names_of_the_helpers(cases):
    """What Triton 3.6's and 3.9's translated programs call; all is in every module."""
    for module in ("common_helpers", "nvidia_helpers", "hopper_helpers", "blackwell_helpers"):
        found = importlib.import_module(f"triton.tools.triton_to_gluon_translator.{module}")
        assert [name for name in HELPERS if not hasattr(found, name)] == []
    assert [name for name in HELPERS if name not in translator_helpers.__all__] == []


def test_targets_and_paths(cases, tmp_path, monkeypatch):
    from triton.tools.triton_to_gluon_translator import convert_triton_to_gluon, translate_kernels, translate_paths
    from triton.tools.triton_to_gluon_translator.target import TranslatorTarget
    from triton.tools.triton_to_gluon_translator.translator import main

    assert TranslatorTarget("sm90").helpers_module.endswith("hopper_helpers")
    (tmp_path / "to_translate.py").write_text(DOUBLING)
    monkeypatch.syspath_prepend(tmp_path)
    kernel = importlib.import_module("to_translate").doubled
    text = convert_triton_to_gluon([kernel], TranslatorTarget.SM90)
    assert text == translate_paths(["to_translate:doubled"], TranslatorTarget.SM100) == translate_kernels([kernel])
    main(["to_translate:doubled"], str(tmp_path / "written.py"), TranslatorTarget.SM90)
    assert (tmp_path / "written.py").read_text() == text
    with pytest.raises(ValueError, match="not for gfx942"):
        convert_triton_to_gluon([kernel], TranslatorTarget.GFX942)
    with pytest.raises(ValueError, match="no function halved under @triton"):
        translate_paths(["to_translate:halved"], TranslatorTarget.SM90)


def test_a_launch_with_a_descriptor(cases, tmp_path, monkeypatch):
    """Descriptors of the host are converted, too."""
    import triton.tools.triton_to_gluon_translater.translator as by_name

    assert by_name.convert_triton_to_gluon is convert_triton_to_gluon
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    driver.reset_active()
    (tmp_path / "doubling.py").write_text(DOUBLING)
    spec = importlib.util.spec_from_file_location("doubling", tmp_path / "doubling.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    source, target = np.arange(64, dtype=np.float32).reshape(8, 8), np.zeros((8, 8), np.float32)
    described = [TensorDescriptor.from_tensor(array, [8, 8]) for array in (source, target)]
    kernel = translated(module.doubled, tmp_path)
    kernel[(1,)](*map(translator_helpers.convert_host_descriptor, described))
    driver.reset_active()
    assert (target == 2 * source + 3).all()


DOUBLING = """
import ttkit
import ttkit.language as tl

THREE = tl.constexpr(3)


@ttkit.jit
def more(x, BY: tl.constexpr):
    return x * BY + THREE


@ttkit.jit
def doubled(source, target):
    target.store([0, 0], more(source.load([0, 0]), 2))
"""


SCALED = """
import ttkit
import ttkit.language as tl


@ttkit.jit
def scaled(a, a_scale, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
           A: tl.constexpr, B: tl.constexpr, A_PACKS: tl.constexpr, B_PACKS: tl.constexpr, GROUP: tl.constexpr):
    two_of_a: tl.constexpr = 2 if A == "e2m1" else 1
    two_of_b: tl.constexpr = 2 if B == "e2m1" else 1
    a_rows: tl.constexpr = M if A_PACKS else M // two_of_a
    a_columns: tl.constexpr = K // two_of_a if A_PACKS else K
    b_rows: tl.constexpr = K // two_of_b if B_PACKS else K
    b_columns: tl.constexpr = N if B_PACKS else N // two_of_b
    groups = tl.arange(0, K // GROUP)[None, :]
    x = tl.load(a + tl.arange(0, a_rows)[:, None] * a_columns + tl.arange(0, a_columns)[None, :])
    y = tl.load(b + tl.arange(0, b_rows)[:, None] * b_columns + tl.arange(0, b_columns)[None, :])
    y_scale = tl.load(b_scale + tl.arange(0, N)[:, None] * (K // GROUP) + groups)
    start = tl.full((M, N), 1.0, tl.float32)
    if A == "bf16" or A == "fp16":
        z = tl.dot_scaled(x, None, A, y, y_scale, B, start, lhs_k_pack=A_PACKS, rhs_k_pack=B_PACKS)
    else:
        x_scale = tl.load(a_scale + tl.arange(0, M)[:, None] * (K // GROUP) + groups)
        z = tl.dot_scaled(x, x_scale, A, y, y_scale, B, start, lhs_k_pack=A_PACKS, rhs_k_pack=B_PACKS)
    tl.store(c + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], z)
"""


@pytest.mark.parametrize(
    ("formats", "packs"),
    [
        (("e2m1", "e2m1"), (True, True)),
        (("e4m3", "e5m2"), (True, True)),
        (("fp16", "e2m1"), (True, False)),
        (("e2m1", "e4m3"), (False, True)),
    ],
)
def test_products_of_scaled_operands(formats, packs, tmp_path, monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    driver.reset_active()
    (tmp_path / "scaling.py").write_text(SCALED)
    spec = importlib.util.spec_from_file_location("scaling", tmp_path / "scaling.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rng = np.random.default_rng(sum(map(len, formats)))
    m, n, k = 32, 16, 64

    def operand(format, size):
        if format == "fp16":
            return rng.integers(-4, 5, size).astype(np.float16)
        if format == "e2m1":
            return rng.integers(0, 256, size // 2, np.uint8)
        return rng.integers(0, 0x50, size, np.uint8) | rng.integers(0, 2, size, np.uint8) << 7  # no NaN, no infinity

    a, b = operand(formats[0], m * k), operand(formats[1], k * n)
    scales = [rng.integers(124, 130, rows * k // 32).astype(np.uint8) for rows in (m, n)]
    found = []
    for kernel in (module.scaled, translated(module.scaled, tmp_path)):
        found.append(np.zeros((m, n), np.float32))
        kernel[(1,)](a, scales[0], b, scales[1], found[-1], m, n, k, *formats, *packs, 32)
    driver.reset_active()
    assert np.abs(found[0]).max() > 2
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)


HELPERS = """
    cat convert_host_descriptor convert_to_expand_dims_layout current_target default_blocked_layout get_int_type
    get_num_threads_per_program get_num_threads_per_warp get_split_src_layout get_swizzle_byte_width
    reset_to_default_layout set_split_src_layout tl_arange tl_cat tl_dot tl_dot_blackwell tl_dot_mma_sync
    tl_dot_mma_sync_k_width tl_dot_mma_sync_layout tl_dot_mmav5_supported tl_dot_scaled tl_dot_scaled_blackwell
    tl_dot_scaled_mmav5_supported tl_full tl_load_tensor_descriptor tl_make_tensor_descriptor tl_obj_gather tl_obj_load
    tl_obj_scatter tl_obj_store tl_store_tensor_descriptor tl_trans
""".split()
BY_TRITONS_NAMES = """
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
import {module} as helpers


@gluon.jit
def program(x, out, sums, B: gl.constexpr, M: gl.constexpr, K: gl.constexpr):
    batch = helpers.tl_arange(0, B)
    row = helpers.tl_arange(0, M)
    column = helpers.tl_arange(0, K)
    wide_batch = helpers.convert_to_expand_dims_layout(batch, [1, 2])[:, None, None]
    wide_row = helpers.convert_to_expand_dims_layout(row, [0, 2])[None, :, None]
    places = wide_batch * (M * K) + wide_row * K + helpers.convert_to_expand_dims_layout(column, [0, 1])[None, None, :]
    tile = gl.load(x + places)
    turned = helpers.reset_to_default_layout(helpers.tl_trans(tile, 0, 2, 1))
    product = helpers.tl_dot(tile, turned)
    other = helpers.convert_to_expand_dims_layout(row, [0, 1])[None, None, :]
    gl.store(out + (wide_batch * (M * M) + wide_row * M + other), product)
    rows: gl.constexpr = gl.SliceLayout(1, helpers.default_blocked_layout([M, 1], gl.num_warps()))
    columns: gl.constexpr = gl.SliceLayout(0, helpers.default_blocked_layout([1, K], gl.num_warps()))
    first = gl.load(x + gl.convert_layout(row, rows)[:, None] * K + gl.convert_layout(column, columns)[None, :])
    pairs = helpers.reset_to_default_layout(first.reshape([M, K // 2, 2]))
    left, right = helpers.reset_to_default_layout(helpers.set_split_src_layout(pairs).split())
    total = helpers.reset_to_default_layout(gl.sum(left - right, 1))
    gl.store(sums + row, total.to(gl.float32))
"""
