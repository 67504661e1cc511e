// Fences, the barrier of the cluster, and barriers of the hardware that have numbers.

#include "ttng/fence_ops.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ttkit::ttng {

LogicalResult FenceMBarrierInitReleaseClusterOp::verify() {
  if (int numCTAs = ttg::lookupNumCTAs(*this); numCTAs <= 1) // fence_mbarrier_init_release_cluster_c1
    return emitOpError("requires ttg.num-ctas > 1, found ") << numCTAs;
  return success();
}

constexpr int numBarriers = 16, threadsPerWarp = 32;

static LogicalResult verifyNamedBarrier(Operation *op, Value bar, Value numThreads) {
  APInt number, threads;
  // arrive_barrier_named_c1, wait_barrier_named_c1
  if (matchPattern(bar, m_ConstantInt(&number)) && number.uge(numBarriers))
    return op->emitOpError("bar must be in [0, ") << numBarriers << "), found " << number.getSExtValue();
  // arrive_barrier_named_c2, wait_barrier_named_c2
  if (matchPattern(numThreads, m_ConstantInt(&threads)) &&
      (!threads.isStrictlyPositive() || threads.urem(threadsPerWarp) != 0))
    return op->emitOpError("numThreads must be a positive multiple of ")
           << threadsPerWarp << ", found " << threads.getSExtValue();
  return success();
}

LogicalResult ArriveBarrierNamedOp::verify() { return verifyNamedBarrier(*this, getBar(), getNumThreads()); }
LogicalResult WaitBarrierNamedOp::verify() { return verifyNamedBarrier(*this, getBar(), getNumThreads()); }

} // namespace ttkit::ttng
