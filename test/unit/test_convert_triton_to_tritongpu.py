"""convert-triton-to-tritongpu: Triton's results for the kernels of the corpus, options, and what it refuses."""

from math import prod
from pathlib import Path

import pytest
from mlir import ir

import ttkit
from ttkit.layout import to_linear_layout
from ttkit.layout.blocked import blocked, default_blocked, default_dot_blocked
from ttkit.passes.infra.retyping import value_types
from ttkit.passes.layouts.assignment import is_bare

CORPUS = Path(__file__).parents[1] / "data" / "ir"
STAGE = ".convert-to-ttgpuir.ttgir"
GOLDEN = sorted(path for path in CORPUS.glob(f"*{STAGE}") if path.with_name(path.name.replace(STAGE, ".ttir")).exists())
MODULE_ATTRIBUTES = {
    "target": "ttg.target",
    "num-warps": "ttg.num-warps",
    "threads-per-warp": "ttg.threads-per-warp",
    "num-ctas": "ttg.num-ctas",
}


def text_of(module):
    return module.operation.get_asm(use_local_scope=True)


def converted(text, options="target=cuda:90"):
    module = ttkit.parse(text)
    ttkit.run_passes(module, f"convert-triton-to-tritongpu{{{options}}}")
    return module


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name.removesuffix(STAGE))
def test_as_triton(context, path):
    expected = ttkit.parse(path.read_text())
    attributes = expected.operation.attributes
    options = [f"{option}={attributes[name].value}" for option, name in MODULE_ATTRIBUTES.items()]
    source = path.with_name(path.name.replace(STAGE, ".ttir")).read_text()
    assert text_of(converted(source, " ".join(options))) == text_of(expected)


def test_every_tensor_of_the_corpus_gets_a_layout(context):
    for path in sorted(CORPUS.glob("*.source.ttir")):
        module = converted(path.read_text())
        assert module.operation.verify()
        assert not any(is_bare(type) for type in value_types(module.operation)), path.name


@pytest.mark.parametrize("num_warps", [1, 4, 16])
@pytest.mark.parametrize("threads", [32, 64])
@pytest.mark.parametrize("ctas", [1, 2, 8])
@pytest.mark.parametrize("shape", [(1,), (64,), (4096,), (1, 128), (256, 2), (16, 16), (2, 8, 4), (4, 1, 64, 2)])
def test_default_layouts_use_all_threads(shape, num_warps, threads, ctas):
    for layout in (default_blocked(shape, num_warps, threads, ctas), blocked_with_two(shape, num_warps, threads, ctas)):
        assert prod(layout.threads_per_warp) == threads
        assert prod(layout.warps_per_cta) == num_warps
        assert 1 << len(layout.cga_layout) == ctas
        assert to_linear_layout(shape, layout).is_surjective


def blocked_with_two(shape, num_warps, threads, ctas):
    sizes = [1] * (len(shape) - 1) + [min(2, shape[-1])]
    return blocked(shape, sizes, range(len(shape))[::-1], num_warps, threads, ctas)


@pytest.mark.parametrize(
    "shape, size_per_thread", [((16, 16), (1, 1)), ((32, 32), (2, 2)), ((128, 64), (4, 4)), ((1024, 2), (4, 2))]
)
def test_dot_layout_grows_with_the_result(shape, size_per_thread):
    assert default_dot_blocked(shape, 4, 32).size_per_thread == size_per_thread


FOREIGN = """
tt.func @f(%x: i32) {
  %0 = tt.splat %x : i32 -> tensor<32xi32>
  %1 = builtin.unrealized_conversion_cast %0 : tensor<32xi32> to tensor<4x8xi32>
  %2 = arith.addi %1, %1 : tensor<4x8xi32>
  tt.return
}
"""


def test_source_remat_casts_back(context):
    lines = str(converted(FOREIGN, "target=cuda:90 enable-source-remat=true")).splitlines()
    operations = [line.split("=", 1)[1].split()[0] for line in lines if " = " in line and line.startswith("    ")]
    cast = "builtin.unrealized_conversion_cast"
    assert operations == ["tt.splat", cast, cast, "ttg.convert_layout", "arith.addi"]


@pytest.mark.parametrize(
    "text, options, message",
    [
        (FOREIGN, "target=cuda:90", "use enable-source-remat"),
        ("tt.func @f() { tt.return }", "num-warps=4", "requires 'target' option"),
        ("tt.func @f() { tt.return }", "target=cuda:90 num-warps=3", "found 3 warps; use a power of two"),
        ("tt.func @f(%x: tensor<f32>) { tt.return }", "target=cuda:90", "rank 0"),
        ("tt.func @f(%x: tensor<4x24xf32>) { tt.return }", "target=cuda:90", "sizes must be powers of two"),
        (
            """tt.func @f(%x: tensor<8xf32>) {
                 scf.execute_region { "test.use"(%x) : (tensor<8xf32>) -> ()  scf.yield }
                 tt.return
               }""",
            "target=cuda:90",
            "'scf.execute_region' can't contain tensors with layouts",
        ),
        (
            """tt.func @f() {
                 ttg.warp_specialize() default { ttg.warp_yield } : () -> ()
                 tt.return
               }""",
            "target=cuda:90 num-warps=1",
            "not for 1 warps: .* num_warps to be a multiple of 4, found 1",
        ),
    ],
)
def test_refuses(context, text, options, message):
    context.allow_unregistered_dialects = True
    with pytest.raises(ttkit.PassError, match=message):
        converted(text, options)


def test_locations_are_of_the_value_or_its_first_user(context):
    module = converted(
        """
        tt.func @f(%x: i32) {
          %0 = tt.splat %x : i32 -> tensor<8xi32> loc("splat")
          %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32> loc("expand")
          %2 = arith.addi %1, %1 : tensor<1x8xi32> loc("first")
          %3 = arith.muli %1, %2 : tensor<1x8xi32> loc("second")
          tt.return
        }"""
    )
    conversions = []

    def note(op):
        if op.name == "ttg.convert_layout":
            conversions.append(str(op.location))
        return ir.WalkResult.ADVANCE

    module.operation.walk(note)
    assert conversions == ['loc("expand")', 'loc("first")']
