"""Gluon of Triton and of ttkit, for gluon_bench.py: kernels from one source, their arguments, their signatures."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

from gluon_cases import Array, Block, Case, Layout

HERE = Path(__file__).resolve().parent
BITS = {"fp16": 16, "fp32": 32}


class Implementation:
    """Gluon of Triton or of ttkit, and the kernels compiled by it."""

    def __init__(self, name: str) -> None:
        self.name, self._modules = name, {}
        root = "triton.experimental.gluon" if name == "triton" else "ttkit.language.gluon"
        language = f"{root}.language" if name == "triton" else root
        self.gluon, self.gl = importlib.import_module(root), importlib.import_module(language)
        for part in ("ampere", "hopper"):
            importlib.import_module(f"{language}.nvidia.{part}")
        hopper = importlib.import_module(f"{root}.nvidia.hopper")
        self.descriptor = hopper.TensorDescriptor

    def kernel(self, case: Case) -> Any:
        """The case's kernel; each file is loaded once."""
        if case.file not in self._modules:
            spec = importlib.util.spec_from_file_location(f"{case.file}_of_{self.name}", HERE / f"{case.file}.py")
            module = importlib.util.module_from_spec(spec)
            module.__dict__.update(gluon=self.gluon, gl=self.gl)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
            self._modules[case.file] = module
        return getattr(self._modules[case.file], case.kernel)

    def shared_layout(self, block: Block) -> Any:
        """The layout of a descriptor's blocks."""
        element = self.gl.float16 if block.array.dtype == "fp16" else self.gl.float32
        return self.gl.NVMMASharedLayout.get_default_for(list(block.block), element)

    def constants(self, case: Case) -> dict[str, Any]:
        """The constexprs, with this implementation's layouts."""
        return {
            name: getattr(self.gl, value.kind)(*value.arguments) if isinstance(value, Layout) else value
            for name, value in case.constants.items()
        }

    def launcher(self, case: Case, arrays: dict[Array, Any]) -> Any:
        """A function that launches the kernel with these arrays, and gives what was compiled."""
        values = [self._argument(each, arrays) for each in case.arguments]
        bound = self.kernel(case)[case.grid]
        options = {**self.constants(case), "num_warps": case.warps, **case.options}
        return lambda: bound(*values, **options)

    def compiler(self, case: Case, arrays: dict[Array, Any]) -> Any:
        """A function that only compiles the kernel for these arrays."""
        values = [self._argument(each, arrays) for each in case.arguments]
        options = {**self.constants(case), "num_warps": case.warps, **case.options}
        return lambda: self.kernel(case).warmup(*values, grid=case.grid, **options)

    def _argument(self, each: Any, arrays: dict[Array, Any]) -> Any:
        if isinstance(each, Array):
            return arrays[each]
        if isinstance(each, Block):
            array = arrays[each.array]
            rows, columns = each.array.shape
            return self.descriptor(array, [rows, columns], [columns, 1], list(each.block), self.shared_layout(each))
        return each


def signature_of(implementation: Implementation, case: Case) -> tuple[dict[str, str], dict[str, Any], dict[Any, Any]]:
    """What compiling a case takes: types, constants, and which arguments are multiples of 16."""
    constants = implementation.constants(case)
    given = iter(case.arguments)
    signature, hints = {}, {}
    for index, name in enumerate(implementation.kernel(case).arg_names):
        if name in constants:
            signature[name] = "constexpr"
            continue
        each = next(given)
        if isinstance(each, Block):
            sizes = ",".join(map(str, each.block))
            bits = BITS[each.array.dtype]
            width = implementation.shared_layout(each).swizzle_byte_width
            signature[name] = f"tensordesc<{each.array.dtype}[{sizes}],NVMMASharedLayout({width},{bits},2)>"
        else:
            signature[name] = (
                f"*{each.dtype}" if isinstance(each, Array) else "i32" if isinstance(each, int) else "fp32"
            )
            if isinstance(each, Array) or (isinstance(each, int) and each % 16 == 0):
                hints[(index,)] = [["tt.divisibility", 16]]
            elif each == 1 and isinstance(each, int):
                signature[name], constants[name] = "constexpr", 1
    return signature, constants, hints
