// Buffers in shared memory: allocation and access.

#include "ttg/OpVerification.h"
#include "ttg/shared_memory_ops.h"

using namespace mlir;

namespace ttkit::ttg {

LogicalResult verifySameElements(Operation *op, ShapedType source, ShapedType destination) {
  if (source.getElementType() != destination.getElementType())
    return op->emitOpError("source element type ")
           << Type(source) << " must match destination element type " << destination.getElementType();
  if (source.getShape() != destination.getShape())
    return op->emitOpError("source shape [")
           << source.getShape() << "] must match [destination shape " << destination.getShape() << "]";
  return success();
}

LogicalResult verifyAllocation(Operation *op, RankedTensorType source, MemDescType result) {
  if (result.getShape() != result.getAllocShape())
    return op->emitOpError("result shape and its alloc shape must match, found ") << result;
  if (source)
    return verifySameElements(op, source, result);
  if (!result.getMutableMemory())
    return op->emitOpError("uninitialized alloc must have a mutable memdesc type, found ") << result;
  return success();
}

/// The layout of shared memory `buffer` has the rank of `tensor`, which the diagnostic calls `name`.
static LogicalResult verifySharedMemoryRank(Operation *op, RankedTensorType tensor, MemDescType buffer,
                                            StringRef name) {
  auto layout = dyn_cast<SharedEncoding>(buffer.getEncoding());
  if (!layout)
    return op->emitOpError("expected memdesc to have a shared memory encoding, found ") << buffer;
  if (tensor.getRank() != layout.getRank())
    return op->emitOpError(name) << " has rank " << tensor.getRank() << " but memdesc encoding has rank "
                                 << layout.getRank();
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// LocalAllocOp
//===--------------------------------------------------------------------------------------------------------------===//

void LocalAllocOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  // Two equal immutable buffers may be one, until each has its own place in shared memory.
  if (!getType().getMutableMemory() && !(*this)->hasAttr("allocation.offset"))
    return;
  OpResult buffer = getOperation()->getOpResult(0);
  effects.emplace_back(MemoryEffects::Allocate::get(), buffer, SharedMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), buffer, SharedMemory::get());
}

OpFoldResult LocalAllocOp::fold(FoldAdaptor) {
  // alloc(local_load(x)) -> x, if nobody can write to either.
  auto load = getSrc() ? getSrc().getDefiningOp<LocalLoadOp>() : nullptr;
  if (!load || getType().getMutableMemory() || load.getSrc().getType() != getType())
    return {};
  return load.getSrc();
}

LogicalResult LocalAllocOp::verify() {
  if (!isa<SharedMemorySpaceAttr>(getType().getMemorySpace())) // local_alloc_c1
    return emitOpError("should create a buffer of shared memory, found ") << getType();
  auto source = getSrc() ? getSrc().getType() : RankedTensorType();
  if (source && failed(verifySharedMemoryRank(*this, source, getType(), "source"))) // local_alloc_c5
    return failure();
  return verifyAllocation(*this, source, getType()); // local_alloc_c2, local_alloc_c3, local_alloc_c4
}

//===--------------------------------------------------------------------------------------------------------------===//
// LocalLoadOp, LocalStoreOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult LocalLoadOp::verify() {
  if (failed(verifySharedMemoryRank(*this, getType(), getSrc().getType(), "result"))) // local_load_c2
    return failure();
  return verifySameElements(*this, getSrc().getType(), getType()); // local_load_c1
}

LogicalResult LocalStoreOp::verify() {
  if (!getDst().getType().getMutableMemory()) // local_store_c1
    return emitOpError("Cannot store into immutable memory, found ") << getDst().getType();
  if (failed(verifySharedMemoryRank(*this, getSrc().getType(), getDst().getType(), "source"))) // local_store_c3
    return failure();
  return verifySameElements(*this, getSrc().getType(), getDst().getType()); // local_store_c2
}

//===--------------------------------------------------------------------------------------------------------------===//
// LocalGatherOp, LocalScatterOp
//===--------------------------------------------------------------------------------------------------------------===//

/// What gathering and scattering `values`, which the diagnostics call `name`, have in common.
static LogicalResult verifyIndexedAccess(Operation *op, MemDescType buffer, RankedTensorType indices,
                                         RankedTensorType values, int32_t axis, StringRef name) {
  if (!isa<SharedEncoding>(buffer.getEncoding()))
    return op->emitOpError("expected memdesc to have a shared memory encoding, found ") << buffer;
  int64_t rank = buffer.getShape().size();
  if (indices.getRank() != rank || values.getRank() != rank)
    return op->emitOpError("indices and ") << name << " must have the rank of the memdesc, " << rank << ", found "
                                           << indices << " and " << values;
  if (axis < 0 || axis >= rank)
    return op->emitOpError("axis ") << axis << " is out of range for rank " << rank;
  if (indices.getShape() != values.getShape() || indices.getEncoding() != values.getEncoding())
    return op->emitOpError("indices and ") << name << " must have the same shape and layout, found " << indices
                                           << " and " << values;
  if (buffer.getElementType() != values.getElementType())
    return op->emitOpError(name) << " element type " << values.getElementType() << " must match memdesc element type "
                                 << buffer.getElementType();
  return success();
}

LogicalResult LocalGatherOp::verify() {
  // local_gather_c1, local_gather_c2, local_gather_c3, local_gather_c4
  return verifyIndexedAccess(*this, getSrc().getType(), getIndices().getType(), getType(), getAxis(), "result");
}

LogicalResult LocalScatterOp::verify() {
  if (!getDst().getType().getMutableMemory()) // local_scatter_c1
    return emitOpError("Cannot store into immutable memory, found ") << getDst().getType();
  // local_scatter_c1, local_scatter_c2, local_scatter_c3, local_scatter_c4
  return verifyIndexedAccess(*this, getDst().getType(), getIndices().getType(), getValues().getType(), getAxis(),
                             "values");
}

LogicalResult LocalAtomicScatterRMWOp::verify() {
  RankedTensorType values = getValues().getType();
  if (!getDst().getType().getMutableMemory()) // local_atomic_scatter_rmw_c1
    return emitOpError("Cannot store into immutable memory, found ") << getDst().getType();
  // local_atomic_scatter_rmw_c1, local_atomic_scatter_rmw_c2, local_atomic_scatter_rmw_c3, local_atomic_scatter_rmw_c4
  if (failed(verifyIndexedAccess(*this, getDst().getType(), getIndices().getType(), values, getAxis(), "values")))
    return failure();
  if (getType() != values) // local_atomic_scatter_rmw_c3, local_atomic_scatter_rmw_c4
    return emitOpError("result type must be that of values, ") << values << ", found " << getType();
  auto maskType = RankedTensorType::get(values.getShape(), IntegerType::get(getContext(), 1), values.getEncoding());
  if (getMask() && getMask().getType() != maskType) // local_atomic_scatter_rmw_c3, local_atomic_scatter_rmw_c4
    return emitOpError("mask must be ") << maskType << ", found " << getMask().getType();
  return tt::verifyUpdatedType(*this, getAtomicRmwOp(), values); // local_atomic_scatter_rmw_c5
}

} // namespace ttkit::ttg
