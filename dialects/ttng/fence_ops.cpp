// Fences and the barrier of the cluster.

#include "ttng/fence_ops.h"

using namespace mlir;

namespace ttkit::ttng {

LogicalResult FenceMBarrierInitReleaseClusterOp::verify() {
  if (int numCTAs = ttg::lookupNumCTAs(*this); numCTAs <= 1) // fence_mbarrier_init_release_cluster_c1
    return emitOpError("requires ttg.num-ctas > 1, found ") << numCTAs;
  return success();
}

} // namespace ttkit::ttng
