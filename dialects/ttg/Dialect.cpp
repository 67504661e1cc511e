// The ttg dialect: what it registers, and the checks of its attributes on operations.

#include "ttg/TTG.h"

using namespace mlir;

#include "ttg/Dialect.cpp.inc"

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

LogicalResult TTGDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (llvm::is_contained({numCTAsName, targetName, threadsPerWarpName}, name) && !isa<ModuleOp>(op))
    return op->emitOpError("has unexpected attribute ") << name << " which is expected only on `module` ops";
  return success();
}

} // namespace ttkit::ttg
