"""Kernels for Triton and for ttkit from one file, which uses `jit` and `tl` without importing them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any


def load(name: str, path: Path, jit: Any, language: Any) -> Any:
    """The module `name` from a file, with one implementation's `jit` and `tl`."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(jit=jit, tl=language)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
