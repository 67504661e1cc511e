// The ttg dialect in C++: its layouts and types.  Operations are in the headers of their families (see tt/TT.h).

#ifndef TTKIT_TTG_TTG_H
#define TTKIT_TTG_TTG_H

#include "tt/TT.h"
#include "ttg/LinearLayout.h"

#include "ttg/Dialect.h.inc"
#include "ttg/Enums.h.inc"

#include "ttg/AttrInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ttg/Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ttg/Types.h.inc"

namespace ttkit::ttg {

/// The shared memory of a CTA.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  mlir::StringRef getName() final { return "<SharedMemory>"; }
};

// --- Layouts ---------------------------------------------------------------------------------------------------------
/// The linear layout of a tensor of `shape`; fails if `layout` is none or does not suit the shape.
mlir::FailureOr<LinearLayout> toLinearLayout(llvm::ArrayRef<int64_t> shape, mlir::Attribute layout);
mlir::FailureOr<LinearLayout> toLinearLayout(mlir::RankedTensorType type);
/// The layout of the allocation, without the leading dimensions that the view lacks.
mlir::FailureOr<LinearLayout> toLinearLayout(MemDescType type);

/// A layout of 1-element threads, threads and warps spread over the last dimensions first: what a tensor gets at first.
BlockedEncodingAttr getDefaultBlockedEncoding(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                                              unsigned numWarps, unsigned threadsPerWarp, unsigned numCTAs);

/// The layout of a cluster of one CTA.
LinearLayout getDefaultCGALayout(unsigned rank);
/// Per dimension: CTAs, counting those that hold the same part; and parts.
llvm::SmallVector<unsigned> getCTAsPerCGA(const LinearLayout &cga);
llvm::SmallVector<unsigned> getCTASplitNum(const LinearLayout &cga);
/// The part of `shape` that one CTA holds.
llvm::SmallVector<int64_t> getShapePerCTA(mlir::Attribute layout, llvm::ArrayRef<int64_t> shape);
/// Whether each CTA holds the same elements of tensors of these types, of one shape.
bool areDividedAlike(mlir::RankedTensorType a, mlir::RankedTensorType b);

// --- The module's configuration, where `op` is
// ------------------------------------------------------------------------
/// The number of warps that a partition of a warp_specialize, the function or the module states; nothing if none does.
std::optional<int> lookupNumWarps(mlir::Operation *op);
int lookupThreadsPerWarp(mlir::Operation *op);
int lookupNumCTAs(mlir::Operation *op);

// --- Inference for ttg's own operations ------------------------------------------------------------------------------
// Diagnostics go to `loc` if there is one.

/// The type of a transposed view: result dimension i is source dimension order[i].
mlir::FailureOr<MemDescType> inferMemDescTransType(MemDescType source, llvm::ArrayRef<int32_t> order,
                                                   tt::OptionalLoc loc);
/// The type of the same memory, elements in row-major order, with another shape.
mlir::FailureOr<MemDescType> inferMemDescReshapeType(MemDescType source, llvm::ArrayRef<int64_t> shape,
                                                     tt::OptionalLoc loc);
/// The layout after each i8 of a tensor of `shape` becomes two neighbours along `axis`; backwards for `forward = false`
/// (`shape` is then that of the floats).
mlir::FailureOr<mlir::Attribute> inferFp4ToFpLayout(llvm::ArrayRef<int64_t> shape, unsigned axis,
                                                    mlir::Attribute layout, bool forward, tt::OptionalLoc loc);

} // namespace ttkit::ttg

#endif // TTKIT_TTG_TTG_H
