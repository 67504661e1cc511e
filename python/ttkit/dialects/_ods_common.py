"""What the modules that mlir-tblgen generates import from beside them: MLIR's own, under the name they expect."""

from mlir.dialects._ods_common import *  # noqa: F403
from mlir.dialects._ods_common import _cext  # noqa: F401
