"""Options and environment variables of a compilation, each by what it changes."""

import re
import shutil
import subprocess
import sysconfig
import warnings
from pathlib import Path

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.language.extra import libdevice
from ttkit.notices import NOTICES
from ttkit.options import CompileOptions

pytestmark = pytest.mark.usefixtures("own_cache")


@ttkit.jit
def product(a, b, c):
    i, j = tl.arange(0, 64)[:, None], tl.arange(0, 64)[None, :]
    tl.store(c + i * 64 + j, tl.dot(tl.load(a + i * 64 + j), tl.load(b + i * 64 + j)))


@ttkit.jit
def scale(x_ptr, y_ptr, n, factor):
    offsets = tl.program_id(0) * 512 + tl.arange(0, 512)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    total = 0.0
    for _ in range(n):
        total += factor
    y = x * total
    tl.store(y_ptr + offsets, y, mask=inside)


@ttkit.jit
def logarithm(x, y):
    tl.store(y, libdevice.log(tl.load(x)))


@ttkit.jit
def count(x, n):
    tl.store(x, n * n + n)


def compiled(kernel, signature, capability=90, constants=None, **options):
    source = ttkit.ASTSource(kernel, signature, constants)
    return ttkit.compile(source, ttkit.GPUTarget("cuda", capability, 32), options).asm


SCALE = {"x_ptr": "*fp32", "y_ptr": "*fp16", "n": "i32", "factor": "fp32"}
PRODUCT = {"a": "*fp16", "b": "*fp16", "c": "*fp32"}


# --- environment ------------------------------------------------------------------------------------------------------


def test_variables_are_in_the_debug_information(monkeypatch):
    plain = compiled(scale, SCALE)
    assert "DILocalVariable" not in plain["llir"] and ", debug" not in plain["ptx"]
    monkeypatch.setenv("LLVM_EXTRACT_DI_LOCAL_VARIABLES", "1")
    asm = compiled(scale, SCALE)
    found = re.findall(r'DILocalVariable\(name: "(\w+)"(?:, arg: (\d))?', asm["llir"])
    assert {("x_ptr", "1"), ("y_ptr", "2"), ("n", "3"), ("factor", "4")} <= set(found)
    assert {"offsets", "x", "total", "y"} <= {name for name, _ in found}
    assert "#dbg_value(" in asm["llir"] and 'name: "float", size: 32' in asm["llir"]
    assert re.search(r"\.target sm_90a, debug", asm["ptx"])
    in_dwarf = r"\n".join(rf"\.b8 {ord(letter)}\b.*" for letter in "offsets")
    assert re.search(in_dwarf, asm["ptx"]) and asm["cubin"]


def test_variables_without_lines(monkeypatch):
    monkeypatch.setenv("LLVM_EXTRACT_DI_LOCAL_VARIABLES", "1")
    monkeypatch.setenv("TRITON_DISABLE_LINE_INFO", "1")
    assert "DILocalVariable" not in compiled(scale, SCALE)["llir"]


def test_products_without_wgmma(monkeypatch):
    asm = compiled(product, PRODUCT)
    assert "wgmma" in asm["ptx"] and "mma.sync" not in asm["ptx"]
    monkeypatch.setenv("DISABLE_MMA_V3", "1")
    asm = compiled(product, PRODUCT)
    assert "mma.sync" in asm["ptx"] and "wgmma" not in asm["ptx"]
    assert "versionMajor = 2" in asm["ttgir"]


def test_products_without_tcgen05(monkeypatch):
    monkeypatch.setenv("DISABLE_MMA_V5", "1")
    asm = compiled(product, PRODUCT, capability=100)
    assert "mma.sync" in asm["ptx"] and "tcgen05" not in asm["ptx"]


# --- options ----------------------------------------------------------------------------------------------------------


def test_flushing_reaches_libdevice():
    signature = {"x": "*fp32", "y": "*fp32"}
    assert ".ftz" in compiled(logarithm, signature)["ptx"]
    assert ".ftz" not in compiled(logarithm, signature, enable_reflect_ftz=False)["ptx"]


