// Block pointers' checks; folds of pointer arithmetic.

#include "tt/pointer_ops.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ttkit::tt {

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}

/// Rank of the block that a block pointer points to.
static size_t getBlockRank(PointerType pointer) { return cast<RankedTensorType>(pointer.getPointeeType()).getRank(); }

LogicalResult MakeTensorPtrOp::verify() {
  size_t rank = getBlockRank(getType());
  if (getShape().size() != rank) // make_tensor_ptr_c2; all three have the same size
    return emitOpError("needs one shape, stride and offset for each of the block's ")
           << rank << " dimensions, found " << getShape().size();
  return success();
}

OpFoldResult AdvanceOp::fold(FoldAdaptor adaptor) {
  if (llvm::all_of(getOffsets(), [](Value offset) { return matchPattern(offset, m_Zero()); }))
    return getPtr();
  return {};
}

LogicalResult AdvanceOp::verify() {
  size_t rank = getBlockRank(getType());
  if (getOffsets().size() != rank) // advance_c2
    return emitOpError("needs one offset for each of the block's ")
           << rank << " dimensions, found " << getOffsets().size();
  return success();
}

} // namespace ttkit::tt
