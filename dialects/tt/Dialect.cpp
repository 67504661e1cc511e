// The tt dialect: what it registers, constants, and inlining.

#include "tt/function_ops.h"

#include "tt/Inlining.h"

// The classes of MLIR's dialects without their operations, which would double the time of this file.
#include "mlir/Dialect/Arith/IR/ArithOpsDialect.h.inc"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOpsDialect.h.inc"
#include "mlir/Dialect/Math/IR/MathOpsDialect.h.inc"
#include "mlir/Dialect/SCF/IR/SCFOpsDialect.h.inc"
#include "mlir/Dialect/UB/IR/UBOpsDialect.h.inc"

using namespace mlir;

#include "tt/Dialect.cpp.inc"
#include "tt/Families.inc"
#include "tt/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tt/Attrs.cpp.inc"

namespace ttkit::tt {

namespace {

/// Lets the upstream inliner work on tt: everything may be inlined anywhere, except functions marked `noinline`.
struct TTInliner : InlineAnywhere {
  using InlineAnywhere::InlineAnywhere;
  using InlineAnywhere::isLegalToInline;

  bool isLegalToInline(Operation *call, Operation *callable, bool wouldBeCloned) const final {
    Attribute noinline = callable->getDiscardableAttr("noinline");
    auto flag = dyn_cast_or_null<BoolAttr>(noinline);
    return flag ? !flag.getValue() : !isa_and_nonnull<UnitAttr>(noinline);
  }

  // One of several returns of a body of several blocks: leaves for the block after the call.
  void handleTerminator(Operation *op, Block *next) const final {
    auto returnOp = dyn_cast<ReturnOp>(op);
    if (!returnOp)
      return;
    OpBuilder builder(op);
    OperationState branch(op->getLoc(), "cf.br");
    branch.addOperands(returnOp.getOperands());
    branch.addSuccessors(next);
    builder.create(branch);
    op->erase();
  }

  // The only return of a body of one block: its operands replace the call's results.
  void handleTerminator(Operation *op, ValueRange results) const final {
    for (auto [result, value] : llvm::zip_equal(results, op->getOperands()))
      result.replaceAllUsesWith(value);
  }
};

} // namespace

void TTDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tt/Attrs.cpp.inc"
      >();
}

void TTDialect::initialize() {
  registerAttributes();
  registerTypes();
  addInterfaces<TTInliner>();
  registerFamilies(*this);
}

Operation *TTDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return getContext()->getLoadedDialect<arith::ArithDialect>()->materializeConstant(builder, value, type, loc);
}

const LayoutInterface *getLayoutInterface(Attribute encoding) {
  return encoding ? dyn_cast<LayoutInterface>(&encoding.getDialect()) : nullptr;
}

} // namespace ttkit::tt
