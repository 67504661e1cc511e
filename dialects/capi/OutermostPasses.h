// Seeing each pass of a pipeline begin and end, with the module that it works on.

#ifndef TTKIT_CAPI_OUTERMOSTPASSES_H
#define TTKIT_CAPI_OUTERMOSTPASSES_H

#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

/// Only for single-threaded contexts: the module would change while it is looked at.
class OutermostPasses : public mlir::PassInstrumentation {
public:
  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) final {
    if (!isTransparent(pass) && depth++ == 0)
      before(nameOf(pass), moduleOf(op));
  }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) final {
    if (!isTransparent(pass) && --depth == 0)
      after(nameOf(pass), moduleOf(op));
  }
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) final {
    if (!isTransparent(pass))
      --depth;
  }

protected:
  virtual void before(const std::string &pass, mlir::Operation *module) = 0;
  virtual void after(const std::string &pass, mlir::Operation *module) = 0;

private:
  /// A pass that only runs others: those are what is shown.
  static bool isTransparent(mlir::Pass *pass) {
    return pass->getName().contains("OpToOpPassAdaptor") || pass->getArgument() == "composite-fixed-point-pass";
  }
  /// A pass without an argument has at least the name of its class.
  static std::string nameOf(mlir::Pass *pass) {
    return pass->getArgument().empty() ? pass->getName().str() : pass->getArgument().str();
  }
  static mlir::Operation *moduleOf(mlir::Operation *op) {
    while (mlir::Operation *parent = op->getParentOp())
      op = parent;
    return op;
  }

  /// How many passes are inside one another: one that runs a pipeline of its own is shown as a whole.
  unsigned depth = 0;
};

#endif // TTKIT_CAPI_OUTERMOSTPASSES_H
