// Matrix products.

#include "tt/Dot.h"
#include "tt/TypeInference.h"
#include "tt/dot_ops.h"

using namespace mlir;

namespace ttkit::tt {

//===--------------------------------------------------------------------------------------------------------------===//
// Rules of every dot
//===--------------------------------------------------------------------------------------------------------------===//

DotSizes DotSizes::of(ArrayRef<int64_t> aShape, ArrayRef<int64_t> bShape) {
  return {aShape[aShape.size() - 2], aShape.back(), bShape[bShape.size() - 2], bShape.back()};
}

LogicalResult verifyDotRanks(Operation *op, ArrayRef<int64_t> aShape, ArrayRef<int64_t> bShape,
                             ArrayRef<int64_t> cShape) {
  if (aShape.size() != 2 && aShape.size() != 3)
    return op->emitOpError("expected operands to be 2d or 3d, found a of rank ") << aShape.size();
  if (aShape.size() != bShape.size() || aShape.size() != cShape.size())
    return op->emitOpError("expected all operands to have the same rank, found ")
           << aShape.size() << ", " << bShape.size() << " and " << cShape.size();
  return success();
}

LogicalResult verifyDotSizes(Operation *op, ArrayRef<int64_t> aShape, ArrayRef<int64_t> bShape,
                             ArrayRef<int64_t> cShape, DotSizes sizes) {
  if (sizes.aK != sizes.bK)
    return op->emitOpError("expected the last dimension of the first operand to be equal to the second-to-last "
                           "dimension of the second operand, found ")
           << sizes.aK << " and " << sizes.bK;
  if (aShape.size() == 3 && (aShape[0] != cShape[0] || bShape[0] != cShape[0]))
    return op->emitOpError("expected the first dimension of the first operand to be equal to the first dimension of "
                           "the result, and so that of the second, found ")
           << aShape[0] << ", " << bShape[0] << " and " << cShape[0];
  int64_t resultM = cShape[cShape.size() - 2], resultN = cShape.back();
  if (resultM != sizes.aM || resultN != sizes.bN)
    return op->emitOpError("expected the output shape to be the concatenation of the last dimension of the first "
                           "operand and the last dimension of the second ")
           << "(" << sizes.aM << "x" << sizes.bN << "), found " << resultM << "x" << resultN;
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// DotOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult DotOp::inferReturnTypes(MLIRContext *, OptionalLoc loc, ValueRange operands, DictionaryAttr,
                                      OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  RankedTensorType accumulator = inferenceOperand(operands, 2, loc);
  if (!accumulator)
    return failure();
  types.push_back(accumulator);
  return success();
}

// dot_c6
static LogicalResult verifyDotLayouts(DotOp op) {
  Attribute a = op.getA().getType().getEncoding(), b = op.getB().getType().getEncoding();
  Attribute c = op.getC().getType().getEncoding();
  // Triton lets the accumulator alone have a layout.
  if (!a && !b)
    return success();
  if (!a || !b)
    return op.emitError("mismatching encoding between A and B operands: ")
           << op.getA().getType() << " and " << op.getB().getType();
  if (!c)
    return op.emitError("miss encoding of C operand, found ") << op.getC().getType();
  const LayoutInterface *layout = getLayoutInterface(c);
  if (!layout)
    return op.emitError("encoding ") << c << " of C operand is not a layout";
  return layout->verifyDot(op, a, b, c);
}

LogicalResult DotOp::verify() {
  ArrayRef<int64_t> aShape = getA().getType().getShape(), bShape = getB().getType().getShape();
  ArrayRef<int64_t> cShape = getC().getType().getShape();
  // dot_c1
  if (failed(verifyDotRanks(*this, aShape, bShape, cShape)))
    return failure();
  // dot_c2, dot_c3
  if (failed(verifyDotSizes(*this, aShape, bShape, cShape, DotSizes::of(aShape, bShape))))
    return failure();
  // dot_c4
  if (getElementBitWidth(getA().getType()) != getElementBitWidth(getB().getType()))
    return emitError("element types of operands A and B must have same bit width, found ")
           << getA().getType().getElementType() << " and " << getB().getType().getElementType();
  return verifyDotLayouts(*this);
}

//===--------------------------------------------------------------------------------------------------------------===//
// DotScaledOp
//===--------------------------------------------------------------------------------------------------------------===//

// dot_scaled_c5
static LogicalResult verifyFormat(DotScaledOp op, StringRef name, RankedTensorType type, ScaleDotElemType format) {
  bool is16Bit = format == ScaleDotElemType::BF16 || format == ScaleDotElemType::FP16;
  unsigned expected = is16Bit ? 16 : 8, width = getElementBitWidth(type);
  if (width == expected)
    return success();
  return op.emitOpError("operand ") << name << " of format " << stringifyScaleDotElemType(format) << " must have "
                                    << expected << "-bit elements, found " << type.getElementType();
}

/// Sizes in elements, where the types count pairs of packed ones once.
static DotSizes unpackedSizes(DotScaledOp op) {
  DotSizes sizes = DotSizes::of(op.getA().getType().getShape(), op.getB().getType().getShape());
  if (op.getAElemType() == ScaleDotElemType::E2M1)
    (op.getLhsKPack() ? sizes.aK : sizes.aM) *= 2;
  if (op.getBElemType() == ScaleDotElemType::E2M1)
    (op.getRhsKPack() ? sizes.bK : sizes.bN) *= 2;
  return sizes;
}

// dot_scaled_c4.  `outer` is the size of M or N, as `dimension` says.
static LogicalResult verifyScale(DotScaledOp op, RankedTensorType scale, ArrayRef<int64_t> operandShape,
                                 StringRef dimension, int64_t outer, int64_t k) {
  ArrayRef<int64_t> shape = scale.getShape();
  if (shape.size() != operandShape.size())
    return op.emitError("scales ") << dimension << " dimension must match the operand " << dimension
                                   << " dimension, but the scales have rank " << shape.size()
                                   << " and the operand has rank " << operandShape.size();
  if (shape[shape.size() - 2] != outer)
    return op.emitError("scales ") << dimension << " dimension must match the operand " << dimension
                                   << " dimension, found " << shape[shape.size() - 2] << " and " << outer;
  int64_t elementsPerScale = isa<Float8E4M3FNType>(scale.getElementType()) ? 16 : 32;
  if (shape.back() != k / elementsPerScale)
    return op.emitError("scales K dimension must match the operand K divided by the scale factor, found ")
           << shape.back() << " for K of " << k << " and a scale factor of " << elementsPerScale;
  if (shape.size() == 3 && shape[0] != operandShape[0])
    return op.emitError("scales batch dimension must match the operand batch dimension, found ")
           << shape[0] << " and " << operandShape[0];
  return success();
}

LogicalResult DotScaledOp::verify() {
  ArrayRef<int64_t> aShape = getA().getType().getShape(), bShape = getB().getType().getShape();
  ArrayRef<int64_t> cShape = getC().getType().getShape();
  // dot_scaled_c1
  if (failed(verifyDotRanks(*this, aShape, bShape, cShape)))
    return failure();
  if (failed(verifyFormat(*this, "a", getA().getType(), getAElemType())) ||
      failed(verifyFormat(*this, "b", getB().getType(), getBElemType())))
    return failure();
  // dot_scaled_c2, dot_scaled_c3
  DotSizes sizes = unpackedSizes(*this);
  if (failed(verifyDotSizes(*this, aShape, bShape, cShape, sizes)))
    return failure();
  if (getAScale() && failed(verifyScale(*this, getAScale().getType(), aShape, "M", sizes.aM, sizes.aK)))
    return failure();
  if (getBScale() && failed(verifyScale(*this, getBScale().getType(), bShape, "N", sizes.bN, sizes.bK)))
    return failure();
  return success();
}

} // namespace ttkit::tt
