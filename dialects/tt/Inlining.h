// Inlining of functions with operations of our dialects.

#ifndef TTKIT_TT_INLINING_H
#define TTKIT_TT_INLINING_H

#include "mlir/Transforms/InliningUtils.h"

namespace ttkit {

/// Everything may be inlined anywhere, also into the regions of a warp specialization.
struct InlineAnywhere : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Region *, mlir::Region *, bool, mlir::IRMapping &) const override { return true; }
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const override { return true; }
};

} // namespace ttkit

#endif // TTKIT_TT_INLINING_H
