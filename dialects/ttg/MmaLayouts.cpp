// Linear layouts that matrix instructions prescribe for results and operands.

#include "ttg/LayoutConversion.h"

using namespace mlir;

namespace ttkit::ttg {

static constexpr Index distributedIndices[] = {Index::Register, Index::Lane, Index::Warp, Index::Block};

namespace {
/// The dimensions of a matrix, or batch of matrices, and of an operand of a product.
struct MatrixDims {
  explicit MatrixDims(unsigned rank) : rank(rank), m(rank - 2), n(rank - 1) {}
  unsigned k(unsigned opIdx) const { return opIdx == 0 ? n : m; }
  unsigned nonK(unsigned opIdx) const { return opIdx == 0 ? m : n; }
  unsigned rank, m, n;
};
} // namespace

//===--------------------------------------------------------------------------------------------------------------===//
// nvidia_mma
//===--------------------------------------------------------------------------------------------------------------===//

unsigned NvidiaMmaEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

SmallVector<unsigned> NvidiaMmaEncodingAttr::getRepOrder() const {
  return getMatrixOrder(getRank(), /*rowMajor=*/true);
}

/// One instruction's tile of `outerSize` x `innerSize` elements: four threads with `kWidth` neighbours each make a row
/// of the unit, which has eight rows; units are repeated over the outer dimension, then over the inner one.
static FailureOr<LinearLayout> getNvidiaTile(unsigned rank, unsigned inner, int64_t innerSize, unsigned outer,
                                             int64_t outerSize, unsigned kWidth) {
  int64_t unitWidth = int64_t{4} * kWidth;
  if (outerSize % 8 != 0 || innerSize % unitWidth != 0 || !isPowerOfTwo(outerSize / 8) ||
      !isPowerOfTwo(innerSize / unitWidth))
    return failure();
  LinearLayout tile(rank, distributedIndices);
  tile.append(Index::Register, inner, kWidth)
      .append(Index::Lane, inner, 4)
      .append(Index::Lane, outer, 8)
      .append(Index::Register, outer, outerSize / 8)
      .append(Index::Register, inner, innerSize / unitWidth);
  return tile;
}

FailureOr<LinearLayout> NvidiaMmaEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (!isLinearShape(shape, getRank()) || !describesTensors())
    return failure();
  MatrixDims dims(getRank());
  // In version 3 the instruction's shape is [M, N, K], in version 2 that of the result, with its batch.
  unsigned instrM = getInstrShape()[isHopper() ? 0 : dims.m], instrN = getInstrShape()[isHopper() ? 1 : dims.n];
  FailureOr<LinearLayout> tile = getNvidiaTile(dims.rank, dims.n, instrN, dims.m, instrM, /*kWidth=*/2);
  if (failed(tile))
    return failure();
  tile->append(Index::Warp, getWarpsPerCTA(), getMatrixOrder(dims.rank, /*rowMajor=*/!isHopper()));
  return coverShape(*tile, Index::Register, getCGALayout(), shape, getRepOrder());
}

FailureOr<LinearLayout> NvidiaMmaEncodingAttr::toDotOperandLinearLayout(unsigned opIdx, unsigned kWidth,
                                                                        ArrayRef<int64_t> shape) const {
  bool isRightOfHopper = isHopper() && opIdx == 1; // always in shared memory
  if (!isLinearShape(shape, getRank()) || !describesTensors() || isRightOfHopper)
    return failure();
  MatrixDims dims(getRank());
  unsigned kDim = dims.k(opIdx);
  // An instruction for f64 has 8 rows, the others 16.
  bool has8Rows = !isHopper() && getInstrShape()[dims.m] == 8;
  FailureOr<LinearLayout> tile = getNvidiaTile(dims.rank, kDim, int64_t{8} * kWidth, dims.nonK(opIdx),
                                               opIdx == 1 || has8Rows ? 8 : 16, kWidth);
  if (failed(tile))
    return failure();
  appendBroadcastingK(*tile, Index::Warp, getWarpsPerCTA(), getMatrixOrder(dims.rank, /*rowMajor=*/!isHopper()), kDim);
  auto operand = DotOperandEncodingAttr::get(getContext(), opIdx, *this, kWidth);
  return coverShape(*tile, Index::Register, operand.getCGALayout(), shape, operand.getRepOrder());
}

/// Repeats an AMD instruction's tile over warps and the tensor.  Lowering takes tiles in row-major order over the whole
/// tensor, so all of N comes before M, even where that is more than a CTA's tile.
static void appendTiles(LinearLayout &tile, ArrayRef<int64_t> shape, int64_t instrM, int64_t instrN,
                        ArrayRef<unsigned> tilesPerWarp, ArrayRef<unsigned> warpsPerCTA) {
  MatrixDims dims(shape.size());
  int64_t columns = instrN * tilesPerWarp[dims.n] * warpsPerCTA[dims.n];
  tile.append(Index::Register, dims.n, tilesPerWarp[dims.n])
      .append(Index::Warp, dims.n, warpsPerCTA[dims.n])
      .append(Index::Register, dims.n, shape[dims.n] / columns)
      .append(Index::Register, dims.m, tilesPerWarp[dims.m])
      .append(Index::Warp, dims.m, warpsPerCTA[dims.m]);
  if (dims.rank == 3)
    tile.append(Index::Warp, 0, warpsPerCTA[0]);
}

//===--------------------------------------------------------------------------------------------------------------===//
// amd_mfma
//===--------------------------------------------------------------------------------------------------------------===//

static constexpr int64_t waveSize = 64;

unsigned AMDMfmaEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

