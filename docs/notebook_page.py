"""Notebooks as pages: run from the first cell to the last, with what their cells show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent


def executed(path: Path) -> Any:
    """The notebook after a run.

    Raises:
        CellExecutionError: a cell fails.
        ImportError: the extra `docs` is not installed.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(DOCS.parent)}}).execute()
    return notebook


def notebook_page(path: Path) -> str:
    """A page for Sphinx: the notebook's text, its code, and after it what a reader of the notebook sees."""
    parts = []
    for cell in executed(path).cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        else:
            parts += [f"```python\n{cell.source}\n```", *filter(None, map(_shown, cell.outputs))]
    text = f"The notebook itself is `docs/{path.name}`: `jupyter lab docs/{path.name}`."
    return "\n\n".join([parts[0], text, *parts[1:]]) + "\n"


def _shown(output: Any) -> str:
    data = output.get("data", {})
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            html = re.sub(r"\n\s*\n", "\n", data[kind])  # a blank line would end it
            return f"````{{raw}} html\n<div>{html}</div>\n````"
    text = output.get("text") or data.get("text/plain", "")
    return f"```text\n{text.rstrip()}\n```" if text else ""
