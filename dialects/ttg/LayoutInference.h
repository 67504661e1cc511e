// Rules of layout inference, and layouts that may turn out to be illegal.

#ifndef TTKIT_TTG_LAYOUTINFERENCE_H
#define TTKIT_TTG_LAYOUTINFERENCE_H

#include "ttg/TTG.h"

namespace ttkit::ttg {

/// Calls `check` with diagnostics going to `loc`, or nowhere.
template <typename Check> auto withErrors(tt::OptionalLoc loc, mlir::MLIRContext *context, Check check) {
  if (loc)
    return check([&] { return mlir::emitError(*loc); });
  mlir::ScopedDiagnosticHandler silent(context, [](mlir::Diagnostic &) { return mlir::success(); });
  return check([&] { return mlir::emitError(mlir::UnknownLoc::get(context)); });
}

/// The layout with these parameters, or failure if they are illegal.
template <typename Layout, typename... Parameters>
mlir::FailureOr<mlir::Attribute> makeLayout(tt::OptionalLoc loc, mlir::MLIRContext *context, Parameters... parameters) {
  bool isValid = withErrors(loc, context, [&](llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
    return succeeded(Layout::verify(emitError, parameters...));
  });
  if (!isValid)
    return mlir::failure();
  return mlir::Attribute(Layout::get(context, parameters...));
}

mlir::FailureOr<MemDescType> makeMemDesc(tt::OptionalLoc loc, MemDescType like, llvm::ArrayRef<int64_t> shape,
                                         mlir::Attribute encoding, llvm::ArrayRef<int64_t> allocShape);

mlir::FailureOr<mlir::Attribute> inferTransLayout(mlir::Attribute source, llvm::ArrayRef<int64_t> shape,
                                                  llvm::ArrayRef<int32_t> order, tt::OptionalLoc loc);
mlir::FailureOr<mlir::Attribute> inferReshapeLayout(llvm::ArrayRef<int64_t> sourceShape, mlir::Attribute source,
                                                    llvm::ArrayRef<int64_t> resultShape, tt::OptionalLoc loc);

/// Whether a reshape that may reorder moves values between threads: if threads, or copies of the elements among them,
/// differ between the types.
bool isExpensiveView(mlir::RankedTensorType source, mlir::RankedTensorType result);

mlir::FailureOr<mlir::Attribute> inferJoinLayout(mlir::Attribute source, llvm::ArrayRef<int64_t> shape,
                                                 tt::OptionalLoc loc);
mlir::FailureOr<mlir::Attribute> inferSplitLayout(mlir::Attribute source, llvm::ArrayRef<int64_t> shape,
                                                  tt::OptionalLoc loc);

/// Checks the layouts of a dot's operands against each other and against its result's.
mlir::LogicalResult verifyDotLayouts(mlir::Operation *op, mlir::Attribute a, mlir::Attribute b, mlir::Attribute result);

} // namespace ttkit::ttg

#endif // TTKIT_TTG_LAYOUTINFERENCE_H
