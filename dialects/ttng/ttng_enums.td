#ifndef TTKIT_TTNG_ENUMS
#define TTKIT_TTNG_ENUMS

include "mlir/IR/EnumAttr.td"

#endif // TTKIT_TTNG_ENUMS
