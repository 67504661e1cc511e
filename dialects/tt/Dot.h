// The rules of a matrix product, for tt.dot and every operation like it.

#ifndef TTKIT_TT_DOT_H
#define TTKIT_TT_DOT_H

#include "mlir/IR/Operation.h"

namespace ttkit::tt {

/// M, N and K of both operands, in elements: those that an operand type shows, or, where elements are packed, holds.
struct DotSizes {
  int64_t aM, aK, bK, bN;

  /// The sizes that operand shapes of rank 2 or more show.
  static DotSizes of(llvm::ArrayRef<int64_t> aShape, llvm::ArrayRef<int64_t> bShape);
};

/// Checks that all shapes have rank 2, or rank 3.
mlir::LogicalResult verifyDotRanks(mlir::Operation *op, llvm::ArrayRef<int64_t> aShape, llvm::ArrayRef<int64_t> bShape,
                                   llvm::ArrayRef<int64_t> cShape);

/// Checks that both operands have the same K, that the result has their M and N, and that all have the same batch
/// dimension.  The batch dimension is the first one of rank 3.  The ranks must have been checked.
mlir::LogicalResult verifyDotSizes(mlir::Operation *op, llvm::ArrayRef<int64_t> aShape, llvm::ArrayRef<int64_t> bShape,
                                   llvm::ArrayRef<int64_t> cShape, DotSizes sizes);

} // namespace ttkit::tt

#endif // TTKIT_TT_DOT_H
