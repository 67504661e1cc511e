// Checks and effects of assembly.

#include "ttg/assembly_ops.h"

using namespace mlir;

namespace ttkit::ttg {

void InlineAsmOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getPure())
    return;
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

Speculation::Speculatability InlineAsmOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

LogicalResult InlineAsmOp::verify() {
  for (Type type : llvm::concat<const Type>(getOperandTypes(), getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && !tensor.getEncoding()) // inline_asm_c1
      return emitOpError("needs tensors with layouts, found ") << type;
    if (getPure() && isa<MemDescType>(type)) // inline_asm_c2
      return emitOpError("takes a buffer, so it must not be pure, found ") << type;
  }
  return success();
}

} // namespace ttkit::ttg
