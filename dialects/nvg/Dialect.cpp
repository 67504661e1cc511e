// The nvg dialect: what it registers.

#include "nvg/NVG.h"

using namespace mlir;

#include "nvg/Dialect.cpp.inc"
#include "nvg/Enums.cpp.inc"

#define GET_OP_CLASSES
#include "nvg/Ops.cpp.inc"

namespace ttkit::nvg {

void NVGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "nvg/Ops.cpp.inc"
      >();
}

} // namespace ttkit::nvg
