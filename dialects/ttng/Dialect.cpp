// The ttng dialect: what it registers.

#include "ttng/TTNG.h"

using namespace mlir;

#include "ttng/Dialect.cpp.inc"
#include "ttng/Enums.cpp.inc"

#define GET_OP_CLASSES
#include "ttng/Ops.cpp.inc"

namespace ttkit::ttng {

void TTNGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ttng/Ops.cpp.inc"
      >();
}

} // namespace ttkit::ttng
