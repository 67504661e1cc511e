"""MLIR contexts that know tt, ttg and ttng."""

from mlir import ir
from mlir._mlir_libs import _mlir, get_dialect_registry

from ttkit._native import handle, library
from ttkit.passes.infra.bridge import register_passes


class Context(_mlir.ir._Context):
    """An MLIR context with every dialect that kernels use loaded, and every pass registered.

    Single-threaded: passes written in Python run one at a time anyway, and threads cost start-up time.
    Use it as the bindings' own: `with ttkit.Context(): module = ttkit.parse(text)`.
    """

    def __init__(self) -> None:
        super().__init__()
        lib = library()
        self.enable_multithreading(False)
        self.append_dialect_registry(get_dialect_registry())
        lib.ttkitLoadDialects(handle(self, "Context"))
        register_passes()


def parse(source: str | bytes, context: ir.Context | None = None) -> ir.Module:
    """Parses and verifies a module, from text or bytecode.

    Args:
        source: tt, ttg or any other registered IR.
        context: where to parse; by default the current context, or else a new `Context`.

    Raises:
        ir.MLIRError: with MLIR's diagnostics (line, column, reason).
    """
    if context is None:
        context = ir.Context.current or Context()
    return ir.Module.parse(source, context)
