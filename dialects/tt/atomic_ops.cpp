// Atomics' checks.

#include "tt/atomic_ops.h"

using namespace mlir;

namespace ttkit::tt {

LogicalResult AtomicRMWOp::verify() {
  Type type = getVal().getType();
  if (getType() != type) // atomic_rmw_c4
    return emitOpError("result type must be that of val, ") << type << ", found " << getType();

  RMWOp kind = getAtomicRmwOp();
  if (llvm::is_contained({RMWOp::XCHG, RMWOp::AND, RMWOp::OR, RMWOp::XOR}, kind)) // on bits, whatever they mean
    return success();
  Type element = getElementTypeOrSelf(type); // atomic_rmw_c5
  if (kind == RMWOp::FADD ? !isa<FloatType>(element) : !isa<IntegerType>(element))
    return emitOpError() << stringifyRMWOp(kind) << " needs " << (kind == RMWOp::FADD ? "floating-point" : "integer")
                         << " values, found " << type;
  return success();
}

LogicalResult AtomicCASOp::verify() {
  if (getType() != getVal().getType()) // atomic_cas_c4
    return emitOpError("result type must be that of val, ") << getVal().getType() << ", found " << getType();
  return success();
}

} // namespace ttkit::tt
