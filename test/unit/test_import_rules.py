"""Which folder may import which: floors, from the lowest to the highest; and no files that import each other.

Imports inside of functions count; those for type checkers alone do not, nor does what is loaded by name when it is
called (a kernel launches through the runtime, which is above the language that it is written in).
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ttkit.garbage_collection import paused

ROOT = Path(__file__).parents[2]
# docs/tree.md, "Which imports are allowed".  A folder may import those of lower floors and its own.
FLOORS = (
    ("garbage_collection", "patterns", "records"),
    (
        "grids",
        "installation",
        "locks",
        "notices",
        "number_options",
        "suggestions",
        "declarations",
        "cuda_toolkit",
        "display",
        "entry_points",
        "json_shapes",
        "kernel_errors",
        "lazy_names",
        "lit_config",
        "operation_sets",
        "standard_streams",
        "temporary",
        "triton_versions",
        "user_scripts",
        "whole_files",
        "workers",
        "_signatures",
        "layout",
        "timeline",
    ),
    ("_native", "knobs", "runtime_package", "executors"),
    ("kernel_breakpoints",),
    ("guards", "tuning", "budget"),
    ("_mlir_import", "dialects", "inspection", "cache", "target", "ir", "module_attributes"),
    ("analysis", "options"),
    ("language",),
    ("frontend",),
    ("cuda",),
    ("passes", "context"),
    ("interpreter",),
    ("validation",),
    ("compiler",),
    ("runtime",),
    ("aot", "autotuning", "lift", "testing", "tracing", "sanitizer"),
    ("visualize",),
    ("profiler",),
    ("why", "upgrade"),
    ("compat",),
    ("reduce", "language_server", "explorer"),
    ("bisection", "fuzzing"),
    ("drivers", "tools"),
    ("pipelines", "inside_triton", "__main__"),
)
FLOOR = {folder: number for number, floor in enumerate(FLOORS) for folder in floor}
# Context loads passes, and passes make a context of their own for a pass that a user gives as text.
SAME_FLOOR = frozenset([("passes", "context"), ("context", "passes")])
# Modules that the build writes.
GENERATED = ("ttkit.dialects._", "ttkit.layout._")


def folder_of(module: str) -> str:
    """The folder, or file, of the package that a module is in: "passes" of "ttkit.passes.lower.memory"."""
    return module.split(".")[1] if "." in module else ""


class Import(NamedTuple):
    """An imported name: of `from a import b`, "a.b".

    in_function: whether it is imported only when a function runs.
    for_checkers: whether only type checkers import it.
    source: "a" of `from a import b`, else empty.
    """

    name: str
    line: int
    in_function: bool
    for_checkers: bool
    source: str = ""


def _imports(tree: ast.AST, in_function: bool = False, for_checkers: bool = False) -> Iterator[Import]:
    """All that a module imports."""
    if isinstance(tree, ast.Import):
        yield from (Import(name.name, tree.lineno, in_function, for_checkers) for name in tree.names)
    elif isinstance(tree, ast.ImportFrom) and tree.module:
        place = tree.lineno, in_function, for_checkers, tree.module
        yield from (Import(f"{tree.module}.{name.name}", *place) for name in tree.names)
    in_function |= isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef))
    for statement in getattr(tree, "orelse", []):
        yield from _imports(statement, in_function, for_checkers)
    for_checkers |= isinstance(tree, ast.If) and "TYPE_CHECKING" in ast.unparse(tree.test)
    for statements in ("body", "handlers", "finalbody", "cases"):
        for statement in getattr(tree, statements, []):
            yield from _imports(statement, in_function, for_checkers)


def _bound(tree: ast.Module) -> set[str]:
    """Names that a module binds anywhere outside of its functions and classes."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(name.asname or name.name).split(".")[0] for name in node.names}
        else:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            waiting += ast.iter_child_nodes(node)
    return found


class Module(NamedTuple):
    """A file of the package: all that it imports, and the names that it binds."""

    imports: list[Import]
    bound: set[str]


@functools.cache
def _modules() -> dict[str, Module]:
    """Every module of the package, but for those that are generated; of trees, which are large, none is kept."""
    found = {}
    with paused():
        for top, prefix in ((ROOT / "python" / "ttkit", "ttkit"), (ROOT / "passes", "ttkit.passes")):
            for path in sorted(top.rglob("*.py")):
                parts = path.relative_to(top).with_suffix("").parts
                name = ".".join([prefix, *(part for part in parts if part != "__init__")])
                tree = ast.parse(path.read_text(encoding="utf-8"))
                found[name] = Module(list(_imports(tree)), _bound(tree))
    return found


