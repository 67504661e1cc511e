"""LLVM in a child process, which it can end without ours: TTKIT_ISOLATE=1.

LLVM ends its process in a state that it did not expect.  ttkit refuses kernels that are known to lead there.  A
compiling service survives the others if LLVM runs in a child process, which takes 0.3 to 0.5 s for each kernel.

Kernels with very many addresses always take this road: two of LLVM's passes compare all pairs of addresses, and a flag
that turns these passes off holds until the process ends.
"""

from __future__ import annotations

import json
import sys

from mlir import ir

import ttkit.budget as budget
from ttkit.compiler.llvm_api import LLVMError
from ttkit.inspection import count
from ttkit.options import CompileOptions
from ttkit.passes.infra.retyping import operation_names
from ttkit.tuning.llvm import ISOLATED_ADDRESSES, MANY_ADDRESSES

SERVE = "from ttkit.compiler.isolated_steps import serve; serve()"
WITHOUT_PAIRS = "-opt-disable=slsr,vector-combine"
VERIFIER_LINES = 4
LONG = 5000  # operations of the llvm dialect
TOLD = 3  # exit code of a child that has written an LLVMError's text in place of its result


def has_many_addresses(count: int) -> bool:
    """Whether LLVM compares the pairs of so many addresses for longer than a process takes to start."""
    return count > MANY_ADDRESSES and ISOLATED_ADDRESSES.on


def may_take_long(module: ir.Operation) -> bool:
    """Whether LLVM takes longer for a module than a process takes to start, and a budget has to be able to end it."""
    return budget.is_limited() and count(module, operation_names(module)) > LONG


def apart(step: str, text: str, options: CompileOptions, capability: int, kernel: str) -> str:
    """Runs a step of code generation in a new process.

    Args:
        step: "llir" for text of the llvm dialect -> optimized LLVM IR, "ptx" for LLVM IR -> PTX.
        capability: of the GPU that code is assembled for.
        kernel: its name, for the message.

    Raises:
        LLVMError: LLVM refuses the text, or the process did not end by itself.
        OverBudget: it took more than a compilation may.
    """
    chosen = {name: value for name, value in options.as_dict().items() if name != "pipeline"}
    flags = [WITHOUT_PAIRS] if has_many_addresses(text.count("getelementptr")) else []
    request = json.dumps({"step": step, "options": chosen, "capability": capability, "flags": flags, "text": text})
    done = budget.run_process([sys.executable, "-c", SERVE], input=request.encode(), capture_output=True)
    if done.returncode == 0:
        sys.stderr.write(done.stderr.decode(errors="replace"))  # warnings
        return done.stdout.decode()
    if done.returncode == TOLD:
        raise LLVMError(done.stdout.decode())
    budget.check_memory(done.stderr.decode(errors="replace"))
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    said = lines[-1] if lines else "no message"
    if (
        "Broken module found" in said
    ):  # above it stands what LLVM's verifier says; it is asked where there is debug info
        said = "\n".join([said, *lines[:VERIFIER_LINES]])
    raise LLVMError(f"LLVM ended its process ({_ending(done.returncode)}) on @{kernel}: {said}")


def _ending(code: int) -> str:
    import signal

    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
