// Asynchronous references.

#include "nvws/aref_ops.h"

using namespace mlir;
using ttkit::ttg::MemDescType;

namespace ttkit::nvws {

LogicalResult ArefCreateOp::verify() {
  // aref_create_c2
  for (Value buffer : getBuffers())
    if (!llvm::all_of(buffer.getUsers(), [](Operation *user) { return isa<ArefCreateOp>(user); }))
      return emitError("Aref buffer is used elsewhere, Aref cannot guarantee async safety");
  // aref_create_c3
  auto count = [](Value buffer) { return cast<MemDescType>(buffer.getType()).getShape().front(); };
  if (!llvm::all_equal(llvm::map_range(getBuffers(), count)))
    return emitError("Leading dims of sliced aref inputs don't match.");
  return success();
}

/// aref_put_enter_c1, aref_get_enter_c1
static LogicalResult verifyBuffers(Operation *op, ArefType aref, ValueRange buffers) {
  if (aref.getBaseType().size() != buffers.size())
    return op->emitError("Aref has different number of arguments than enter");
  for (auto [type, buffer] : llvm::zip_equal(aref.getBaseType(), buffers)) {
    auto whole = dyn_cast<MemDescType>(type);
    if (!whole)
      return op->emitError("Slicing not Implemented for this type");
    auto slice = cast<MemDescType>(buffer.getType());
    ArrayRef<int64_t> part = slice.getShape();
    if (whole.getElementType() != slice.getElementType())
      return op->emitError("Ranks don't match: elements are ")
             << whole.getElementType() << " and " << slice.getElementType();
    // Scales in tensor memory may also keep the first dimension, which is then 1.
    if (whole.getShape().size() == part.size() && whole.getShape() == part && part.front() == 1)
      continue;
    if (whole.getShape().size() != part.size() + 1)
      return op->emitError("Ranks don't match");
    if (whole.getShape().drop_front() != part)
      return op->emitError("Dimensions don't match");
  }
  return success();
}

LogicalResult ArefPutEnterOp::verify() { return verifyBuffers(*this, getAref().getType(), getBuffers()); }
LogicalResult ArefGetEnterOp::verify() { return verifyBuffers(*this, getAref().getType(), getBuffers()); }

} // namespace ttkit::nvws
