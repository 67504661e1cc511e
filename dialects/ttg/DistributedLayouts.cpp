// Linear layouts of blocked, slice, linear and dot_op layouts.

#include "ttg/LayoutConversion.h"

using namespace mlir;

namespace ttkit::ttg {

//===--------------------------------------------------------------------------------------------------------------===//
// blocked
//===--------------------------------------------------------------------------------------------------------------===//

unsigned BlockedEncodingAttr::getRank() const { return getOrder().size(); }

SmallVector<unsigned> BlockedEncodingAttr::getRepOrder() const { return SmallVector<unsigned>(getOrder()); }

FailureOr<LinearLayout> BlockedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (!isLinearShape(shape, getRank()))
    return failure();
  LinearLayout tile(getRank(), {Index::Register, Index::Lane, Index::Warp, Index::Block});
  tile.append(Index::Register, getSizePerThread(), getOrder())
      .append(Index::Lane, getThreadsPerWarp(), getOrder())
      .append(Index::Warp, getWarpsPerCTA(), getOrder());
  return coverShape(tile, Index::Register, getCGALayout(), shape, getOrder());
}

BlockedEncodingAttr getDefaultBlockedEncoding(MLIRContext *context, ArrayRef<int64_t> shape, unsigned numWarps,
                                              unsigned threadsPerWarp, unsigned numCTAs) {
  unsigned rank = shape.size();
  SmallVector<unsigned> order = getMatrixOrder(rank, /*rowMajor=*/true);
  SmallVector<unsigned> ones(rank, 1), threads(rank, 1), warps(rank, 1), parts(rank, 1);
  if (rank == 0)
    return BlockedEncodingAttr::get(context, ones, threads, warps, order, getDefaultCGALayout(0));

  // CTAs split the first dimensions first; those that are left hold the same as others.
  SmallVector<int64_t> partShape(shape);
  unsigned remainingCTAs = numCTAs;
  for (unsigned dim = 0; dim < rank; ++dim) {
    parts[dim] = std::clamp<int64_t>(remainingCTAs, 1, std::max<int64_t>(1, shape[dim]));
    partShape[dim] = std::max<int64_t>(1, shape[dim] / parts[dim]);
    remainingCTAs /= parts[dim];
  }
  LinearLayout cga(rank, Index::Block);
  for (unsigned dim : order) {
    cga.append(Index::Block, dim, parts[dim]);
    if (dim == rank - 1)
      cga.broadcast(Index::Block, remainingCTAs);
  }

  // Threads and warps take the last dimensions first; the first one gets what is left.
  unsigned remainingThreads = numWarps * threadsPerWarp, remainingLanes = threadsPerWarp, remainingWarps = numWarps;
  for (unsigned dim : ArrayRef(order).drop_back()) {
    unsigned inDim = std::clamp<int64_t>(remainingThreads, 1, partShape[dim]);
    threads[dim] = std::clamp<unsigned>(inDim, 1, std::max(1u, remainingLanes));
    warps[dim] = std::clamp<unsigned>(inDim / threads[dim], 1, std::max(1u, remainingWarps));
    remainingWarps /= warps[dim];
    remainingLanes /= threads[dim];
    remainingThreads /= inDim;
  }
  threads[0] = remainingLanes;
  warps[0] = remainingWarps;
  return BlockedEncodingAttr::get(context, ones, threads, warps, order, cga);
}

//===--------------------------------------------------------------------------------------------------------------===//
// slice
//===--------------------------------------------------------------------------------------------------------------===//

unsigned SliceEncodingAttr::getRank() const { return getParent().getRank() - 1; }

LinearLayout SliceEncodingAttr::getCGALayout() const { return getParent().getCGALayout().dropDim(getDim()); }

SmallVector<unsigned> SliceEncodingAttr::getRepOrder() const {
  SmallVector<unsigned> order;
  for (unsigned dim : getParent().getRepOrder())
    if (dim != getDim())
      order.push_back(dim < getDim() ? dim : dim - 1);
  return order;
}

SmallVector<int64_t> SliceEncodingAttr::getParentShape(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> parentShape(shape);
  parentShape.insert(parentShape.begin() + std::min<size_t>(getDim(), shape.size()), 1);
  return parentShape;
}

