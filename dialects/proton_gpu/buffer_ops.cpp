// Verifiers of proton_gpu.

#include "proton_gpu/buffer_ops.h"

using namespace mlir;

namespace ttkit::proton_gpu {

LogicalResult SegmentAllocOp::verify() {
  const bool isShared = isa<ttg::MemDescType>(getBuffer().getType());
  if (isShared == isa<GlobalMemorySpaceAttr>(getSegment().getType().getMemorySpace())) // segment_alloc_c1
    return emitOpError("has a buffer in ") << (isShared ? "shared" : "global") << " memory for a segment in the other";
  return success();
}

LogicalResult CircularStoreOp::verify() {
  if (getScopeId() > 255) // circular_store_c1
    return emitOpError("has scopeId ") << static_cast<int32_t>(getScopeId()) << "; an entry holds 0 to 255";
  return success();
}

} // namespace ttkit::proton_gpu
