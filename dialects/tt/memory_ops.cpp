// Loads and stores: effects, result type, checks, and constant masks.

#include "tt/memory_ops.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace ttkit::tt {

/// Checks what loads and stores share: `boundaryCheck` names dimensions of a block, and a block access has no mask
/// (load_c4, load_c5, store_c3, store_c4).
static LogicalResult verifyBlockAccess(Operation *op, Type pointer, Value mask, ArrayRef<int32_t> boundaryCheck) {
  if (!isTensorPointerType(pointer)) // as Triton, which ignores boundaryCheck there
    return success();
  if (mask)
    return op->emitOpError("takes no mask with a block pointer; use boundaryCheck");

  int64_t rank = cast<RankedTensorType>(cast<PointerType>(pointer).getPointeeType()).getRank();
  SmallVector<bool> seen(rank);
  for (int32_t dim : boundaryCheck) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError("boundaryCheck dimension ") << dim << " is out of range for a block of rank " << rank;
    if (seen[dim])
      return op->emitOpError("boundaryCheck has dimension ") << dim << " twice";
    seen[dim] = true;
  }
  return success();
}

/// The value of all elements of a mask that is a constant tensor with one value; none if it is anything else.
static std::optional<bool> getUniformMask(Value mask) {
  SplatElementsAttr splat;
  if (!mask || !matchPattern(mask, m_Constant(&splat)))
    return std::nullopt;
  return splat.getSplatValue<APInt>().isOne();
}

/// {cachePolicy = #tt.cache_policy<...>} -> the properties cache and evict
template <typename OpTy> static LogicalResult unpackCachePolicy(OpTy op, PatternRewriter &rewriter) {
  auto policy = op->template getAttrOfType<CachePolicyAttr>("cachePolicy");
  if (!policy)
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.setCache(policy.getCacheModifier());
    op.setEvict(policy.getEvictionPolicy());
    op->removeAttr("cachePolicy");
  });
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// LoadOp
//===--------------------------------------------------------------------------------------------------------------===//

void LoadOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(), GlobalMemory::get());
  // Keeps a volatile load where it is, and as often as it is.
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult LoadOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location, ValueRange operands,
                                       DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
                                       SmallVectorImpl<Type> &results) {
  Type type = operands.empty() ? Type() : getPointeeType(operands.front().getType());
  if (!type)
    return emitOptionalError(location, "'tt.load' op ptr must be a pointer or a tensor of pointers");
  results.push_back(type);
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyBlockAccess(*this, getPtr().getType(), getMask(), getBoundaryCheck())))
    return failure();
  if (getPadding() == PaddingOption::PAD_NAN && !isa<FloatType>(getElementTypeOrSelf(getType()))) // load_c6
    return emitOpError("NaN padding needs a floating-point element type, found ") << getType();
  return success();
}

namespace {

/// load(ptr, all true, ...) -> load(ptr, ...); load(ptr, all false, other) -> other.
struct FoldLoadMask : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LoadOp op, PatternRewriter &rewriter) const override {
    std::optional<bool> mask = getUniformMask(op.getMask());
    if (!mask)
      return failure();
    if (*mask) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getOtherMutable().clear();
        op.getMaskMutable().clear();
      });
      return success();
    }
    if (!op.getOther())
      return failure();
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
};

/// store(ptr, value, all true) -> store(ptr, value); store(ptr, value, all false) -> nothing.
struct FoldStoreMask : OpRewritePattern<StoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StoreOp op, PatternRewriter &rewriter) const override {
    std::optional<bool> mask = getUniformMask(op.getMask());
    if (!mask)
      return failure();
    if (*mask)
      rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    else
      rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &results, MLIRContext *context) {
  results.add<FoldLoadMask>(context);
  results.add(unpackCachePolicy<LoadOp>);
}

//===--------------------------------------------------------------------------------------------------------------===//
// StoreOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult StoreOp::verify() {
  return verifyBlockAccess(*this, getPtr().getType(), getMask(), getBoundaryCheck());
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &results, MLIRContext *context) {
  results.add<FoldStoreMask>(context);
  results.add(unpackCachePolicy<StoreOp>);
}

} // namespace ttkit::tt
