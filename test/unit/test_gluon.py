"""Kernels in Gluon become the ttgir that Triton makes of them: test/data/gluon/ttgir has Triton's, written by
test/oracle/compare_gluon.py.
"""

import importlib
import re
from pathlib import Path

import pytest
from gluon_comparison import loaded_cases

import ttkit
from ttkit.compiler.compilation import Compilation
from ttkit.language import gluon
from ttkit.options import CompileOptions

TEST = Path(__file__).parents[1]
FOLDER = TEST / "data" / "gluon"
EXPECTED = {path.stem: path for path in sorted((FOLDER / "ttgir").glob("*.ttgir"))}
# Of triton.experimental.gluon.language 3.6, but types, layouts and modules that the test below names.
NAMES = """
    AutoLayout BlockedLayout CoalescedLayout DistributedLinearLayout DotOperandLayout NVMMADistributedLayout
    NVMMASharedLayout PaddedSharedLayout SharedLinearLayout SliceLayout SwizzledSharedLayout abs add
    allocate_shared_memory arange associative_scan assume atomic_add atomic_and atomic_cas atomic_max atomic_min
    atomic_or atomic_xchg atomic_xor bank_conflicts broadcast cast cdiv ceil convert_layout cos device_assert
    device_print div_rn dot_fma erf exp exp2 expand_dims fdiv floor fma fp4_to_fp full full_like gather histogram
    inline_asm_elementwise join load log log2 map_elementwise max max_constancy max_contiguous maximum min minimum mul
    multiple_of num_ctas num_programs num_warps permute program_id ravel reduce reduce_or reshape rsqrt
    set_auto_layout sin split sqrt sqrt_rn static_assert static_print static_range store sub sum thread_barrier
    to_linear_layout to_tensor umulhi warp_specialize where xor_sum zeros zeros_like
""".split()
TYPES = """
    amd base_type base_value bfloat16 block_type constexpr distributed_type dtype extra float16 float32 float64
    float8e4b15 float8e4b8 float8e4nv float8e5 float8e5b16 int1 int16 int32 int64 int8 nvidia pointer_type
    shared_memory_descriptor shared_memory_descriptor_type tensor tuple tuple_type uint16 uint32 uint64 uint8 void
""".split()


# Public names of Triton 3.6's modules.
NAMES_OF_GENERATIONS = {
    "nvidia": "hopper blackwell",
    "nvidia.hopper": "TensorDescriptor",
    "nvidia.blackwell": "TensorDescriptor",
    "language.nvidia": "ampere hopper blackwell",
    "language.nvidia.hopper": """
        async_copy fence_async_shared mbarrier mma_v2 tma warpgroup_mma warpgroup_mma_accumulator
        warpgroup_mma_accumulator_type warpgroup_mma_init warpgroup_mma_wait
    """,
    "language.nvidia.hopper.mbarrier": "MBarrierLayout arrive expect init invalidate wait",
    "language.nvidia.hopper.tma": """
        async_copy_global_to_shared async_copy_shared_to_global make_tensor_descriptor store_wait tensor_descriptor
        tensor_descriptor_type
    """,
    "language.nvidia.blackwell": """
        TensorMemoryLayout TensorMemoryScalesLayout allocate_tensor_memory async_copy fence_async_shared float2
        get_tmem_reg_layout mbarrier mma_v2 tcgen05_commit tcgen05_copy tcgen05_mma tcgen05_mma_scaled
        tensor_memory_descriptor tensor_memory_descriptor_type tma
    """,
    "language.nvidia.blackwell.float2": "Float2Tensor fma full_like pack pack2 unpack unpack2",
    "amd.gfx1250": "TensorDescriptor",
    "language.amd": "AMDMFMALayout AMDWMMALayout cdna3 cdna4 gfx1250 rdna3 rdna4",
    "language.amd.cdna3": """
        buffer_atomic_add buffer_atomic_and buffer_atomic_max buffer_atomic_min buffer_atomic_or buffer_atomic_xchg
        buffer_atomic_xor buffer_load buffer_store mfma
    """,
    "language.amd.cdna4": """
        async_copy buffer_atomic_add buffer_atomic_and buffer_atomic_max buffer_atomic_min buffer_atomic_or
        buffer_atomic_xchg buffer_atomic_xor buffer_load buffer_store get_mfma_scale_layout mfma mfma_scaled
    """,
    "language.amd.cdna4.async_copy": """
        buffer_load_to_shared commit_group global_load_to_shared load_shared_relaxed wait_group
    """,
    "language.amd.gfx1250": """
        async_copy buffer_load buffer_store get_wmma_scale_layout mbarrier tdm wmma wmma_scaled
    """,
    "language.amd.gfx1250.async_copy": "commit_group global_to_shared mbarrier_arrive wait_group",
    "language.amd.gfx1250.mbarrier": "MBarrierLayout arrive init wait",
    "language.amd.gfx1250.tdm": """
        async_load async_store async_wait make_tensor_descriptor tensor_descriptor tensor_descriptor_type
    """,
    "language.amd.rdna3": "wmma",
    "language.amd.rdna4": "wmma",
    "language._semantic": "GluonSemantic",
    "language.nvidia.blackwell.tma": """
        async_copy_global_to_shared async_copy_shared_to_global async_gather async_scatter make_tensor_descriptor
        store_wait tensor_descriptor tensor_descriptor_type
    """,
}


