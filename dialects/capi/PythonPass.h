// What the other parts of the C ABI know of passes written in Python, and of pipelines that are observed.

#ifndef TTKIT_CAPI_PYTHONPASS_H
#define TTKIT_CAPI_PYTHONPASS_H

#include "capi/ttkit.h"

#include <atomic>
#include <memory>

namespace mlir {
class Operation;
class Pass;
class PassManager;
} // namespace mlir

/// Tells a pass, if it is one in Python, which run of a pipeline it belongs to, and whether that verifies after each pass.
void setPassRun(mlir::Pass *pass, void *run, bool verifies);

bool isPythonPass(mlir::Pass *pass);

/// Whether a pass written in Python has ended without an error, when it last ran.
bool hasSucceeded(mlir::Pass *pass);

/// As ttkitObservePasses; `failed` is set when the observer says so.
void observePasses(mlir::PassManager &manager, TtkitPassObserver observer, std::shared_ptr<std::atomic<bool>> failed);

/// Decides branches whose condition is known, in callers too, and erases the blocks that nothing leads to.
void keepReachableCode(mlir::Operation *root);

#endif // TTKIT_CAPI_PYTHONPASS_H
