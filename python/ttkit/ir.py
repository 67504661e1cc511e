"""MLIR's `mlir.ir`, under the name by which the generated enumeration modules import it."""

from mlir.ir import *  # noqa: F403
