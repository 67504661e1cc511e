"""`python -m ttkit.compat --stubs FOLDER`: the names of Triton for type checkers, which see no import hook.

A module of Triton becomes a file that takes its names from ttkit, by the tables of `names.py`.  What ttkit does not
have is missing there too.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from ttkit.compat.module_aliases import ALIASES
from ttkit.compat.names import FACADES
from ttkit.whole_files import write_files

# Names that ttkit finds on first use are not errors in the program that is checked.
_HEADER = """\
# The names of {module}, by python -m ttkit.compat --stubs.
# mypy: ignore-errors
# pyright: reportAttributeAccessIssue=false, reportMissingImports=false, reportWildcardImportFromLibrary=false
"""


def stub_texts() -> dict[str, str]:
    """{path of a stub: its text}, for all modules of Triton that ttkit has."""
    modules = _with_parents({*ALIASES, *FACADES})
    texts = {}
    for module in sorted(modules):
        children = sorted(one.rpartition(".")[2] for one in modules if one.rpartition(".")[0] == module)
        path = module.replace(".", "/") + ("/__init__.pyi" if children else ".pyi")
        texts[path] = _HEADER.format(module=module) + "".join(f"{line}\n" for line in _lines(module, children))
    return texts


def write_stubs(folder: str) -> int:
    """Writes the stubs; returns how many there are.

    Raises:
        OSError: the folder can't be written.
    """
    texts = {Path(folder) / path: text for path, text in stub_texts().items()}
    for path in texts:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_files(texts)
    return len(texts)


def _with_parents(modules: set[str]) -> set[str]:
    return {
        ".".join(parts[:count]) for parts in (one.split(".") for one in modules) for count in range(1, len(parts) + 1)
    }


def _lines(module: str, children: list[str]) -> list[str]:
    home, names = ALIASES.get(module), FACADES.get(module, {})
    lines = []
    if home:
        lines = [f"from {home} import *"]
        if _finds_all_names_on_use(home):
            lines += ["from typing import Any", "def __getattr__(name: str) -> Any: ..."]
    lines += [f"from . import {child} as {child}" for child in children if child not in names]
    for name, place in names.items():
        if name != "__all__":
            lines += _from_place(name, *place.partition(":")[::2])
    return lines


def _from_place(name: str, module: str, attribute: str) -> list[str]:
    """The lines that make a name the attribute of a module, or the module: only `X as X` is seen from outside."""
    if attribute:
        owner = attribute.partition(".")[0]
        if owner == name:
            return [f"from {module} import {owner} as {owner}"]
        hidden = f"_{name}_{owner}"
        return [f"from {module} import {owner} as {hidden}", f"{name} = {hidden}{attribute[len(owner) :]}"]
    package, _, leaf = module.rpartition(".")
    hidden = name if leaf == name else f"_{name}_{leaf}"
    line = f"from {package} import {leaf} as {hidden}" if package else f"import {leaf} as {hidden}"
    return [line] if leaf == name else [line, f"{name} = {hidden}"]


def _finds_all_names_on_use(module: str) -> bool:
    """Whether checkers must take any name, as for the functions of libdevice."""
    spec = find_spec(module)
    text = Path(spec.origin).read_text() if spec is not None and spec.origin else ""
    return "__getattr__" in text and "__all__" not in text
