// Layouts for Python: as text, and what the module says that they must suit.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Utils.h"
#include "ttg/LayoutInference.h"
#include "ttng/TTNG.h"

using namespace mlir;
using namespace ttkit;

bool ttkitPrintLinearLayout(MlirType type, MlirStringCallback callback, void *userData) {
  FailureOr<ttg::LinearLayout> layout = failure();
  if (auto tensor = dyn_cast<RankedTensorType>(unwrap(type)))
    layout = ttg::toLinearLayout(tensor);
  else if (auto memory = dyn_cast<ttg::MemDescType>(unwrap(type)))
    layout = ttg::toLinearLayout(memory);
  if (failed(layout))
    return false;
  detail::CallbackOstream stream(callback, userData);
  layout->print(stream);
  return true;
}

bool ttkitFitsTensorMemory(MlirType tensor, MlirType buffer) {
  auto values = dyn_cast<RankedTensorType>(unwrap(tensor));
  auto memory = dyn_cast<ttg::MemDescType>(unwrap(buffer));
  return values && memory && succeeded(ttng::verifyTensorMemoryAccess(nullptr, values, memory, std::nullopt));
}

int ttkitNumWarps(MlirOperation operation) { return ttg::lookupNumWarps(unwrap(operation)).value_or(0); }

int ttkitThreadsPerWarp(MlirOperation operation) { return ttg::lookupThreadsPerWarp(unwrap(operation)); }
