"""Functions of Triton's own implementation that programs import, done by ttkit's."""

from __future__ import annotations

import functools
import hashlib
import re
from typing import Any

import ttkit.compat.ir as ir
import ttkit.compiler.sources as sources
from ttkit.compat.backends import get_ptxas
from ttkit.frontend.calls import mangled
from ttkit.frontend.errors import CompilationError
from ttkit.frontend.source import ASTSource
from ttkit.target import NEWEST_PTX
from ttkit.whole_files import read_file

TRITON_MODULE, GLUON_MODULE = "triton.language", "triton.experimental.gluon.language"
"""Modules whose names a kernel's key need not cover."""


class IRSource(sources.IRSource):
    """A file of IR; see there.  `name` and `signature` are as Triton has them: `@kernel`, `*f32`, `i1`.

    Args:
        context: not looked at; the module is in one of its own.
        backend: what compiles it.
    """

    def __init__(self, path: str, context: Any, backend: Any) -> None:
        super().__init__(path, int(backend.target.arch))
        self.argument_types = list(self.signature.values())
        if self.module is not None:
            module = ir.module(self.module)
            self.signature = dict(enumerate(module.get_function_signature(module.get_function(self.name))))
            self.name = f"@{self.name}"


def parse(full_name: str, ext: str, context: Any) -> Any:
    """The contents of a level's file: a module of tt or ttg, text of LLVM IR and PTX, bytes of a cubin."""
    if ext in ("ttir", "ttgir"):
        return ir.parse_mlir_module(full_name, context)
    content = read_file(full_name)
    return content if ext == "cubin" else content.decode()


def convert_type_repr(x: str) -> str:
    """The type of a signature, `*f32`, for a parameter's of tt, `!tt.ptr<f32> {tt.divisibility = 16 : i32}`."""
    if "tt.nv_tma_desc = 1" in x:
        return "nvTmaDesc"
    plain = re.sub(r" {[^}]+}", "", x)
    pointee = re.search(r"!tt\.ptr<([^,]+)", x)
    return plain if pointee is None else "*" + convert_type_repr(pointee[1].removesuffix(">"))


def filter_traceback(e: BaseException) -> None:
    """Nothing: the traceback of an error in a kernel ends at the call already."""


def ast_to_ttir(
    fn: Any, src: Any, context: Any, options: Any, codegen_fns: Any = None, module_map: Any = None, module: Any = None
) -> Any:
    """The module in tt of a kernel, as its source says.

    Raises:
        CompilationError: an error in the kernel.
    """
    source = src if isinstance(src, ASTSource) else ASTSource(fn, src.signature, src.constants, src.attrs)
    return source.make_ir(options.target, options, codegen_fns, module_map, context)


def check_identifier_legality(name: str, type: str) -> str:
    """The name.

    Raises:
        CompilationError: C could not have it.
    """
    if not re.match(r"^[a-zA-Z_][a-zA-Z0-9_]*$", name):
        raise CompilationError(None, None, f"invalid {type} identifier: {name}")
    return name


def mangle_fn(name: str, arg_tys: Any, constants: dict[Any, Any], caller_context: Any = None) -> str:
    """The symbol of a function compiled for these argument types and constants."""
    return mangled(name, arg_tys, constants) + ("" if caller_context is None else caller_context.mangle())


def convert_to_tuple_if_list(item: Any) -> Any:
    """Lists as tuples, also inside."""
    return tuple(map(convert_to_tuple_if_list, item)) if isinstance(item, list) else item


def make_so_cache_key(version_hash: str, signature: Any, constants: Any, ids: Any, **kwargs: Any) -> str:
    """A key for a library that belongs to a kernel."""
    given = (version_hash, list(signature.values()), constants, ids, sorted(kwargs.items()))
    return hashlib.sha256(repr(given).encode()).hexdigest()


@functools.cache
def file_hash(path: str) -> str:
    """The digest of a file."""
    return hashlib.sha256(read_file(path)).hexdigest()


def get_ptxas_version(arch: int = 80) -> str:
    """The version that `ptxas --version` prints."""
    return str(get_ptxas(arch).version)


def ptx_get_version(cuda_version: str) -> int:
    """The newest PTX of a toolkit: 84 for CUDA "12.4".

    Raises:
        RuntimeError: it is older than 10.0.
    """
    major, minor = map(int, cuda_version.split("."))
    if major >= 13:
        return 90 + (major - 13) * 10 + minor
    if major == 12:
        return 80 + minor - (minor >= 6)
    if major in (10, 11):
        return {10: 63, 11: 70}[major] + minor
    raise RuntimeError(f"Triton only support CUDA 10.0 or higher, but got CUDA version: {cuda_version}")


def get_ptx_version_from_options(options: Any, arch: int) -> int:
    """The PTX that a kernel is compiled to."""
    version = options.ptx_version
    return ptx_get_version(get_ptxas(arch).version) if version is None else version


def get_features(options: Any, arch: int) -> str:
    """LLVM's features for it, `+ptx86`."""
    return f"+ptx{min(NEWEST_PTX, get_ptx_version_from_options(options, arch))}"


def min_dot_size(target: Any) -> Any:
    """A function from the types of a product's operands to its smallest M, N and K."""

    def smallest(lhs_type: Any, rhs_type: Any) -> tuple[int, int, int]:
        """(M, N, K) of the smallest product, from the types of its operands."""
        bits = lhs_type.scalar.primitive_bitwidth
        assert bits == rhs_type.scalar.primitive_bitwidth, "lhs and rhs bitwidth must be the same"
        return (1, 1, 32 if bits == 8 else 16)

    return smallest
