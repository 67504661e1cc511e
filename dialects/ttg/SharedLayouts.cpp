// Linear layouts of shared memory: offset, in elements, to coordinates.

#include "ttg/LayoutConversion.h"

using namespace mlir;

namespace ttkit::ttg {

static constexpr Index sharedIndices[] = {Index::Offset, Index::Block};

//===--------------------------------------------------------------------------------------------------------------===//
// swizzled_shared and amd_rotating_shared
//===--------------------------------------------------------------------------------------------------------------===//

/// Rows of the two contiguous dimensions of `part`, row r with its groups of `vec` columns permuted by `getPhase(r)`;
/// then the remaining dimensions.
template <typename Encoding>
static FailureOr<LinearLayout> getSwizzledLayout(Encoding layout, ArrayRef<int64_t> shape, ArrayRef<int64_t> part,
                                                 function_ref<int64_t(int64_t)> getPhase) {
  unsigned rank = layout.getRank();
  for (unsigned value : {layout.getVec(), layout.getPerPhase(), layout.getMaxPhase()})
    if (!isPowerOfTwo(value) || value > (1u << 20))
      return failure();
  if (!isLinearShape(shape, rank))
    return failure();
  ArrayRef<unsigned> order = layout.getOrder();
  LinearLayout tile(rank, sharedIndices);
  if (rank == 0)
    return tile;
  tile.append(Index::Offset, order[0], part[order[0]]);
  if (rank > 1) {
    int64_t columns = part[order[0]], rows = part[order[1]];
    LinearLayout::Bases bases(tile.getBases(Index::Offset));
    for (int64_t row = 1; row < rows; row *= 2) {
      LinearLayout::Basis basis(rank, 0);
      basis[order[1]] = row;
      basis[order[0]] = int64_t{layout.getVec()} * getPhase(row) % columns;
      bases.push_back(std::move(basis));
    }
    tile = LinearLayout::fromBases(rank, {{Index::Offset, bases}, {Index::Block, {}}});
    for (unsigned dim : order.drop_front(2))
      tile.append(Index::Offset, dim, part[dim]);
  }
  return coverShape(tile, Index::Offset, layout.getCGALayout(), shape, order);
}

unsigned SwizzledSharedEncodingAttr::getRank() const { return getOrder().size(); }

FailureOr<LinearLayout> SwizzledSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return getSwizzledLayout(*this, shape, getShapePerCTA(*this, shape),
                           [&](int64_t row) { return row / getPerPhase() % getMaxPhase(); });
}

unsigned AMDRotatingSharedEncodingAttr::getRank() const { return getOrder().size(); }

FailureOr<LinearLayout> AMDRotatingSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return getSwizzledLayout(*this, shape, getShapePerCTA(*this, shape), [&](int64_t row) {
    int64_t phase = row / getPerPhase() % getMaxPhase();
    int64_t block = row / getMaxPhase() / getPerPhase() % getMaxPhase();
    return phase ^ block;
  });
}

//===--------------------------------------------------------------------------------------------------------------===//
// nvmma_shared
//===--------------------------------------------------------------------------------------------------------------===//

unsigned NVMMASharedEncodingAttr::getRank() const { return getCGALayout().getRank(); }

int NVMMASharedEncodingAttr::getVec() const {
  return getSwizzlingByteWidth() == 0 ? 1 : std::max<int>(1, 128 / getElementBitWidth());
}

int NVMMASharedEncodingAttr::getPerPhase() const {
  return getSwizzlingByteWidth() == 0 ? 1 : 128 / getSwizzlingByteWidth();
}

int NVMMASharedEncodingAttr::getMaxPhase() const {
  return getSwizzlingByteWidth() == 0 ? 1 : getSwizzlingByteWidth() / 16;
}

int32_t NVMMASharedEncodingAttr::getAlignment() const { return 128 * getMaxPhase(); }

/// The unit of a swizzled layout: eight rows of the swizzling width, as (rows, columns).  Padded fp4 has 8 bytes of
/// data in 16 bytes, so padding maps to the same columns as the data.
static LinearLayout getCoreMatrix(NVMMASharedEncodingAttr layout) {
  int64_t columns = int64_t{8} * std::max(16u, layout.getSwizzlingByteWidth()) / layout.getElementBitWidth();
  auto pack = [&](int64_t column) { return layout.getFp4Padded() ? column / 16 * 8 + column % 8 : column; };
  LinearLayout::Bases bases;
  for (int64_t column = 1; column < columns; column *= 2)
    bases.push_back({0, pack(column)});
  for (int64_t row = 1; row < 8; row *= 2)
    bases.push_back({row, pack(layout.getVec() * (row / layout.getPerPhase() % layout.getMaxPhase()))});
  return LinearLayout::fromBases(2, {{Index::Offset, bases}, {Index::Block, {}}});
}

