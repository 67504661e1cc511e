"""Kernels as C: what the functions ask the driver for, what compilers and ASan say of them, errors."""

import ctypes
import importlib.util
import os
import re
import shutil
import struct
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from ttkit.aot.dispatcher import Dispatcher, LinkerError
from ttkit.aot.dispatcher import read_header as read_header_text
from ttkit.aot.kernel_file import KernelFileError, load_kernel
from ttkit.aot.signature import split_items
from ttkit.cuda_toolkit import toolkit_file
from ttkit.drivers import toolkit
from ttkit.tools import compile as compile_tool
from ttkit.tools import link as link_tool

KERNELS = Path(__file__).with_name("ahead_of_time_kernels.py")
HEADERS = str(Path(toolkit_file("include", "cuda.h") or "").parent)
STRICT = ("-Wall", "-Wextra", "-Werror", "-O1", "-isystem", HEADERS)
ADD = "*fp32, *fp32, *fp32, i32, 1024"
ALIGNED_ADD = "*fp32:16, *fp32:16, *fp32:16, i32:16, 1024"
ADD_GRID = "(n + BLOCK - 1) / BLOCK"


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield
    from ttkit import compat

    compat.uninstall()


def aot(folder, name, grid, *signatures, target="sm_90a", more=()):
    """Runs `ttkit aot`: folder/name.c and the files beside it."""
    each = [word for one in signatures for word in ("--signature", one)]
    command = ["aot", str(KERNELS), "-n", name, "-g", grid, *each, "-t", target, "-o", str(folder / name), *more]
    with pytest.raises(SystemExit) as end:
        toolkit.main(command)
    if end.value.code:
        raise AssertionError(end.value.code)


def build(folder, name, driver):
    """The shared library of folder/name.c."""
    path = folder / f"lib{name}.so"
    link = [f"-L{driver.path.parent}", "-l:libcuda.so.1", f"-Wl,-rpath,{driver.path.parent}"]
    subprocess.run(
        ["gcc", *STRICT, "-shared", "-fPIC", folder / f"{name}.c", "-o", path, *link, "-lpthread"], check=True
    )
    return path


