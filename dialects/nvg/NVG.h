// The nvg dialect in C++: include this to use its operations.

#ifndef TTKIT_NVG_NVG_H
#define TTKIT_NVG_NVG_H

#include "tt/TT.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "nvg/Dialect.h.inc"
#include "nvg/Enums.h.inc"

#define GET_OP_CLASSES
#include "nvg/Ops.h.inc"

#endif // TTKIT_NVG_NVG_H
