"""Which folder may import which: floors, from the lowest to the highest; and no files that import each other.

Imports inside of functions count; those for type checkers alone do not, nor does what is loaded by name when it is
called (a kernel launches through the runtime, which is above the language that it is written in).
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# docs/tree.md, "Which imports are allowed".  A folder may import those of lower floors and its own.
FLOORS = (
    (
        "installation",
        "locks",
        "notices",
        "number_options",
        "suggestions",
        "declarations",
        "cuda_toolkit",
        "display",
        "entry_points",
        "garbage_collection",
        "json_shapes",
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
    ("tuning_switches", "kernel_breakpoints"),
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


def _imports(tree: ast.AST) -> Iterator[str]:
    """Names that a module imports: of `from a import b`, "a.b"."""
    if isinstance(tree, ast.If) and "TYPE_CHECKING" in ast.unparse(tree.test):
        for statement in tree.orelse:
            yield from _imports(statement)
        return
    if isinstance(tree, ast.Import):
        yield from (name.name for name in tree.names)
    elif isinstance(tree, ast.ImportFrom) and tree.module:
        yield from (f"{tree.module}.{name.name}" for name in tree.names)
    for child in ast.iter_child_nodes(tree):
        yield from _imports(child)


@functools.cache
def _trees() -> dict[str, ast.Module]:
    """Every module of the package, but for those that are generated."""
    trees = {}
    for top, prefix in ((ROOT / "python" / "ttkit", "ttkit"), (ROOT / "passes", "ttkit.passes")):
        for path in sorted(top.rglob("*.py")):
            parts = path.relative_to(top).with_suffix("").parts
            name = ".".join([prefix, *(part for part in parts if part != "__init__")])
            trees[name] = ast.parse(path.read_text(encoding="utf-8"))
    return trees


@functools.cache
def graph() -> dict[str, frozenset[str]]:
    """Every module of the package, with those that it imports; of `from a import b` that is a.b if there is such a one,
    else a."""
    trees = _trees()
    homes = {
        name: {
            found if found in trees or found.startswith(GENERATED) else found.rpartition(".")[0]
            for found in _imports(tree)
        }
        for name, tree in trees.items()
    }
    return {name: frozenset(found for found in homes[name] if found in trees and found != name) for name in trees}


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


@functools.cache
def _reachable(module: str) -> set[str]:
    """All that a module imports, and that these import; the package's own names, which load on first use, left out."""
    return _reached({name: set(others) - {"ttkit"} for name, others in graph().items()}, module)


def test_circles_of_imports_stay_in_a_folder() -> None:
    """Floors leave no room for others, but for the pairs of `SAME_FLOOR`."""
    circles = [
        f"{module} <-> {other}"
        for module, others in graph().items()
        for other in sorted(others)
        if (folder_of(module), folder_of(other)) in SAME_FLOOR and module in _reachable(other)
    ]
    assert not circles, "\n".join(circles)


def test_no_files_import_each_other() -> None:
    circles = {
        frozenset(other for other in reachable if name in _reachable(other))
        for name in graph()
        if name in (reachable := _reachable(name))
    }
    assert not circles, "\n".join(" <-> ".join(sorted(circle)) for circle in circles)


def test_circles_for_type_checkers_are_small() -> None:
    """With imports for type checkers too, at most three files import each other."""
    trees = _trees()
    imports = {
        name: {
            found if found in trees or found.startswith(GENERATED) else found.rpartition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for found in _imports(node)
        }
        & trees.keys() - {"ttkit", name}
        for name, tree in trees.items()
    }
    reach = {name: _reached(imports, name) for name in imports}
    for name, found in reach.items():
        circle = {other for other in found if name in reach[other]}
        assert len(circle) <= 3, sorted(circle)


def _reached(imports: dict[str, set[str]], module: str) -> set[str]:
    found, waiting = set(), [module]
    while waiting:
        new = imports[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def _at_load(node: ast.AST) -> Iterator[str]:
    """Names that a module imports when it is loaded: not inside of functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield from _imports(child)
        elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) and "TYPE_CHECKING" not in (
            ast.unparse(child.test) if isinstance(child, ast.If) else ""
        ):
            yield from _at_load(child)


def test_functions_import_what_is_not_loaded_yet() -> None:
    """An import inside of a function is there to load less: what its file has loaded anyway belongs to the top."""
    trees = _trees()

    def home(found: str) -> str:
        return found if found in trees else found.rpartition(".")[0]

    loads = {name: {home(found) for found in _at_load(tree)} & trees.keys() - {"ttkit"} for name, tree in trees.items()}
    late = [
        f"{name}:{node.lineno} imports {found}"
        for name, tree in trees.items()
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for found in map(home, _imports(node))
        if found in _reached(loads, name)
    ]
    assert not late, "\n".join(late)


@pytest.mark.parametrize("folder", ["layout", "timeline"])
def test_plain_values_import_no_mlir(folder: str) -> None:
    for path in (ROOT / "python" / "ttkit" / folder).rglob("*.py"):
        assert "mlir" not in {name.split(".")[0] for name in _imports(ast.parse(path.read_text(encoding="utf-8")))}, (
            path
        )


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


def test_imported_names_exist() -> None:
    """Families of lowering and of the interpreter are imported when a kernel needs them: here all are looked at."""
    trees = _trees()
    bound = {module: _bound(tree) for module, tree in trees.items()}
    open_ended = {module for module, names in bound.items() if {"*", "__getattr__"} & names}
    missing = [
        f"{module}: from {node.module} import {name.name}"
        for module, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in trees and node.module not in open_ended
        for name in node.names
        if name.name not in bound[node.module]
        and f"{node.module}.{name.name}" not in trees
        and not (node.module + "." + name.name).startswith(GENERATED)
    ]
    assert not missing, "\n".join(missing)