FailureOr<LinearLayout> SliceEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (!isLinearShape(shape, getRank()))
    return failure();
  FailureOr<LinearLayout> parent = getParent().toLinearLayout(getParentShape(shape));
  if (failed(parent))
    return failure();
  // Registers that differed only in the removed dimension would be copies; lanes, warps and CTAs remain as such.
  return parent->dropDim(getDim()).withoutBroadcast(Index::Register);
}

//===--------------------------------------------------------------------------------------------------------------===//
// linear
//===--------------------------------------------------------------------------------------------------------------===//

unsigned LinearEncodingAttr::getRank() const { return getLinearLayout().getRank(); }

LinearLayout LinearEncodingAttr::getCGALayout() const { return extractCGALayout(getLinearLayout()); }

SmallVector<unsigned> LinearEncodingAttr::getRepOrder() const {
  return getIndexOrder(getLinearLayout(), Index::Register, getMatrixOrder(getRank(), /*rowMajor=*/true));
}

FailureOr<LinearLayout> LinearEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (!isLinearShape(shape, getRank()))
    return failure();
  LinearLayout layout = getLinearLayout();
  layout.grow(Index::Register, shape, getRepOrder());
  layout.shrink(shape, /*dropRegisters=*/true);
  return layout;
}

//===--------------------------------------------------------------------------------------------------------------===//
// dot_op
//===--------------------------------------------------------------------------------------------------------------===//

unsigned DotOperandEncodingAttr::getRank() const { return cast<DistributedEncoding>(getParent()).getRank(); }

/// The dimension that the product reduces.
static unsigned getKDim(unsigned opIdx, unsigned rank) { return opIdx == 0 ? rank - 1 : rank - 2; }

LinearLayout DotOperandEncodingAttr::getCGALayout() const {
  // CTAs that differ along K in the result need the same operand.
  LinearLayout cga = cast<DistributedEncoding>(getParent()).getCGALayout();
  LinearLayout::Bases bases(cga.getBases(Index::Block));
  for (LinearLayout::Basis &basis : bases)
    basis[getKDim(getOpIdx(), getRank())] = 0;
  return cga.withBases(Index::Block, bases);
}

SmallVector<unsigned> DotOperandEncodingAttr::getRepOrder() const {
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(getParent()))
    return blocked.getRepOrder();
  return getDotOperandOrder(getOpIdx(), getRank(), /*kContiguous=*/true);
}

void appendBroadcastingK(LinearLayout &layout, Index index, ArrayRef<unsigned> shape, ArrayRef<unsigned> order,
                         unsigned kDim) {
  for (unsigned dim : order) {
    if (dim == kDim)
      layout.broadcast(index, shape[dim]);
    else
      layout.append(index, dim, shape[dim]);
  }
}

/// Each thread holds all of K; threads and warps that differ along K in the result hold the same.
static LinearLayout getFmaOperandLayout(BlockedEncodingAttr parent, const LinearLayout &cga, unsigned opIdx,
                                        ArrayRef<int64_t> shape) {
  unsigned kDim = getKDim(opIdx, shape.size());
  LinearLayout tile(shape.size(), {Index::Register, Index::Lane, Index::Warp, Index::Block});
  for (unsigned dim : parent.getOrder())
    tile.append(Index::Register, dim, dim == kDim ? shape[dim] : parent.getSizePerThread()[dim]);
  appendBroadcastingK(tile, Index::Lane, parent.getThreadsPerWarp(), parent.getOrder(), kDim);
  appendBroadcastingK(tile, Index::Warp, parent.getWarpsPerCTA(), parent.getOrder(), kDim);
  return coverShape(tile, Index::Register, cga, shape, parent.getOrder());
}

FailureOr<LinearLayout> DotOperandEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (!isLinearShape(shape, getRank()))
    return failure();
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(getParent()))
    return getFmaOperandLayout(blocked, getCGALayout(), getOpIdx(), shape);
  if (!isPowerOfTwo(getKWidth()) || getKWidth() > 1024)
    return failure();
  return cast<MmaEncoding>(getParent()).toDotOperandLinearLayout(getOpIdx(), getKWidth(), shape);
}

} // namespace ttkit::ttg