@functools.cache
def imports() -> dict[str, list[Import]]:
    """All imports of every module, by their homes: of `from a import b` that is a.b if there is such a one, else a."""
    modules = _modules()

    def home(name: str) -> str:
        return name if name in modules or name.startswith(GENERATED) else name.rpartition(".")[0]

    return {name: [one._replace(name=home(one.name)) for one in found.imports] for name, found in modules.items()}


def _graph(is_wanted: Callable[[Import], bool]) -> dict[str, frozenset[str]]:
    """Every module of the package, with those of the package that it imports."""
    return {
        name: frozenset(one.name for one in found if one.name in imports() and one.name != name and is_wanted(one))
        for name, found in imports().items()
    }


@functools.cache
def graph() -> dict[str, frozenset[str]]:
    """The same without what only type checkers import."""
    return _graph(lambda found: not found.for_checkers)


def test_every_folder_has_a_floor() -> None:
    missing = {folder_of(module) for module in graph()} - {"", *FLOOR}
    assert not missing, f"say in FLOORS, and in docs/tree.md, where these belong: {sorted(missing)}"


def test_the_page_has_the_same_floors() -> None:
    page = (ROOT / "docs" / "tree.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|[^|]*\|([^|]*)\|$", page.split("| floor |")[1].split("\n\n")[0], re.M)
    listed = [frozenset(names) for row in rows if (names := re.findall(r"`(\w+)`", row))]
    assert listed == [frozenset(floor) for floor in reversed(FLOORS)]


def test_no_import_runs_upwards() -> None:
    upward = [
        f"{module} -> {other}"
        for module, others in graph().items()
        for other in sorted(others)
        if module != "ttkit"
        and folder_of(module) != folder_of(other)
        and folder_of(other)
        and FLOOR[folder_of(other)] >= FLOOR[folder_of(module)]
        and (folder_of(module), folder_of(other)) not in SAME_FLOOR
    ]
    assert not upward, "a folder imports one of its own floor or a higher one:\n" + "\n".join(upward)


def test_only_what_users_call_imports_the_package_itself() -> None:
    """`from ttkit import knobs` goes by way of the package's own names, which lead everywhere: `import ttkit.knobs`."""
    found = [module for module, others in graph().items() if "ttkit" in others and folder_of(module) != "drivers"]
    assert not found


def _circles(imports: dict[str, frozenset[str]]) -> set[frozenset[str]]:
    """Modules that import each other, directly or by way of others; the package's own names load on first use."""
    left = {name: others - {"ttkit"} for name, others in imports.items()}
    while True:  # what imports nothing that is left, or is not imported, is in no circle
        imported = frozenset().union(*left.values())
        kept = {
            name: others & left.keys() for name, others in left.items() if others & left.keys() and name in imported
        }
        if kept.keys() == left.keys():
            break
        left = kept
    reach = {name: _reached(left, name) for name in left}
    return {
        frozenset(other for other in found if name in reach[other]) for name, found in reach.items() if name in found
    }


def test_no_files_import_each_other() -> None:
    circles = _circles(graph())
    assert not circles, "\n".join(" <-> ".join(sorted(circle)) for circle in circles)


def test_circles_for_type_checkers_are_small() -> None:
    """With imports for type checkers too, at most three files import each other."""
    for circle in _circles(_graph(lambda found: True)):
        assert len(circle) <= 3, sorted(circle)


def _reached(imports: dict[str, frozenset[str]], module: str) -> set[str]:
    found, waiting = set(), [module]
    while waiting:
        new = imports[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def test_functions_import_what_is_not_loaded_yet() -> None:
    """An import inside of a function is there to load less: what its file has loaded anyway belongs to the top."""
    at_load = _graph(lambda found: not found.in_function and not found.for_checkers and found.name != "ttkit")
    late = []
    for module, found in imports().items():
        inside = [one for one in found if one.in_function and not one.for_checkers]
        loaded = _reached(at_load, module) if inside else set()
        late += [f"{module}:{one.line} imports {one.name}" for one in inside if one.name in loaded]
    assert not late, "\n".join(late)


@pytest.mark.parametrize("folder", ["layout", "timeline"])
def test_plain_values_import_no_mlir(folder: str) -> None:
    found = {one.name for name, module in _modules().items() if folder_of(name) == folder for one in module.imports}
    assert found and "mlir" not in {name.split(".")[0] for name in found}


def test_imported_names_exist() -> None:
    """Families of lowering and of the interpreter are imported when a kernel needs them: here all are looked at."""
    modules = _modules()
    missing = [
        f"{module}: {one.name}"
        for module, found in modules.items()
        for one in found.imports
        if (source := modules.get(one.source)) is not None and not {"*", "__getattr__"} & source.bound
        if one.name.removeprefix(f"{one.source}.") not in source.bound
        and one.name not in modules
        and not one.name.startswith(GENERATED)
    ]
    assert not missing, "\n".join(missing)
