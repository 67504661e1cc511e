// Cluster launch control.

#include "ttng/clc_ops.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

namespace ttkit::ttng {

/// The 16 bytes of an answer.
static LogicalResult verifyAnswerBuffer(Operation *op, ttg::MemDescType buffer) {
  std::optional<int64_t> bits =
      buffer.getElementType().isIntOrFloat() ? buffer.getElementType().getIntOrFloatBitWidth() : 0;
  for (int64_t size : buffer.getShape())
    bits = bits ? llvm::checkedMul(*bits, size) : bits;
  if (bits != 128 || !isa<ttg::SharedMemorySpaceAttr>(buffer.getMemorySpace()))
    return op->emitOpError("expected a buffer of 16 bytes in shared memory, found ") << buffer;
  return success();
}

LogicalResult CLCTryCancelOp::verify() {
  if (failed(verifyBarrierType(*this, getMbarrier().getType()))) // clc_try_cancel_c1
    return failure();
  if (!getResult().getType().getMutableMemory()) // clc_try_cancel_c2
    return emitOpError("Cannot store into immutable memory, found ") << getResult().getType();
  return verifyAnswerBuffer(*this, getResult().getType()); // clc_try_cancel_c2
}

LogicalResult CLCTryCancelSyncOp::verify() {
  auto type = cast<ShapedType>(getResponse().getType());
  if (!type.hasRank() || type.getShape() != ArrayRef<int64_t>{2}) // clc_try_cancel_sync_c1
    return emitOpError("response must have shape [2], found ") << type;
  return success();
}

LogicalResult CLCLoadResultOp::verify() {
  return verifyAnswerBuffer(*this, getSrc().getType()); // clc_load_result_c1
}

} // namespace ttkit::ttng
