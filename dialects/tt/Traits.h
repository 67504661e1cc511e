// Traits of tt, ttg and ttng operations: what their verifiers share.

#ifndef TTKIT_TT_TRAITS_H
#define TTKIT_TT_TRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace ttkit::tt {

/// The most elements a tensor may have, as in Triton's TRITON_MAX_TENSOR_NUMEL.
constexpr int64_t kMaxTensorElements = 1048576;

namespace impl {
mlir::LogicalResult verifyTensorSize(mlir::Operation *op);
mlir::LogicalResult verifyTensorLayouts(mlir::Operation *op);
mlir::LogicalResult verifySameOperandsAndResultEncoding(mlir::Operation *op);
mlir::LogicalResult verifySameOperandsEncoding(mlir::Operation *op);
mlir::LogicalResult verifySameLoadStoreOperandsShape(mlir::Operation *op);
mlir::LogicalResult verifySameLoadStoreOperandsAndResultShape(mlir::Operation *op);
mlir::LogicalResult verifySameLoadStoreOperandsEncoding(mlir::Operation *op);
mlir::LogicalResult verifySameLoadStoreOperandsAndResultEncoding(mlir::Operation *op);
} // namespace impl

#define TTKIT_VERIFIER_TRAIT(NAME, FUNCTION)                                                                           \
  template <typename ConcreteOp> struct NAME : mlir::OpTrait::TraitBase<ConcreteOp, NAME> {                            \
    static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return impl::FUNCTION(op); }                         \
  };

TTKIT_VERIFIER_TRAIT(TensorSizeTrait, verifyTensorSize)
TTKIT_VERIFIER_TRAIT(VerifyTensorLayoutsTrait, verifyTensorLayouts)
TTKIT_VERIFIER_TRAIT(SameOperandsAndResultEncoding, verifySameOperandsAndResultEncoding)
TTKIT_VERIFIER_TRAIT(SameOperandsEncoding, verifySameOperandsEncoding)
TTKIT_VERIFIER_TRAIT(SameLoadStoreOperandsShape, verifySameLoadStoreOperandsShape)
TTKIT_VERIFIER_TRAIT(SameLoadStoreOperandsAndResultShape, verifySameLoadStoreOperandsAndResultShape)
TTKIT_VERIFIER_TRAIT(SameLoadStoreOperandsEncoding, verifySameLoadStoreOperandsEncoding)
TTKIT_VERIFIER_TRAIT(SameLoadStoreOperandsAndResultEncoding, verifySameLoadStoreOperandsAndResultEncoding)

#undef TTKIT_VERIFIER_TRAIT

/// Groups of operands that are one value each.  MLIR's own verifiers only know how many operands there are in all, and
/// accessors of the groups read what operandSegmentSizes says.
template <unsigned... groups> struct RequiredSegments {
  template <typename ConcreteOp> struct Impl : mlir::OpTrait::TraitBase<ConcreteOp, Impl> {
    static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
      for (unsigned group : {groups...})
        if (unsigned size = llvm::cast<ConcreteOp>(op).getODSOperandIndexAndLength(group).second; size != 1)
          return op->emitOpError("operandSegmentSizes has ")
                 << size << " for operand group " << group << ", which is one value";
      return mlir::success();
    }
  };
};

} // namespace ttkit::tt

#endif // TTKIT_TT_TRAITS_H
