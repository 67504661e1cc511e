// The layout of a reshaped tensor.
//
// A blocked layout stays blocked where one exists that moves nothing; any other layout becomes a linear one. Dimensions
// are looked at in groups: as few source dimensions as possible, and the result dimensions that hold the same elements.

#include "ttg/LayoutConversion.h"
#include "ttg/LayoutInference.h"

#include <numeric>

using namespace mlir;
using ttkit::tt::OptionalLoc;

namespace ttkit::ttg {

namespace {

struct Group {
  SmallVector<unsigned> source, result; // dimensions, first to last
};

/// Fails if the products of the shapes differ.
FailureOr<SmallVector<Group>> getGroups(ArrayRef<int64_t> source, ArrayRef<int64_t> result) {
  SmallVector<Group> groups(1);
  unsigned s = 0, r = 0;
  int64_t sourceElements = 1, resultElements = 1;
  while (s < source.size() || r < result.size()) {
    bool moreSource = s < source.size(), moreResult = r < result.size();
    if (moreSource && (sourceElements < resultElements || sourceElements == 1 || source[s] == 1)) {
      sourceElements *= source[s];
      groups.back().source.push_back(s++);
    } else if (moreResult && (resultElements < sourceElements || resultElements == 1 || result[r] == 1)) {
      resultElements *= result[r];
      groups.back().result.push_back(r++);
    } else if (sourceElements == resultElements) {
      groups.emplace_back();
      sourceElements = resultElements = 1;
    } else {
      return failure();
    }
  }
  if (sourceElements != resultElements ||
      llvm::any_of(groups, [](const Group &group) { return group.source.empty() || group.result.empty(); }))
    return failure();
  return groups;
}

/// position[d] = index of dimension d in `order`.
SmallVector<unsigned> getPositions(ArrayRef<unsigned> order) {
  SmallVector<unsigned> positions(order.size());
  for (auto [position, dim] : llvm::enumerate(order))
    positions[dim] = position;
  return positions;
}

/// The last dimensions of a group must be used up before an earlier one has more than one thread (element, warp), and
/// only the first one may be exceeded; otherwise the merged dimension would not be covered in order.
bool fillsGroupInOrder(const Group &group, SmallVector<int64_t> &remaining, ArrayRef<unsigned> tile) {
  for (unsigned dim : llvm::reverse(group.source)) {
    if (tile[dim] == 1)
      continue;
    for (unsigned later : group.source)
      if (later > dim && remaining[later] != 1)
        return false;
    if (remaining[dim] % tile[dim] != 0 && remaining[dim] >= tile[dim])
      return false;
    remaining[dim] /= tile[dim]; // zero: exceeded
    if (remaining[dim] == 0 && dim != group.source.front())
      return false;
  }
  return true;
}

/// Spreads the tile over the result dimensions of each group, last dimension first; an excess goes to the first one.
SmallVector<unsigned> spreadTile(ArrayRef<Group> groups, SmallVector<int64_t> &remaining, ArrayRef<unsigned> tile) {
  SmallVector<unsigned> result(remaining.size(), 1);
  for (const Group &group : groups) {
    int64_t elements = 1;
    for (unsigned dim : group.source)
      elements *= tile[dim];
    for (unsigned dim : llvm::reverse(group.result)) {
      int64_t inDim = std::min(elements, remaining[dim]);
      result[dim] = inDim;
      elements /= inDim;
      remaining[dim] /= inDim;
    }
    result[group.result.front()] *= elements;
  }
  return result;
}

} // namespace

/// The blocked layout after a reshape; null if there is none.
static BlockedEncodingAttr reshapeBlocked(BlockedEncodingAttr source, ArrayRef<int64_t> sourceShape,
                                          ArrayRef<int64_t> resultShape) {
  MLIRContext *context = source.getContext();
  auto product = [](ArrayRef<unsigned> values) {
    return std::accumulate(values.begin(), values.end(), 1u, std::multiplies<unsigned>());
  };
  unsigned numWarps = product(source.getWarpsPerCTA()), threadsPerWarp = product(source.getThreadsPerWarp());
  unsigned numCTAs = source.getCGALayout().getIndexSize(Index::Block);
  if (source == getDefaultBlockedEncoding(context, sourceShape, numWarps, threadsPerWarp, numCTAs))
    return getDefaultBlockedEncoding(context, resultShape, numWarps, threadsPerWarp, numCTAs);
  FailureOr<SmallVector<Group>> groups = getGroups(sourceShape, resultShape);
  if (numCTAs != 1 || failed(groups))
    return {};

  SmallVector<unsigned> positions = getPositions(source.getOrder());
  SmallVector<int64_t> sourceRemaining(sourceShape), resultRemaining(resultShape);
  for (const Group &group : *groups) {
    // Merged dimensions must be neighbours in memory order, the last one fastest.
    for (unsigned i = 1; i < group.source.size(); ++i)
      if (positions[group.source[i - 1]] != positions[group.source[i]] + 1)
        return {};
    if (!fillsGroupInOrder(group, sourceRemaining, source.getSizePerThread()) ||
        !fillsGroupInOrder(group, sourceRemaining, source.getThreadsPerWarp()) ||
        !fillsGroupInOrder(group, sourceRemaining, source.getWarpsPerCTA()))
      return {};
  }
  SmallVector<unsigned> sizes = spreadTile(*groups, resultRemaining, source.getSizePerThread());
  SmallVector<unsigned> threads = spreadTile(*groups, resultRemaining, source.getThreadsPerWarp());
  SmallVector<unsigned> warps = spreadTile(*groups, resultRemaining, source.getWarpsPerCTA());
  llvm::sort(*groups,
             [&](const Group &a, const Group &b) { return positions[a.source.front()] < positions[b.source.front()]; });
  SmallVector<unsigned> order;
  for (const Group &group : *groups)
    llvm::append_range(order, llvm::reverse(group.result));
  return BlockedEncodingAttr::get(context, sizes, threads, warps, order, getDefaultCGALayout(resultShape.size()));
}

FailureOr<Attribute> inferReshapeLayout(ArrayRef<int64_t> sourceShape, Attribute source, ArrayRef<int64_t> resultShape,
                                        OptionalLoc loc) {
  auto layout = dyn_cast_or_null<DistributedEncoding>(source);
  FailureOr<LinearLayout> linear = layout ? layout.toLinearLayout(sourceShape) : FailureOr<LinearLayout>();
  if (failed(linear) || !isLinearShape(resultShape, resultShape.size()))
    return emitOptionalError(loc, "cannot infer the layout of a reshape from ", source);
  if (ShapedType::getNumElements(sourceShape) != ShapedType::getNumElements(resultShape))
    return emitOptionalError(loc, "numel of dst shape does not match numel of src shape");
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(source)) {
    if (sourceShape == resultShape)
      return source;
    if (BlockedEncodingAttr result = reshapeBlocked(blocked, sourceShape, resultShape))
      return Attribute(result);
  }
  if (resultShape.empty())
    return emitOptionalError(loc, "a tensor without dimensions has no layout");
  return makeLayout<LinearEncodingAttr>(loc, source.getContext(), linear->reshape(resultShape));
}

/// For each index the bits on which the element does not depend: those whose basis lower bits and indices combine to.
static SmallVector<uint64_t> getCopyingBits(const LinearLayout &layout) {
  SmallVector<uint64_t> rows, masks;
  for (Index index : layout.getIndices()) {
    uint64_t mask = 0;
    for (auto [bit, basis] : llvm::enumerate(layout.getBases(index))) {
      uint64_t vector = 0;
      for (auto [coordinate, size] : llvm::zip_equal(basis, layout.getSizes()))
        vector = vector * static_cast<uint64_t>(size) + static_cast<uint64_t>(coordinate);
      for (uint64_t row : rows)
        vector = std::min(vector, vector ^ row);
      if (vector)
        rows.push_back(vector);
      else
        mask |= uint64_t{1} << bit;
    }
    masks.push_back(mask);
  }
  return masks;
}

bool isExpensiveView(RankedTensorType source, RankedTensorType result) {
  FailureOr<LinearLayout> before = toLinearLayout(source), after = toLinearLayout(result);
  return failed(before) || failed(after) || getCopyingBits(*before) != getCopyingBits(*after) ||
         before->getIndexSize(Index::Register) != after->getIndexSize(Index::Register);
}

} // namespace ttkit::ttg
