"""Names similar to an unknown one, for errors."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def suggestion(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?`, with the names that are near to a misspelt one; empty without any."""
    import difflib  # only where something is wrong

    by_lower = {one.lower(): one for one in known}
    near = [by_lower[one] for one in difflib.get_close_matches(name.lower(), by_lower, 3, 0.6)]
    if len(name) > 2:  # a letter or two are in many names
        near += [one for one in known if name.lower() in one.lower() and one not in near][: 3 - len(near)]
    return f"; did you mean {' or '.join(repr(one) for one in near)}?" if near else ""


def in_libdevice(name: str) -> str:
    """`; use libdevice.tanh, ...` for a function of libdevice that `tl` lacks; empty if libdevice lacks it too."""
    from importlib import import_module

    libdevice = import_module("ttkit.language.extra.libdevice")  # two hundred functions, for errors only
    found = not name.startswith("_") and hasattr(libdevice, name)
    package = "triton" if "triton" in sys.modules else "ttkit"  # what the script imports
    return f"; use libdevice.{name}, from {package}.language.extra import libdevice" if found else ""
