"""Interpreters for tt and ttg: any kernel IR runs on a CPU, exactly, and every access to memory is checked.

    values.py        MLIR types as numpy types; values of many programs as one array
    decode.py        a module as plain Python objects, read from MLIR once
    machine.py       blocks, calls and control flow, for many programs at a time
    memory.py        buffers with bounds, and what was written
    *_ops.py         the meaning of each operation: one function a kind, found by `@interprets("tt.load")`
    launch.py        `interpret(module, grid, args)`
    kernel_mode.py   kernels as Python; eager.py, kernel_*.py, host_arrays.py are its parts
    session.py       the language at Python's prompt

The functions in `*_ops.py` follow the op's description in `dialects/`, never its lowering.
"""

from ttkit.interpreter.descriptor_ops import TensorDescriptor
from ttkit.interpreter.errors import InterpreterError, NotInterpretable
from ttkit.interpreter.launch import interpret
from ttkit.interpreter.memory import Buffer, Memory

__all__ = ["Buffer", "InterpreterError", "Memory", "NotInterpretable", "TensorDescriptor", "interpret"]
