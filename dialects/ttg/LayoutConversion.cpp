// Linear layouts of tensors: what all kinds of layouts share, clusters and shapes.

#include "ttg/LayoutConversion.h"

using namespace mlir;

namespace ttkit::ttg {

//===--------------------------------------------------------------------------------------------------------------===//
// Clusters
//===--------------------------------------------------------------------------------------------------------------===//

LinearLayout getDefaultCGALayout(unsigned rank) { return LinearLayout(rank, Index::Block); }

/// Per dimension, the product of the steps of `index`.  Copies count for the dimension that moved last, or not at all.
static SmallVector<unsigned> countSteps(const LinearLayout &layout, Index index, bool countCopies) {
  SmallVector<unsigned> counts(layout.getRank(), 1);
  unsigned lastDim = 0;
  for (const LinearLayout::Basis &basis : layout.getBases(index)) {
    const auto *step = llvm::find_if(basis, [](int64_t coordinate) { return coordinate != 0; });
    if (step != basis.end())
      lastDim = step - basis.begin();
    else if (!countCopies || counts.empty())
      continue;
    counts[lastDim] *= 2;
  }
  return counts;
}

SmallVector<unsigned> getCTAsPerCGA(const LinearLayout &cga) { return countSteps(cga, Index::Block, true); }

SmallVector<unsigned> getCTASplitNum(const LinearLayout &cga) { return countSteps(cga, Index::Block, false); }

SmallVector<unsigned> getIndexOrder(const LinearLayout &layout, Index index, ArrayRef<unsigned> defaultOrder) {
  llvm::SetVector<unsigned> order;
  for (const LinearLayout::Basis &basis : layout.getBases(index)) {
    const auto *step = llvm::find_if(basis, [](int64_t coordinate) { return coordinate != 0; });
    if (step != basis.end())
      order.insert(step - basis.begin());
  }
  order.insert_range(defaultOrder);
  return SmallVector<unsigned>(order.getArrayRef());
}

SmallVector<int64_t> getShapePerCTA(Attribute layout, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> part(shape);
  auto encoding = dyn_cast_or_null<LayoutEncoding>(layout);
  if (!encoding)
    return part;
  // The layout may have fewer dimensions than the tensor (buffers of a pipeline come first), or more (a sliced view).
  SmallVector<unsigned> split = getCTASplitNum(encoding.getCGALayout());
  for (auto [size, parts] : llvm::zip(llvm::reverse(part), llvm::reverse(split)))
    size = std::max<int64_t>(1, size / parts);
  return part;
}

LinearLayout extractCGALayout(const LinearLayout &layout) {
  // What one CTA holds has the size of the tensor divided by the parts; a step of a block is a multiple of that.
  SmallVector<unsigned> parts = countSteps(layout, Index::Block, false);
  LinearLayout::Bases bases;
  for (LinearLayout::Basis basis : layout.getBases(Index::Block)) {
    for (unsigned dim = 0; dim < basis.size(); ++dim)
      basis[dim] /= std::max<int64_t>(1, layout.getSize(dim) / parts[dim]);
    bases.push_back(std::move(basis));
  }
  LinearLayout cga = LinearLayout::fromBases(layout.getRank(), {{Index::Block, bases}});
  return cga.isSurjective() ? cga : getDefaultCGALayout(layout.getRank());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------------------------------------------===//

bool isLinearShape(ArrayRef<int64_t> shape, unsigned rank) {
  if (shape.size() != rank)
    return false;
  int64_t elements = 1;
  for (int64_t size : shape)
    if (!isPowerOfTwo(size) || size > (int64_t{1} << 31) || (elements *= size) > (int64_t{1} << 31))
      return false;
  return true;
}

LinearLayout coverShape(LinearLayout tile, Index repeatedIndex, const LinearLayout &cga, ArrayRef<int64_t> shape,
                        ArrayRef<unsigned> order) {
  LinearLayout cluster = cga;
  cluster.shrink(shape);
  SmallVector<int64_t> partShape(shape);
  for (auto [size, parts] : llvm::zip_equal(partShape, cluster.getSizes()))
    size /= parts;
  tile.grow(repeatedIndex, partShape, order);
  tile.shrink(partShape);
  tile *= cluster;
  return tile;
}

SmallVector<unsigned> getMatrixOrder(unsigned rank, bool rowMajor) {
  SmallVector<unsigned> order(llvm::reverse(llvm::seq<unsigned>(rank)));
  if (!rowMajor && rank >= 2)
    std::swap(order[0], order[1]);
  return order;
}

SmallVector<unsigned> getDotOperandOrder(unsigned opIdx, unsigned rank, bool kContiguous) {
  return getMatrixOrder(rank, /*rowMajor=*/(opIdx != 0) != kContiguous);
}

FailureOr<LinearLayout> toLinearLayout(ArrayRef<int64_t> shape, Attribute layout) {
  auto encoding = dyn_cast_or_null<LayoutEncoding>(layout);
  return encoding ? encoding.toLinearLayout(shape) : FailureOr<LinearLayout>();
}

FailureOr<LinearLayout> toLinearLayout(RankedTensorType type) {
  return toLinearLayout(type.getShape(), type.getEncoding());
}

bool areDividedAlike(RankedTensorType a, RankedTensorType b) {
  FailureOr<LinearLayout> first = toLinearLayout(a), second = toLinearLayout(b);
  return succeeded(first) && succeeded(second) && first->getBases(Index::Block) == second->getBases(Index::Block);
}

FailureOr<LinearLayout> toLinearLayout(MemDescType type) {
  auto encoding = dyn_cast<LayoutEncoding>(type.getEncoding());
  if (!encoding || type.getAllocShape().size() < encoding.getRank())
    return failure();
  return encoding.toLinearLayout(type.getAllocShape().take_back(encoding.getRank()));
}

} // namespace ttkit::ttg
