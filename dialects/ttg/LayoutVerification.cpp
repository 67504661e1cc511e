// What the parameters of a layout must satisfy, whatever the tensor.  For some layouts the verifier, like
// Triton's, checks less than `describesTensors`: meaningless parameters can be written, and suit no tensor.

#include "ttg/TTG.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace ttkit::ttg {

using EmitError = function_ref<InFlightDiagnostic()>;

/// Bits that indices and coordinates may have in total, so that sizes never overflow.
static constexpr unsigned maxBits = 31;

static LogicalResult verifyPowersOfTwo(EmitError emitError, ArrayRef<unsigned> values, StringRef name) {
  for (unsigned value : values)
    if (!isPowerOfTwo(value))
      return emitError() << "Every element in " << name << " must be a power of two. Found " << value;
  return success();
}

static LogicalResult verifyOrder(EmitError emitError, ArrayRef<unsigned> order) {
  for (unsigned dim = 0; dim < order.size(); ++dim)
    if (!llvm::is_contained(order, dim))
      return emitError() << "order must be a permutation of 0..(rank-1), but was [" << order << "]";
  return success();
}

/// The bits of a number below the product of all `factors`, which are powers of two.
static unsigned getTileBits(ArrayRef<ArrayRef<unsigned>> factors) {
  unsigned bits = 0;
  for (ArrayRef<unsigned> values : factors)
    for (unsigned value : values)
      bits += llvm::Log2_32(value);
  return bits;
}

/// Checks that these are at most maxBits.
static LogicalResult verifySize(EmitError emitError, ArrayRef<ArrayRef<unsigned>> factors) {
  if (unsigned bits = getTileBits(factors); bits > maxBits)
    return emitError() << "the layout's tile has 2^" << bits << " elements; at most 2^" << maxBits << " are supported";
  return success();
}

static LogicalResult verifyCGA(EmitError emitError, const LinearLayout &cga, unsigned rank, StringRef name) {
  if (cga.getIndices() != SmallVector<Index>{Index::Block} || !cga.isSurjective())
    return emitError() << "CGA encoding must have exactly one input dimension named 'block'.";
  if (cga.getRank() != rank)
    return emitError() << name << " and CGALayout's fields must have the same rank. Found " << rank << " and "
                       << cga.getRank();
  return success();
}

static LogicalResult verifyIndices(EmitError emitError, const LinearLayout &layout, ArrayRef<Index> expected) {
  if (layout.getRank() == 0)
    return emitError() << "a linear layout needs at least one dimension";
  if (ArrayRef<Index>(layout.getIndices()) != expected)
    return emitError() << "Expected input dimensions "
                       << llvm::join(llvm::map_range(expected, [](Index index) { return getName(index); }), ", ");
  return success();
}

/// True if each basis of an index moves along one dimension only.
static bool movesInOneDimension(const LinearLayout &layout, Index index) {
  return llvm::all_of(layout.getBases(index), [](const LinearLayout::Basis &basis) {
    return llvm::count_if(basis, [](int64_t coordinate) { return coordinate != 0; }) <= 1;
  });
}

static bool movesInOneDimension(const LinearLayout &layout) {
  return llvm::all_of(layout.getIndices(), [&](Index index) { return movesInOneDimension(layout, index); });
}

//===--------------------------------------------------------------------------------------------------------------===//
// Distributed layouts
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult BlockedEncodingAttr::verify(EmitError emitError, ArrayRef<unsigned> sizePerThread,
                                          ArrayRef<unsigned> threadsPerWarp, ArrayRef<unsigned> warpsPerCTA,
                                          ArrayRef<unsigned> order, LinearLayout CGALayout) {
  if (!llvm::all_equal({sizePerThread.size(), threadsPerWarp.size(), warpsPerCTA.size(), order.size()}))
    return emitError() << "sizePerThread, threadsPerWarp, warpsPerCTA, and order must all have the same rank. Found "
                       << sizePerThread.size() << ", " << threadsPerWarp.size() << ", " << warpsPerCTA.size() << " and "
                       << order.size();
  if (failed(verifyPowersOfTwo(emitError, sizePerThread, "sizePerThread")) ||
      failed(verifyPowersOfTwo(emitError, threadsPerWarp, "threadsPerWarp")) ||
      failed(verifyPowersOfTwo(emitError, warpsPerCTA, "warpsPerCTA")) ||
      failed(verifyCGA(emitError, CGALayout, order.size(), "BlockedEncodingAttr")) ||
      failed(verifyOrder(emitError, order)))
    return failure();
  return verifySize(emitError, {sizePerThread, threadsPerWarp, warpsPerCTA});
}