def test_overflow_is_checked_in_debug_mode_alone():
    signature = {"x": "*i32", "n": "i32"}
    plain = compiled(count, signature)
    assert "tt.assert" not in plain["ttir"]
    assert "arith.extsi" not in plain["source"]
    checked = compiled(count, signature, debug=True)["ttir"]
    assert "int32 overflow detected for operation mul" in checked
    assert "int32 overflow detected for operation add" in checked
    assert "tt.assert" not in compiled(count, signature, debug=True, sanitize_overflow=False)["ttir"]


def test_registers_are_bounded():
    asm = compiled(scale, SCALE, maxnreg=16)
    assert ".maxnreg 16" in asm["ptx"]


# --- libraries --------------------------------------------------------------------------------------------------------


@tl.core.extern
def twice_and_more(x, path, _semantic=None):
    functions = {(tl.float32,): ("twice_and_more", tl.float32)}
    return tl.core.extern_elementwise("mine", path, [x], functions, is_pure=True, _semantic=_semantic)


@ttkit.jit
def call_library(x, y, LIBRARY: tl.constexpr):
    tl.store(y, twice_and_more(tl.load(x), LIBRARY))


LIBRARY = """
target triple = "nvptx64-nvidia-cuda"
define float @twice_and_more(float %x) {
  %twice = fadd float %x, %x
  %more = fadd float %twice, 4.200000e+01
  ret float %more
}
"""
LIBRARY_IN_CUDA = """
#define DEVICE __attribute__((device))
__attribute__((constant)) float table[] = {0.0f, 42.0f};
template <class T> DEVICE static T twice(T x) { return x + x; }
extern "C" DEVICE float twice_and_more(float x) {
    float exponential;
    asm("ex2.approx.f32 %0, %1;" : "=f"(exponential) : "f"(x));
    __syncthreads();
    return twice(exponential) + table[__nvvm_read_ptx_sreg_laneid() & 1] + 42.0f;
}
"""
SIGNATURE = {"x": "*fp32", "y": "*fp32", "LIBRARY": "constexpr"}
FORTY_TWO = "0f42280000"


def calls(path):
    asm = compiled(call_library, SIGNATURE, constants={"LIBRARY": str(path)}, extern_libs={"mine": str(path)})
    return asm["ptx"]


def test_bitcode_is_linked(tmp_path):
    path = tmp_path / "library.bc"
    opt = Path(sysconfig.get_paths()["purelib"]) / "llvm" / "bin" / "opt"
    subprocess.run([opt, "-o", path], input=LIBRARY, text=True, check=True)
    ptx = calls(path)
    assert FORTY_TWO in ptx and "twice_and_more" not in ptx


@pytest.mark.skipif(shutil.which("clang") is None, reason="needs clang, which makes bitcode of CUDA")
@pytest.mark.parametrize("optimized", ["-O2", "-O0", "-O2 -g", "-O1 -fgpu-rdc"])
def test_bitcode_of_cuda_is_linked(tmp_path, optimized):
    source, path = tmp_path / "library.cu", tmp_path / "library.bc"
    source.write_text(LIBRARY_IN_CUDA)
    command = ["clang", "-x", "cuda", "--cuda-gpu-arch=sm_80", "--cuda-device-only", "-nocudainc", "-nocudalib"]
    subprocess.run([*command, *optimized.split(), "-emit-llvm", "-c", source, "-o", path], check=True)
    ptx = calls(path)
    for expected in (FORTY_TWO, "ex2.approx.f32", "bar.sync", "%laneid", ".const", "table"):
        assert expected in ptx


def test_a_library_that_is_missing():
    with pytest.raises(FileNotFoundError, match=r"nowhere\.bc"):
        calls("nowhere.bc")


# --- every option of Triton's -----------------------------------------------------------------------------------------


@ttkit.jit
def loop_of_products(a, b, c, n):
    i, j = tl.arange(0, 64)[:, None], tl.arange(0, 64)[None, :]
    total = tl.zeros([64, 64], tl.float32)
    for k in tl.range(0, n, 64):
        total = tl.dot(tl.load(a + i * n + j + k), tl.load(b + (i + k) * 64 + j), total)
    tl.store(c + i * 64 + j, total)


