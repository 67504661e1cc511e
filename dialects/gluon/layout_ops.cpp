// Verifiers of the operations of layouts.

#include "gluon/layout_ops.h"

using namespace mlir;

namespace ttkit::gluon {

LogicalResult SetAutoLayoutOp::verify() {
  if (!isa_and_nonnull<AutoEncodingAttr>(getSrc().getType().getEncoding())) // set_auto_layout_c1
    return emitOpError("input tensor must have an auto layout type");
  Attribute encoding = getType().getEncoding();
  if (!encoding) // set_auto_layout_c2
    return emitOpError("result tensor must have an encoding");
  if (isa<AutoEncodingAttr>(encoding)) // set_auto_layout_c2
    return emitOpError("result type must not be auto layout");
  return success();
}

} // namespace ttkit::gluon
