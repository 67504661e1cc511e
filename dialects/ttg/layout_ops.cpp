// Operations that change a layout.

#include "ttg/layout_ops.h"

using namespace mlir;

namespace ttkit::ttg {

//===--------------------------------------------------------------------------------------------------------------===//
// Fp4ToFpOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult Fp4ToFpOp::verify() {
  RankedTensorType source = getSrc().getType(), result = getType();
  Type element = result.getElementType();
  if (!element.isF16() && !element.isBF16()) // fp4_to_fp_c1
    return emitOpError("only bf16 or f16 is supported for now, got ") << element;
  int64_t rank = source.getRank(), axis = int32_t(getAxis());
  if (rank != result.getRank()) // fp4_to_fp_c2
    return emitOpError("source rank ") << rank << " != result rank " << result.getRank();
  if (axis < 0 || axis >= rank) // fp4_to_fp_c2
    return emitOpError("axis ") << axis << " out of range for rank " << rank;
  for (int64_t dim = 0; dim < rank; ++dim) { // fp4_to_fp_c3
    int64_t before = source.getDimSize(dim), after = result.getDimSize(dim);
    if (dim == axis && after != 2 * before)
      return emitOpError("axis ") << axis << " dimension must be 2x source dimension (src=" << before
                                  << ", dst=" << after << ")";
    if (dim != axis && after != before)
      return emitOpError("dimension ") << dim << " mismatch (src=" << before << ", dst=" << after << ", axis=" << axis
                                       << ")";
  }
  if (bool(source.getEncoding()) != bool(result.getEncoding())) // fp4_to_fp_c4
    return emitOpError("source and result must both have an encoding, or neither");
  if (!source.getEncoding())
    return success();
  // fp4_to_fp_c5, backwards: a layout of the result has one of the source, but not the other way round.
  FailureOr<Attribute> expected =
      inferFp4ToFpLayout(result.getShape(), axis, result.getEncoding(), /*forward=*/false, std::nullopt);
  if (failed(expected))
    return emitOpError("failed to infer encoding of the source from ") << result.getEncoding();
  const tt::LayoutInterface *layouts = tt::getLayoutInterface(*expected);
  if (!layouts || failed(layouts->verifyEquivalent(source.getShape(), *expected, source.getEncoding(), std::nullopt)))
    return emitOpError("Src and Dst encodings are not compatible: expected ")
           << *expected << " for the source, found " << source.getEncoding();
  return success();
}

} // namespace ttkit::ttg
