"""Every public function says what it does, in words that begin with a verb or a noun."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("python/ttkit", "passes", "dialects", "launcher")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@pytest.mark.parametrize("folder", SOURCES)
def test_public_functions_have_docstrings(folder: str) -> None:
    """Functions inside of functions too; those whose names begin with _ need none."""
    missing = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = ast.get_docstring(node) if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)) else ""
            if text is None and isinstance(node, FUNCTIONS) and not node.name.startswith("_"):
                missing.append(f"{path}:{node.lineno}: {node.name} has no docstring")
            if re.match(r"(What|How|Where)\b", text or ""):
                missing.append(f"{path}:{getattr(node, 'lineno', 1)}: begins with '{text.split()[0]}'")
    assert not missing, "\n".join(missing)
