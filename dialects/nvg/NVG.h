// The nvg dialect in C++.  Operations are in the headers of their families (see tt/TT.h).

#ifndef TTKIT_NVG_NVG_H
#define TTKIT_NVG_NVG_H

#include "tt/TT.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

#include "nvg/Dialect.h.inc"
#include "nvg/Enums.h.inc"

#endif // TTKIT_NVG_NVG_H