FailureOr<SmallVector<int64_t>>
NVMMASharedEncodingAttr::getTMABlockShape(ArrayRef<int64_t> shapePerCTA,
                                          function_ref<InFlightDiagnostic()> emitError) const {
  SmallVector<int64_t> block(shapePerCTA);
  unsigned dim = getTransposed() ? 0 : block.size() - 1;
  int64_t padding = getFp4Padded() ? 2 : 1;
  block[dim] *= padding;
  for (int64_t &size : block)
    size = std::min<int64_t>(size, 256);
  if (getSwizzlingByteWidth() != 0) {
    int64_t width = int64_t{8} * getSwizzlingByteWidth() / getElementBitWidth();
    if (block[dim] < width) {
      if (emitError)
        emitError() << "block shape along the contiguous dimension " << dim
                    << " is too small for the swizzle byte size " << getSwizzlingByteWidth()
                    << " in an NVMMASharedLayout, got " << block[dim] << " but expected at least " << width;
      return failure();
    }
    block[dim] = width;
  }
  block[dim] = std::max<int64_t>(1, block[dim] / padding);
  return block;
}

FailureOr<LinearLayout> NVMMASharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  unsigned rank = getRank();
  if (!isLinearShape(shape, rank) || !describesTensors())
    return failure();
  SmallVector<int64_t> part = getShapePerCTA(*this, shape);
  FailureOr<SmallVector<int64_t>> block = getTMABlockShape(part);
  if (failed(block))
    return failure();
  SmallVector<unsigned> lastFirst = getMatrixOrder(rank, /*rowMajor=*/true);
  SmallVector<unsigned> firstFirst = llvm::to_vector(llvm::seq<unsigned>(rank));
  if (getSwizzlingByteWidth() == 0) {
    LinearLayout tile(rank, sharedIndices);
    for (unsigned dim : lastFirst)
      tile.append(Index::Offset, dim, (*block)[dim]);
    tile.grow(Index::Offset, part, lastFirst);
    return coverShape(tile, Index::Offset, getCGALayout(), shape, lastFirst);
  }
  if (rank < 2)
    return failure();

  // Seen as a matrix, all dimensions but the last one are rows; transposed, they are columns, and the first dimension,
  // which is the contiguous one, becomes the last.
  int64_t last = block->back(), others = 1;
  for (int64_t size : ArrayRef(*block).drop_back())
    others *= size;
  SmallVector<int64_t> matrix{others, last}, rowsFirst(*block);
  if (getTransposed()) {
    std::swap(matrix[0], matrix[1]);
    std::rotate(rowsFirst.begin(), rowsFirst.begin() + 1, rowsFirst.end());
  }
  LinearLayout tile = getCoreMatrix(*this);
  if (matrix[0] < tile.getSize(0) || matrix[1] < tile.getSize(1))
    return failure();
  tile.grow(Index::Offset, matrix, {0, 1});
  tile = tile.reshape(rowsFirst);
  if (getTransposed()) {
    SmallVector<int32_t> order{static_cast<int32_t>(rank - 1)};
    llvm::append_range(order, llvm::seq<int32_t>(rank - 1));
    tile = tile.permute(order);
  }
  return coverShape(tile, Index::Offset, getCGALayout(), shape, firstFirst);
}

//===--------------------------------------------------------------------------------------------------------------===//
// padded_shared and shared_linear
//===--------------------------------------------------------------------------------------------------------------===//

unsigned PaddedSharedEncodingAttr::getRank() const { return getLinearComponent().getRank(); }

LinearLayout PaddedSharedEncodingAttr::getCGALayout() const { return extractCGALayout(getLinearComponent()); }

SmallVector<unsigned> PaddedSharedEncodingAttr::getOrder() const {
  return getIndexOrder(getLinearComponent(), Index::Offset, getMatrixOrder(getRank(), /*rowMajor=*/true));
}

FailureOr<LinearLayout> PaddedSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (shape != getLinearComponent().getSizes())
    return failure();
  return getLinearComponent();
}

unsigned SharedLinearEncodingAttr::getRank() const { return getLinearLayout().getRank(); }

LinearLayout SharedLinearEncodingAttr::getCGALayout() const { return extractCGALayout(getLinearLayout()); }

FailureOr<LinearLayout> SharedLinearEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (shape != getLinearLayout().getSizes())
    return failure();
  return getLinearLayout();
}

} // namespace ttkit::ttg
