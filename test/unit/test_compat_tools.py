"""`triton.tools.LinearLayout`, C modules, and the names of `triton._C.libtriton`."""

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ttkit import knobs

pytestmark = pytest.mark.usefixtures("installed")


def test_names_that_packages_ask_for(monkeypatch, tmp_path):
    import triton
    from triton.testing import _summarize_statistics
    from triton.tools.disasm import extract

    monkeypatch.setattr("ttkit.compat.disasm.sass", lambda cubin: f".section .text.add\n{cubin!r}\n")
    cubin = tmp_path / "add.cubin"
    cubin.write_bytes(b"code")
    assert "b'code'" in extract(str(cubin), "add")
    assert os.path.isfile(triton.__file__)
    assert _summarize_statistics([1.0, 2.0, 4.0], [0.5, 0], "mean") == [2.0, 1.0]


def linear_layout():
    from triton.tools import LinearLayout

    return LinearLayout


def warp():
    """Two lane bits along dim0, two register bits along dim1."""
    bases = [("register", [[0, 1], [0, 2]]), ("lane", [[1, 0], [2, 0]])]
    return linear_layout().from_bases(bases, ["dim0", "dim1"])


def test_a_layout_as_triton_shows_it():
    layout = warp()
    assert layout.bases == [("register", [[0, 1], [0, 2]]), ("lane", [[1, 0], [2, 0]])]
    assert layout.out_dims == [("dim0", 4), ("dim1", 4)]
    assert (layout.num_in_dims, layout.num_out_dims) == (2, 2)
    assert layout.get_in_dim_names() == ["register", "lane"]
    assert layout.get_out_dim_names() == ["dim0", "dim1"]
    assert layout.get_matrix_view() == [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]
    assert str(layout) == (
        "\n - register=1 -> (0, 1)\n   register=2 -> (0, 2)\n - lane=1 -> (1, 0)\n   lane=2 -> (2, 0)\n"
        "where out dims are: [dim0 (size 4), dim1 (size 4)]"
    )
    with pytest.raises(TypeError, match="unhashable"):
        hash(layout)


def test_layouts_in_one_dimension():
    layouts = linear_layout()
    assert layouts.identity_1d(8, "a", "b").bases == [("a", [[1], [2], [4]])]
    assert layouts.strided_1d(8, 2, "a", "b").out_dims == [("b", 16)]
    assert layouts.zeros_1d(8, "a", "b").out_dims == [("b", 1)]
    assert layouts.zeros_1d(8, "a", "b", 4).out_dims == [("b", 4)]
    assert layouts.from_bases([("a", [])], ["b"]).bases == [("a", [])]
    with pytest.raises(ValueError, match="power"):
        layouts.identity_1d(3, "a", "b")


def test_algebra():
    layouts, layout = linear_layout(), warp()
    eight = layouts.identity_1d(8, "a", "b")
    assert (eight * layouts.identity_1d(2, "c", "b")).bases == [("a", [[1], [2], [4]]), ("c", [[8]])]
    assert eight.compose(layouts.identity_1d(8, "b", "c")) == layouts.identity_1d(8, "a", "c")
    assert eight.invert() == eight.pseudoinvert() == layouts.identity_1d(8, "b", "a")
    assert eight.invert_and_compose(eight) == layouts.identity_1d(8, "a", "a")
    assert layout.apply({"register": 3, "lane": 1}) == {"dim0": 1, "dim1": 3}
    assert layout.invert().apply({"dim0": 1, "dim1": 3}) == {"register": 3, "lane": 1}
    assert layout.is_surjective() and layout.is_injective() and layout.is_invertible()
    with pytest.raises(ValueError, match="Dimensions must match"):
        layout.apply({"register": 1})
    with pytest.raises(ValueError, match="surjective and square"):
        layouts.zeros_1d(8, "a", "b").invert()


def test_surjectivity_is_required_unless_asked_otherwise():
    layouts = linear_layout()
    with pytest.raises(ValueError, match="expected to be surjective"):
        layouts.from_bases([("a", [[0], [2]])], ["b"])
    loose = layouts.from_bases([("a", [[1], [2]])], ["b"], [8], False)
    assert loose.out_dims == [("b", 8)] and not loose.is_surjective()


