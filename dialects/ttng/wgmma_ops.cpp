// Matrix products of a warp group.

#include "ttng/wgmma_ops.h"

#include "tt/Dot.h"

using namespace mlir;

namespace ttkit::ttng {

//===--------------------------------------------------------------------------------------------------------------===//
// WarpGroupDotOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult WarpGroupDotOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ValueRange operands,
                                               DictionaryAttr, OpaqueProperties, RegionRange,
                                               SmallVectorImpl<Type> &inferred) {
  // Runs on unverified operations, too.
  if (operands.size() < 3)
    return emitOptionalError(loc, "warp_group_dot needs operands a, b and c");
  inferred.push_back(operands[2].getType());
  return success();
}

void WarpGroupDotOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand *operand : {&getAMutable(), &getBMutable()})
    if (isa<ttg::MemDescType>(operand->get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), operand, ttg::SharedMemory::get());
}

/// The layout of a tensor or memory descriptor; null if it has none.
static Attribute getLayout(Type type) {
  if (auto buffer = dyn_cast<ttg::MemDescType>(type))
    return buffer.getEncoding();
  return cast<RankedTensorType>(type).getEncoding();
}

/// Element types that wgmma can multiply.  Those of fp8 that it cannot are converted first.
static bool isMultipliable(Type type) {
  return isa<Float8E5M2Type, Float8E4M3FNType, Float8E5M2FNUZType, Float8E4M3FNUZType>(type) || type.isF16() ||
         type.isBF16() || type.isF32() || type.isF64() || type.isInteger(8);
}

/// warp_group_dot_c2, warp_group_dot_c3 and warp_group_dot_c10
static LogicalResult verifyLayouts(WarpGroupDotOp op) {
  Attribute a = getLayout(op.getA().getType()), b = op.getB().getType().getEncoding();
  auto result = dyn_cast_or_null<ttg::NvidiaMmaEncodingAttr>(op.getType().getEncoding());
  if (!result || !result.isHopper())
    return op.emitOpError("WGMMA result layout must be Hopper NVMMA, found ") << op.getType();
  auto isDescribable = [](Attribute layout) {
    return isa_and_nonnull<ttg::NVMMASharedEncodingAttr, ttg::SharedLinearEncodingAttr>(layout);
  };
  auto dotOperand = dyn_cast_or_null<ttg::DotOperandEncodingAttr>(a);
  if (!isDescribable(a) && !dotOperand)
    return op.emitOpError("WGMMA A operand must have NVMMA shared or dot layout, found ") << op.getA().getType();
  if (!isDescribable(b))
    return op.emitOpError("WGMMA B operand must have NVMMA shared layout, found ") << b;
  if (dotOperand && (dotOperand.getOpIdx() != 0 || !isa<ttg::NvidiaMmaEncodingAttr>(dotOperand.getParent())))
    return op.emitOpError("unexpected operand layout for NvidiaMmaEncodingAttr v3: ") << dotOperand;
  return success();
}

/// warp_group_dot_c5 and warp_group_dot_c9
static LogicalResult verifyShapes(WarpGroupDotOp op) {
  ArrayRef<int64_t> a = cast<ShapedType>(op.getA().getType()).getShape(), b = op.getB().getType().getShape();
  ArrayRef<int64_t> d = op.getType().getShape();
  if (failed(tt::verifyDotRanks(op, a, b, d)) || failed(tt::verifyDotSizes(op, a, b, d, tt::DotSizes::of(a, b))))
    return failure();
  if (d.size() != 2)
    return op.emitOpError("WGMMA result shape must be 2D, found ") << op.getType();
  SmallVector<int64_t> perCTA = ttg::getShapePerCTA(op.getType().getEncoding(), d);
  if (perCTA[0] % 64 != 0)
    return op.emitOpError("WGMMA result M dimension must be divisible by 64, found ") << perCTA[0] << " in each CTA";
  if (perCTA[1] % 8 != 0)
    return op.emitOpError("WGMMA result N dimension must be divisible by 8, found ") << perCTA[1] << " in each CTA";
  return success();
}

/// warp_group_dot_c6, warp_group_dot_c7 and warp_group_dot_c8
static LogicalResult verifyElements(WarpGroupDotOp op) {
  Type a = getElementTypeOrSelf(op.getA().getType()), b = op.getB().getType().getElementType();
  if (!isMultipliable(a) || !isMultipliable(b))
    return op.emitOpError("unsupported MMA version for the given operands, of element types ") << a << " and " << b;
  // Unsigned, so that -1 stands for no limit.
  if (op.getMaxNumImpreciseAcc() < 32 && isa<Float8E5M2Type, Float8E4M3FNType>(a) &&
      op.getType().getElementType().isF32())
    return op.emitOpError("Cannot use F32 as the accumulator element type when the max_num_imprecise_acc is less than "
                          "32, found ")
           << op.getMaxNumImpreciseAcc();
  if (auto dotOperand = dyn_cast<ttg::DotOperandEncodingAttr>(getLayout(op.getA().getType()))) {
    unsigned kWidth = 32 / tt::getElementBitWidth(a);
    if (dotOperand.getKWidth() != kWidth)
      return op.emitOpError("in-register LHS operand must have a kWidth of ") << kWidth << " but got "
                                                                              << dotOperand.getKWidth();
  }
  return success();
}

LogicalResult WarpGroupDotOp::verify() {
  if (failed(verifyLayouts(*this)))
    return failure();
  if (std::optional<int> numWarps = ttg::lookupNumWarps(*this); numWarps && *numWarps % 4 != 0) // warp_group_dot_c4
    return emitOpError("WGMMA requires num_warps to be divisible by 4, found ") << *numWarps;
  return failure(failed(verifyShapes(*this)) || failed(verifyElements(*this)));
}

//===--------------------------------------------------------------------------------------------------------------===//
// WarpGroupDotWaitOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult WarpGroupDotWaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands,
                                                   DictionaryAttr, OpaqueProperties, RegionRange,
                                                   SmallVectorImpl<Type> &inferred) {
  llvm::append_range(inferred, operands.getTypes());
  return success();
}

LogicalResult WarpGroupDotWaitOp::verify() {
  if (getInputs().empty()) // warp_group_dot_wait_c1
    return emitOpError("expected to be waiting on at least one dependency");
  return success();
}

} // namespace ttkit::ttng
