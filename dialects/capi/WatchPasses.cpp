// Showing Python the module after each pass of a pipeline.

#include "capi/OutermostPasses.h"
#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace {

TtkitWatchCallback callback = nullptr;
uint64_t pipelines = 0;

class WatchPasses : public OutermostPasses {
  void before(const std::string &pass, Operation *module) override {
    if (!isStarted && callback)
      callback(pipeline, "", wrap(module));
    isStarted = true;
  }
  void after(const std::string &pass, Operation *module) override {
    if (callback)
      callback(pipeline, pass.c_str(), wrap(module));
  }

  uint64_t pipeline = pipelines++;
  bool isStarted = false;
};

} // namespace

void ttkitSetWatchCallback(TtkitWatchCallback newCallback) { callback = newCallback; }

void ttkitWatchPasses(MlirPassManager passManager) {
  unwrap(passManager)->getContext()->disableMultithreading();
  unwrap(passManager)->addInstrumentation(std::make_unique<WatchPasses>());
}
