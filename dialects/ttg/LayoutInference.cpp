// What happens to a layout under a shape change: the implementation of tt's layout interface.
//
// Each rule gives a result layout under which the operation moves nothing: every thread keeps its elements, renamed.

#include "tt/view_ops.h"
#include "ttg/LayoutInference.h"
#include "ttg/layout_ops.h"
#include "ttg/memdesc_ops.h"

#include "ttg/LayoutConversion.h"

using namespace mlir;
using ttkit::tt::OptionalLoc;

namespace ttkit::ttg {

/// For a layout that does not suit a shape, which the verifier will have more to say about.
static LogicalResult emitUnsuitable(OptionalLoc loc, Attribute layout, ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return emitOptionalError(loc, "layout ", layout, " does not suit a tensor of shape ", text);
}

static FailureOr<Attribute> makeLinear(OptionalLoc loc, MLIRContext *context, const LinearLayout &layout) {
  return makeLayout<LinearEncodingAttr>(loc, context, layout);
}

//===--------------------------------------------------------------------------------------------------------------===//
// trans
//===--------------------------------------------------------------------------------------------------------------===//

template <typename T> static SmallVector<T> permuted(ArrayRef<T> values, ArrayRef<int32_t> order) {
  return llvm::map_to_vector(order, [&](int32_t dim) { return values[dim]; });
}

/// The order list after dimension order[i] becomes dimension i.
static SmallVector<unsigned> renamed(ArrayRef<unsigned> dims, ArrayRef<int32_t> order) {
  return llvm::map_to_vector(dims, [&](unsigned dim) {
    return static_cast<unsigned>(llvm::find(order, static_cast<int32_t>(dim)) - order.begin());
  });
}

static bool isPermutation(ArrayRef<int32_t> order) {
  for (int32_t dim = 0; dim < static_cast<int32_t>(order.size()); ++dim)
    if (!llvm::is_contained(order, dim))
      return false;
  return true;
}

/// The layouts that keep their kind.
static FailureOr<Attribute> inferTransOfSameKind(Attribute source, ArrayRef<int32_t> order, OptionalLoc loc) {
  MLIRContext *context = source.getContext();
  LinearLayout cga = cast<LayoutEncoding>(source).getCGALayout().permute(order);
  if (auto layout = dyn_cast<SwizzledSharedEncodingAttr>(source)) {
    SmallVector<unsigned> newOrder = renamed(layout.getOrder(), order);
    return makeLayout<SwizzledSharedEncodingAttr>(loc, context, layout.getVec(), layout.getPerPhase(),
                                                  layout.getMaxPhase(), ArrayRef(newOrder), cga);
  }
  if (auto layout = dyn_cast<NVMMASharedEncodingAttr>(source); layout && layout.getRank() == 2)
    return makeLayout<NVMMASharedEncodingAttr>(loc, context, layout.getSwizzlingByteWidth(), !layout.getTransposed(),
                                               layout.getElementBitWidth(), layout.getFp4Padded(), cga);
  if (auto layout = dyn_cast<BlockedEncodingAttr>(source)) {
    SmallVector<unsigned> sizes = permuted(layout.getSizePerThread(), order);
    SmallVector<unsigned> threads = permuted(layout.getThreadsPerWarp(), order);
    SmallVector<unsigned> warps = permuted(layout.getWarpsPerCTA(), order);
    SmallVector<unsigned> newOrder = renamed(layout.getOrder(), order);
    return makeLayout<BlockedEncodingAttr>(loc, context, ArrayRef(sizes), ArrayRef(threads), ArrayRef(warps),
                                           ArrayRef(newOrder), cga);
  }
  if (auto layout = dyn_cast<PaddedSharedEncodingAttr>(source))
    return makeLayout<PaddedSharedEncodingAttr>(loc, context, layout.getIntervals(), layout.getPaddings(),
                                                layout.getLinearComponent().permute(order));
  return Attribute();
}

FailureOr<Attribute> inferTransLayout(Attribute source, ArrayRef<int64_t> shape, ArrayRef<int32_t> order,
                                      OptionalLoc loc) {
  auto layout = dyn_cast_or_null<LayoutEncoding>(source);
  if (!layout)
    return emitOptionalError(loc, "expected a layout to transpose, found ", source);
  if (shape.size() != order.size())
    return emitOptionalError(loc, "shape and order rank do not match: ", shape.size(), " vs ", order.size());
  if (!isPermutation(order))
    return emitOptionalError(loc, "order must be a permutation of 0..(rank-1)");
  if (llvm::is_sorted(order))
    return source;
  if (layout.getRank() != order.size())
    return emitOptionalError(loc, "rank of encoding does not match order: ", layout.getRank(), " vs ", order.size());
  FailureOr<Attribute> same = inferTransOfSameKind(source, order, loc);
  if (failed(same) || *same)
    return same;
  FailureOr<LinearLayout> linear = layout.toLinearLayout(shape);
  if (failed(linear))
    return emitUnsuitable(loc, source, shape);
  LinearLayout result = linear->permute(order);
  if (auto shared = dyn_cast<SharedEncoding>(source))
    return makeLayout<SharedLinearEncodingAttr>(loc, source.getContext(), result,
                                                static_cast<unsigned>(shared.getAlignment()));
  return makeLinear(loc, source.getContext(), result);
}

//===--------------------------------------------------------------------------------------------------------------===//
// join, split and fp4_to_fp
//===--------------------------------------------------------------------------------------------------------------===//

/// Twice as many elements along `axis`: neighbours are in two registers of the same thread.
static LinearLayout doubled(const LinearLayout &layout, unsigned axis) {
  LinearLayout result(layout.getRank(), layout.getIndices());
  result.append(Index::Register, axis, 2);
  result *= layout;
  return result;
}

/// Half as many elements along `axis`, if neighbours are in two registers of the same thread.
static FailureOr<LinearLayout> halved(const LinearLayout &layout, unsigned axis, OptionalLoc loc) {
  SmallVector<std::pair<Index, LinearLayout::Bases>> all;
  bool found = false;
  for (Index index : layout.getIndices()) {
    LinearLayout::Bases bases;
    for (LinearLayout::Basis basis : layout.getBases(index)) {
      if (index == Index::Register && basis[axis] == 1) {
        found = true;
        continue;
      }
      basis[axis] /= 2;
      bases.push_back(std::move(basis));
    }
    all.push_back({index, std::move(bases)});
  }
  if (!found)
    return emitOptionalError(loc,
                             "Fp4ToFpOp/SplitOp requires at least 2 elements per thread in the axis/last dimension");
  return LinearLayout::fromBases(layout.getRank(), all);
}

static SmallVector<unsigned> with(ArrayRef<unsigned> values, unsigned last) {
  SmallVector<unsigned> result(values);
  result.push_back(last);
  return result;
}

FailureOr<Attribute> inferSplitLayout(Attribute source, ArrayRef<int64_t> shape, OptionalLoc loc) {
  auto layout = dyn_cast_or_null<DistributedEncoding>(source);
  if (!layout || shape.empty() || layout.getRank() != shape.size())
    return emitUnsuitable(loc, source, shape);
  if (shape.back() != 2)
    return emitOptionalError(loc, "SplitOp input shape should have 2 in the last dim");
  unsigned last = shape.size() - 1;
  auto blocked = dyn_cast<BlockedEncodingAttr>(source);
  if (blocked && blocked.getSizePerThread().back() == 2 && blocked.getThreadsPerWarp().back() == 1 &&
      blocked.getWarpsPerCTA().back() == 1 && getCTAsPerCGA(blocked.getCGALayout()).back() == 1) {
    SmallVector<unsigned> order(blocked.getOrder());
    llvm::erase(order, last);
    return makeLayout<BlockedEncodingAttr>(
        loc, source.getContext(), blocked.getSizePerThread().drop_back(), blocked.getThreadsPerWarp().drop_back(),
        blocked.getWarpsPerCTA().drop_back(), ArrayRef(order), blocked.getCGALayout().dropDim(last));
  }
  FailureOr<LinearLayout> linear = layout.toLinearLayout(shape);
  if (failed(linear))
    return emitUnsuitable(loc, source, shape);
  FailureOr<LinearLayout> half = halved(*linear, last, loc);
  if (failed(half))
    return failure();
  if (half->getRank() < 2)
    return emitOptionalError(loc, "SplitOp input should have at least two dimensions");
  return makeLinear(loc, source.getContext(), half->dropDim(last));
}

FailureOr<Attribute> inferJoinLayout(Attribute source, ArrayRef<int64_t> shape, OptionalLoc loc) {
  auto layout = dyn_cast_or_null<DistributedEncoding>(source);
  if (!layout || layout.getRank() != shape.size())
    return emitUnsuitable(loc, source, shape);
  unsigned rank = shape.size();
  if (auto blocked = dyn_cast<BlockedEncodingAttr>(source)) {
    SmallVector<unsigned> order{rank};
    llvm::append_range(order, blocked.getOrder());
    SmallVector<unsigned> sizes = with(blocked.getSizePerThread(), 2), threads = with(blocked.getThreadsPerWarp(), 1),
                          warps = with(blocked.getWarpsPerCTA(), 1);
    return makeLayout<BlockedEncodingAttr>(loc, source.getContext(), ArrayRef(sizes), ArrayRef(threads),
                                           ArrayRef(warps), ArrayRef(order), blocked.getCGALayout().insertDim(rank));
  }
  FailureOr<LinearLayout> linear = layout.toLinearLayout(shape);
  if (failed(linear))
    return emitUnsuitable(loc, source, shape);
  // The parent of a slice is better than its linear equivalent, if splitting it gives the slice back.
  if (auto slice = dyn_cast<SliceEncodingAttr>(source); slice && slice.getDim() == rank) {
    SmallVector<int64_t> joinedShape(shape);
    joinedShape.push_back(2);
    FailureOr<Attribute> split = inferSplitLayout(slice.getParent(), joinedShape, std::nullopt);
    if (succeeded(split)) {
      FailureOr<LinearLayout> splitLinear = toLinearLayout(shape, *split);
      if (succeeded(splitLinear) && *splitLinear == *linear)
        return Attribute(slice.getParent());
    }
  }
  return makeLinear(loc, source.getContext(), doubled(linear->insertDim(rank), rank));
}

FailureOr<Attribute> inferFp4ToFpLayout(ArrayRef<int64_t> shape, unsigned axis, Attribute source, bool forward,
                                        OptionalLoc loc) {
  auto layout = dyn_cast_or_null<DistributedEncoding>(source);
  if (!layout || axis >= shape.size() || layout.getRank() != shape.size())
    return emitUnsuitable(loc, source, shape);
  FailureOr<LinearLayout> linear = layout.toLinearLayout(shape);
  if (failed(linear))
    return emitUnsuitable(loc, source, shape);
  MLIRContext *context = source.getContext();
  auto scaled = [&](unsigned size) { return forward ? size * 2 : size / 2; };
  static constexpr StringLiteral tooFew = "Fp4ToFpOp requires at least 2 elements per thread in the axis dimension";
  // As Triton, which tests position `axis` of the order, not whether `axis` comes first in it.
  if (getIndexOrder(*linear, Index::Register, getMatrixOrder(shape.size(), /*rowMajor=*/true))[axis] == 0) {
    if (auto operand = dyn_cast<DotOperandEncodingAttr>(source)) {
      if (!forward && operand.getKWidth() <= 1)
        return emitOptionalError(loc, tooFew);
      return makeLayout<DotOperandEncodingAttr>(loc, context, operand.getOpIdx(), operand.getParent(),
                                                scaled(operand.getKWidth()));
    }
    if (auto blocked = dyn_cast<BlockedEncodingAttr>(source)) {
      SmallVector<unsigned> sizes(blocked.getSizePerThread());
      if (!forward && sizes[axis] <= 1)
        return emitOptionalError(loc, tooFew);
      sizes[axis] = scaled(sizes[axis]);
      return makeLayout<BlockedEncodingAttr>(loc, context, ArrayRef(sizes), blocked.getThreadsPerWarp(),
                                             blocked.getWarpsPerCTA(), blocked.getOrder(), blocked.getCGALayout());
    }
  }
  if (forward)
    return makeLinear(loc, context, doubled(*linear, axis));
  FailureOr<LinearLayout> half = halved(*linear, axis, loc);
  return failed(half) ? FailureOr<Attribute>() : makeLinear(loc, context, *half);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Memory descriptors
//===--------------------------------------------------------------------------------------------------------------===//

FailureOr<MemDescType> inferMemDescTransType(MemDescType source, ArrayRef<int32_t> order, OptionalLoc loc) {
  FailureOr<Attribute> encoding = inferTransLayout(source.getEncoding(), source.getShape(), order, loc);
  if (failed(encoding))
    return failure();
  SmallVector<int64_t> shape = permuted(source.getShape(), order);
  SmallVector<int64_t> allocShape(source.getAllocShape().drop_back(order.size()));
  llvm::append_range(allocShape, permuted(source.getAllocShape().take_back(order.size()), order));
  return makeMemDesc(loc, source, shape, *encoding, allocShape);
}

/// nvmma_shared stays if the contiguous dimension and all addresses do; other layouts become shared_linear.
static FailureOr<Attribute> inferMemDescReshapeLayout(MemDescType source, ArrayRef<int64_t> shape, OptionalLoc loc) {
  auto layout = dyn_cast<SharedEncoding>(source.getEncoding());
  FailureOr<LinearLayout> linear = layout ? layout.toLinearLayout(source.getShape()) : FailureOr<LinearLayout>();
  if (failed(linear) || isa<PaddedSharedEncodingAttr>(layout) || !isLinearShape(shape, shape.size()))
    return emitOptionalError(loc, "Failed MemDescReshapeOp encoding inference");
  MLIRContext *context = source.getContext();
  LinearLayout reshaped = linear->reshape(shape);
  auto nvmma = dyn_cast<NVMMASharedEncodingAttr>(source.getEncoding());
  if (nvmma && nvmma.getCGALayout().getBases(Index::Block).empty()) {
    bool sameContiguous =
        nvmma.getTransposed() ? shape.front() == source.getShape().front() : shape.back() == source.getShape().back();
    auto candidate = NVMMASharedEncodingAttr::get(context, nvmma.getSwizzlingByteWidth(), nvmma.getTransposed(),
                                                  nvmma.getElementBitWidth(), nvmma.getFp4Padded(),
                                                  getDefaultCGALayout(shape.size()));
    FailureOr<LinearLayout> candidateLinear = candidate.toLinearLayout(shape);
    if (sameContiguous && succeeded(candidateLinear) && *candidateLinear == reshaped)
      return Attribute(candidate);
  }
  return makeLayout<SharedLinearEncodingAttr>(loc, context, reshaped, static_cast<unsigned>(layout.getAlignment()));
}

FailureOr<MemDescType> inferMemDescReshapeType(MemDescType source, ArrayRef<int64_t> shape, OptionalLoc loc) {
  if (shape.empty() || ShapedType::getNumElements(shape) != ShapedType::getNumElements(source.getShape()))
    return emitOptionalError(loc, "dst shape has different number of elements than src");
  FailureOr<Attribute> encoding = inferMemDescReshapeLayout(source, shape, loc);
  if (failed(encoding))
    return failure();
  SmallVector<int64_t> allocShape(source.getAllocShape().drop_back(source.getRank()));
  llvm::append_range(allocShape, shape);
  return makeMemDesc(loc, source, shape, *encoding, allocShape);
}

FailureOr<MemDescType> makeMemDesc(OptionalLoc loc, MemDescType like, ArrayRef<int64_t> shape, Attribute encoding,
                                   ArrayRef<int64_t> allocShape) {
  bool isValid = withErrors(loc, like.getContext(), [&](function_ref<InFlightDiagnostic()> emitError) {
    return succeeded(MemDescType::verify(emitError, shape, like.getElementType(), encoding, like.getMemorySpace(),
                                         like.getMutableMemory(), allocShape));
  });
  if (!isValid)
    return failure();
  return MemDescType::get(shape, like.getElementType(), encoding, like.getMemorySpace(), like.getMutableMemory(),
                          allocShape);
}

} // namespace ttkit::ttg
