// The C ABI of libttkit: all that Python calls, through ctypes.
//
// MLIR handles are the C API's (one pointer each), so they are passed as `void *` and cross to the bindings as capsules.

#ifndef TTKIT_CAPI_TTKIT_H
#define TTKIT_CAPI_TTKIT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TTKIT_EXPORT __attribute__((visibility("default")))

/// Adds tt, ttg and ttng to a registry; contexts made from it load them on demand.
TTKIT_EXPORT void ttkitRegisterDialects(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif

#endif // TTKIT_CAPI_TTKIT_H
