// Dialects whose names Triton has given up.

#ifndef TTKIT_TTG_LEGACYSPELLING_H
#define TTKIT_TTG_LEGACYSPELLING_H

#include "mlir/IR/DialectRegistry.h"

namespace ttkit::ttg {

/// Adds `triton_gpu` and `triton_nvidia_gpu`, which read as `ttg` and `ttng`.
void registerLegacyDialects(mlir::DialectRegistry &registry);

} // namespace ttkit::ttg

#endif // TTKIT_TTG_LEGACYSPELLING_H
