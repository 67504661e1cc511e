// The nvg dialect: what it registers.

#include "nvg/NVG.h"

// The class of the llvm dialect, with what it needs, without its operations: they would multiply the time of this file.
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/Support/ThreadLocalCache.h"

#include "mlir/Dialect/LLVMIR/LLVMOpsDialect.h.inc"

using namespace mlir;

#include "nvg/Dialect.cpp.inc"
#include "nvg/Families.inc"
#include "nvg/Enums.cpp.inc"

namespace ttkit::nvg {

void NVGDialect::initialize() {
  registerFamilies(*this);
}

} // namespace ttkit::nvg
