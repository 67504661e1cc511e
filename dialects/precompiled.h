// Compiled once, for every source file: MLIR's headers, and the types and layouts of all dialects.  It has no operations, so that
// a change of one compiles its family again and what includes that.
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ttng/TTNG.h"
