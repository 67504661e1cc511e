// Checks of arithmetic of pairs.

#include "ttng/packed_ops.h"

using namespace mlir;

namespace ttkit::ttng {

LogicalResult PackedArithOp::verify() {
  tt::PackedArith kind = getPackedArithOp();
  Type element = getType().getElementType();
  bool isExtreme = kind == tt::PackedArith::MIN || kind == tt::PackedArith::MAX;
  if (!element.isF16() && !element.isBF16() && (isExtreme || !element.isF32())) // packed_arith_c2
    return emitOpError("needs elements of f16") << (isExtreme ? " or bf16" : ", bf16 or f32") << ", found " << element;
  unsigned wanted = kind == tt::PackedArith::FMA ? 3 : 2;
  if (getArgs().size() != wanted) // packed_arith_c3
    return emitOpError() << tt::stringifyPackedArith(kind) << " needs " << wanted << " operands, found "
                         << getArgs().size();
  return success();
}

} // namespace ttkit::ttng
