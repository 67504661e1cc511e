// What inferReturnTypes and verifiers of several operations share.
//
// Inference also runs on IR that nobody has verified: while it is parsed, or built from Python.  So operands may be
// missing or of any type, and attributes null or out of range.

#ifndef TTKIT_TT_TYPEINFERENCE_H
#define TTKIT_TT_TYPEINFERENCE_H

#include "tt/TT.h"

namespace ttkit::tt {

/// Operand `index` as a tensor of static shape; if it isn't one, a diagnostic and null.
mlir::RankedTensorType inferenceOperand(mlir::ValueRange operands, unsigned index, OptionalLoc loc);

/// An attribute that inference needs: the property, or if that is not set the entry of the attribute dictionary; if
/// there is none of that kind, a diagnostic and null.
template <typename AttrTy>
AttrTy inferenceAttribute(AttrTy property, mlir::DictionaryAttr attributes, llvm::StringRef name, OptionalLoc loc) {
  if (!property && attributes)
    property = attributes.getAs<AttrTy>(name);
  if (!property)
    (void)mlir::emitOptionalError(loc, "requires attribute '", name, "'");
  return property;
}

/// The attribute `axis`, of any value; failure, with a diagnostic, if it isn't an i32.
mlir::FailureOr<int64_t> inferenceAxis(mlir::IntegerAttr property, mlir::DictionaryAttr attributes, OptionalLoc loc);

/// Applies `infer` to the layout interface of `source`.  Null (success) if `source` is null; failure, with a
/// diagnostic, if it isn't a layout.
mlir::FailureOr<mlir::Attribute>
inferLayout(mlir::Attribute source, OptionalLoc loc,
            llvm::function_ref<mlir::FailureOr<mlir::Attribute>(const LayoutInterface &)> infer);

/// Whether the types differ at most in how they spell their layouts.
bool haveEquivalentLayouts(mlir::TypeRange expected, mlir::TypeRange got);

} // namespace ttkit::tt

#endif // TTKIT_TT_TYPEINFERENCE_H
