"""What loads what: modules that are slow to import stay out of processes that have no use for them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def loaded_by(code: str) -> set[str]:
    """The modules that `code` brings into a fresh interpreter."""
    text = f"import sys\nat_start = {{*sys.modules}}\n{code}\nprint(*{{*sys.modules}} - at_start)"
    done = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)
    return set(done.stdout.splitlines()[-1].split())


ROOT = Path(__file__).parents[2]
BENCH = ROOT / "bench"
# Slow to import, and of no use to the compiler: MLIR's classes of operations, numpy, what starts programs in many ways.
SLOW = ("mlir.dialects", "ttkit.interpreter", "numpy", "pathlib")


def compiling(kernel: str, cache: Path) -> str:
    """A program that compiles a kernel, with a cache in a folder."""
    return (
        f"import os, sys\nos.environ['TRITON_CACHE_DIR'] = {str(cache)!r}\nsys.path.insert(0, {str(BENCH)!r})\n"
        f"sys.argv = ['', 'ttkit', {kernel!r}]\nimport cold_start_kernels\ncold_start_kernels.main()"
    )


def is_slow(module: str) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in SLOW)


@pytest.mark.parametrize("kernel", ["layer_norm", "matmul"])
def test_compiling_loads_no_slow_modules(kernel: str, tmp_path: Path) -> None:
    loaded = loaded_by(compiling(kernel, tmp_path))
    assert "ttkit.passes.convert_triton_gpu_to_llvm" in loaded
    assert not [module for module in loaded if is_slow(module)]


def test_tt_opt_loads_what_changes_stages_only_where_it_is_asked_for() -> None:
    arguments = [str(ROOT / "test/lit/driver/Inputs/add.ttir"), "--triton-combine", "-o", os.devnull]
    code = f"import os\nfrom ttkit.drivers import opt\nos._exit = lambda code: None\nopt.main({arguments})"
    loaded = loaded_by(code)
    assert "ttkit.passes.combine" in loaded and not loaded & {"ttkit.pipelines", "ttkit.options"}


def test_only_families_that_a_kernel_needs_are_loaded(tmp_path: Path) -> None:
    loaded = loaded_by(compiling("vector_add", tmp_path))
    assert "ttkit.passes.lower.memory" in loaded and "ttkit.passes.lower.tma" not in loaded
    assert "ttkit.language.extra.cuda.libdevice" not in loaded
    assert not [module for module in loaded if is_slow(module)]
    loaded = loaded_by(compiling("matmul", tmp_path))
    others = [f"ttkit.passes.lower.{family}" for family in ("atomic", "scan", "tcgen5", "tensor_memory")]
    assert "ttkit.passes.lower.wgmma" in loaded and not loaded & {*others, "ttkit.passes.warp_specialization"}


def test_compiling_does_not_prepare_for_watching_users_code(tmp_path: Path) -> None:
    code = "from ttkit.guards.erased import _instances\nassert not _instances.cache_info().currsize"
    loaded_by(f"{compiling('vector_add', tmp_path)}\n{code}")


def test_the_cache_needs_no_mlir(tmp_path: Path) -> None:
    code = compiling("vector_add", tmp_path)
    loaded_by(code)
    assert not [module for module in loaded_by(code) if module.split(".")[0] in ("mlir", "numpy")]


def test_the_package_alone_loads_nothing() -> None:
    assert not {"mlir", "numpy", "typing", "ctypes"} & loaded_by("import ttkit")


@pytest.mark.parametrize(
    "name", ["runtime.set_allocator", "runtime.driver", "knobs.runtime", "testing.do_bench", "language.arange"]
)
def test_modules_are_attributes_of_the_package(name: str) -> None:
    """As those of `triton` are after `import triton`."""
    assert f"ttkit.{name.split('.')[0]}" in loaded_by(f"import ttkit\nttkit.{name}")


def test_the_bindings_come_without_numpy() -> None:
    loaded = loaded_by("import ttkit\nfrom mlir import ir")
    assert "mlir.ir" in loaded and "numpy" not in loaded


BUILDERS = {
    "F64ElementsAttr": "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>",
    "I32ElementsAttr": "dense<[1, 2]> : tensor<2xi32>",
    "I64ElementsAttr": "dense<[1, 2]> : tensor<2xi64>",
    "IndexElementsAttr": "dense<[1, 2]> : tensor<2xindex>",
}


@pytest.mark.parametrize("kind", BUILDERS)
def test_builders_that_need_numpy_import_it(kind: str) -> None:
    code = (
        "import ttkit, sys\nfrom mlir import ir\nassert 'numpy' not in sys.modules\n"
        f"with ir.Context(), ir.Location.unknown(): print(ir.AttrBuilder.get('{kind}')([1, 2], ir.Context.current))\n"
        "import numpy; assert numpy.__spec__ is not None and numpy.arange(2).shape == (2,)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == BUILDERS[kind]


def test_numpy_that_is_there_stays() -> None:
    loaded_by(
        "import numpy as before, ttkit\nfrom mlir import ir\nimport numpy\nassert numpy is before and ir.np is before"
    )


def test_the_finder_leaves_with_the_bindings() -> None:
    code = "import ttkit, sys\nfrom mlir import ir\n"
    loaded_by(f"{code}assert not any('BindingsFinder' in repr(finder) for finder in sys.meta_path)")


def test_bindings_in_another_folder(tmp_path):
    """ttkit and MLIR need not lie side by side: one may be in the user's site-packages, the other in the system's."""
    from ttkit._native import _library_path

    copy = tmp_path / Path(_library_path()).name
    shutil.copy(_library_path(), copy)
    script = f"from ttkit._native import _open_lazily; assert _open_lazily({str(copy)!r})"
    subprocess.run([sys.executable, "-c", script], check=True)
