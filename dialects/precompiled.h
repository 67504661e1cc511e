// Compiled once, for every source file: MLIR's headers, and the declarations that TableGen made of all dialects.
//
// The latter take most of the time to compile a file.  They change with any td file, but then nearly every file would
// have to be compiled again anyway.
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ttng/TTNG.h"
