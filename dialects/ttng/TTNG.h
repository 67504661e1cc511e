// The ttng dialect in C++: its layouts.  Operations are in the headers of their families (see tt/TT.h).

#ifndef TTKIT_TTNG_TTNG_H
#define TTKIT_TTNG_TTNG_H

#include "ttg/TTG.h"

#include "ttng/Dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ttng/Attrs.h.inc"

namespace ttkit::ttng {

/// The tensor memory of a CTA.
struct TensorMemory : mlir::SideEffects::Resource::Base<TensorMemory> {
  mlir::StringRef getName() final { return "<TensorMemory>"; }
};

/// Checks that `barrier` describes one i64.
mlir::LogicalResult verifyBarrierType(mlir::Operation *op, ttg::MemDescType barrier);

/// Checks that warps can move all of `tensor` to or from `buffer` in tensor memory: each the rows that it reaches, in
/// the pattern of one of the access instructions.  `name` is what diagnostics call the tensor; without it there are
/// none.
mlir::LogicalResult verifyTensorMemoryAccess(mlir::Operation *op, mlir::RankedTensorType tensor,
                                             ttg::MemDescType buffer, std::optional<llvm::StringRef> name);

} // namespace ttkit::ttng

#endif // TTKIT_TTNG_TTNG_H
