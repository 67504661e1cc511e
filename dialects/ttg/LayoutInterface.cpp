// The ttg side of tt's layout interface, and the checks of layouts on operations.

#include "tt/view_ops.h"
#include "ttg/LayoutInference.h"

#include <shared_mutex>

using namespace mlir;
using ttkit::tt::OptionalLoc;

namespace ttkit::ttg {

//===--------------------------------------------------------------------------------------------------------------===//
// dot
//===--------------------------------------------------------------------------------------------------------------===//

/// Checks one operand of a dot with result layout `result`.
static LogicalResult verifyDotOperand(Operation *op, Attribute operand, unsigned opIdx, Attribute result) {
  auto dotOperand = dyn_cast_or_null<DotOperandEncodingAttr>(operand);
  auto mma = dyn_cast_or_null<NvidiaMmaEncodingAttr>(result);
  if (mma && mma.isHopper()) {
    bool isShared = isa_and_nonnull<NVMMASharedEncodingAttr, SharedLinearEncodingAttr>(operand);
    bool isLeftInRegisters =
        opIdx == 0 && dotOperand && dotOperand.getOpIdx() == 0 && isa<NvidiaMmaEncodingAttr>(dotOperand.getParent());
    if (!isShared && !isLeftInRegisters)
      return op->emitOpError("unexpected operand layout for NvidiaMmaEncodingAttr v3: ") << operand;
    return success();
  }
  if (!dotOperand)
    return op->emitOpError("Dot's a/b's encoding should be of DotOperandEncodingAttr, found ") << operand;
  if (dotOperand.getOpIdx() != opIdx)
    return op->emitOpError("Wrong opIdx of operand #") << opIdx << ": " << operand;
  if (dotOperand.getParent() != result)
    return op->emitOpError("Incompatible parent encoding: operand #")
           << opIdx << " has " << operand << ", the result " << result;
  return success();
}

/// True if mma of `version` can multiply these element types (FP8 always can, after a conversion to f16).
static bool isSupported(Operation *op, unsigned version) {
  auto isMmaType = [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    bool isFloat8 = isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
    return isFloat8 || element.isF16() || element.isBF16() ||
           (version >= 2 && (element.isF32() || element.isF64() || element.isInteger(8)));
  };
  auto isF32 = [](Type type) { return getElementTypeOrSelf(type).isF32(); };
  if (op->getNumOperands() < 2)
    return true;
  Type a = op->getOperand(0).getType(), b = op->getOperand(1).getType();
  if (isF32(a) && isF32(b)) {
    auto precision = op->getAttrOfType<tt::InputPrecisionAttr>("inputPrecision");
    return version >= 2 && precision && precision.getValue() == tt::InputPrecision::TF32;
  }
  return isMmaType(a) && isMmaType(b);
}

LogicalResult verifyDotLayouts(Operation *op, Attribute a, Attribute b, Attribute result) {
  auto left = dyn_cast_or_null<DotOperandEncodingAttr>(a), right = dyn_cast_or_null<DotOperandEncodingAttr>(b);
  if (left || right) {
    if (!left || !right)
      return op->emitError("mismatching encoding between A and B operands");
    if (left.getKWidth() != right.getKWidth())
      return op->emitError("mismatching kWidth between A and B operands");
    auto mmaA = dyn_cast<NvidiaMmaEncodingAttr>(left.getParent());
    auto mmaB = dyn_cast<NvidiaMmaEncodingAttr>(right.getParent());
    auto mmaResult = dyn_cast_or_null<NvidiaMmaEncodingAttr>(result);
    if (mmaA || mmaB || mmaResult) {
      if (!mmaA || !mmaB || !mmaResult)
        return op->emitError("mismatching MMA encoding");
      if (mmaA.getVersionMajor() != mmaB.getVersionMajor() || mmaA.getVersionMajor() != mmaResult.getVersionMajor())
        return op->emitError("mismatched MMA version.");
      if (!isSupported(op, mmaResult.getVersionMajor()))
        return op->emitError("unsupported MMA version");
    }
  }
  if (failed(verifyDotOperand(op, a, 0, result)))
    return failure();
  return verifyDotOperand(op, b, 1, result);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Tensors
//===--------------------------------------------------------------------------------------------------------------===//

namespace {

/// How many lanes, warps and CTAs a tensor's layout has.
struct IndexSizes {
  int64_t lanes, warps, ctas;
};

/// The index sizes of tensor types.  Every operation's tensors are verified, and there are far fewer types than
/// operations.
class IndexSizeCache {
public:
  /// Nothing if the layout does not suit the shape.
  std::optional<IndexSizes> get(RankedTensorType type) const {
    {
      std::shared_lock<std::shared_mutex> lock(mutex);
      if (auto it = sizes.find(type); it != sizes.end())
        return it->second;
    }
    std::optional<IndexSizes> result;
    FailureOr<LinearLayout> layout = toLinearLayout(type);
    if (succeeded(layout))
      result = {layout->getIndexSize(Index::Lane), layout->getIndexSize(Index::Warp),
                layout->getIndexSize(Index::Block)};
    std::unique_lock<std::shared_mutex> lock(mutex);
    sizes.try_emplace(type, result);
    return result;
  }

private:
  mutable std::shared_mutex mutex;
  mutable llvm::DenseMap<Type, std::optional<IndexSizes>> sizes;
};

} // namespace

static LogicalResult verifyTensor(RankedTensorType type, Operation *op, const IndexSizeCache &cache,
                                  function_ref<InFlightDiagnostic()> emitError) {
  Attribute encoding = type.getEncoding();
  auto layout = dyn_cast_or_null<DistributedEncoding>(encoding);
  if (!layout)
    return emitError() << "Non-distributed layout is not allowed in tensor type.";
  if (layout.getRank() != type.getRank())
    return emitError() << "Layout has rank " << layout.getRank() << ", but the tensor it's attached to has rank "
                       << type.getRank() << ".";
  if (!llvm::all_of(type.getShape(), isPowerOfTwo))
    return emitError() << "Layout has shape " << type.getShape() << ", but the tensor it's attached to has shape "
                       << type.getShape() << " which is not a power of two.";
  std::optional<IndexSizes> sizes = cache.get(type);
  if (!sizes)
    return emitError() << "Layout " << encoding << " does not suit a tensor of shape " << type.getShape();
  if (!op->getParentOfType<ModuleOp>())
    return success();

  int threads = lookupThreadsPerWarp(op);
  if (sizes->lanes != threads)
    return emitError() << encoding << ".\nLayout has " << sizes->lanes << " threads per warp, but the module specifies "
                       << threads << " threads per warp.";
  std::optional<int> warps = lookupNumWarps(op);
  if (!warps)
    return emitError() << "Could not determine the number of warps per CTA. Operation is not in a context with "
                          "`ttg.num-warps`.";
  if (sizes->warps != *warps)
    return emitError() << encoding << ".\nLayout has " << sizes->warps << " warps per CTA, but the context requires "
                       << *warps << " warps per CTA.";
  int ctas = lookupNumCTAs(op);
  if (sizes->ctas != ctas)
    return emitError() << encoding << ".\nLayout has " << sizes->ctas << " CTAs per CGA, but the context requires "
                       << ctas << " CTAs per CGA.";
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// The interface
//===--------------------------------------------------------------------------------------------------------------===//

namespace {

struct Layouts : tt::LayoutInterface {
  using LayoutInterface::LayoutInterface;

  FailureOr<Attribute> inferTrans(Attribute source, ArrayRef<int64_t> shape, ArrayRef<int32_t> order,
                                  OptionalLoc loc) const override {
    return inferTransLayout(source, shape, order, loc);
  }

  FailureOr<Attribute> inferReduce(Attribute source, unsigned axis, OptionalLoc loc) const override {
    auto parent = dyn_cast_or_null<DistributedEncoding>(source);
    if (!parent)
      return emitOptionalError(loc, "expected a distributed layout to reduce, found ", source);
    return makeLayout<SliceEncodingAttr>(loc, source.getContext(), axis, parent);
  }

  FailureOr<Attribute> inferExpandDims(Attribute source, unsigned axis, OptionalLoc loc) const override {
    auto slice = dyn_cast_or_null<SliceEncodingAttr>(source);
    if (!slice)
      return emitOptionalError(loc, "ExpandDimsOp operand encoding must be SliceEncodingAttr, found ", source);
    if (slice.getDim() != axis)
      return emitOptionalError(loc, "Incompatible slice dimension for ExpandDimsOp operand: ", slice.getDim(),
                               " for axis ", axis);
    return Attribute(slice.getParent());
  }

  FailureOr<Attribute> inferReshape(ArrayRef<int64_t> sourceShape, Attribute source, ArrayRef<int64_t> resultShape,
                                    OptionalLoc loc) const override {
    return inferReshapeLayout(sourceShape, source, resultShape, loc);
  }

  FailureOr<Attribute> inferJoin(Attribute source, ArrayRef<int64_t> shape, OptionalLoc loc) const override {
    return inferJoinLayout(source, shape, loc);
  }

  FailureOr<Attribute> inferSplit(Attribute source, ArrayRef<int64_t> shape, OptionalLoc loc) const override {
    return inferSplitLayout(source, shape, loc);
  }

  LogicalResult verifyDot(Operation *op, Attribute a, Attribute b, Attribute result) const override {
    return verifyDotLayouts(op, a, b, result);
  }

  LogicalResult verifyEquivalent(ArrayRef<int64_t> shape, Attribute expected, Attribute got,
                                 OptionalLoc loc) const override {
    if (expected == got)
      return success();
    FailureOr<LinearLayout> a = toLinearLayout(shape, expected), b = toLinearLayout(shape, got);
    // A register that holds what another one does makes no difference.
    if (failed(a) || failed(b) || a->withoutBroadcast(Index::Register) != b->withoutBroadcast(Index::Register))
      return emitOptionalError(loc, "Expected result encoding ", expected, " but was ", got);
    return success();
  }

  LogicalResult verifyTensorLayout(RankedTensorType type, Operation *op,
                                   function_ref<InFlightDiagnostic()> emitError) const override {
    return verifyTensor(type, op, cache, emitError);
  }

  /// All is checked when the type is made.
  LogicalResult verifyDescriptorLayout(Type, Operation *, function_ref<InFlightDiagnostic()>) const override {
    return success();
  }

private:
  IndexSizeCache cache;
};

} // namespace

void TTGDialect::registerLayoutInterface() { addInterfaces<Layouts>(); }

} // namespace ttkit::ttg
