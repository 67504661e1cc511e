// Compiled once, for the source files that need MLIR but none of the dialects here.
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
