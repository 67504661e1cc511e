// Result types that are inferred up to the spelling of their layout.

#ifndef TTKIT_TT_TYPE_INFERENCE
#define TTKIT_TT_TYPE_INFERENCE

include "mlir/Interfaces/InferTypeOpInterface.td"

// What an operation of InferTypeOpInterface declares to accept, besides the inferred result types, others whose layouts
// are equivalent.  It defines the method as one call of ttkit::tt::haveEquivalentLayouts (TypeInference.h).
defvar AcceptsEquivalentLayouts = [{
  static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange given);
}];

#endif // TTKIT_TT_TYPE_INFERENCE