@ttkit.jit
def functions(x, y):
    a, b = tl.load(x), tl.load(x + 1)
    tl.store(y, tl.exp2(a))
    tl.store(y + 1, tl.sqrt(a))
    tl.store(y + 2, tl.rsqrt(a))
    tl.store(y + 3, libdevice.log1p(a))
    tl.store(y + 4, a * b + 1.0)


FLOATS = {"x": "*fp32", "y": "*fp32"}
FP8 = {"a": "*fp8e4nv", "b": "*fp8e4nv", "c": "*fp32"}
FP32 = {"a": "*fp32", "b": "*fp32", "c": "*fp32"}
LOOP = {**FP32, "n": "i32"}
# Option -> kernel, its signature, a value, and what then is in a level that is not there otherwise.
EFFECTS = {
    "num_warps": (scale, SCALE, 8, "ptx", ".reqntid 256"),
    "num_ctas": (scale, SCALE, 2, "ttgir", '"ttg.num-ctas" = 2'),
    "num_stages": (loop_of_products, LOOP, 4, "ttgir", "4x64x64xf32"),
    "maxnreg": (scale, SCALE, 32, "ptx", ".maxnreg 32"),
    "ptx_version": (scale, SCALE, 83, "ptx", ".version 8.3"),
    "enable_fp_fusion": (functions, FLOATS, False, "ptx", "add.rn.f32"),
    "enable_reflect_ftz": (functions, FLOATS, False, "ptx", "sqrt.approx.f32"),
    "max_num_imprecise_acc_default": (product, FP8, 32, "ttir", "maxNumImpreciseAcc = 32"),
    "debug": (count, {"x": "*i32", "n": "i32"}, True, "ttir", "tt.assert"),
    "launch_pdl": (scale, SCALE, True, "metadata", "launch_pdl"),
    "launch_cooperative_grid": (scale, SCALE, True, "metadata", "launch_cooperative_grid"),
    "arch": (scale, SCALE, "sm80", "ttgir", "cuda:80"),
}
# Option -> kernel, its signature, a value, and the error that says that it was heard.
REFUSALS = {
    "warp_size": (scale, SCALE, 64, "warp_size must be 32 on NVIDIA GPUs, found 64"),
    "ptx_options": (scale, SCALE, "--nonsense", "nonsense"),
    "ir_override": (scale, SCALE, "nowhere.ttgir", "nowhere"),
    "supported_fp8_dtypes": (product, FP8, ("fp8e5",), "fp8e4nv"),
    "allowed_dot_input_precisions": (product, FP32, ("ieee",), "default_dot_input_precision"),
    "extern_libs": (logarithm, FLOATS, {"mine": "nowhere.bc"}, "extern_libs: cannot read nowhere.bc"),
}
# Option -> a value, and the notice that says that it changes nothing.
IGNORED = {
    "backend_name": ("hip", "backend_name 'hip' is ignored"),
    "default_dot_input_precision": (
        "ieee",
        "default_dot_input_precision 'ieee' is ignored: pass input_precision to tl.dot",
    ),
    "instrumentation_mode": ("consan", "instrumentation_mode 'consan' is ignored"),
}
# sanitize_overflow and deprecated_fp8_dot_operand_dtypes change what other options do: see their own tests.
OF_TRITON = """
    num_warps num_ctas num_stages warp_size maxnreg ptx_version ptx_options ir_override enable_fp_fusion
    enable_reflect_ftz launch_cooperative_grid launch_pdl supported_fp8_dtypes deprecated_fp8_dot_operand_dtypes
    default_dot_input_precision allowed_dot_input_precisions max_num_imprecise_acc_default extern_libs debug
    backend_name sanitize_overflow arch instrumentation_mode
""".split()


@pytest.mark.parametrize("option", EFFECTS)
def test_an_option_has_an_effect(option):
    kernel, signature, value, level, expected = EFFECTS[option]
    found = []
    for options in ({}, {option: value}):
        made = ttkit.compile(ttkit.ASTSource(kernel, signature), ttkit.GPUTarget("cuda", 90, 32), options)
        if level == "metadata":
            found.append(getattr(made.metadata, expected))
        else:
            found.append(expected in made.asm[level])
    assert found == [False, True]


@pytest.mark.parametrize("option", REFUSALS)
def test_an_option_is_refused(option):
    kernel, signature, value, message = REFUSALS[option]
    with pytest.raises(Exception, match=message):
        compiled(kernel, signature, **{option: value})


