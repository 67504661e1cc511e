"""The part of ttkit that launches kernels without a compiler: what a bundle holds, and the package `ttkit-runtime`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_FOLDERS = frozenset("autotuning cache compat cuda executors frontend knobs language layout runtime testing".split())
_FILES = frozenset(
    """
    __init__.py _mlir_import.py budget.py cuda_toolkit.py entry_points.py garbage_collection.py grids.py installation.py
    json_shapes.py kernel_breakpoints.py kernel_errors.py lazy_names.py locks.py notices.py number_options.py options.py
    patterns.py py.typed records.py runtime_package.py standard_streams.py suggestions.py target.py temporary.py
    triton_versions.py whole_files.py workers.py
    analysis/__init__.py
    compiler/__init__.py compiler/asm.py compiler/backend.py compiler/dialect_sources.py compiler/disassembly.py
    compiler/dump_folders.py compiler/pipeline_identity.py compiler/replacements.py compiler/tracebacks.py
    dialects/__init__.py dialects/_enums.py dialects/_tt_enums.py
    passes/__init__.py passes/changes.py
    tools/__init__.py
    _native/ttkit_launcher.abi3.so
    """.split()
)
_LEFT_OUT = frozenset("autotuning/choosing.py autotuning/prediction.py autotuning/predictor.json".split())
"""They read kernels in tt, which only the front end makes."""


def belongs(name: str) -> bool:
    """Whether a file of the package, such as "runtime/jit.py", is part of it."""
    folder, slash, _ = name.partition("/")
    if name in _LEFT_OUT or "__pycache__" in name:
        return False
    return name in _FILES or (bool(slash) and folder in _FOLDERS)


def files() -> Iterator[tuple[str, Path]]:
    """The files: their names in the package, and where they lie."""
    from ttkit.installation import folders  # tools/runtime_wheel.py reads this file alone

    seen = set()
    for top in map(Path, folders()):  # an editable installation has several
        inside = [path for folder in _FOLDERS for path in (top / folder).rglob("*")]
        for path in [*inside, *(top / name for name in _FILES)]:
            name = path.relative_to(top).as_posix()
            if path.is_file() and belongs(name) and name not in seen:
                seen.add(name)
                yield name, path
