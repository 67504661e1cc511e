"""Compiling several kernels at once: `with AsyncCompileMode(executor):`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextvars import ContextVar, copy_context
from typing import Any

active_mode: ContextVar[AsyncCompileMode | None] = ContextVar("ttkit_async_compile_mode", default=None)


class FutureKernel:
    """A kernel that is being compiled."""

    def __init__(self, finalize_compile: Callable[[Any], None], future: Future[Any]) -> None:
        self.finalize_compile = finalize_compile
        self.kernel: Any = None
        self.future = future

    def result(self, ignore_errors: bool = False) -> Any:
        """The compiled kernel, once it is there.

        Raises:
            what the compilation raised, unless errors are ignored: then the result is None.
        """
        if self.kernel is None:
            try:
                kernel = self.future.result()
            except Exception:
                if ignore_errors:
                    return None
                raise
            self.finalize_compile(kernel)
            self.kernel = kernel
        return self.kernel


class AsyncCompileMode:
    """Within it, `warmup` and launches hand compilations to `executor`; its end waits for all of them.

    Args:
        executor: of threads.
        ignore_errors: kernels that can't be compiled are left out at the end.

    Raises, on entry:
        RuntimeError: there is one already.
    """

    def __init__(self, executor: Executor, *, ignore_errors: bool = False) -> None:
        self.executor = executor
        self.ignore_errors = ignore_errors
        self.future_kernels: dict[Any, FutureKernel] = {}

    def submit(self, key: Any, compile_fn: Callable[[], Any], finalize_fn: Callable[[Any], None]) -> FutureKernel:
        """Starts a compilation, unless one of the same key was started."""
        if (found := self.future_kernels.get(key)) is None:
            # With the caller's context: changes of the pipeline that hold in its block are part of the key.
            future = self.executor.submit(copy_context().run, compile_fn)
            found = self.future_kernels[key] = FutureKernel(finalize_fn, future)
        return found

    def __enter__(self) -> AsyncCompileMode:
        if active_mode.get() is not None:
            raise RuntimeError("Another AsyncCompileMode is already active")
        active_mode.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        active_mode.set(None)
        for kernel in self.future_kernels.values():
            kernel.result(self.ignore_errors)
