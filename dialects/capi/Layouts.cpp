// Layouts as text, for Python.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Utils.h"
#include "ttg/TTG.h"

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
