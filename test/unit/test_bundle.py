"""ttkit export, and launches from bundles where there is no compiler."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from test_toolkit_command import said

from ttkit.runtime import bundle
from ttkit.runtime_package import belongs, files

SCRIPT = """
import ctypes
import sys

import triton
import triton.language as tl


@triton.jit
def twice(x):
    return x + x


@triton.jit
def add(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, twice(tl.load(x + offsets, mask=offsets < n)), mask=offsets < n)


@triton.autotune([triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128}, num_warps=8)], key=[])
@triton.jit
def fill(out, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), 1.0)


class Tensor:
    dtype = "float32"

    def __init__(self, address):
        self.address = address

    def data_ptr(self):
        return self.address


def main():
    for n in (1024, 1000, 1024):
        add[(2,)](Tensor(4096), Tensor(12288), n, BLOCK=512, num_warps=8)
    if sys.argv[1:2] == ["more"]:
        add[(2,)](Tensor(4096), Tensor(12288), 5, BLOCK=1024)
    return add


if __name__ == "__main__":
    main()
    fill[(1,)](Tensor(4096))
"""
SERVE = """
import sys
from ttkit import compat
compat.install()
import serve
kernel = serve.main()
driver = __import__("ctypes").CDLL(sys.argv[2])
natively = "ttkit_launcher" in sys.modules
print(driver.fake_launch_count(), "mlir" in sys.modules, "numpy" in sys.modules, natively)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A bundle, and the script beside it."""
    folder = tmp_path_factory.mktemp("bundle")
    (folder / "serve.py").write_text(SCRIPT)
    command = [
        sys.executable,
        "-m",
        "ttkit",
        "export",
        folder / "serve.py",
        "--out",
        folder / "made",
        "-t",
        "sm_80,sm_90a",
    ]
    environment = {**os.environ, "TRITON_CACHE_DIR": str(folder / "cache")}
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert f"wrote {folder / 'made'}: 4 kernels for sm_80, sm_90" in run.stderr
    return folder


def serve(folder, driver, *arguments, path="made/python", before=SERVE, **more):
    """Runs the script without site-packages, as on a machine with Python and a driver."""
    (folder / "start.py").write_text(before)
    words = [sys.executable, "-S", folder / "start.py", *(arguments or ("",)), driver.path]
    environment = {
        "PYTHONPATH": f"{folder / path}",
        "TRITON_LIBCUDA_PATH": str(driver.path),
        "HOME": str(folder),
        **more,
    }
    return subprocess.run(words, capture_output=True, text=True, check=False, env=environment)


def test_a_bundle_launches_without_a_compiler(made, fake_driver_library):
    run = serve(made, fake_driver_library)
    assert run.stdout == "3 False False True\n", run.stderr


def test_a_script_runs_as_a_whole_and_its_autotuned_kernel_is_timed(made, fake_driver_library):
    words = [sys.executable, "-S", "-m", "ttkit.compat", made / "serve.py"]
    environment = {"PYTHONPATH": f"{made}/made/python", "TRITON_LIBCUDA_PATH": str(fake_driver_library.path)}
    environment |= {"HOME": str(made), "TRITON_PRINT_AUTOTUNING": "1"}
    run = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert "best config selected: BLOCK: " in run.stdout, run.stderr


IMPORT_ALL = """
import importlib
import pathlib
import sys

top = pathlib.Path(sys.argv[1])
for path in sorted(top.rglob("*.py")):
    name = ".".join(path.relative_to(top.parent).with_suffix("").parts).removesuffix(".__init__")
    # Triton's names load on first use; the front end makes IR only where there is a compiler.
    if not name.startswith("ttkit.compat.") and name != "ttkit.frontend.materialize":
        importlib.import_module(name)
