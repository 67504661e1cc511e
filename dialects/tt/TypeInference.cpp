// What inferReturnTypes and verifiers of several operations share.

#include "tt/TypeInference.h"

using namespace mlir;

namespace ttkit::tt {

RankedTensorType inferenceOperand(ValueRange operands, unsigned index, OptionalLoc loc) {
  if (index >= operands.size()) {
    (void)emitOptionalError(loc, "operand #", index, " is missing");
    return {};
  }
  auto type = dyn_cast<RankedTensorType>(operands[index].getType());
  if (type && type.hasStaticShape())
    return type;
  (void)emitOptionalError(loc, "operand #", index, " must be a ranked tensor of static shape, found ",
                          operands[index].getType());
  return {};
}

FailureOr<int64_t> inferenceAxis(IntegerAttr property, DictionaryAttr attributes, OptionalLoc loc) {
  auto axis = inferenceAttribute<IntegerAttr>(property, attributes, "axis", loc);
  if (!axis)
    return failure();
  if (!axis.getType().isSignlessInteger(32))
    return emitOptionalError(loc, "attribute 'axis' must be an i32, found ", axis);
  return axis.getInt();
}

FailureOr<Attribute> inferLayout(Attribute source, OptionalLoc loc,
                                 function_ref<FailureOr<Attribute>(const LayoutInterface &)> infer) {
  if (!source)
    return Attribute();
  if (const LayoutInterface *layout = getLayoutInterface(source))
    return infer(*layout);
  return emitOptionalError(loc, "encoding ", source, " is not a layout");
}

static bool haveEquivalentLayouts(Type expected, Type got) {
  if (expected == got)
    return true;
  auto expectedTensor = dyn_cast<RankedTensorType>(expected);
  auto gotTensor = dyn_cast<RankedTensorType>(got);
  if (!expectedTensor || !gotTensor || expectedTensor.getShape() != gotTensor.getShape() ||
      expectedTensor.getElementType() != gotTensor.getElementType())
    return false;
  const LayoutInterface *layout = getLayoutInterface(expectedTensor.getEncoding());
  return layout && getLayoutInterface(gotTensor.getEncoding()) &&
         succeeded(layout->verifyEquivalent(gotTensor.getShape(), expectedTensor.getEncoding(), gotTensor.getEncoding(),
                                            std::nullopt));
}

bool haveEquivalentLayouts(TypeRange expected, TypeRange got) {
  return expected.size() == got.size() && llvm::all_of(llvm::zip_equal(expected, got), [](auto pair) {
           return haveEquivalentLayouts(std::get<0>(pair), std::get<1>(pair));
         });
}

} // namespace ttkit::tt