@pytest.mark.parametrize("option", IGNORED)
def test_an_option_is_ignored_with_a_notice(option, capsys):
    NOTICES.forget()
    value, notice = IGNORED[option]
    compiled(scale, SCALE, **{option: value})
    assert notice in capsys.readouterr().err


def test_deprecated_operands_are_warned_of():
    signature = {**PRODUCT, "a": "*fp8e4b15", "b": "*fp8e4b15"}
    with pytest.warns(UserWarning, match="fp8e4b15 is deprecated"):
        compiled(product, signature)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled(product, signature, deprecated_fp8_dot_operand_dtypes=())


def test_all_options_of_triton_are_tested():
    others = {"sanitize_overflow", "deprecated_fp8_dot_operand_dtypes"}
    assert {*EFFECTS, *REFUSALS, *IGNORED} | others == set(OF_TRITON) <= set(CompileOptions.__dataclass_fields__)


# --- arithmetic -------------------------------------------------------------------------------------------------------


def arithmetic(ptx):
    return set(re.findall(r"\b((?:add|sub|mul|fma|ex2|sqrt|rsqrt)\.[\w.]+)\s", ptx))


def test_functions_flush_denormals_by_the_option():
    flushing = {"ex2.approx.ftz.f32", "sqrt.approx.ftz.f32", "rsqrt.approx.ftz.f32", "fma.rn.ftz.f32"}
    exact = {"ex2.approx.f32", "sqrt.approx.f32", "rsqrt.approx.f32", "fma.rn.f32"}
    found = arithmetic(compiled(functions, FLOATS)["ptx"])
    assert flushing <= found
    found = arithmetic(compiled(functions, FLOATS, enable_reflect_ftz=False)["ptx"])
    assert exact <= found and not any(".ftz" in one for one in found)


@pytest.mark.parametrize("type", ["fp16", "bf16", "fp32", "fp64"])
def test_functions_of_libraries_may_be_fused_like_the_kernel(type):
    # libdevice's have no marks that allow it; ptxas fuses nothing that is written with `.rn`.
    signature = {"x": f"*{type}", "y": f"*{type}"}
    kernel = of_libdevice if type in ("fp32", "fp64") else sums
    fused = arithmetic(compiled(kernel, signature, enable_reflect_ftz=False)["ptx"])
    apart = arithmetic(compiled(kernel, signature, enable_reflect_ftz=False, enable_fp_fusion=False)["ptx"])
    kinds = ("add", "sub", "mul")
    bits = {"fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64"}[type]
    assert any(one == f"{kind}.{bits}" for one in fused for kind in kinds)
    assert not any(one == f"{kind}.rn.{bits}" for one in fused for kind in kinds)
    assert any(one == f"{kind}.rn.{bits}" for one in apart for kind in kinds)
    assert not any(one == f"{kind}.{bits}" for one in apart for kind in kinds)


@ttkit.jit
def of_libdevice(x, y):
    tl.store(y, libdevice.erf(tl.load(x)))
    tl.store(y + 1, libdevice.log1p(tl.load(x)))


@ttkit.jit
def sums(x, y):
    tl.store(y, tl.load(x) + tl.load(x + 1))
    tl.store(y + 1, tl.load(x) * tl.load(x + 1) - tl.load(x + 2))


# --- lines ------------------------------------------------------------------------------------------------------------


@ttkit.jit
def branches(a, b):
    c = a
    if a < b:
        c = a // b
    if a > b:
        c *= b
    return c


@ttkit.jit
def maps(x, y, ELEMENTS: tl.constexpr):
    i = tl.arange(0, ELEMENTS)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(y + i, tl.map_elementwise(branches, a, b))


@pytest.mark.parametrize("elements", [128, 512])
def test_lines_around_mapped_code(elements):
    signature = {"x": "*i32", "y": "*i32", "ELEMENTS": "constexpr"}
    ptx = compiled(maps, signature, constants={"ELEMENTS": elements})["ptx"]
    first, of_branches = maps.starting_line_number, branches.starting_line_number
    lines: dict[str, set[int]] = {}
    line = 0
    for text in ptx.splitlines():
        if text.strip().startswith(".loc\t"):
            line = int(text.split()[2])
        elif found := re.match(r"\s+(ld\.global|st\.global|div|mul\.lo)", text):
            lines.setdefault(found[1], set()).add(line)
    # LLVM takes the line from loads that it moves between the branches.
    assert lines["ld.global"] - {0} == {first + 3, first + 4} and lines["st.global"] == {first + 5}
    assert lines["div"] == {of_branches + 4}


