// Watching a pipeline pass by pass: Python is shown the module before and after each, and says whether the pass changed
// what the module computes.
//
// The module crosses as text.  Python reads it in a context of its own, so that nothing it does can touch what the
// pipeline works on.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

TtkitCheckCallback callback = nullptr;
bool anyFailed = false;
uint64_t pipelines = 0;

/// A pass that only runs others: those are what is checked.
bool isTransparent(Pass *pass) {
  StringRef name = pass->getName();
  return name.contains("OpToOpPassAdaptor") || pass->getArgument() == "composite-fixed-point-pass";
}

class CheckPasses : public PassInstrumentation {
public:
  void runBeforePass(Pass *pass, Operation *op) override {
    if (!isTransparent(pass) && depth++ == 0)
      check(pass, op, TTKIT_BEFORE_PASS);
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isTransparent(pass) && --depth == 0)
      check(pass, op, TTKIT_AFTER_PASS);
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (!isTransparent(pass))
      --depth;
  }

private:
  void check(Pass *pass, Operation *op, TtkitCheckPhase phase) {
    if (!callback)
      return;
    while (Operation *parent = op->getParentOp())
      op = parent;
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os, OpPrintingFlags().enableDebugInfo());
    // A pass without an argument has at least the name of its class.
    std::string name = pass->getArgument().empty() ? pass->getName().str() : pass->getArgument().str();
    callback(pipeline, name.c_str(), phase, text.c_str(), wrap(op));
  }

  uint64_t pipeline = pipelines++;
  /// How many passes are inside one another: one that runs a pipeline of its own is checked as a whole.
  unsigned depth = 0;
};

} // namespace

void ttkitSetCheckCallback(TtkitCheckCallback newCallback) {
  callback = newCallback;
  anyFailed = false;
}

void ttkitCheckReport(MlirOperation module, const char *function, bool isError, const char *message) {
  Operation *at = unwrap(module);
  if (Operation *found = at->hasTrait<OpTrait::SymbolTable>() ? SymbolTable::lookupSymbolIn(at, function) : nullptr)
    at = found;
  if (isError) {
    anyFailed = true;
    // Not the operation's emitError, which would print all of it.
    emitError(at->getLoc()) << message;
  } else {
    emitWarning(at->getLoc()) << message;
  }
}

bool ttkitCheckFailed(void) { return anyFailed; }

void ttkitCheckPasses(MlirPassManager passManager) {
  PassManager *manager = unwrap(passManager);
  // The text of the module is printed while no other thread works on a part of it.
  manager->getContext()->disableMultithreading();
  manager->addInstrumentation(std::make_unique<CheckPasses>());
}
