// Watching a pipeline pass by pass: Python is shown the module before and after each, and says whether the pass changed
// what the module computes.
//
// The module crosses as text.  Python reads it in a context of its own, so that nothing it does can touch what the
// pipeline works on.

#include "capi/OutermostPasses.h"
#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

TtkitCheckCallback callback = nullptr;
bool anyFailed = false;
uint64_t pipelines = 0;

class CheckPasses : public OutermostPasses {
  void before(const std::string &pass, Operation *module) override { check(pass, module, TTKIT_BEFORE_PASS); }
  void after(const std::string &pass, Operation *module) override { check(pass, module, TTKIT_AFTER_PASS); }

  void check(const std::string &pass, Operation *module, TtkitCheckPhase phase) {
    if (!callback)
      return;
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os, OpPrintingFlags().enableDebugInfo());
    callback(pipeline, pass.c_str(), phase, text.c_str(), wrap(module));
  }

  uint64_t pipeline = pipelines++;
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
