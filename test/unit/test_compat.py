"""`import triton` by ttkit: every name of the table, what is missing, processes, scripts."""

import json
import os
import subprocess
import sys
import textwrap
from importlib import import_module, metadata, util
from pathlib import Path

import pytest

from ttkit import compat
from ttkit.compat import finder
from ttkit.compat.missing import MISSING
from ttkit.compat.module_aliases import ALIASES
from ttkit.compat.names import FACADES

SURFACE = json.loads((Path(__file__).parents[1] / "data" / "triton_names.json").read_text())
NEEDS_TORCH = {"triton.tools.mxfp"}


def run(*arguments, env=None, **given):
    environment = {**os.environ, **(env or {})}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, **given)


def run_code(code, **given):
    return run("-m", "ttkit.compat", "-c", textwrap.dedent(code), **given)


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", sorted(set(FACADES) - NEEDS_TORCH))
def test_every_name_is_there(module, installed):
    facade = import_module(module)
    for name, home in FACADES[module].items():
        assert getattr(facade, name) is finder.find(home)


@pytest.mark.parametrize("module", sorted(ALIASES))
def test_aliases_are_the_modules_themselves(module, installed):
    assert import_module(module) is import_module(ALIASES[module])


def test_all(installed):
    import triton

    assert set(triton.__all__) == {*SURFACE["triton.__all__"], "max_shared_mem"}
    for name in triton.__all__:
        assert getattr(triton, name) is not None
    assert set(triton.runtime.__all__) == set(SURFACE["triton.runtime.__all__"])
    for name in triton.runtime.__all__:
        assert getattr(triton.runtime, name) is not None
    assert set(SURFACE["triton.compiler.__all__"]) <= set(triton.compiler.__all__)


def test_what_is_missing_is_missing(installed):
    for name in MISSING:
        assert name not in FACADES and name not in ALIASES
        module, _, attribute = name.rpartition(".")
        assert not attribute or attribute not in FACADES.get(module, {})


def test_attributes_of_packages_are_objects_where_modules_have_the_same_name(installed):
    import triton
    import triton.runtime.driver
    from triton.runtime import driver
    from triton.runtime.driver import driver as same

    assert driver is same is triton.runtime.driver and driver.active is not None
    assert sys.modules["triton.runtime.driver"].driver is driver
    assert callable(triton.jit) and triton.runtime.jit.JITFunction is triton.JITFunction
    assert triton.compiler.compiler.CompiledKernel is triton.compiler.CompiledKernel
    assert callable(triton.compile) and triton.compiler.compile is triton.compile


def test_classes_of_an_aliased_package_stay_where_modules_have_the_same_name(installed):
    profiler, module = import_module("triton.profiler"), import_module("triton.profiler.scope")
    assert isinstance(profiler.scope, type) and profiler.scope is module.scope


def test_classes_are_the_same_everywhere(installed):
    import triton
    import triton.language as tl
    from triton.backends.compiler import GPUTarget
    from triton.compiler.errors import CompilationError
    from triton.runtime.errors import OutOfResources, PTXASError

    import ttkit

    assert GPUTarget is ttkit.GPUTarget and tl.float32 is ttkit.language.float32
    for error in (
        CompilationError,
        OutOfResources,
        PTXASError,
        triton.InterpreterError,
        triton.runtime.errors.AutotunerError,
    ):
        assert issubclass(error, triton.TritonError)
    assert triton.OutOfResources is OutOfResources is triton.runtime.autotuner.OutOfResources


def test_dir(installed):
    import triton

    assert {"jit", "language", "runtime", "backends", "knobs", "errors"} <= set(dir(triton))
    assert {"autotuner", "cache", "driver", "jit", "JITFunction"} <= set(dir(triton.runtime))


# --- what is missing --------------------------------------------------------------------------------------------------


def test_missing_module(installed):
    with pytest.raises(compat.MissingModule, match=r"triton.tools.build_extern is not in ttkit: its libdevice"):
        import triton.tools.build_extern
    with pytest.raises(ImportError, match=r"triton.instruments is not in ttkit: it has no sanitizer passes"):
        from triton import instruments  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match=r"triton.language.extra.hip is not in ttkit"):
        import triton.language.extra.hip  # noqa: F401
    with pytest.raises(ImportError, match="AttrsDescriptor is not in ttkit, which runs here in place of Triton"):
        from triton.compiler.compiler import AttrsDescriptor  # noqa: F401


def test_programs_may_ask_whether_there_is_a_module(installed):
    from triton.language.extra import libdevice

    assert util.find_spec("triton.language") and util.find_spec("triton.experimental")
    assert util.find_spec("triton.instruments") is None and util.find_spec("triton.nothing") is None
    spec = util.find_spec("triton.language.extra.libdevice")
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)  # as xformers looks for a function in the places of several versions
    assert module.rsqrt is libdevice.rsqrt


def test_missing_name(installed):
    import triton

    with pytest.raises(compat.MissingName, match=r"triton.ops is not in ttkit: Triton removed it"):
        _ = triton.ops.matmul
    assert not hasattr(triton.runtime.jit, "create_specialize_impl")
    with pytest.raises(AttributeError):
        _ = triton.__wrapped__


def test_a_real_triton_is_not_mixed_in(monkeypatch):
    from types import ModuleType

    real = ModuleType("triton")
    real.__file__ = "site/triton/__init__.py"
    monkeypatch.setitem(sys.modules, "triton", real)
    with pytest.raises(compat.TritonInUse, match=r"imported already, from site/triton/__init__.py: call"):
        compat.install()


