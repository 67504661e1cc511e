// Opaque elementwise code: effects and checks.

#include "tt/extern_ops.h"

using namespace mlir;

namespace ttkit::tt {

using EffectList = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Code that is not pure may read and write anything.
static void addOpaqueEffects(bool pure, EffectList &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

static Speculation::Speculatability speculatableIfPure(bool pure) {
  return pure ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

//===--------------------------------------------------------------------------------------------------------------===//
// ExternElementwiseOp, ElementwiseInlineAsmOp
//===--------------------------------------------------------------------------------------------------------------===//

void ExternElementwiseOp::getEffects(EffectList &effects) { addOpaqueEffects(getPure(), effects); }

Speculation::Speculatability ExternElementwiseOp::getSpeculatability() { return speculatableIfPure(getPure()); }

void ElementwiseInlineAsmOp::getEffects(EffectList &effects) { addOpaqueEffects(getPure(), effects); }

Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() { return speculatableIfPure(getPure()); }

LogicalResult ElementwiseInlineAsmOp::verify() { // elementwise_inline_asm_c3
  int32_t packed = getPackedElement();
  if (packed <= 0)
    return emitOpError("packed_element must be positive, found ") << packed;
  auto tensor = getArgs().empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(getArgs().front().getType());
  if (tensor && tensor.getNumElements() % packed != 0)
    return emitOpError("number of input elements ") << tensor.getNumElements()
                                                    << " must be a multiple of the op's packed_element attribute, "
                                                    << packed;
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// MapElementwiseOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult MapElementwiseOp::verify() {
  if (!llvm::isPowerOf2_32(getPack())) // map_elementwise_c2
    return emitOpError("Pack must be a power of 2, found ") << int32_t(getPack());
  return success();
}

/// Whether `scalars` are the element types of `tensors`, each repeated `pack` times.
static bool areElementsOf(TypeRange scalars, TypeRange tensors, uint64_t pack) {
  if (scalars.size() != tensors.size() * pack)
    return false;
  for (auto [index, scalar] : llvm::enumerate(scalars))
    if (scalar != getElementTypeOrSelf(tensors[index / pack]))
      return false;
  return true;
}

LogicalResult MapElementwiseOp::verifyRegions() {
  TypeRange arguments = getScalarOp().front().getArgumentTypes();
  if (arguments.size() != getNumOperands() * uint64_t(getPack())) // map_elementwise_c3
    return emitOpError("region has wrong number of arguments: expected ")
           << getNumOperands() * uint64_t(getPack()) << ", found " << arguments.size();
  if (!areElementsOf(arguments, getOperandTypes(), getPack()))
    return emitOpError("argument types did not match: expected the element types of ")
           << getOperandTypes() << ", each " << getPack() << " times, found " << arguments;

  auto check = [&](Operation *op) -> WalkResult {
    // A group may hold elements that stand for several threads' copies of one value: a write would be repeated.
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (effects && effects.hasEffect<MemoryEffects::Write>()) // map_elementwise_c5
      return op->emitOpError("Stores are not supported inside map_elementwise");
    if (isa<MapElementwiseReturnOp>(op) && op->getParentOp() == *this && // map_elementwise_c4
        !areElementsOf(op->getOperandTypes(), getResultTypes(), getPack()))
      return op->emitOpError("region return does not match map_elementwise result: expected the element types of ")
             << getResultTypes() << ", each " << getPack() << " times, found " << op->getOperandTypes();
    return WalkResult::advance();
  };
  return failure(getScalarOp().walk(check).wasInterrupted());
}

} // namespace ttkit::tt
