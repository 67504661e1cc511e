// The ttg dialect: what it registers.

#include "ttg/AsmDirectives.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "ttg/Dialect.cpp.inc"
#include "ttg/Enums.cpp.inc"

#define GET_OP_CLASSES
#include "ttg/Ops.cpp.inc"

namespace ttkit::ttg {

namespace {

/// Everything may be inlined anywhere, also into the regions of a warp specialization.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void TTGDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerAliases();
  registerLayoutInterface();
  addInterfaces<Inliner>();
  addOperations<
#define GET_OP_LIST
#include "ttg/Ops.cpp.inc"
      >();
}

} // namespace ttkit::ttg
