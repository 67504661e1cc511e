// The ttg dialect: what it registers.

#include "ttg/AsmDirectives.h"

using namespace mlir;

#include "ttg/Dialect.cpp.inc"
#include "ttg/Enums.cpp.inc"

#define GET_OP_CLASSES
#include "ttg/Ops.cpp.inc"

namespace ttkit::ttg {

void TTGDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerAliases();
  registerLayoutInterface();
  addOperations<
#define GET_OP_LIST
#include "ttg/Ops.cpp.inc"
      >();
}

} // namespace ttkit::ttg
