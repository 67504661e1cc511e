"""The page of a trace: one file that needs nothing else, and reading its data back."""

from __future__ import annotations

import base64
import html
import json
import os
import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ttkit.tracing.contents import FORMAT, Measured, contents
from ttkit.tracing.records import KernelRecord
from ttkit.whole_files import write_files

WEB = Path(__file__).parent / "web"
"""The page's own code, and the libraries that it is made with."""

_DATA = re.compile(r'<script type="text/plain" id="data">([A-Za-z0-9+/=]*)</script>')


def write_page(
    path: str | os.PathLike[str], kernels: Iterable[KernelRecord], title: str, measured: Measured = ()
) -> None:
    """Writes the page about kernels, whole or not at all.

    measured: what `ncu.read` gives.

    Raises:
        OSError: it can't be written.
    """
    write_data(path, contents(kernels, title, measured))


def write_data(path: str | os.PathLike[str], data: dict[str, Any]) -> None:
    """Writes the page that shows data as `contents` gives it, or `compared`.

    Raises:
        OSError: it can't be written.
    """
    write_files({path: page(data)})


def page(data: dict[str, Any], is_workbench: bool = False) -> str:
    """The page as text.

    is_workbench: whether it is served by `ttkit explore`, which runs what is edited in it.
    """
    packed = base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 6)).decode()
    names = ("page.css", "page.js", "libraries.js", "workbench.js")
    parts = {name: (WEB / name).read_text(encoding="utf-8") for name in names}
    workbench = f"<script>{parts['workbench.js']}</script>\n" if is_workbench else ""
    connect = "; connect-src 'self'" if is_workbench else ""
    licences = html.escape((WEB / "libraries.LICENSES.txt").read_text(encoding="utf-8"))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data:{connect}">
<title>{html.escape(data["title"])}: trace</title>
<style>{parts["page.css"]}</style>
</head>
<body>
<main id="page">Reading the trace</main>
<details id="licences"><summary>Licences of the libraries in this page</summary><pre>{licences}</pre></details>
<script type="text/plain" id="data">{packed}</script>
<script>{parts["libraries.js"]}</script>
{workbench}<script>{parts["page.js"]}</script>
</body>
</html>
"""


def read_data(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The data of a page that was written before.

    Raises:
        OSError: it can't be read.
        ValueError: it is not a trace, or one of another version.
    """
    found = _DATA.search(Path(path).read_text(encoding="utf-8", errors="replace"))
    try:
        data = json.loads(zlib.decompress(base64.b64decode(found[1]))) if found else None
    except (ValueError, zlib.error):
        data = None
    if not isinstance(data, dict):
        raise ValueError(f"{path} is not a trace; `ttkit trace` writes them")
    if data.get("format") != FORMAT:
        raise ValueError(f"{path} is a trace of another version of ttkit; trace the script again")
    return data