SmallVector<unsigned> AMDMfmaEncodingAttr::getRepOrder() const { return getMatrixOrder(getRank(), /*rowMajor=*/true); }

FailureOr<LinearLayout> AMDMfmaEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (!isLinearShape(shape, getRank()) || !describesTensors())
    return failure();
  MatrixDims dims(getRank());
  int64_t instrM = getInstrShape()[0], instrN = getInstrShape()[1];
  // A thread has `height` neighbours along one dimension; threads go along the other one first.
  bool isTransposed = getIsTransposed();
  unsigned inner = isTransposed ? dims.n : dims.m, outer = isTransposed ? dims.m : dims.n;
  int64_t outerSize = isTransposed ? instrM : instrN;
  int64_t height = getElementBitWidth() == 64 ? 1 : 4;
  LinearLayout tile(dims.rank, distributedIndices);
  tile.append(Index::Register, inner, height)
      .append(Index::Lane, outer, outerSize)
      .append(Index::Lane, inner, waveSize / outerSize)
      .append(Index::Register, inner, instrM * instrN / (waveSize * height));

  appendTiles(tile, shape, instrM, instrN, getTilesPerWarp(), getWarpsPerCTA());
  return coverShape(tile, Index::Register, getCGALayout(), shape, getRepOrder());
}

FailureOr<LinearLayout> AMDMfmaEncodingAttr::toDotOperandLinearLayout(unsigned opIdx, unsigned kWidth,
                                                                      ArrayRef<int64_t> shape) const {
  if (!isLinearShape(shape, getRank()) || !describesTensors())
    return failure();
  MatrixDims dims(getRank());
  unsigned kDim = dims.k(opIdx), nonKDim = dims.nonK(opIdx);
  int64_t instrM = getInstrShape()[0], instrN = getInstrShape()[1], nonKSize = opIdx == 0 ? instrM : instrN;
  LinearLayout tile(dims.rank, distributedIndices);
  tile.append(Index::Register, kDim, kWidth)
      .append(Index::Lane, nonKDim, nonKSize)
      .append(Index::Lane, kDim, waveSize / nonKSize);
  // The 64-row operand of a 64x4 (4x64) instruction has sixteen such pieces along K.
  if (nonKSize == 64)
    tile.append(Index::Register, kDim, 16);
  tile.append(Index::Register, kDim, shape[kDim] / tile.getSize(kDim));
  tile.append(Index::Register, nonKDim, getTilesPerWarp()[nonKDim]);
  appendBroadcastingK(tile, Index::Warp, getWarpsPerCTA(), getMatrixOrder(dims.rank, /*rowMajor=*/true), kDim);
  return coverShape(tile, Index::Register, getCGALayout(), shape,
                    getDotOperandOrder(opIdx, dims.rank, /*kContiguous=*/true));
}

//===--------------------------------------------------------------------------------------------------------------===//
// amd_wmma
//===--------------------------------------------------------------------------------------------------------------===//

unsigned AMDWmmaEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

SmallVector<unsigned> AMDWmmaEncodingAttr::getRepOrder() const { return getMatrixOrder(getRank(), /*rowMajor=*/true); }

FailureOr<LinearLayout> AMDWmmaEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (!isLinearShape(shape, getRank()) || !describesTensors())
    return failure();
  MatrixDims dims(getRank());
  // Sixteen lanes go along a row; the other sixteen hold the odd rows (version 1) or the last eight.
  unsigned alongLanes = getIsTranspose() ? dims.m : dims.n, other = getIsTranspose() ? dims.n : dims.m;
  LinearLayout tile(dims.rank, distributedIndices);
  tile.append(Index::Lane, alongLanes, 16);
  if (getVersion() == 1)
    tile.append(Index::Lane, other, 2).append(Index::Register, other, 8);
  else
    tile.append(Index::Register, other, 8).append(Index::Lane, other, 2);
  appendTiles(tile, shape, 16, 16, getTilesPerWarp(), getWarpsPerCTA());
  return coverShape(tile, Index::Register, getCGALayout(), shape, getRepOrder());
}

FailureOr<LinearLayout> AMDWmmaEncodingAttr::toDotOperandLinearLayout(unsigned opIdx, unsigned kWidth,
                                                                      ArrayRef<int64_t> shape) const {
  if (!isLinearShape(shape, getRank()) || !describesTensors())
    return failure();
  MatrixDims dims(getRank());
  unsigned kDim = dims.k(opIdx), nonKDim = dims.nonK(opIdx);
  constexpr int64_t lanes = 32, nonKSize = 16, depth = lanes / nonKSize;
  LinearLayout tile(dims.rank, distributedIndices);
  tile.append(Index::Register, kDim, kWidth).append(Index::Lane, nonKDim, nonKSize);
  if (getVersion() == 1)
    tile.broadcast(Index::Lane, depth);
  else
    tile.append(Index::Lane, kDim, depth);
  int64_t piece = depth * int64_t{kWidth}, instrK = getInstrShape()[2];
  tile.append(Index::Register, kDim, instrK / piece);
  // Where a warp has several tiles, all of K comes before the next one.
  if (unsigned tiles = getTilesPerWarp()[nonKDim]; tiles > 1)
    tile.append(Index::Register, kDim, shape[kDim] / std::max(piece, instrK)).append(Index::Register, nonKDim, tiles);
  appendBroadcastingK(tile, Index::Warp, getWarpsPerCTA(), getRepOrder(), kDim);
  return coverShape(tile, Index::Register, getCGALayout(), shape,
                    getDotOperandOrder(opIdx, dims.rank, /*kContiguous=*/true));
}

} // namespace ttkit::ttg
