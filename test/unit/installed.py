"""A Python in which ttkit is installed and not editable, as users have it."""

import importlib.util
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(sys.executable).parent
_SCRIPT = "#!{python}\nimport sys\n\nfrom {module} import {function}\n\nsys.exit({function}())\n"


def make_wheel(folder: Path) -> Path:
    """A wheel of the checkout, of what is built."""
    if importlib.util.find_spec("scikit_build_core") is None:
        pytest.skip("the build tools are not in this Python: make build")
    build = ["-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--wheel-dir", folder, ROOT]
    environment = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run([sys.executable, *build], check=True, env=environment)
    return next(folder.glob("*.whl"))


def installed_python(folder: Path, by_wheel: bool) -> Path:
    """Makes an environment with ttkit, by the wheel or by links to the files that it has, and gives its Python.

    All other packages are links to those of this Python.  With the wheel the commands are there, and lit.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    site, python = next(folder.glob("lib/python*/site-packages")), folder / "bin" / "python"
    if by_wheel:
        install = ["-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps"]
        subprocess.run([sys.executable, *install, make_wheel(folder)], check=True)
        lit = folder / "bin" / "lit"
        lit.write_text(_SCRIPT.format(python=python, module="lit.main", function="main"))
        lit.chmod(0o755)
    else:
        subprocess.run(["make", "-s", "-C", ROOT, "types"], check=True)
        for name in ("ttkit", "mlir-stubs"):
            (site / name).symlink_to(ROOT / "build" / "types" / name)
    for package in Path(sysconfig.get_path("purelib")).iterdir():  # MLIR and numpy beside it, as pip puts them
        if "ttkit" not in package.name and package.name != "mlir-stubs" and not (site / package.name).exists():
            (site / package.name).symlink_to(package)
    return python
