"""Options and environment variables of a compilation, each by what it changes."""

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

import ttkit
import ttkit.language as tl
from ttkit.language.extra import libdevice


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


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))


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