print(len(sys.modules) > 200)
"""


def test_the_package_lacks_no_module_that_its_modules_import(made):
    """Those of kernels in Gluon and of autotuning, too."""
    environment = {"PYTHONPATH": f"{made}/made/python", "HOME": str(made)}
    words = [sys.executable, "-S", "-c", IMPORT_ALL, f"{made}/made/python/ttkit"]
    run = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert run.stdout == "True\n", run.stderr


def test_a_kernel_that_was_not_exported_is_named(made, fake_driver_library):
    run = serve(made, fake_driver_library, "more")
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith(
        "ttkit.runtime.bundle.BundleError: kernel add(x: *fp32, out: *fp32, n: i32, BLOCK: constexpr)"
    )
    assert "is needed for sm_90" in last and "has 4 kernels for sm_80, sm_90, but not it" in last


def test_code_for_an_older_gpu_of_the_generation_is_taken(made, fake_driver_library):
    limit = f"import ctypes\nctypes.CDLL({str(fake_driver_library.path)!r}).fake_limits(32, 0, 1024, 86, 99 << 10)\n"
    run = serve(made, fake_driver_library, before=limit + SERVE)
    assert run.stdout == "3 False False True\n", run.stderr
    limit = limit.replace("1024, 86,", "1024, 120,")
    assert "is needed for sm_120" in serve(made, fake_driver_library, before=limit + SERVE).stderr


def test_a_changed_kernel_is_not_taken_for_the_exported_one(made, fake_driver_library):
    (made / "changed").mkdir(exist_ok=True)
    (made / "changed" / "serve.py").write_text(SCRIPT.replace("x + x", "x * 2"))
    before = "import sys\nsys.path.insert(0, 'changed')\n" + SERVE
    before = before.replace("'changed'", repr(str(made / "changed")))
    assert "but not it" in serve(made, fake_driver_library, before=before).stderr


def test_a_bundle_is_used_where_ttkit_is_installed_too(made, fake_driver_library):
    environment = {
        **os.environ,
        "TTKIT_BUNDLE": str(made / "made"),
        "TRITON_LIBCUDA_PATH": str(fake_driver_library.path),
        "TRITON_CACHE_DIR": str(made / "unused"),
    }
    (made / "start.py").write_text(SERVE)
    command = [sys.executable, made / "start.py", "", fake_driver_library.path]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert run.stdout == "3 False False True\n" and not (made / "unused").exists()


def test_a_bundle_in_one_file_needs_no_compiler_either(made, tmp_path, fake_driver_library):
    with zipfile.ZipFile(tmp_path / "b.ttkit", "w") as archive:
        for path in (made / "made").iterdir():
            if path.is_file():
                archive.write(path, path.name)
    run = serve(made, fake_driver_library, TTKIT_BUNDLE=str(tmp_path / "b.ttkit"))
    assert run.stdout == "3 False False True\n", run.stderr


def test_a_damaged_bundle_has_a_message(made, tmp_path, fake_driver_library):
    (tmp_path / "bundle.json").write_text("{")
    with pytest.raises(bundle.BundleError, match=r"bundle.json is not a bundle of ttkit"):
        bundle.Bundle(str(tmp_path))
    (tmp_path / "bundle.json").write_text(json.dumps({"format": 99, "ttkit": "9.9", "kernels": {}}))
    with pytest.raises(bundle.BundleError, match=r"was made by ttkit 9.9: export it again"):
        bundle.Bundle(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "message"),
    [("1 / 0", None), ("print(3)", "used no kernels"), (None, "no such file")],
)
def test_scripts_that_give_no_bundle(text, message, tmp_path, capsys):
    script = tmp_path / "script.py"
    if text:
        script.write_text(text)
    _, code = said(capsys, "export", str(script), "--out", str(tmp_path / "made"), "--target", "sm_90a")
    assert code == 1 if message is None else message in code
    assert not (tmp_path / "made").exists()
    os.environ.pop("TTKIT_DEVICE", None)
    from ttkit import compat

    compat.uninstall()


def test_an_existing_folder_is_kept(made, capsys):
    _, code = said(capsys, "export", str(made / "serve.py"), "--out", str(made / "made"))
    assert "exists already" in code


def test_the_package_is_small_and_has_what_launches_import(made, tmp_path, fake_driver_library):
    """Of a wheel of ttkit, as tools/runtime_wheel.py makes it."""
    whole = tmp_path / "ttkit-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files():
            archive.write(path, f"ttkit/{name}")
        archive.writestr("ttkit/interpreter/launch.py", "")
        archive.writestr("ttkit-0.1.0.dist-info/METADATA", "Metadata-Version: 2.4\nName: ttkit\nVersion: 0.1.0\n")
        archive.writestr(
            "ttkit-0.1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n"
        )
        archive.writestr("ttkit-0.1.0.dist-info/licenses/LICENSE", "MIT")
    tool = Path(__file__).parents[2] / "tools" / "runtime_wheel.py"
    subprocess.run([sys.executable, tool, whole, tmp_path], check=True, capture_output=True)
    wheel = tmp_path / "ttkit_runtime-0.1.0-py3-none-any.whl"
    assert wheel.stat().st_size < 2e6
    install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", tmp_path / "site", wheel]
    subprocess.run([sys.executable, *install], check=True)
    assert not (tmp_path / "site" / "ttkit" / "interpreter").exists()
    more = {"TTKIT_BUNDLE": str(made / "made")}
    run = serve(made, fake_driver_library, path=os.path.relpath(tmp_path / "site", made), **more)
    assert run.stdout == "3 False False True\n", run.stderr


def test_what_belongs():
    assert belongs("runtime/jit.py") and belongs("_native/ttkit_launcher.abi3.so")
    assert (
        not belongs("_native/libttkit.so") and not belongs("interpreter/launch.py") and not belongs("passes/combine.py")
    )


@pytest.mark.parametrize(
    ("name", "damage", "message"),
    [
        (
            "bundle.json",
            lambda text: text.replace('"kernels": {', '"kernels": 5, "x": {'),
            "it.kernels must be an object",
        ),
        ("bundle.json", lambda text: text.replace('"90": "', '"sm_90": "'), "is not a bundle of ttkit"),
        ("k.json", lambda text: text.replace('"num_warps": ', '"num_warps": -'), "num_warps must be an integer"),
        ("k.json", lambda text: text.replace('"name"', '"named"'), "has no 'name'"),
        ("k.json", lambda text: None, "No such file"),
        ("k.cubin", lambda text: None, "No such file"),
    ],
)
def test_a_damaged_file_of_a_bundle_is_named(name, damage, message, made, tmp_path, fake_driver_library):
    shutil.copytree(made / "made", tmp_path / "made")
    names = (
        [name]
        if name == "bundle.json"
        else [p.name for p in (tmp_path / "made").iterdir() if p.suffix == name[1:] and p.name != "bundle.json"]
    )
    for path in (tmp_path / "made" / name for name in names if name == "bundle.json" or "sm_90" in name):
        text = damage(path.read_text(errors="replace"))
        path.unlink() if text is None else path.write_text(text)
    run = serve(made, fake_driver_library, TTKIT_BUNDLE=str(tmp_path / "made"))
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("ttkit.runtime.bundle.BundleError: ") and message in last
