// Elementwise arithmetic.

#include "tt/math_ops.h"

using namespace mlir;

namespace ttkit::tt {

//===--------------------------------------------------------------------------------------------------------------===//
// BitcastOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  Type source = getElementTypeOrSelf(getSrc().getType()), result = getElementTypeOrSelf(getType());
  auto sourcePointer = dyn_cast<PointerType>(source), resultPointer = dyn_cast<PointerType>(result);
  // bitcast_c3
  if (!sourcePointer != !resultPointer)
    return emitError("Cannot bitcast pointer to non-pointer type: ") << getSrc().getType() << " to " << getType();
  // bitcast_c4
  if (sourcePointer) {
    if (sourcePointer.getAddressSpace() != resultPointer.getAddressSpace())
      return emitError("Cannot bitcast pointer between different address spaces: ")
             << sourcePointer.getAddressSpace() << " to " << resultPointer.getAddressSpace();
    return success();
  }
  // bitcast_c2
  if (!source.isIntOrFloat() || !result.isIntOrFloat())
    return emitError("Cannot bitcast ") << getSrc().getType() << " to " << getType();
  unsigned sourceWidth = source.getIntOrFloatBitWidth(), resultWidth = result.getIntOrFloatBitWidth();
  if (sourceWidth != resultWidth)
    return emitError("Cannot bitcast data-type of size ") << sourceWidth << " to data-type of size " << resultWidth;
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// FpToFpOp
//===--------------------------------------------------------------------------------------------------------------===//

/// fp_to_fp(x : T) : T -> x;  fp_to_fp(0) -> 0, and so for -0.
OpFoldResult FpToFpOp::fold(FoldAdaptor adaptor) {
  // Not to itself: the body of a module is a graph, where an operation may be its own source.
  if (getSrc().getType() == getType() && getSrc() != getResult())
    return getSrc();
  bool isPositiveZero = matchPattern(adaptor.getSrc(), m_PosZeroFloat());
  if (!isPositiveZero && !matchPattern(adaptor.getSrc(), m_NegZeroFloat()))
    return {};
  auto element = cast<FloatType>(getElementTypeOrSelf(getType()));
  // A type without a negative zero, as f8E4M3FNUZ, gives its only zero.
  FloatAttr zero = FloatAttr::get(element, APFloat::getZero(element.getFloatSemantics(), !isPositiveZero));
  if (auto tensor = dyn_cast<RankedTensorType>(getType()))
    return DenseElementsAttr::get(tensor, zero.getValue());
  return zero;
}

LogicalResult FpToFpOp::verify() {
  // fp_to_fp_c2
  if (getElementBitWidth(getType()) < getElementBitWidth(getSrc().getType()) && !getRounding())
    return emitError("Rounding mode is required for FP downcast, here from ")
           << getSrc().getType() << " to " << getType();
  return success();
}

} // namespace ttkit::tt
