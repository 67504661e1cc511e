// Atomics' checks.

#include "tt/atomic_ops.h"

using namespace mlir;

namespace ttkit::tt {

LogicalResult AtomicRMWOp::verify() {
  Type type = getVal().getType();
  if (getType() != type) // atomic_rmw_c4
    return emitOpError("result type must be that of val, ") << type << ", found " << getType();

  return verifyUpdatedType(*this, getAtomicRmwOp(), type); // atomic_rmw_c5
}

LogicalResult verifyUpdatedType(Operation *op, RMWOp kind, Type type) {
  if (llvm::is_contained({RMWOp::XCHG, RMWOp::AND, RMWOp::OR, RMWOp::XOR}, kind)) // on bits, whatever they mean
    return success();
  Type element = getElementTypeOrSelf(type);
  if (kind == RMWOp::FADD ? !isa<FloatType>(element) : !isa<IntegerType>(element))
    return op->emitOpError() << stringifyRMWOp(kind) << " needs " << (kind == RMWOp::FADD ? "floating-point" : "integer")
                         << " values, found " << type;
  return success();
}

LogicalResult AtomicCASOp::verify() {
  if (getType() != getVal().getType()) // atomic_cas_c4
    return emitOpError("result type must be that of val, ") << getVal().getType() << ", found " << getType();
  return success();
}

/// Checks that loads are not ordered by what they write, nor stores by what they read.
static LogicalResult verifyOrder(Operation *op, MemSemantic sem, MemSemantic possible) {
  if (sem != MemSemantic::RELAXED && sem != possible)
    return op->emitOpError("sem must be relaxed or ")
           << stringifyMemSemantic(possible) << ", found " << stringifyMemSemantic(sem);
  return success();
}

LogicalResult AtomicLoadOp::verify() { return verifyOrder(*this, getSem(), MemSemantic::ACQUIRE); } // atomic_load_c4

LogicalResult AtomicStoreOp::verify() { return verifyOrder(*this, getSem(), MemSemantic::RELEASE); } // atomic_store_c3

LogicalResult AtomicPollOp::verify() { return verifyOrder(*this, getSem(), MemSemantic::ACQUIRE); } // atomic_poll_c3

} // namespace ttkit::tt
