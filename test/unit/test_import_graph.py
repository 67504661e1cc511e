"""What loads what: modules that are slow to import stay out of processes that have no use for them."""

import subprocess
import sys

import pytest


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has after `code`."""
    command = [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1].split())


COMPILE = """
import ttkit
import ttkit.language as tl
from ttkit.compiler.options import CompileOptions
from ttkit.compiler.stages import compile_ir
from ttkit.context import CompilerContext
{kernel}
with CompilerContext() as context:
    compiled = compile_ir(source.make_ir(ttkit.GPUTarget("cuda", {capability}, 32), context=context), "ttir",
                          CompileOptions.for_capability({capability}), {capability}, until="ptx")
"""


def test_the_package_alone_loads_nothing() -> None:
    assert not {"mlir", "numpy", "typing", "ctypes"} & loaded_by("import ttkit")


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
    loaded_by("import ttkit, sys\nfrom mlir import ir\nassert not any('ttkit' in repr(f) for f in sys.meta_path)")
