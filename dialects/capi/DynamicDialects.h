// Dialects that Python defines, for registries of contexts that MLIR makes.

#ifndef TTKIT_CAPI_DYNAMICDIALECTS_H
#define TTKIT_CAPI_DYNAMICDIALECTS_H

#include "capi/ttkit.h"

namespace mlir {
class DialectRegistry;
}

namespace ttkit {

/// Adds the dialects that are defined so far.
void registerDynamicDialects(mlir::DialectRegistry &registry);

} // namespace ttkit

#endif // TTKIT_CAPI_DYNAMICDIALECTS_H
