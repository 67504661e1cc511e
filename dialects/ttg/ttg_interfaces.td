#ifndef TTKIT_TTG_INTERFACES
#define TTKIT_TTG_INTERFACES

include "mlir/IR/OpBase.td"

#endif // TTKIT_TTG_INTERFACES
