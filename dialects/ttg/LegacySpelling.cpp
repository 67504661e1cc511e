// Reading the spellings of older Triton versions.
//
//     #triton_gpu.blocked<...>        the attribute parser of ttg reads it
//     !triton_gpu.memdesc<...>        as does its type parser; !tt.memdesc is sent on by tt
//     triton_gpu.convert_layout ...   the operation's name is changed before its own parser runs
//     "triton_gpu.num-warps" = 4      renamed when the verifier meets it, right after parsing
//     "triton_gpu.convert_layout"()   the same: the module's attributes are verified before the operations in it
//
// All of it prints as ttg.  The keys CTAsPerCGA, CTASplitNum and CTAOrder of layouts are read in LayoutFields.cpp.

#include "ttg/LegacySpelling.h"

#include "ttg/LayoutFields.h"

using namespace mlir;

namespace ttkit::ttg::legacy {
struct TritonGPUDialect;
struct TritonNvidiaGPUDialect;
} // namespace ttkit::ttg::legacy

MLIR_DECLARE_EXPLICIT_TYPE_ID(ttkit::ttg::legacy::TritonGPUDialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(ttkit::ttg::legacy::TritonNvidiaGPUDialect)

namespace ttkit::ttg::legacy {

/// A dialect all of whose names have moved to another one.
class RenamedDialect : public Dialect {
public:
  RenamedDialect(StringRef name, StringRef newName, MLIRContext *context, TypeID id)
      : Dialect(name, context, id), target(context->getOrLoadDialect(newName)) {}

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return target->parseAttribute(parser, type);
  }
  Type parseType(DialectAsmParser &parser) const override { return target->parseType(parser); }
  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override { return ParseOpHook(parseOperation); }
  LogicalResult verifyOperationAttribute(Operation *op, NamedAttribute attribute) override;

private:
  static ParseResult parseOperation(OpAsmParser &parser, OperationState &state);
  void renameOperations(Operation *module) const;
  std::string rename(StringRef name) const { return (target->getNamespace() + "." + name.split('.').second).str(); }

  Dialect *target;
};

struct TritonGPUDialect : RenamedDialect {
  explicit TritonGPUDialect(MLIRContext *context)
      : RenamedDialect(getDialectNamespace(), "ttg", context, TypeID::get<TritonGPUDialect>()) {}
  static constexpr StringLiteral getDialectNamespace() { return "triton_gpu"; }
};

struct TritonNvidiaGPUDialect : RenamedDialect {
  explicit TritonNvidiaGPUDialect(MLIRContext *context)
      : RenamedDialect(getDialectNamespace(), "ttng", context, TypeID::get<TritonNvidiaGPUDialect>()) {}
  static constexpr StringLiteral getDialectNamespace() { return "triton_nvidia_gpu"; }
};

ParseResult RenamedDialect::parseOperation(OpAsmParser &parser, OperationState &state) {
  auto *dialect = static_cast<RenamedDialect *>(state.name.getDialect());
  std::string name = dialect->rename(state.name.getStringRef());
  OperationName newName(name, parser.getContext());
  if (!newName.isRegistered())
    return parser.emitError(parser.getNameLoc())
           << "'" << state.name << "' would be '" << name << "' now, and there is no such operation";
  state.name = newName;
  return newName.getParseAssemblyFn()(parser, state);
}

/// Replaces operations that were written in generic form, if they exist under their new name.
void RenamedDialect::renameOperations(Operation *module) const {
  SmallVector<Operation *> found;
  module->walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() == getNamespace())
      found.push_back(op);
  });
  for (Operation *op : found) {
    std::string name = rename(op->getName().getStringRef());
    std::optional<RegisteredOperationName> info = RegisteredOperationName::lookup(name, op->getContext());
    if (!info)
      continue; // the verifier will say that the old name is unknown
    OperationState state(op->getLoc(), *info, op->getOperands(), op->getResultTypes(), op->getAttrs(),
                         op->getSuccessors());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    for (Region &region : op->getRegions())
      state.addRegion()->takeBody(region);
    OpBuilder builder(op);
    op->replaceAllUsesWith(builder.create(state));
    op->erase();
  }
}

LogicalResult RenamedDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  NamedAttribute renamed(StringAttr::get(op->getContext(), rename(attribute.getName())), attribute.getValue());
  op->removeDiscardableAttr(attribute.getName());
  op->setDiscardableAttr(renamed.getName(), renamed.getValue());
  // The verifier is still to enter the module, so operations inside may be replaced.
  if (isa<ModuleOp>(op))
    renameOperations(op);
  return target->verifyOperationAttribute(op, renamed);
}

} // namespace ttkit::ttg::legacy

namespace ttkit::ttg {

void registerLegacyDialects(DialectRegistry &registry) {
  registry.insert<legacy::TritonGPUDialect, legacy::TritonNvidiaGPUDialect>();
}

//===--------------------------------------------------------------------------------------------------------------===//
// The shared layout of before there were several
//===--------------------------------------------------------------------------------------------------------------===//

/// `shared<{vec, perPhase, maxPhase, order, hasLeadingOffset}>`: with a leading offset it is what is nvmma_shared now.
Attribute parseLegacyShared(AsmParser &parser) {
  LayoutFields fields(parser);
  unsigned vec = 0, perPhase = 0, maxPhase = 0;
  bool hasLeadingOffset = false;
  SmallVector<unsigned> order;
  if (fields.parse() || fields.get("vec", vec) || fields.get("perPhase", perPhase) ||
      fields.get("maxPhase", maxPhase) || fields.get("order", order) ||
      fields.get("hasLeadingOffset", hasLeadingOffset))
    return {};
  FailureOr<LinearLayout> cga = fields.getCGA(order.size());
  if (failed(cga) || fields.finish())
    return {};
  MLIRContext *context = parser.getContext();
  if (!hasLeadingOffset)
    return parser.getChecked<SwizzledSharedEncodingAttr>(context, vec, perPhase, maxPhase, ArrayRef(order), *cga);
  // A phase is a group of `vec` elements, 16 bytes; the widths are those of which nvmma_shared derives its phases.
  unsigned width = maxPhase * 16;
  if (vec == 0 || 128 % vec != 0 || perPhase * width != 128 || order.empty()) {
    fields.emitError() << "with hasLeadingOffset, (perPhase, maxPhase) must be (4, 2), (2, 4) or (1, 8) and vec divide "
                          "128; found ("
                       << perPhase << ", " << maxPhase << ") and " << vec;
    return {};
  }
  bool transposed = order.size() > 1 && order[0] + 1 != order.size();
  return parser.getChecked<NVMMASharedEncodingAttr>(context, width, transposed, 128 / vec, /*fp4Padded=*/false, *cga);
}

} // namespace ttkit::ttg

MLIR_DEFINE_EXPLICIT_TYPE_ID(ttkit::ttg::legacy::TritonGPUDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(ttkit::ttg::legacy::TritonNvidiaGPUDialect)
