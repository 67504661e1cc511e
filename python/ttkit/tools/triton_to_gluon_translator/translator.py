"""Translations of kernels that are given as functions, or by name: `module.path:function`.

python -m triton.tools.triton_to_gluon_translator.translator kernels:add --output-path add_gluon.py --target sm90
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ttkit.tools.triton_to_gluon_translater.translator import convert_triton_to_gluon
from ttkit.tools.triton_to_gluon_translator.target import TranslatorTarget

__all__ = ["TranslatorTarget", "convert_triton_to_gluon", "main", "translate_kernels", "translate_paths"]


def translate_kernels(kernels: Sequence[Any], target: Any = TranslatorTarget.GENERIC) -> str:
    """The source of kernels in Gluon, with all functions that they call; see `convert_triton_to_gluon`."""
    return convert_triton_to_gluon([getattr(kernel, "original_value", kernel) for kernel in kernels], target)


def translate_paths(kernel_paths: Sequence[str], target: Any = TranslatorTarget.GENERIC) -> str:
    """The same of kernels by name.

    Args:
        kernel_paths: `module.path:function` each, of modules that can be imported.

    Raises:
        ValueError: a name has no colon, or the module no such function.
    """
    return translate_kernels([_found(path) for path in kernel_paths], target)


def _found(path: str) -> Any:
    module, colon, name = path.partition(":")
    if not colon:
        raise ValueError(f"expected a kernel as module.path:function, found {path!r}")
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if not hasattr(found, "fn"):
        raise ValueError(f"{module} has no function {name} under @triton.jit")
    return found


def main(kernels: Sequence[str], output_path: str, target: Any) -> None:
    """Writes the source of kernels, by name, to a file."""
    Path(output_path).write_text(translate_paths(kernels, target))


def _main_cli() -> None:
    parser = argparse.ArgumentParser(description="Translate kernels of the tile language to source in Gluon.")
    parser.add_argument("kernels", nargs="+", help="kernels as module.path:function")
    parser.add_argument("--output-path", required=True, help="where to write the source")
    parser.add_argument("--target", default="generic", choices=[each.value for each in TranslatorTarget])
    arguments = parser.parse_args()
    try:
        main(arguments.kernels, arguments.output_path, TranslatorTarget(arguments.target))
    except (ValueError, ImportError, OSError) as error:
        parser.exit(1, f"error: {error}\n")


if __name__ == "__main__":
    _main_cli()