def test_an_option_of_a_later_version_of_triton_is_said_to_have_no_effect(capsys):
    NOTICES.forget()
    CompileOptions.check_names({"fpsan_homomorphic_casts": True})
    assert CompileOptions.parse({"fpsan_homomorphic_casts": True}, 90) == CompileOptions.parse({}, 90)
    assert "option fpsan_homomorphic_casts is ignored" in capsys.readouterr().err


def test_programs_get_more_shared_memory_than_they_use():
    source, target = ttkit.ASTSource(scale, SCALE), ttkit.GPUTarget("cuda", 90, 32)
    assert ttkit.compile(source, target, {"min_shared_mem": 4096}).metadata.shared == 4096
    with pytest.raises(ValueError, match="min_shared_mem must be at least 0 bytes, found -1"):
        CompileOptions.parse({"min_shared_mem": -1}, 90)


@ttkit.jit
def of_many(x, y):
    """Sums after all loads: in the usual order all values are live at once."""
    i = tl.arange(0, 128)
    total = tl.zeros((128,), tl.float32)
    for step in tl.static_range(24):
        total += tl.load(x + i + 128 * step) * tl.load(y + i + 128 * step)
    tl.store(x + i, total)


def test_llvm_orders_instructions_for_few_registers():
    signature = {"x": "*fp32", "y": "*fp32"}
    usual, few = (compiled(of_many, signature, 90, **given)["ptx"] for given in ({}, {"sched4reg": True}))
    assert usual != few and usual.count("ld.global") == few.count("ld.global")


@ttkit.jit
def copies_a_block(x, y, stride, start):
    rows = tl.make_tensor_descriptor(x, (8, 32), (stride, 1), (8, 8))
    i, j = tl.arange(0, 8)[:, None], tl.arange(0, 8)[None, :]
    tl.store(y + i * 8 + j, rows.load([0, start]))


@pytest.mark.usefixtures("interpreted")
def test_strides_that_are_not_aligned_are_found(monkeypatch):
    monkeypatch.setenv("TRITON_INSTRUMENTATION_MODE", "iisan")
    x, y = np.arange(320, dtype=np.float32), np.zeros(64, np.float32)
    copies_a_block[(1,)](x, y, 36, 0)
    assert (y.reshape(8, 8) == x[:288].reshape(8, 36)[:, :8]).all()
    with pytest.raises(Exception, match="Tensor descriptor strides must be 16-byte aligned"):
        copies_a_block[(1,)](x, y, 33, 0)


@pytest.mark.parametrize("ctas", [1, 2])
def test_programs_take_the_work_of_others(ctas):
    """The loop around the kernel is one of those that later passes act on: what does not change is outside of it."""
    made = compiled(scale, SCALE, 100, clc=True, num_ctas=ctas)
    assert "clusterlaunchcontrol.try_cancel" in made["ptx"] and made["cubin"]
    before, loop = made["ttgir"].split("scf.while")
    assert "tt.make_range" in before and "tt.make_range" not in loop and "ttng.wait_barrier" in loop
    with pytest.raises(ValueError, match="clc=True requires NVIDIA SM100"):
        compiled(scale, SCALE, 90, clc=True)


def test_fusion_is_forced_off(monkeypatch):
    assert "fma.rn.f32" in compiled(fused, {"x": "*fp32"})["ptx"]
    monkeypatch.setenv("TRITON_FORCE_DISABLE_FP_FUSION", "1")
    assert not CompileOptions.parse({"enable_fp_fusion": True}, 90).enable_fp_fusion
    assert CompileOptions.parse({}, 90).enable_fp_fusion is ttkit.knobs.language.fp_fusion_enabled(None) is False


@ttkit.jit
def fused(x):
    i = tl.arange(0, 128)
    value = tl.load(x + i)
    tl.store(x + i, value * value + value)
