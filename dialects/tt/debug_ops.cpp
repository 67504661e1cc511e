// Checks of tt.print.

#include "tt/debug_ops.h"

using namespace mlir;

namespace ttkit::tt {

LogicalResult PrintOp::verify() {
  if (!getArgs().empty() && getIsSigned().size() != getArgs().size()) // print_c1
    return emitOpError("isSigned needs one number for each argument: there are ")
           << getArgs().size() << " arguments, but " << getIsSigned().size() << " numbers";
  return success();
}

} // namespace ttkit::tt
