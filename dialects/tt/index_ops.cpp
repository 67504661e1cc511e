// Indices: ranges of integers, and operations that are driven by the values of integers.

#include "tt/TypeInference.h"
#include "tt/index_ops.h"

using namespace mlir;

namespace ttkit::tt {

//===--------------------------------------------------------------------------------------------------------------===//
// MakeRangeOp
//===--------------------------------------------------------------------------------------------------------------===//

/// make_range(n, n + 1) -> dense<n>
OpFoldResult MakeRangeOp::fold(FoldAdaptor) {
  int64_t start = getStartAttr().getInt(), end = getEndAttr().getInt();
  if (start + 1 != end)
    return {};
  return SplatElementsAttr::get(getType(), Attribute(getStartAttr()));
}

LogicalResult MakeRangeOp::verify() {
  // Signed, and wide enough for the difference; getStart() and getEnd() are neither.
  int64_t start = getStartAttr().getInt(), end = getEndAttr().getInt();
  // make_range_c1
  if (start >= end)
    return emitOpError("start must be less than end, found [") << start << ", " << end << ")";
  // make_range_c2
  RankedTensorType type = getType();
  if (type.getRank() != 1)
    return emitOpError("return type must be a 1D tensor, found ") << type;
  // make_range_c3
  if (end - start != type.getDimSize(0))
    return emitOpError("number of elements in returned tensor, ")
           << type.getDimSize(0) << ", must match size of range [" << start << ", " << end << "), which has "
           << end - start << " elements";
  // make_range_c4
  if (!type.getElementType().isInteger(32))
    return emitOpError("returned tensor must have i32 elements, found ") << type.getElementType();
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// GatherOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, OptionalLoc loc, ValueRange operands, DictionaryAttr,
                                         OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  RankedTensorType source = inferenceOperand(operands, 0, loc), indices = inferenceOperand(operands, 1, loc);
  if (!source || !indices)
    return failure();
  types.push_back(indices.clone(source.getElementType()));
  return success();
}

LogicalResult GatherOp::verify() {
  RankedTensorType indices = getIndices().getType(), source = getSrc().getType(), result = getType();
  // gather_c1
  if (indices.getShape() != result.getShape())
    return emitOpError("indices and output shapes must match, found ") << indices << " and " << result;
  // gather_c2
  if (indices.getEncoding() != result.getEncoding())
    return emitOpError("indices and output encodings must match, found ") << indices << " and " << result;
  // gather_c3
  if (source.getElementType() != result.getElementType())
    return emitOpError("input and output element types must match, found ")
           << source.getElementType() << " and " << result.getElementType();
  // gather_c4
  if (source.getRank() != indices.getRank())
    return emitOpError("input and indices ranks must match, found ")
           << source.getRank() << " and " << indices.getRank();
  // gather_c5
  int64_t axis = getAxisAttr().getInt();
  if (axis < 0 || axis >= source.getRank())
    return emitOpError("gather dimension must be less than the input rank and not negative, found ")
           << axis << " for rank " << source.getRank();
  // gather_c6
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    if (dim != axis && indices.getDimSize(dim) != source.getDimSize(dim))
      return emitOpError("indices dimension ") << dim << " must match the corresponding input dimension, found "
                                               << indices.getDimSize(dim) << " and " << source.getDimSize(dim);
  return success();
}

} // namespace ttkit::tt
