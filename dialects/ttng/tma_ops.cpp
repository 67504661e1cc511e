// Copies by the tensor memory accelerator, and its descriptors.

#include "ttng/tma_ops.h"

using namespace mlir;

namespace ttkit::ttng {

LogicalResult AsyncTMACopyGlobalToLocalOp::verify() {
  if (failed(verifyBarrierType(*this, getBarrier().getType()))) // async_tma_copy_global_to_local_c1
    return failure();
  if (getCoord().empty() || getCoord().size() > 5) // async_tma_copy_global_to_local_c2
    return emitOpError("TMA copies must have between 1 and 5 coordinates, found ") << getCoord().size();
  ttg::MemDescType result = getResult().getType();
  if (!result.getMutableMemory()) // async_tma_copy_global_to_local_c3
    return emitOpError("Cannot store into immutable memory, found ") << result;
  if (!isa<ttg::NVMMASharedEncodingAttr>(result.getEncoding())) // async_tma_copy_global_to_local_c4
    return emitOpError("TMA result must have NVMMA shared layout, found ") << result.getEncoding();
  return success();
}

LogicalResult AsyncTMAGatherOp::verify() {
  if (failed(verifyBarrierType(*this, getBarrier().getType()))) // async_tma_gather_c1
    return failure();
  ttg::MemDescType result = getResult().getType();
  if (!result.getMutableMemory()) // async_tma_gather_c2
    return emitOpError("cannot store into immutable memory, found ") << result;
  return tt::verifyGatheredRows(*this, getXOffsets().getType(), result); // async_tma_gather_c3, async_tma_gather_c4
}

LogicalResult AsyncTMAScatterOp::verify() {
  // async_tma_scatter_c1, async_tma_scatter_c2
  return tt::verifyGatheredRows(*this, getXOffsets().getType(), getSrc().getType());
}

LogicalResult TensormapCreateOp::verify() {
  // tensormap_create_c1
  size_t rank = getBoxDim().size();
  if (getGlobalDim().size() != rank)
    return emitOpError("Rank mismatch for global dim. Got ") << getGlobalDim().size() << " but expected " << rank;
  if (getGlobalStride().size() + 1 != rank)
    return emitOpError("Rank mismatch for global stride. Got ")
           << getGlobalStride().size() << " but expected one less than " << rank;
  if (getElementStride().size() != rank)
    return emitOpError("Rank mismatch for element stride. Got ")
           << getElementStride().size() << " but expected " << rank;
  return success();
}

} // namespace ttkit::ttng