def python_kernel(folder, name, driver=None):
    """The kernel by the Python module that was written.

    driver: what the shared library is linked with, if there is none yet.
    """
    library = build(folder, name, driver) if driver else folder / f"lib{name}.so"
    spec = importlib.util.spec_from_file_location(f"made_{name}", folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, module.load(str(library))


@pytest.fixture(scope="module")
def add_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("add")
    more = ("--cpp", "--python", "--num-warps", "4,8")
    one = "*fp32, *fp32, *fp32, i32:1, 1024"
    aot(folder, "add", ADD_GRID, ALIGNED_ADD, ADD, one, target="sm_80,sm_90a,sm_120", more=more)
    return folder


@pytest.fixture
def add(add_folder, gpu):
    gpu.lib.fake_set_context(0xC000)
    gpu.expect(8, 8, 8, 4, 8, 8)
    if not (add_folder / "libadd.so").exists():
        build(add_folder, "add", gpu)
    module, kernel = python_kernel(add_folder, "add")
    kernel.unload()  # what a test before loaded
    return module, kernel


def test_the_variant_is_chosen_by_the_arguments(add, gpu):
    _, kernel = add
    kernel(0, 4096, 8192, 12288, 2048)
    kernel(0, 4096, 8192, 12288, 2048, algorithm=1)
    kernel(0, 4096, 8192, 12292, 2048)
    kernel(0, 4096, 8192, 12288, 2049)
    gpu.expect(8, 8, 8, 8, 8)  # without n
    kernel(0, 4096, 8192, 12288, 1)
    kernel(0, 4096, 8192, 12288, 0)
    first, eight, unaligned, odd, one = gpu.launches
    assert first.grid == (2, 1, 1) and first.block == (128, 1, 1) and eight.block == (256, 1, 1)
    assert struct.unpack("<QQQiQQ", first.arguments) == (4096, 8192, 12288, 2048, 0, 0)
    assert odd.grid == (3, 1, 1) and odd.function == unaligned.function != first.function
    assert one.grid == (1, 1, 1) and one.function not in (odd.function, first.function)
    assert struct.unpack("<QQQQQ", one.arguments) == (4096, 8192, 12288, 0, 0)
    assert gpu.loads == 4


def test_errors_are_returned(add, gpu):
    module, kernel = add
    gpu.fail("cuLibraryLoadData", 2)
    with pytest.raises(module.Error, match=r"^add: CUDA error 2$"):
        kernel(0, 4096, 8192, 12288, 2048)
    gpu.fail("cuLaunchKernel", 700)
    with pytest.raises(module.Error, match="700"):
        kernel(0, 4096, 8192, 12288, 2048)
    gpu.fail("", 0)
    for bad in (2, -1):
        with pytest.raises(module.Error, match=r"error 1$"):
            kernel(0, 4096, 8192, 12288, 2048, algorithm=bad)
    gpu.lib.fake_set_context(0)
    with pytest.raises(module.Error, match=r"error 201$"):  # no context
        kernel(0, 4096, 8192, 12288, 2048)
    gpu.lib.fake_set_context(0xC000)
    kernel(0, 4096, 8192, 12288, 2048)
    assert len(gpu.launches) == 1


def test_a_gpu_without_code_is_refused(add, gpu):
    module, kernel = add
    gpu.limits(capability=75)
    with pytest.raises(module.Error, match=r"error 209$"):
        kernel(0, 4096, 8192, 12288, 2048)
    gpu.limits(capability=86)  # by the code for sm_80
    kernel(0, 4096, 8192, 12288, 2048)
    assert len(gpu.launches) == 1
    kernel.unload()
    gpu.limits(capability=100)
    with pytest.raises(module.Error, match=r"error 209$"):
        kernel.load()


def test_several_devices_share_what_is_loaded(add, gpu):
    _, kernel = add
    kernel(0, 4096, 8192, 12288, 2048)
    gpu.lib.fake_set_context(0xC001)
    kernel(0, 4096, 8192, 12288, 2048)
    gpu.lib.fake_set_stream_context(0xC000)  # a stream of another context than the current one
    kernel(77, 4096, 8192, 12288, 2048)
    assert [launch.context for launch in gpu.launches] == [0xC000, 0xC001, 0xC001]
    assert gpu.launches[2].stream == 77 and gpu.loads == 1
    kernel.unload()
    assert gpu.lib.fake_unloads() >= 1


def test_threads_load_once(add, gpu):
    _, kernel = add

    def work():
        gpu.lib.fake_set_context(0xC000)
        for _ in range(50):
            kernel(0, 4096, 8192, 12288, 2048)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(gpu.launches) == 400 and gpu.loads == 1


def test_scalars_of_every_type(tmp_path, gpu):
    types = "*fp64, i32, i8, i64, u1, fp16, bf16, fp32, fp64, 7, u16"
    aot(tmp_path, "numbers", "1", types, more=("--python",))
    _, kernel = python_kernel(tmp_path, "numbers", gpu)
    gpu.lib.fake_set_context(0xC000)
    gpu.expect(8, 4, 1, 8, 1, 2, 2, 4, 8, 2, 8, 8)
    kernel(0, 4096, -5, -3, 1 << 40, 2, 1.0009765, 3.14159, 0.1, 0.1, 65535)
    (launch,) = gpu.launches
    found = struct.unpack("<QibqBeHfdHQQ", launch.arguments)
    assert found[:5] == (4096, -5, -3, 1 << 40, 1) and found[7:] == (np.float32(0.1), 0.1, 65535, 0, 0)
    assert found[5] == np.float16(1.0009765) and found[6] == 0x4049


@pytest.mark.parametrize("kind", ["fp16", "bf16"])
def test_halves_round_as_numpy_does(kind, add_folder, tmp_path, gpu):
    import ml_dtypes

    text = (add_folder / "add.c").read_text()
    (tmp_path / "half.c").write_text(f"{text}\nuint16_t half(double value) {{ return tt_{kind}(value); }}\n")
    half = ctypes.CDLL(str(build(tmp_path, "half", gpu))).half
    half.argtypes, half.restype = [ctypes.c_double], ctypes.c_uint16
    dtype = np.float16 if kind == "fp16" else ml_dtypes.bfloat16
    bits = np.arange(1 << 16, dtype=np.uint16)
    every = bits.view(dtype)
    with np.errstate(invalid="ignore"):
        every = every[every == every].astype(np.float32).astype(np.float64)  # no NaN
    random = np.random.default_rng(0).standard_normal(5000) * np.exp2(np.random.default_rng(1).integers(-28, 18, 5000))
    between = (every[:-1] + every[1:]) / 2
    values = np.concatenate(
        [every, between, np.nextafter(between, np.inf), random, [65519.999, 65520.0, 1e300, -1e300]]
    )
    values = values[~np.isnan(values)]
    with np.errstate(over="ignore"):
        if kind == "bf16":
            values = values.astype(np.float32).astype(np.float64)  # which it goes by way of
        expected = values.astype(np.float32).astype(dtype) if kind == "bf16" else values.astype(dtype)
    assert [half(value) for value in values] == expected.view(np.uint16).tolist()


def test_descriptors_are_encoded_where_the_code_takes_tensor_maps(tmp_path, gpu):
    tile = "tensordesc<fp16[64,64]>"
    aot(tmp_path, "copy_tile", "8", f"{tile}, {tile}, 64", target="sm_80,sm_90a", more=("--python", "--cpp"))
    assert (
        "int64_t source_shape_0, int64_t source_shape_1, int64_t source_stride_0"
        in (tmp_path / "copy_tile.h").read_text()
    )
    _, kernel = python_kernel(tmp_path, "copy_tile", gpu)
    gpu.lib.fake_set_context(0xC000)
    arguments = (0, 4096, 512, 64, 64, 1, 8192, 512, 64, 64, 1)
    gpu.expect(128, 4, 4, 8, 8, 128, 4, 4, 8, 8, 8, 8)
    kernel(*arguments)
    kernel.unload()
    gpu.limits(capability=80)
    gpu.expect(8, 8, 8, 8, 8, 1, 4, 4, 8, 8, 8, 8, 8, 8, 8, 1, 4, 4, 8, 8, 8, 8)
    kernel(*arguments)
    by_map, by_pointer = gpu.launches
    assert gpu.tensor_maps == 2
    assert struct.unpack("<4Q", by_map.arguments[:32])[2:] == (2, 4096)
    assert struct.unpack("<iiqq", by_map.arguments[128:152]) == (512, 64, 64, 1)
    assert struct.unpack("<5QB", by_pointer.arguments[:41]) == (4096, 512, 64, 64, 1, 0)


def test_clusters_and_dependent_launches(tmp_path, gpu):
    options = ("--python", "--option", "num_ctas=2", "--option", "launch_pdl=True")
    aot(tmp_path, "clustered", "n, 3", "*i32, i32", more=options)
    _, kernel = python_kernel(tmp_path, "clustered", gpu)
    gpu.lib.fake_set_context(0xC000)
    kernel(0, 4096, 5)
    (launch,) = gpu.launches
    assert launch.grid == (10, 3, 1) and launch.attributes[4][:3] == [2, 1, 1] and launch.attributes[6][0] == 1


def test_autotuned_kernels_are_found(tmp_path):
    aot(tmp_path, "tuned", "1", "*i32, i32, 128")
    assert (tmp_path / "tuned.c").exists()


# --- as Triton's tools -----------------------------------------------------------------------------------------------


def compile_variant(folder, signature, *more, name="add", grid="(n + 1023) / 1024, 1, 1"):
    words = [str(KERNELS), "-n", name, "-s", signature, "-g", grid, "-t", "cuda:90:32", "-o", str(folder / name)]
    compile_tool.main([*words, *more])


def test_names_and_interface_are_those_of_tritons_tools(tmp_path):
    """Names, hashes and declarations as Triton 3.6 wrote them for these command lines."""
    compile_variant(tmp_path, ALIGNED_ADD, "-w", "4")
    compile_variant(tmp_path, ADD, "-w", "4")
    compile_variant(tmp_path, "*fp32, *fp32, *fp32, i32:1, 1024", "-w", "4", grid="1,1,1")
    names = {path.name for path in tmp_path.iterdir()}
    stems = ("add.01feb3de_0d1d2d3d4", "add.1b4691f3_01234", "add.ca7f6883_0123c4")
    assert names == {f"{stem}{suffix}" for stem in stems for suffix in (".c", ".h")}
    header = (tmp_path / "add.ca7f6883_0123c4.h").read_text()
    parameters = "CUdeviceptr x, CUdeviceptr y, CUdeviceptr out"
    assert f"// tt-linker: add_ca7f6883_0123c4:{parameters}, int32_t n:1024x1_warps4xstages3\n" in header
    assert f"CUresult add_ca7f6883_0123c4(CUstream stream, {parameters});" in header
    link_tool.main([*sorted(str(path) for path in tmp_path.glob("*.h")), "-o", str(tmp_path / "all")])
    linked = (tmp_path / "all.h").read_text()
    for declared in (
        f"CUresult add_1024_warps4xstages3(CUstream stream, {parameters}, int32_t n);",
        f"CUresult add_1024x1_warps4xstages3(CUstream stream, {parameters}, int32_t n);",
        f"CUresult add_default(CUstream stream, {parameters}, int32_t n);",
        f"CUresult add(CUstream stream, {parameters}, int32_t n, int algo_id);",
        "int add_get_num_algos(void);",
    ):
        assert declared in linked


def test_a_constant_in_the_middle_shifts_no_hint(tmp_path):
    signature = "*fp64, i32:16, i8, i64, u1, fp16, bf16, fp32, fp64, 7, u16:16, 0.5"
    compile_variant(tmp_path, signature, name="numbers", grid="1,1,1")
    (path,) = tmp_path.glob("*.h")
    (found,) = read_header_text(path.read_text(), str(path))
    hints = {parameter.name: hint for parameter, hint in zip(found.parameters, found.hints) if hint}
    assert hints == {"stream_": 16, "last": 16}
    assert found.algorithm == "7x0p5_warps1xstages3"


MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
#include "all.h"
#include "copy_tile.h"
void fake_set_context(uint64_t value);
void fake_parameters(int count, const int *sizes);
int fake_launch_count(void);
static void *work(void *unused) {
  fake_set_context(0xC000);
  for (int i = 0; i < 100; ++i)
    if (add_default(NULL, 4096, 8192, 12288, i % 2 ? 2048 : 2049) != CUDA_SUCCESS)
      abort();
  return unused;
}
int main(void) {
  pthread_t threads[4];
  fake_set_context(0xC000);
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  fake_parameters(12, (const int[]){128, 4, 4, 8, 8, 128, 4, 4, 8, 8, 8, 8});
  if (copy_tile_default(NULL, 4096, 512, 64, 64, 1, 8192, 512, 64, 64, 1) != CUDA_SUCCESS)
    abort();
  unload_copy_tile();
  printf("%d %d %d\\n", fake_launch_count(), add(NULL, 0, 0, 0, 1, 7), unload_add());
  return 0;
}
"""


@pytest.mark.parametrize("checker", ["-fsanitize=address,undefined", "-fsanitize=thread", "valgrind"])
def test_a_c_program_runs_clean(tmp_path, checker, fake_driver_library):
    """No bad access, race or leak, with threads that load and launch, and with tensor maps."""
    compile_variant(tmp_path, ALIGNED_ADD)
    compile_variant(tmp_path, ADD)
    link_tool.main([*(str(path) for path in tmp_path.glob("*.h")), "-o", str(tmp_path / "all")])
    aot(tmp_path, "copy_tile", "8", "tensordesc<fp16[64,64]>, tensordesc<fp16[64,64]>, 64")
    (tmp_path / "main.c").write_text(MAIN)
    sources = [*tmp_path.glob("*.c"), Path(__file__).parent / "fake_driver" / "libcuda.c"]
    lax = [flag for flag in STRICT if flag not in ("-Wall", "-Wextra", "-Werror")]
    for source in sources[:-1]:
        strict = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", *STRICT]
        subprocess.run(["gcc", *strict, "-c", source, "-o", "/dev/null"], check=True)
    program, under = tmp_path / "program", []
    flags = [checker, "-fno-sanitize-recover=all"]
    if checker == "valgrind":
        if shutil.which("valgrind") is None:
            pytest.skip("valgrind is not installed")
        flags, under = [], ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=all"]
        under += ["--errors-for-leak-kinds=all", "--track-origins=yes"]
    built = subprocess.run(
        ["gcc", "-g", *lax, *flags, *sources, "-o", program, "-lpthread"], capture_output=True, check=False
    )
    if built.returncode and flags:
        pytest.skip(f"gcc has no {checker}")
    run = subprocess.run([*under, program], capture_output=True, text=True, check=False)
    if "unexpected memory mapping" in run.stderr:
        pytest.skip("ThreadSanitizer does not run on this kernel")
    assert (run.returncode, run.stdout) == (0, "401 1 0\n"), run.stderr


def test_the_files_are_cpp_too_and_the_wrapper_throws(add_folder, tmp_path, gpu):
    main = tmp_path / "main.cpp"
    main.write_text(
        """
#include <cstdio>
#include "add.hpp"
extern "C" void fake_set_context(unsigned long long value);
int main() {
  fake_set_context(0xC000);
  float *x = reinterpret_cast<float *>(4096);
  ttkit::add::load();
  ttkit::add::launch(nullptr, x, x, x, 2048);
  try {
    ttkit::add::launch(nullptr, x, x, x, 2048, 5);
  } catch (const ttkit::Error &error) {
    std::printf("%d %s\\n", error.code, error.what());
  }
  ttkit::add::unload();
}
"""
    )
    link = [f"-L{gpu.path.parent}", "-l:libcuda.so.1", f"-Wl,-rpath,{gpu.path.parent}", "-lpthread"]
    program = tmp_path / "program"
    sources = ["-x", "c++", main, add_folder / "add.c"]
    subprocess.run(["g++", "-std=c++17", *STRICT, f"-I{add_folder}", *sources, "-o", program, *link], check=True)
    run = subprocess.run([program], capture_output=True, text=True, check=True)
    assert run.stdout == "1 add: CUDA_ERROR_FAKE, a reason\n"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
def test_a_cmake_project_compiles_kernels(tmp_path, gpu):
    (tmp_path / "CMakeLists.txt").write_text(
        f"""
cmake_minimum_required(VERSION 3.20)
project(example C)
find_package(ttkit REQUIRED)
ttkit_add_kernel(add SOURCE "{KERNELS}"
  SIGNATURES "{ALIGNED_ADD}" "{ADD}" GRID "{ADD_GRID}" TARGETS sm_80 sm_90a NUM_WARPS 4 8 OPTIONS maxnreg=64)
add_executable(program main.c)
target_link_libraries(program PRIVATE add)
"""
    )
    (tmp_path / "main.c").write_text('#include "add.h"\nint main(void) { return add_get_num_algos() != 2; }\n')
    ttkit = Path(sys.executable).with_name("ttkit")
    folder = subprocess.run([ttkit, "aot", "--cmake-dir"], capture_output=True, text=True, check=True).stdout.strip()
    given = [f"-DCMAKE_PREFIX_PATH={folder}", f"-DTTKIT_EXECUTABLE={ttkit}", f"-DTTKIT_LIBCUDA={gpu.path}"]
    subprocess.run(["cmake", "-S", tmp_path, "-B", tmp_path / "build", *given], check=True, capture_output=True)
    subprocess.run(["cmake", "--build", tmp_path / "build"], check=True, capture_output=True)
    subprocess.run([tmp_path / "build" / "program"], check=True)


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "signature", "said"),
    [
        ("sub", ADD, r"has no kernel sub; it has add, numbers, copy_tile, clustered"),
        ("add", "*fp32", "kernel add has the parameters x, y, out, n, BLOCK; the signature says nothing of y"),
        ("add", f"{ADD}, 3", "the signature has 6 items"),
        ("add", "*fp32, *fp32, *fp32, i32, i32", "parameter BLOCK: it is a constexpr, so it needs a value"),
        ("add", "*fp32, *fp32, *fp32, number, 1024", "parameter n: 'number' is neither a type nor a value"),
        ("add", "*fp32, *fp32, *fp32, i32:8, 1024", "parameter n: a hint is 1 or 16, found '8'"),
        ("add", "*fp32:1, *fp32, *fp32, i32, 1024", "parameter x: only an integer can be known to be 1"),
        ("add", "*fp32, *fp32, *fp32, i32, 1000", "arange's range must be a power of 2"),
    ],
)
def test_mistakes_have_a_message(name, signature, said, tmp_path):
    with pytest.raises(SystemExit, match=f"^error: (.|\n)*{re.escape(said)}"):
        compile_variant(tmp_path, signature, name=name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("-t", "hip:gfx942:64"), "it compiles for NVIDIA's GPUs"),
        (("-t", "cuda:90:64"), "have 32 threads"),
        (("-t", "cuda:81"), "unknown target"),
        (("-on", "9add"), "'9add' is not a name in C"),
        (("-g", ""), "--grid: a grid is one to three expressions, found none"),
        (("-g", "1,2,3,4"), "one to three expressions, found 4"),
        (("-o", "/no/such/folder/add"), "No such file or directory"),
        (("-w", "3"), "num_warps must be a power of 2"),
    ],
)
def test_mistakes_of_the_command_line(more, said, tmp_path):
    with pytest.raises(SystemExit, match=f"^error: (.|\n)*{re.escape(said)}"):
        compile_variant(tmp_path, ADD, *more)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("grid", "said", "caret"),
    [
        ("m", "'m' is not a parameter of add; it has BLOCK, n", 0),
        ("n / BLOK", "'BLOK' is not a parameter of add; did you mean 'BLOCK'?", 4),
        ("n +", "expected a number, a parameter or a constant; found the end", 3),
        ("(n + 1", "expected ')'", 6),
        ("n)", "')' comes after the end of the expression", 1),
        ("cdiv(n, 4)", "'cdiv' is a function, which the C file does not have", 0),
        ("n; exit(0)", "';' has no place in a grid", 1),
        ("1, n[0]", "'[' has no place in a grid", 1),
        ("3n", "'3n' has no place in a grid", 0),
        ("x", "'x' is a pointer", 0),
        ("n++", "expected a number, a parameter or a constant; found the end", 3),
        ("n % 0.5", "'%' takes integers, found a floating-point operand", 2),
        ("n / 0", "division by zero", 2),
        ("n ? 1", "'?' needs ':' and a second value", 5),
        ("0", "a grid has 1 to 2147483647 programs in this dimension, found 0", 0),
        ("-1", "programs in this dimension, found -1", 0),
        ("1.5", "programs in this dimension, found 1.5", 0),
        ("BLOCK / 2048", "programs in this dimension, found 0", 0),
        ("(1 << 4) - 17 % 9 * 2", "programs in this dimension, found 0", 0),
    ],
)
@pytest.mark.parametrize("tool", ["ttkit aot", "ttkit.tools.compile"])
def test_a_grid_that_is_not_c_is_refused_at_the_word(tool, grid, said, caret, tmp_path):
    with pytest.raises(SystemExit) as end:
        if tool == "ttkit aot":
            toolkit.main(
                ["aot", str(KERNELS), "-n", "add", "-g", grid, "-s", ADD, "-t", "90", "-o", str(tmp_path / "a")]
            )
        else:
            compile_variant(tmp_path, ADD, "-g", grid)
    message, line, below = str(end.value.code).splitlines()
    assert message.startswith("error: --grid: ") and said in message
    assert below.index("^") == 2 + caret and line[2:] in (grid, "n[0]")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "grid", ["(n + BLOCK - 1) / BLOCK", "(int64_t)n << 2, ~n & 0x7u", "n < 4 ? n : 1e3, 1, -n * 2L"]
)
def test_a_grid_in_c_compiles(grid, tmp_path):
    aot(tmp_path, "add", grid, ADD)
    subprocess.run(["gcc", *STRICT, "-fsyntax-only", tmp_path / "add.c"], check=True)


def test_sources_that_the_c_compiler_refuses_are_not_written(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "false")
    with pytest.raises(AssertionError, match=r"^error: false does not compile add\.c"):
        aot(tmp_path, "add", ADD_GRID, ADD)
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("CC", "no-such-compiler")  # a machine without one
    aot(tmp_path, "add", ADD_GRID, ADD)


def test_what_was_written_is_said_and_a_missing_gpu_names_the_option(tmp_path, monkeypatch, capsys):
    words = ["aot", str(KERNELS), "-n", "add", "-g", "n", "-s", ADD, "-o", str(tmp_path / "a")]
    with pytest.raises(SystemExit) as end:
        toolkit.main([*words, "-t", "90"])
    assert end.value.code == 0
    assert f"wrote {tmp_path / 'a.h'}, {tmp_path / 'a.c'}\n" in capsys.readouterr().err

    def no_gpu():
        raise RuntimeError("no driver")

    monkeypatch.setattr("ttkit.drivers.aot.current_target", no_gpu)
    with pytest.raises(SystemExit) as end:
        toolkit.main(words)
    assert str(end.value.code).endswith("name GPUs, such as --target sm_90")


def test_the_kernels_own_file_is_not_overwritten(tmp_path, monkeypatch):
    """And nothing is left beside it, also where Python keeps compiled copies of modules."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "add.py"
    path.write_text(KERNELS.read_text())
    command = ["aot", str(path), "-n", "add", "-g", "1", "--signature", ADD, "-t", "80", "-o", str(tmp_path / "add")]
    with pytest.raises(SystemExit, match="would be overwritten"):
        toolkit.main([*command, "--python"])
    assert path.read_text() == KERNELS.read_text() and list(tmp_path.iterdir()) == [path]


def test_a_file_that_fails_is_named_with_its_line(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import triton\n\n1 / 0\n")
    with pytest.raises(SystemExit, match=r"^error: .*broken.py:3: ZeroDivisionError: division by zero"):
        compile_tool.main([str(path), "-n", "k", "-s", "i32", "-g", "1,1,1", "-t", "sm_90"])


def test_kernels_are_linked_together(tmp_path):
    for signature in (ADD, ALIGNED_ADD):
        compile_variant(tmp_path, signature)
    compile_variant(tmp_path, "*i32, i32", name="clustered", grid="1, 1, 1")
    link_tool.main([*(str(path) for path in sorted(tmp_path.glob("*_*.h"))), "-o", str(tmp_path / "all")])
    (tmp_path / "main.c").write_text(
        '#include "all.h"\nint main(void) { clustered_default(0, 0, 1); return add(0, 0, 0, 0, 1, 7); }\n'
    )
    for source in ("all.c", "main.c"):
        subprocess.run(["gcc", *STRICT, "-c", tmp_path / source, "-o", "/dev/null"], check=True)
    with pytest.raises(LinkerError, match="must be of one kernel, found none"):
        Dispatcher.link([])


def test_other_headers_are_not_linked(tmp_path):
    (tmp_path / "other.h").write_text("int x;\n")
    with pytest.raises(LinkerError, match="no header of a kernel"):
        read_header_text("int x;\n", "other.h")
    with pytest.raises(SystemExit, match=r"other\.h: no header"):
        link_tool.main([str(tmp_path / "other.h"), "-o", str(tmp_path / "all")])


def test_items_end_at_commas_outside_of_brackets():
    assert split_items("tensordesc<fp16[64,64]>, 'a,b', i32") == ["tensordesc<fp16[64,64]>", "'a,b'", "i32"]
    assert split_items(" ") == []


def test_the_tools_run_under_tritons_names(tmp_path):
    command = [sys.executable, "-m", "ttkit.compat", "-m", "triton.tools.compile", "--help"]
    assert "--kernel-name" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_script_that_launches_needs_no_gpu(tmp_path):
    script = tmp_path / "launches.py"
    script.write_text(
        "import numpy as np, triton, triton.language as tl\n\n"
        "@triton.jit\ndef fill(out, B: tl.constexpr):\n    tl.store(out + tl.arange(0, B), 1.0)\n\n"
        "fill[(1,)](np.empty(16, np.float32), B=16)\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "TTKIT_DEVICE"}
    words = ["aot", str(script), "-n", "fill", "-g", "1", "--signature", "*fp32, 16", "-t", "sm_90"]
    command = [sys.executable, "-m", "ttkit", *words, "-o", str(tmp_path / "fill")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "fill.c").is_file()


def test_members_of_classes_are_kernels(tmp_path):
    path = tmp_path / "members.py"
    kernel = "    @staticmethod\n    @ttkit.jit\n    def kernel(x):\n        return x\n"
    path.write_text(f"import ttkit\n\n\nclass Ops:\n{kernel}")
    assert load_kernel(path, "Ops.kernel").fn.__qualname__ == "Ops.kernel"
    with pytest.raises(KernelFileError, match=r"has no kernel kernel; it has Ops\.kernel"):
        load_kernel(path, "kernel")
