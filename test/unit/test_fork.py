"""Children that are forked while other threads of their parent compile."""

import os
import signal
import threading
import time

import pytest

import ttkit
import ttkit.language as tl
import ttkit.locks as locks
from ttkit.compiler.compilation import Compilation
from ttkit.frontend.source import ASTSource
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@ttkit.jit
def kernel(p, n: tl.constexpr):
    i = tl.arange(0, 256)
    x = tl.load(p + i)
    for j in tl.static_range(40):
        x = tl.exp(x) * n + j
    tl.store(p + i, x)


def compile_kernel(n):
    source = ASTSource(kernel, {"p": "*fp32"}, {"n": n})
    return Compilation(source, GPUTarget("cuda", 90, 32), CompileOptions.for_capability(90), until="ptx").run()


def in_child(work):
    """The exit code of a child that does some work; negative for a signal: it has 30 s."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(30)
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_children_compile_while_threads_of_the_parent_do():
    compile_kernel(0)
    enough = threading.Event()

    def go_on():
        n = 1
        while not enough.is_set():
            compile_kernel(n)
            n += 1

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        for _ in range(4):
            time.sleep(0.03)
            assert in_child(lambda: compile_kernel(0)) == 0
    finally:
        enough.set()
        thread.join()


def test_a_lock_that_another_thread_holds_is_free_in_the_child():
    held, done = threading.Event(), threading.Event()
    lock = locks.lock()

    def hold():
        with lock:
            held.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    try:
        assert in_child(lambda: lock.acquire(timeout=5) or os._exit(1)) == 0
    finally:
        done.set()
        thread.join()