def is_of_newer_generation(name):
    """Whether a kernel has no version for sm_80."""
    return f"{name.rpartition('.')[0]}.80" not in EXPECTED


@pytest.fixture(scope="module")
def comparison():
    """The module that loads the kernels, while `import triton` leads to ttkit."""
    with loaded_cases() as (compare_gluon, cases):
        compare_gluon.by_name = cases
        yield compare_gluon


@pytest.mark.parametrize("name", EXPECTED)
def test_same_ttgir_as_triton(name, comparison):
    ours = comparison.ttkit_text(*comparison.by_name[name])
    assert comparison.normalized(ours) == comparison.normalized(EXPECTED[name].read_text())


@pytest.mark.parametrize("name", [name for name in EXPECTED if name.endswith(".80") or is_of_newer_generation(name)])
def test_kernels_become_ptx(name, comparison):
    case, arch = comparison.by_name[name]
    source = ttkit.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
    options = CompileOptions.for_capability(arch, **case.options)
    made = Compilation(source, ttkit.GPUTarget("cuda", arch, 32), options, until="ptx").run()
    assert f".entry {case.kernel.__name__}" in made.asm["ptx"]


def test_every_kernel_was_compared(comparison):
    assert set(EXPECTED) == set(comparison.by_name)


def test_every_name_is_there_and_in_a_kernel():
    text = "\n".join(path.read_text() for path in FOLDER.glob("*.py"))
    missing = [name for name in (*NAMES, *TYPES) if not hasattr(gluon, name)]
    assert not missing
    unused = [name for name in NAMES if not re.search(rf"\bgl\.{name}\b|\.{name}\(", text)]
    assert not unused


@pytest.mark.parametrize("generation", ["ampere", "hopper", "blackwell"])
def test_every_name_of_a_generation_is_in_a_kernel(generation):
    module = getattr(gluon.nvidia, generation)
    kernels = "".join((FOLDER / f"{name}.py").read_text().split("CASES")[0] for name in ("ampere", generation))
    for newer in (
        "test_gluon_newer",
        "test_gluon_images",
        "test_gluon_clusters",
        "test_gluon_later",
        "test_gluon_later_arguments",
    ):  # of what Triton 3.6 does not have
        kernels += (Path(__file__).parent / f"{newer}.py").read_text()
    names = set(module.__all__).union(*(getattr(one, "__all__", ()) for one in vars(module).values()))
    types = {
        name for name in names if name.endswith(("_type", "_accumulator", "_result")) and name != "load_result"
    }  # of values that functions make
    assert not [name for name in names - types if not re.search(rf"\b{name}\b", kernels)]


@pytest.mark.parametrize("module", NAMES_OF_GENERATIONS)
def test_names_of_a_generation(module, comparison):
    found = importlib.import_module(f"triton.experimental.gluon.{module}")
    assert not [name for name in NAMES_OF_GENERATIONS[module].split() if not hasattr(found, name)]


def test_names_of_triton(comparison):
    from triton.experimental import gluon as by_triton
    from triton.experimental.gluon import language
    from triton.experimental.gluon.language import BlockedLayout, _core, _layouts, _math, _semantic, _standard
    from triton.experimental.gluon.language._layouts import SliceLayout
    from triton.experimental.gluon.language.nvidia.ampere import async_copy, mbarrier, mma_v2  # noqa: F401

    assert _core is _math is _standard is gluon and _layouts.BlockedLayout is BlockedLayout
    assert _core.builtin and _semantic.GluonSemantic
    assert language is gluon and by_triton.language is gluon
    assert by_triton.jit is gluon.jit and by_triton.constexpr_function is gluon.constexpr_function
    assert by_triton.must_use_result is gluon.must_use_result
    assert (BlockedLayout, SliceLayout) == (gluon.BlockedLayout, gluon.SliceLayout)
