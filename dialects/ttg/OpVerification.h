// Checks that the operations on memory descriptors share.

#ifndef TTKIT_TTG_OPVERIFICATION_H
#define TTKIT_TTG_OPVERIFICATION_H

#include "ttg/TTG.h"

namespace ttkit::ttg {

/// `source` and `destination`, a tensor and a memory descriptor, have the same element type and shape.
mlir::LogicalResult verifySameElements(mlir::Operation *op, mlir::ShapedType source, mlir::ShapedType destination);

/// `result` is a whole allocation; it is mutable or filled from a tensor (of type `source`, null if there is none) that
/// fits.
mlir::LogicalResult verifyAllocation(mlir::Operation *op, mlir::RankedTensorType source, MemDescType result);

} // namespace ttkit::ttg

#endif // TTKIT_TTG_OPVERIFICATION_H