LogicalResult SliceEncodingAttr::verify(EmitError emitError, unsigned dim, DistributedEncoding parent) {
  if (!parent)
    return emitError() << "a slice needs a parent layout";
  unsigned rank = parent.getRank();
  if (rank <= 1)
    return emitError() << "parent layout must have at least rank >= 2";
  if (dim >= rank)
    return emitError() << "slice dim=" << dim << " must be less than the parent rank=" << rank;
  return success();
}

LogicalResult LinearEncodingAttr::verify(EmitError emitError, LinearLayout layout) {
  if (failed(verifyIndices(emitError, layout, {Index::Register, Index::Lane, Index::Warp, Index::Block})))
    return failure();
  for (Index index : {Index::Register, Index::Lane, Index::Block})
    if (!movesInOneDimension(layout, index))
      return emitError() << "In a distributed layout, each base must move in at most one dimension.";
  if (!layout.isSurjective())
    return emitError() << "Layout is expected to be surjective: some elements are nowhere";
  return success();
}

bool LinearEncodingAttr::isGeneric() const { return !movesInOneDimension(getLinearLayout(), Index::Warp); }

LogicalResult DotOperandEncodingAttr::verify(EmitError emitError, unsigned opIdx, Attribute parent, unsigned kWidth) {
  auto error = [&] { return emitError() << "ttg.dot_op "; };
  if (opIdx > 1)
    return error() << "opIdx parameter can be 0 or 1, got: " << opIdx;
  if (!parent)
    return error() << "parent parameter cannot be null";
  if (auto distributed = dyn_cast<DistributedEncoding>(parent); distributed && distributed.getRank() < 2)
    return error() << "parent must have at least two dimensions, got: " << parent;

  if (auto mma = dyn_cast<NvidiaMmaEncodingAttr>(parent)) {
    bool hasWidth = mma.isAmpere() || mma.isHopper();
    if (kWidth != 0 && !hasWidth)
      return error() << "kWidth parameter can only be non-zero for Ampere or Hopper MMA parent";
    if (kWidth == 0 && hasWidth)
      return error() << "kWidth parameter is mandatory for Ampere or Hopper MMA parent";
    if (opIdx != 0 && mma.isHopper())
      return error()
             << "opIdx parameter must be 0 for Hopper MMA parent, since Hopper WGMMA only allows first operand to "
                "be in registers";
    return success();
  }
  if (auto wmma = dyn_cast<AMDWmmaEncodingAttr>(parent)) {
    if (wmma.getVersion() == 1 && kWidth != 8 && kWidth != 16)
      return error() << "kWidth parameter must be 8/16 for WMMA v1 (including packed cases for `scaled_dot`)";
    if (wmma.getVersion() == 2 && !llvm::is_contained({4u, 8u, 16u}, kWidth))
      return error() << "kWidth parameter must be 4/8/16 for WMMA v2 (including packed cases for `scaled_dot`)";
    if (wmma.getVersion() == 3 && !llvm::is_contained({2u, 8u, 16u}, kWidth))
      return error() << "kWidth parameter must be 2/8/16 for WMMA v3";
    return success();
  }
  if (isa<AMDMfmaEncodingAttr>(parent)) {
    if (kWidth == 0)
      return error() << "kWidth parameter is mandatory for MFMA parent";
    return success();
  }
  if (isa<BlockedEncodingAttr>(parent)) {
    if (kWidth != 0)
      return error() << "kWidth parameter is not supported when the parent is a blocked layout";
    return success();
  }
  return error() << "unexpected parent layout: " << parent;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Matrix instructions
//===--------------------------------------------------------------------------------------------------------------===//

/// What all layouts of matrix instructions need: two dimensions, or three with a batch, and a bounded instruction.
static bool describeTensors(ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> instrShape,
                            ArrayRef<unsigned> tilesPerWarp) {
  unsigned rank = warpsPerCTA.size();
  if ((rank != 2 && rank != 3) || tilesPerWarp.size() < rank || !llvm::all_of(warpsPerCTA, isPowerOfTwo) ||
      !llvm::all_of(tilesPerWarp, isPowerOfTwo) ||
      !llvm::all_of(instrShape, [](unsigned size) { return size >= 1 && size <= 1024; }))
    return false;
  return getTileBits({warpsPerCTA, tilesPerWarp, instrShape}) <= maxBits;
}

LogicalResult NvidiaMmaEncodingAttr::verify(EmitError emitError, unsigned versionMajor, unsigned versionMinor,
                                            ArrayRef<unsigned> warpsPerCTA, LinearLayout CGALayout,
                                            ArrayRef<unsigned> instrShape) {
  return verifyCGA(emitError, CGALayout, warpsPerCTA.size(), "NvidiaMmaEncodingAttr");
}

bool NvidiaMmaEncodingAttr::describesTensors() const {
  unsigned rank = getRank(), instrRank = getInstrShape().size();
  bool hasInstruction = isAmpere() ? instrRank == rank : isHopper() && instrRank == 3 && rank == 2;
  return hasInstruction && ttg::describeTensors(getWarpsPerCTA(), getInstrShape(), SmallVector<unsigned>(rank, 1));
}

LogicalResult AMDMfmaEncodingAttr::verify(EmitError emitError, unsigned version, ArrayRef<unsigned> warpsPerCTA,
                                          ArrayRef<unsigned> instrShape, bool isTransposed, LinearLayout CGALayout,
                                          ArrayRef<unsigned> tilesPerWarp, unsigned elementBitWidth) {
  if (version > 4)
    return emitError() << "version must be in the [0, 4] range";
  if (instrShape.size() < 2)
    return emitError() << "instrShape must be [M, N, K], found " << instrShape.size() << " elements";
  using Tile = std::pair<unsigned, unsigned>;
  Tile tile(instrShape[0], instrShape[1]);
  if (!llvm::is_contained({Tile(32, 32), Tile(16, 16), Tile(64, 4), Tile(4, 64)}, tile))
    return emitError() << "invalid (mDim, nDim) combination: (" << tile.first << ", " << tile.second << ")";
  if (elementBitWidth != 32 && elementBitWidth != 64)
    return emitError() << "elementBitWidth must be 32 or 64";
  return verifyCGA(emitError, CGALayout, warpsPerCTA.size(), "AMDMfmaEncodingAttr");
}

bool AMDMfmaEncodingAttr::describesTensors() const {
  return describeTensors(getWarpsPerCTA(), getInstrShape(), getTilesPerWarp());
}

LogicalResult AMDWmmaEncodingAttr::verify(EmitError emitError, unsigned version, bool isTranspose,
                                          ArrayRef<unsigned> warpsPerCTA, LinearLayout CGALayout,
                                          ArrayRef<unsigned> tilesPerWarp, ArrayRef<unsigned> instrShape) {
  if (version < 1 || version > 3)
    return emitError() << "WMMA version must be in the [1, 3] range";
  static constexpr unsigned v1[] = {16}, v2[] = {16, 32}, v3[] = {4, 32, 64, 128};
  ArrayRef<unsigned> depths = version == 1 ? ArrayRef(v1) : version == 2 ? ArrayRef(v2) : ArrayRef(v3);
  if (instrShape.size() != 3 || instrShape[0] != 16 || instrShape[1] != 16 ||
      !llvm::is_contained(depths, instrShape[2]))
    return emitError() << "invalid WMMA v" << version << " instruction shape";
  return verifyCGA(emitError, CGALayout, warpsPerCTA.size(), "AMDWmmaEncodingAttr");
}

bool AMDWmmaEncodingAttr::describesTensors() const {
  return describeTensors(getWarpsPerCTA(), getInstrShape(), getTilesPerWarp());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Shared-memory layouts
//===--------------------------------------------------------------------------------------------------------------===//

static LogicalResult verifySwizzle(EmitError emitError, ArrayRef<unsigned> order, const LinearLayout &cga) {
  if (order.size() != cga.getRank())
    return emitError() << "order size (" << order.size() << ") must match CGALayout rank (" << cga.getRank() << ")";
  if (failed(verifyOrder(emitError, order)))
    return failure();
  return verifyCGA(emitError, cga, order.size(), "order");
}

LogicalResult SwizzledSharedEncodingAttr::verify(EmitError emitError, unsigned vec, unsigned perPhase,
                                                 unsigned maxPhase, ArrayRef<unsigned> order, LinearLayout CGALayout) {
  return verifySwizzle(emitError, order, CGALayout);
}

LogicalResult AMDRotatingSharedEncodingAttr::verify(EmitError emitError, unsigned vec, unsigned perPhase,
                                                    unsigned maxPhase, ArrayRef<unsigned> order,
                                                    LinearLayout CGALayout) {
  return verifySwizzle(emitError, order, CGALayout);
}

LogicalResult NVMMASharedEncodingAttr::verify(EmitError emitError, unsigned swizzlingByteWidth, bool transposed,
                                              unsigned elementBitWidth, bool fp4Padded, LinearLayout CGALayout) {
  if (CGALayout.getRank() == 0)
    return emitError() << "an nvmma_shared layout needs at least one dimension";
  return verifyCGA(emitError, CGALayout, CGALayout.getRank(), "NVMMASharedEncodingAttr");
}

bool NVMMASharedEncodingAttr::describesTensors() const {
  return isPowerOfTwo(getElementBitWidth()) && getElementBitWidth() <= 128 &&
         llvm::is_contained({0u, 32u, 64u, 128u}, getSwizzlingByteWidth());
}

LogicalResult SharedLinearEncodingAttr::verify(EmitError emitError, LinearLayout layout, unsigned alignment) {
  if (!isPowerOfTwo(alignment))
    return emitError() << "alignment must be a positive power of two";
  if (failed(verifyIndices(emitError, layout, {Index::Offset, Index::Block})))
    return failure();
  if (!layout.isSurjective())
    return emitError() << "The layout must be surjective";
  if (!layout.withoutBroadcast(Index::Offset).withoutBroadcast(Index::Block).isInjective())
    return emitError() << "After removing the zero bases the layout must be bijective";
  return success();
}

LogicalResult PaddedSharedEncodingAttr::verify(EmitError emitError, ArrayRef<unsigned> intervals,
                                               ArrayRef<unsigned> paddings, LinearLayout layout) {
  if (intervals.size() != paddings.size())
    return emitError() << "intervals size (" << intervals.size() << ") must match paddings size (" << paddings.size()
                       << ")";
  if (intervals.empty())
    return emitError() << "must have at least one interval-padding pair";
  if (!llvm::all_of(intervals, isPowerOfTwo))
    return emitError() << "interval values must all be power of two";
  if (!llvm::all_of(paddings, isPowerOfTwo))
    return emitError() << "padding values must all be power of two";
  for (unsigned position = 0; position < intervals.size(); ++position)
    if (llvm::is_contained(intervals.take_front(position), intervals[position]))
      return emitError() << "interval values cannot have duplicates";
  if (failed(verifyIndices(emitError, layout, {Index::Offset, Index::Block})))
    return failure();
  if (!layout.isInvertible())
    return emitError() << "Broadcasting is not supported.";
  if (!movesInOneDimension(layout))
    return emitError() << "Each offset basis must move in at most one dimension.";
  // No swizzling of single elements: what moves are whole rows, or pieces of them.
  for (Index index : layout.getIndices())
    for (const LinearLayout::Basis &basis : layout.getBases(index))
      if (llvm::any_of(basis, [](int64_t coordinate) { return coordinate != 0 && !isPowerOfTwo(coordinate); }))
        return emitError() << "Each offset basis must be 0 or a power of two.";
  return success();
}

} // namespace ttkit::ttg
