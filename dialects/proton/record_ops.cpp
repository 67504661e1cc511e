// Verifiers of proton.

#include "proton/record_ops.h"

using namespace mlir;

namespace ttkit::proton {

LogicalResult RecordOp::verify() {
  if (getName().empty()) // record_c1
    return emitOpError("times a region without a name");
  return success();
}

} // namespace ttkit::proton
