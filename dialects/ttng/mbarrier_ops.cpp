// Barriers in shared memory that count arrivals and bytes.

#include "ttg/OpVerification.h"
#include "ttng/mbarrier_ops.h"

using namespace mlir;

namespace ttkit::ttng {

LogicalResult verifyBarrierType(Operation *op, ttg::MemDescType barrier) {
  // Or one for each CTA of the cluster, as Triton writes since 3.7.
  bool isOne = barrier.getShape() == ArrayRef<int64_t>{1} ||
               (barrier.getShape().size() == 1 &&
                ttg::getShapePerCTA(barrier.getEncoding(), barrier.getShape()) == SmallVector<int64_t>{1});
  if (!barrier.getElementType().isInteger(64) || !isOne)
    return op->emitOpError("barrier allocation must be a descriptor of 1xi64 type, found ") << barrier;
  return success();
}

// barrier_expect_c2, arrive_barrier_c3
static LogicalResult verifyMaskOfCTAs(Operation *op, ttg::MemDescType barrier, StringRef name, int32_t mask) {
  int64_t ctas = barrier.getShape()[0];
  if (mask >= 0 && mask < ctas)
    return success();
  return op->emitOpError() << name << " must be in the range [0, num_ctas - 1] with a barrier for each CTA, found "
                           << mask << " and " << ctas << " barriers";
}

// init_barrier_c1, inval_barrier_c1, wait_barrier_c1
LogicalResult InitBarrierOp::verify() { return verifyBarrierType(*this, getAlloc().getType()); }
LogicalResult InvalBarrierOp::verify() { return verifyBarrierType(*this, getAlloc().getType()); }
LogicalResult WaitBarrierOp::verify() { return verifyBarrierType(*this, getAlloc().getType()); }

LogicalResult BarrierExpectOp::verify() {
  if (failed(verifyBarrierType(*this, getAlloc().getType()))) // barrier_expect_c1
    return failure();
  if (auto mask = getFromCTA())
    return verifyMaskOfCTAs(*this, getAlloc().getType(), "fromCTA", *mask);
  return success();
}

LogicalResult AsyncSharedStoreOp::verify() {
  if (failed(verifyBarrierType(*this, getBarrier().getType()))) // async_shared_store_c1
    return failure();
  if (!getDst().getType().getMutableMemory()) // async_shared_store_c2
    return emitOpError("Cannot store into immutable memory, found ") << getDst().getType();
  return ttg::verifySameElements(*this, getSrc().getType(), getDst().getType()); // async_shared_store_c3
}

LogicalResult ArriveBarrierOp::verify() {
  if (failed(verifyBarrierType(*this, getAlloc().getType()))) // arrive_barrier_c1
    return failure();
  if (getCount() < 1) // arrive_barrier_c2
    return emitOpError("count must be greater than or equal to 1, found ") << getCount();
  if (auto mask = getFromCTA(); mask && failed(verifyMaskOfCTAs(*this, getAlloc().getType(), "fromCTA", *mask)))
    return failure();
  return getMulticastCTA() == 0
             ? success()
             : verifyMaskOfCTAs(*this, getAlloc().getType(), "multicastCTA", getMulticastCTA());
}

} // namespace ttkit::ttng
