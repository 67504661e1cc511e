// The gluon dialect: what it registers, and what tt asks of its layouts.

#include "gluon/GLUON.h"

#include "tt/Inlining.h"
#include "tt/LayoutInterface.h"

using namespace mlir;

#include "gluon/Dialect.cpp.inc"
#include "gluon/Families.inc"

#define GET_ATTRDEF_CLASSES
#include "gluon/Attrs.cpp.inc"

namespace ttkit::gluon {

namespace {

/// A layout that is still to be found stays so under every change of shape, and nothing is known that it does not suit.
struct OpenLayouts : tt::LayoutInterface {
  using LayoutInterface::LayoutInterface;
  using OptionalLoc = tt::OptionalLoc;
  using Inferred = FailureOr<Attribute>;

  Inferred inferTrans(Attribute source, ArrayRef<int64_t>, ArrayRef<int32_t>, OptionalLoc) const override {
    return source;
  }
  Inferred inferReduce(Attribute source, unsigned, OptionalLoc) const override { return source; }
  Inferred inferExpandDims(Attribute source, unsigned, OptionalLoc) const override { return source; }
  Inferred inferReshape(ArrayRef<int64_t>, Attribute source, ArrayRef<int64_t>, OptionalLoc) const override {
    return source;
  }
  Inferred inferJoin(Attribute source, ArrayRef<int64_t>, OptionalLoc) const override { return source; }
  Inferred inferSplit(Attribute source, ArrayRef<int64_t>, OptionalLoc) const override { return source; }

  LogicalResult verifyDot(Operation *, Attribute, Attribute, Attribute) const override { return success(); }
  LogicalResult verifyEquivalent(ArrayRef<int64_t>, Attribute expected, Attribute got, OptionalLoc loc) const override {
    if (expected != got)
      return emitOptionalError(loc, "Expected result encoding ", expected, " but was ", got);
    return success();
  }
  LogicalResult verifyTensorLayout(RankedTensorType, Operation *,
                                   function_ref<InFlightDiagnostic()>) const override {
    return success();
  }
  LogicalResult verifyDescriptorLayout(Type, Operation *, function_ref<InFlightDiagnostic()>) const override {
    return success();
  }
};

} // namespace

void GluonDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "gluon/Attrs.cpp.inc"
      >();
}

void GluonDialect::initialize() {
  registerAttributes();
  addInterfaces<InlineAnywhere, OpenLayouts>();
  registerFamilies(*this);
}

} // namespace ttkit::gluon
