// A pipeline that Python spells out: `ttkit-ttir{capability=80}`, or `--ttkit-ttir="capability=80"` for tt-opt.

#include "capi/ttkit.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

struct TtkitPipeline {
  std::string text, error;
};

bool ttkitRegisterPipeline(const char *name, const char *summary, TtkitExpandCallback expand) {
  if (ttkitIsPassRegistered(name))
    return false;
  auto build = [name = std::string(name), expand](OpPassManager &manager, StringRef options,
                                                  function_ref<LogicalResult(const Twine &)> fail) -> LogicalResult {
    TtkitPipeline pipeline;
    expand(name.c_str(), options.str().c_str(), &pipeline);
    if (!pipeline.error.empty())
      return fail("pipeline '" + name + "': " + pipeline.error);
    std::string reason;
    llvm::raw_string_ostream stream(reason);
    if (failed(parsePassPipeline(pipeline.text, manager, stream)))
      return fail("pipeline '" + name + "': " + reason);
    return success();
  };
  registerPassPipeline(name, summary, build, [](function_ref<void(const detail::PassOptions &)>) {});
  return true;
}

void ttkitPipelineSetText(TtkitPipeline *pipeline, const char *text) { pipeline->text = text; }

void ttkitPipelineSetError(TtkitPipeline *pipeline, const char *message) { pipeline->error = message; }
