"""Interpreters for tt, ttg and lowered code: kernels run on a CPU, exactly, with every access to memory checked.

    values.py        MLIR types as numpy types; values of many programs as one array
    decode.py        a module as plain Python objects, read from MLIR once
    machine.py       blocks, calls and control flow, for many programs at a time
    launch.py        `interpret(module, grid, args)`
    ops/             the meaning of each operation: one function a kind, found by `@interprets("tt.load")`
    lowered/         the same for llvm and nvvm with inline PTX, thread by thread
    memory/          buffers with bounds, and what was written
    numerics/        numbers as GPUs round them
    check/           results before and after passes
    python_mode/     kernels as Python

The functions in ops/ follow the op's description in `dialects/`, never its lowering.
"""

from ttkit.interpreter.errors import InterpreterError, NotInterpretable
from ttkit.interpreter.launch import interpret
from ttkit.interpreter.memory.global_memory import Buffer, Memory
from ttkit.interpreter.ops.descriptor import TensorDescriptor

__all__ = ["Buffer", "InterpreterError", "Memory", "NotInterpretable", "TensorDescriptor", "interpret"]
