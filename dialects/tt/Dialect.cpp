// The tt dialect: what it registers, constants, and inlining.

#include "tt/TT.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "tt/Dialect.cpp.inc"
#include "tt/Enums.cpp.inc"

#define GET_OP_CLASSES
#include "tt/Ops.cpp.inc"

namespace ttkit::tt {

void TTDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tt/Ops.cpp.inc"
      >();
}

Operation *TTDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  if (auto poison = dyn_cast<ub::PoisonAttr>(value))
    return ub::PoisonOp::create(builder, loc, type, poison);
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

const LayoutInterface *getLayoutInterface(Attribute encoding) {
  return encoding ? dyn_cast<LayoutInterface>(&encoding.getDialect()) : nullptr;
}

} // namespace ttkit::tt
