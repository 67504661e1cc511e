// The tt dialect: what it registers, constants, and inlining.

#include "tt/function_ops.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "tt/Dialect.cpp.inc"
#include "tt/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tt/Attrs.cpp.inc"

namespace ttkit::tt {

// Each is defined beside the definitions of the family's operations: `family.cpp.in`.
#define FAMILY(name) void register_##name(Dialect &);
#include "tt/Families.inc"
#undef FAMILY

namespace {

/// Lets the upstream inliner work on tt: everything may be inlined anywhere, except functions marked `noinline`.
struct TTInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable, bool wouldBeCloned) const final {
    Attribute noinline = callable->getDiscardableAttr("noinline");
    auto flag = dyn_cast_or_null<BoolAttr>(noinline);
    return flag ? !flag.getValue() : !isa_and_nonnull<UnitAttr>(noinline);
  }

  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned, IRMapping &mapping) const final { return true; }

  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned, IRMapping &mapping) const final {
    return true;
  }

  // One of several returns of a body of several blocks: leaves for the block after the call.
  void handleTerminator(Operation *op, Block *next) const final {
    auto returnOp = dyn_cast<ReturnOp>(op);
    if (!returnOp)
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), next, returnOp.getOperands());
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
#define FAMILY(name) register_##name(*this);
#include "tt/Families.inc"
#undef FAMILY
}

Operation *TTDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  if (auto poison = dyn_cast<ub::PoisonAttr>(value))
    return ub::PoisonOp::create(builder, loc, type, poison);
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

const LayoutInterface *getLayoutInterface(Attribute encoding) {
  return encoding ? dyn_cast<LayoutInterface>(&encoding.getDialect()) : nullptr;
}

} // namespace ttkit::tt
