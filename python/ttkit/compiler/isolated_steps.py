"""The child process of `isolation`: does one step of code generation, as a request on standard input asks for it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from ttkit.compiler.isolation import TOLD
from ttkit.compiler.levels import emit_text, translate
from ttkit.compiler.llvm_api import LLVMError, set_flags
from ttkit.context import Context, parse_text
from ttkit.options import CompileOptions


def serve() -> None:
    """Does what a request on standard input asks for, in the child."""
    request = json.load(sys.stdin)
    given: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in request["options"].items()}
    if request["flags"]:
        set_flags(request["flags"])
    try:
        made = STEPS[request["step"]](request["text"], CompileOptions(**given), request["capability"])
    except LLVMError as error:
        sys.stdout.write(str(error))
        sys.exit(TOLD)
    sys.stdout.write(made)


def _llir(text: str, options: CompileOptions, capability: int) -> str:
    with Context() as context, translate(parse_text(text, context), options) as module:
        return str(module)


def _ptx(text: str, options: CompileOptions, capability: int) -> str:
    return emit_text(text, options, capability)


STEPS: dict[str, Callable[[str, CompileOptions, int], str]] = {"llir": _llir, "ptx": _ptx}
"""Each step by its name in a request."""
