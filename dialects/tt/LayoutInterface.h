// How tt asks a tensor's layout what it does under a shape change.
//
// tt knows nothing of layouts.  A dialect that defines them (ttg) implements this interface; the tt operations call it
// on the dialect of the operand's encoding to infer and to verify result types.

#ifndef TTKIT_TT_LAYOUTINTERFACE_H
#define TTKIT_TT_LAYOUTINTERFACE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectInterface.h"

namespace ttkit::tt {

/// Where diagnostics go; without a location a failed inference stays silent.
using OptionalLoc = std::optional<mlir::Location>;

class LayoutInterface : public mlir::DialectInterface::Base<LayoutInterface> {
public:
  explicit LayoutInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// The layout of a tensor of `shape` (that of the source) after its dimensions are permuted: result dimension i is
  /// source dimension order[i].
  virtual mlir::FailureOr<mlir::Attribute> inferTrans(mlir::Attribute source, llvm::ArrayRef<int64_t> shape,
                                                      llvm::ArrayRef<int32_t> order, OptionalLoc loc) const = 0;

  /// The layout after dimension `axis` is reduced away.
  virtual mlir::FailureOr<mlir::Attribute> inferReduce(mlir::Attribute source, unsigned axis,
                                                       OptionalLoc loc) const = 0;

  /// The layout after a dimension of size one is inserted at `axis`.
  virtual mlir::FailureOr<mlir::Attribute> inferExpandDims(mlir::Attribute source, unsigned axis,
                                                           OptionalLoc loc) const = 0;

  /// A layout of `resultShape` under which each thread keeps the elements, in order, that it holds of `sourceShape`.
  virtual mlir::FailureOr<mlir::Attribute> inferReshape(llvm::ArrayRef<int64_t> sourceShape, mlir::Attribute source,
                                                        llvm::ArrayRef<int64_t> resultShape, OptionalLoc loc) const = 0;

  /// The layout after two tensors of `shape` are joined along a new last dimension of size two, without data movement.
  virtual mlir::FailureOr<mlir::Attribute> inferJoin(mlir::Attribute source, llvm::ArrayRef<int64_t> shape,
                                                     OptionalLoc loc) const = 0;

  /// The layout of either half after a tensor of `shape`, whose last dimension has size two, is split along it.
  virtual mlir::FailureOr<mlir::Attribute> inferSplit(mlir::Attribute source, llvm::ArrayRef<int64_t> shape,
                                                      OptionalLoc loc) const = 0;

  /// Checks that operands with layouts `a` and `b` can be multiplied into one with layout `result`.  `op` is the dot.
  virtual mlir::LogicalResult verifyDot(mlir::Operation *op, mlir::Attribute a, mlir::Attribute b,
                                        mlir::Attribute result) const = 0;

  /// Checks that two layouts place every element of a tensor of `shape` in the same threads and in their registers in
  /// the same order.
  virtual mlir::LogicalResult verifyEquivalent(llvm::ArrayRef<int64_t> shape, mlir::Attribute expected,
                                               mlir::Attribute got, OptionalLoc loc) const = 0;

  /// Checks that `type`'s layout suits its shape and the module of `op` (warps, threads per warp, CTAs).
  virtual mlir::LogicalResult
  verifyTensorLayout(mlir::RankedTensorType type, mlir::Operation *op,
                     llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const = 0;

  /// Checks a value of a type that this dialect defines and that has a layout of its own, as ttg's memory descriptors.
  virtual mlir::LogicalResult
  verifyDescriptorLayout(mlir::Type type, mlir::Operation *op,
                         llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const = 0;
};

/// The interface of `encoding`'s dialect; null if there is no encoding or its dialect is not one of layouts.
const LayoutInterface *getLayoutInterface(mlir::Attribute encoding);

} // namespace ttkit::tt

#endif // TTKIT_TT_LAYOUTINTERFACE_H