def test_uninstall_leaves_nothing(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    before = list(sys.path), list(sys.meta_path)
    compat.install()
    compat.install()
    import triton  # noqa: F401

    assert os.environ["PYTHONPATH"] == os.pathsep.join([compat.path_for_children(), "elsewhere"])
    compat.uninstall()
    compat.uninstall()
    assert (list(sys.path), list(sys.meta_path)) == before and "triton" not in sys.modules
    assert os.environ["PYTHONPATH"] == "elsewhere"


# --- packages that ask for triton -------------------------------------------------------------------------------------


def test_metadata_and_spec(installed):
    import importlib.metadata
    import importlib.util

    assert metadata.version("triton") == compat.TRITON_VERSION
    assert importlib.util.find_spec("triton") is not None
    assert "triton" in {found.metadata["Name"] for found in importlib.metadata.distributions()}
    backends = importlib.metadata.entry_points(group="triton.backends")
    assert {found.name: found.load().__name__ for found in backends} == {
        "amd": "triton.backends.amd",
        "nvidia": "triton.backends.nvidia",
    }
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        metadata.version("tritonn")


# --- processes and scripts --------------------------------------------------------------------------------------------


def test_children_get_it_too():
    code = """
        import subprocess, sys, triton
        print(triton.__version__)
        child = "import triton, triton.language; print(triton.cdiv(7, 2), triton.language.__name__)"
        print(subprocess.check_output([sys.executable, "-c", child], text=True))
    """
    done = run_code(code)
    assert done.stdout.split() == [compat.TRITON_VERSION, "4", "ttkit.language"], done.stderr


def test_path(tmp_path):
    path = run("-m", "ttkit.compat", "--path").stdout.strip()
    code = "import triton.language as tl, triton; print(tl.float32, triton.__version__)"
    done = run("-c", code, env={"PYTHONPATH": path}, cwd=tmp_path)
    assert done.stdout.split() == ["fp32", compat.TRITON_VERSION], done.stderr


def test_a_python_without_ttkit_says_so():
    path = compat.path_for_children()
    done = run("-S", "-c", "import triton", env={"PYTHONPATH": path})
    assert "this Python has no ttkit: install it" in done.stderr


def test_scripts_see_their_own_name_and_arguments(tmp_path):
    (tmp_path / "beside.py").write_text("VALUE = 5\n")
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, beside, triton\nif __name__ == '__main__':\n"
        "    print(sys.argv, __file__, beside.VALUE, sys.modules['__main__'].beside.VALUE)\n    sys.exit(3)\n"
    )
    done = run("-m", "ttkit.compat", str(script), "a", "-b")
    assert done.returncode == 3 and done.stdout.strip() == f"{[str(script), 'a', '-b']} {script} 5 5", done.stderr
    done = run("-m", "ttkit.compat", "-m", "script", "x", cwd=tmp_path)
    assert done.returncode == 3 and "'x'" in done.stdout


@pytest.mark.parametrize(
    "arguments, code, text",
    [([], 2, "usage"), (["--help"], 0, "usage"), (["no_such.py"], 2, "can't open file"), (["-c"], 2, "usage")],
)
def test_command_line(arguments, code, text):
    done = run("-m", "ttkit.compat", *arguments)
    assert done.returncode == code and text in done.stdout + done.stderr and "Traceback" not in done.stderr


def test_list():
    lines = run("-m", "ttkit.compat", "--list").stdout.splitlines()
    assert "triton.language = ttkit.language" in lines and "    autotune" in lines
    assert "    triton.instruments: it has no sanitizer passes" in lines


def test_import_loads_little():
    """`import triton` loads neither MLIR nor numpy, and of ttkit only the table of names."""
    code = """
        import triton, sys
        print([name for name in ("mlir", "numpy", "typing", "ttkit.language", "ttkit.runtime") if name in sys.modules])
    """
    assert run_code(code).stdout.strip() == "[]"


ANNOTATED = """
import triton, triton.language as tl
@triton.jit
def kernel(a: float, b: "i16", c: tl.float16, n: tl.int64, m: "tl.uint8", p: tl.pointer_type(tl.float32), k: int):
    pass
print([each.annotation_type for each in kernel.params], kernel.signature.parameters["a"].annotation is float)
"""


def test_annotations_of_a_script_are_types(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(ANNOTATED)
    done = run("-m", "ttkit.compat", str(script))
    expected = ["fp32", "i16", "fp16", "i64", "u8", "*fp32", "i32"]
    assert done.stdout.strip() == f"{expected} True", done.stderr
    done = run("-m", "ttkit.compat", "-c", "def f(x: int): pass\nprint(f.__annotations__['x'] is int)")
    assert done.stdout.strip() == "True", done.stderr


def test_a_missing_module_is_named(installed):
    with pytest.raises(ModuleNotFoundError, match="it has no sanitizer passes") as caught:
        import_module("triton.instruments")
    assert caught.value.name == "triton.instruments"


def test_another_version(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "")
    try:
        compat.install(version="3.9")
        assert import_module("triton").__version__ == "3.9.0" == metadata.version("triton")
        shown = subprocess.run(
            [sys.executable, "-c", "import triton; print(triton.__version__)"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert shown.stdout == "3.9.0\n"
        with pytest.raises(ValueError, match=r"not '2\.1'"):
            compat.install(version="2.1")
    finally:
        compat.uninstall()
    assert "TTKIT_TRITON_VERSION" not in os.environ
    assert compat.version_in_force == "3.6.0"
