"""Kernels in Python, changed and damaged, through the front end and some of them to PTX."""

from __future__ import annotations

import copy
import random
import sys
import zlib
from opcode import opmap

import ttkit
from fuzz.damage import Material, make_input
from fuzz.level import ACCEPTED, Level, leak, refusal
from fuzz.levels.ir import OF_COMPILING, TEST_DIR
from fuzz.python_changes import Pieces, change_function
from ttkit.compiler.compilation import Compilation
from ttkit.frontend import ASTSource
from ttkit.frontend.errors import CompilationError, KernelMistake
from ttkit.installation import folders
from ttkit.language.errors import LanguageError
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

TARGETS = (80, 90, 100)
OF_PYTHON = (AttributeError, LookupError, AssertionError, RecursionError, MemoryError, UnboundLocalError)


class Kernels(Level):
    """Kernels of test/data with changed syntax trees, or damaged text: no error but the author's own errors, each at
    its line."""

    name = "kernels"
    share = 3.0

    def prepare(self) -> None:
        sys.path.insert(0, str(TEST_DIR))
        import compile_kernels

        compile_kernels.CASES.update(compile_kernels.CASES or compile_kernels.load())
        self.cases = compile_kernels.CASES
        self.names = sorted(self.cases)
        texts = [case.kernel.src for case in self.cases.values() if hasattr(case.kernel, "src")]
        self.pieces, self.material = Pieces(texts), Material.gather(texts)

    def make(self, rng: random.Random) -> str:
        name = rng.choice(self.names)
        text = self.cases[name].kernel.src
        if rng.random() < 0.15:
            text = make_input(rng, Material([text], self.material.pieces))
        else:
            text = change_function(rng, text, self.pieces)
        return f"# kernel: {name}\n{text}"

    def check(self, text: str) -> str:
        head, source_text = text.split("\n", 1)
        case = self.cases[head.removeprefix("# kernel: ")]
        kernel = copy.copy(case.kernel)
        kernel.__dict__.pop("_tree", None)
        kernel._tree, kernel.hash = None, None
        number = zlib.crc32(text.encode(errors="replace"))
        capability = TARGETS[number % 3]
        clean = (CompilationError, *OF_COMPILING)
        try:
            kernel._unsafe_update_src(source_text)
            capability = 90 if case.options.get("num_ctas", 1) > 1 else capability
            options = CompileOptions.for_capability(capability, **case.options)
            source = ASTSource(kernel, case.signature, case.constants, case.attributes)
            if number % 4:
                module = source.make_ir(GPUTarget("cuda", capability, 32), options, context=ttkit.Context())
                if not module.operation.verify():
                    return "the front end makes invalid IR"
            else:
                Compilation(source, GPUTarget("cuda", capability, 32), options, until="ptx").run()
        except clean as error:
            return internal(error, source_text) or refusal(error, clean)
        except (SyntaxError, ValueError) as error:
            # Of the function as Python reads it: no kernel without that.
            if isinstance(error, SyntaxError) or "source code" in str(error):
                return refusal(error, (SyntaxError, ValueError))
            raise
        return ACCEPTED


def internal(error: BaseException, text: str) -> str:
    """Why an error tells of our code and not of the kernel; nothing if it does not.

    What Python says of the kernel's own names and calls is about the kernel.
    """
    shown = str(error)
    while error.__cause__ is not None:
        error = error.__cause__
    if str(error) not in shown or not isinstance(error, OF_PYTHON) or isinstance(error, (LanguageError, KernelMistake)):
        return ""
    if (trace := error.__traceback__) is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    if code.co_code[trace.tb_lasti] == opmap["RAISE_VARARGS"] and str(error):
        return ""
    name = getattr(error, "name", None) or (error.args[0] if error.args else None)
    is_ours = code.co_filename.startswith(tuple(folders())) and not code.co_filename.startswith(str(TEST_DIR))
    if not is_ours or shown.count(str(name)) > 1:
        return ""
    return f"the front end's own: {leak(error)}"