SOURCE = """
#include <Python.h>
static PyObject *answer(PyObject *self, PyObject *args) { return PyLong_FromLong(42); }
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, 0}, {0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "made", 0, -1, methods};
PyMODINIT_FUNC PyInit_made(void) { return PyModule_Create(&module); }
"""


@pytest.mark.skipif(not (shutil.which("gcc") or shutil.which("clang")), reason="needs a C compiler")
def test_a_c_module(tmp_path, monkeypatch):
    from triton.runtime.build import compile_module_from_src

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    assert compile_module_from_src(src=SOURCE, name="made").answer() == 42
    monkeypatch.setenv("CC", "/no/such/compiler")
    assert compile_module_from_src(src=SOURCE, name="made").answer() == 42  # from the cache


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("g++")), reason="needs C and C++ compilers")
def test_modules_and_libraries_of_files(tmp_path, monkeypatch):
    from triton.runtime.build import compile_module_from_file, compile_so_from_file, compile_so_from_src

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "answer.h").write_text("#define ANSWER 42\n")
    (tmp_path / "made.c").write_text(SOURCE.replace("(42)", "(ANSWER)").replace("\n", '\n#include "answer.h"\n', 1))
    assert compile_module_from_file(str(tmp_path / "made.c"), "made").answer() == 42
    (tmp_path / "one.cpp").write_text('struct One { int value = 1; }; extern "C" int one() { return One{}.value; }\n')
    path = compile_so_from_file(str(tmp_path / "one.cpp"), "one", ccflags=["-DNDEBUG"])
    assert ctypes.CDLL(path).one() == 1
    again = 'extern "C" int one() { return int{1}; }'
    assert ctypes.CDLL(compile_so_from_src(again, "one", language="c++")).one() == 1
    with pytest.raises(ValueError, match=r"Unrecognized file extension: .*x.f90"):
        compile_so_from_file("x.f90", "x")
    with pytest.raises(ValueError, match="language must be one of"):
        compile_so_from_src("", "x", language="f")


def test_a_c_module_by_another_builder(tmp_path, monkeypatch):
    from triton.runtime.build import compile_module_from_src

    def refuse(*given):
        raise RuntimeError(f"asked for {given[0]}")

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(knobs.build, "impl", refuse)
    with pytest.raises(RuntimeError, match="asked for made"):
        compile_module_from_src(src="", name="made")


def test_names_of_the_extension(monkeypatch):
    from triton._C.libtriton import getenv, getenv_bool, ir, native_specialize_impl, nvidia
    from triton._C.libtriton.linear_layout import LinearLayout

    monkeypatch.setenv("A_NAME", "ON")
    assert (getenv("A_NAME"), getenv("NO_NAME", "x")) == ("ON", "x")
    assert getenv_bool("A_NAME", False) and getenv_bool("NO_NAME", True) and not getenv_bool("NO_NAME", False)
    assert LinearLayout is linear_layout()
    assert native_specialize_impl(None, 16) == ("i32", "D")
    assert nvidia and ir.parse_mlir_module


def test_where_to_find_headers_and_libraries():
    from triton.backends.nvidia.driver import include_dirs, libdevice_dir, libraries, library_dirs

    assert isinstance(include_dirs, list) and libraries == ["libcuda.so.1"]
    assert library_dirs()[0] == libdevice_dir


def test_tools_are_scripts_in_a_folder(tmp_path):
    """`triton.tools.__path__` says where: programs run them with any interpreter."""
    import triton.tools

    (folder,) = triton.tools.__path__
    (tmp_path / "kernels.py").write_text(
        "import triton\nimport triton.language as tl\n\n\n"
        "@triton.jit\ndef fill(x, value, N: tl.constexpr):\n    tl.store(x + tl.arange(0, N), value)\n"
    )

    def run(tool, *arguments):
        command = [sys.executable, str(Path(folder) / tool), *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    sizes = (("16", "n16"), ("32", "n32"))
    for size, out in sizes:
        signature = f"*fp32:16, fp32, {size}"
        run("compile.py", "-n", "fill", "-s", signature, "-g", "1,1,1", "-t", "cuda:90:32", "-o", out, "kernels.py")
    run("link.py", *(path.name for path in tmp_path.glob("n*.h")), "-o", "linked")
    assert "fill_default" in (tmp_path / "linked.h").read_text()
