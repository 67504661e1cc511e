// Dialects that Python defines: what their operations do and how they are written; what they mean stands in Python.

#include "capi/DynamicDialects.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tt/Traits.h"

#include <map>
#include <vector>

using namespace mlir;

namespace {

struct Definition {
  std::string name; // without the dialect
  unsigned traits;  // of TtkitOperationTrait
  TtkitVerifyCallback verify;
  TypeID id;
};

/// By dialect.  Python fills it with its lock held, and nothing is ever removed.
std::map<std::string, std::vector<Definition>> &definitions() {
  static std::map<std::string, std::vector<Definition>> known;
  return known;
}

struct NoEffects : MemoryEffectOpInterface::FallbackModel<NoEffects> {
  void getEffects(Operation *, SmallVectorImpl<MemoryEffects::EffectInstance> &) const {}
};

struct AlwaysSpeculatable : ConditionallySpeculatable::FallbackModel<AlwaysSpeculatable> {
  Speculation::Speculatability getSpeculatability(Operation *) const { return Speculation::Speculatable; }
};

/// `operands attr-dict : functional-type`
ParseResult parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) || parser.resolveOperands(operands, type.getInputs(), place, state.operands))
    return failure();
  state.addTypes(type.getResults());
  return success();
}

/// As `parse` reads it; with regions or successors in generic form.
void print(Operation *op, OpAsmPrinter &printer) {
  if (op->getNumRegions() || op->getNumSuccessors())
    return printer.printGenericOp(op);
  printer << op->getName();
  if (op->getNumOperands())
    printer << ' ' << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printer.printFunctionalType(op);
}

/// An operation as MLIR sees it.  MLIR's own for this, DynamicOpDefinition, has no traits and is never equal to another.
class DynamicOperation : public OperationName::Impl {
public:
  DynamicOperation(StringRef name, Dialect *dialect, const Definition &definition)
      : Impl(name, dialect, definition.id, detail::InterfaceMap()), traits(definition.traits),
        callback(definition.verify) {}

  bool hasTrait(TypeID id) override {
    return (traits & TTKIT_SAME_LAYOUT && id == TypeID::get<ttkit::tt::SameOperandsAndResultEncoding>()) ||
           (traits & TTKIT_ELEMENTWISE && id == TypeID::get<OpTrait::Elementwise>());
  }
  OperationName::ParseAssemblyFn getParseAssemblyFn() override { return parse; }
  void printAssembly(Operation *op, OpAsmPrinter &printer, StringRef) override { print(op, printer); }
  LogicalResult verifyInvariants(Operation *op) override { return success(callback(wrap(op))); }
  LogicalResult verifyRegionInvariants(Operation *) override { return success(); }

  // No folds, patterns, default attributes or properties.
  LogicalResult foldHook(Operation *, ArrayRef<Attribute>, SmallVectorImpl<OpFoldResult> &) override {
    return failure();
  }
  void getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) override {}
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) override {}
  std::optional<Attribute> getInherentAttr(Operation *op, StringRef name) override {
    return op->getDiscardableAttr(name);
  }
  void setInherentAttr(Operation *op, StringAttr name, Attribute value) override {
    op->setDiscardableAttr(name, value);
  }
  void populateInherentAttrs(Operation *, NamedAttrList &) override {}
  LogicalResult verifyInherentAttrs(OperationName, NamedAttrList &, function_ref<InFlightDiagnostic()>) override {
    return success();
  }
  int getOpPropertyByteSize() override { return 0; }
  void initProperties(OperationName, OpaqueProperties, OpaqueProperties) override {}
  void deleteProperties(OpaqueProperties) override {}
  void populateDefaultProperties(OperationName, OpaqueProperties) override {}
  LogicalResult setPropertiesFromAttr(OperationName, OpaqueProperties, Attribute,
                                      function_ref<InFlightDiagnostic()> emitError) override {
    return emitError() << "operations that are defined in Python have no properties, only attributes";
  }
  Attribute getPropertiesAsAttr(Operation *) override { return {}; }
  void copyProperties(OpaqueProperties, OpaqueProperties) override {}
  bool compareProperties(OpaqueProperties, OpaqueProperties) override { return true; }
  llvm::hash_code hashProperties(OpaqueProperties) override { return {}; }

private:
  unsigned traits;
  TtkitVerifyCallback callback;
};

void populate(MLIRContext *context, DynamicDialect *dialect) {
  context->disableMultithreading(); // verifiers are Python's, whose lock the thread that verifies must hold
  for (const Definition &definition : definitions()[dialect->getNamespace().str()]) {
    std::string name = (dialect->getNamespace() + "." + definition.name).str();
    if (RegisteredOperationName::lookup(StringRef(name), context))
      continue;
    RegisteredOperationName::insert(std::make_unique<DynamicOperation>(name, dialect, definition), {});
    if (definition.traits & TTKIT_PURE)
      RegisteredOperationName::lookup(StringRef(name), context)->attachInterface<NoEffects, AlwaysSpeculatable>();
  }
}

} // namespace

void ttkit::registerDynamicDialects(DialectRegistry &registry) {
  for (const auto &dialect : definitions())
    registry.insertDynamic(dialect.first, populate);
}

void ttkitDefineOperation(const char *dialect, const char *name, unsigned traits, TtkitVerifyCallback verify) {
  static TypeIDAllocator ids;
  definitions()[dialect].push_back({name, traits, verify, ids.allocate()});
}

void ttkitLoadDynamicDialect(MlirContext context, const char *name) {
  DynamicDialect *dialect = unwrap(context)->getOrLoadDynamicDialect(name, [](DynamicDialect *) {});
  populate(unwrap(context), dialect);
}
