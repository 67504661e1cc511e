// Dialects that Python defines: how their operations, types and attributes are written, and who verifies them.

#include "capi/DynamicDialects.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tt/Inlining.h"
#include "tt/Traits.h"

#include <map>
#include <vector>

using namespace mlir;

namespace {

struct OperationDefinition {
  std::string name; // without the dialect
  unsigned traits;  // of TtkitOperationTrait
  TtkitVerifyCallback verify;
  TypeID id;
};

struct ParametricDefinition {
  std::string name; // without the dialect
  bool isAttribute;
  TtkitParametersCallback verify;
  TtkitDefinedCallback defined;
};

struct Definitions {
  std::vector<OperationDefinition> operations;
  std::vector<ParametricDefinition> parametrics;
};

/// By dialect.  Python fills it with its lock held, and nothing is ever removed.
std::map<std::string, Definitions> &definitions() {
  static std::map<std::string, Definitions> known;
  return known;
}

struct NoEffects : MemoryEffectOpInterface::FallbackModel<NoEffects> {
  void getEffects(Operation *, SmallVectorImpl<MemoryEffects::EffectInstance> &) const {}
};

struct AlwaysSpeculatable : ConditionallySpeculatable::FallbackModel<AlwaysSpeculatable> {
  Speculation::Speculatability getSpeculatability(Operation *op) const {
    return op->getNumRegions() ? Speculation::RecursivelySpeculatable : Speculation::Speculatable;
  }
};

/// `({region}, {region})`, or nothing.
ParseResult parseRegions(OpAsmParser &parser, OperationState &state) {
  if (failed(parser.parseOptionalLParen()))
    return success();
  auto parseOne = [&] { return parser.parseRegion(*state.addRegion()); };
  return failure(parser.parseCommaSeparatedList(parseOne) || parser.parseRParen());
}

/// `operands regions attr-dict : functional-type`
ParseResult parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parseRegions(parser, state) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type) || parser.resolveOperands(operands, type.getInputs(), place, state.operands))
    return failure();
  state.addTypes(type.getResults());
  return success();
}

/// As `parse` reads it; with successors in generic form.
void print(Operation *op, OpAsmPrinter &printer) {
  if (op->getNumSuccessors())
    return printer.printGenericOp(op);
  printer << op->getName();
  if (op->getNumOperands())
    printer << ' ' << op->getOperands();
  if (op->getNumRegions()) {
    printer << " (";
    llvm::interleaveComma(op->getRegions(), printer, [&](Region &region) {
      printer.printRegion(region, /*printEntryBlockArgs=*/true, /*printBlockTerminators=*/true,
                          /*printEmptyBlock=*/true);
    });
    printer << ')';
  }
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printer.printFunctionalType(op);
}

/// An operation as MLIR sees it.  MLIR's own for this, DynamicOpDefinition, has no traits and is never equal to another.
class DynamicOperation : public OperationName::Impl {
public:
  DynamicOperation(StringRef name, Dialect *dialect, const OperationDefinition &definition)
      : Impl(name, dialect, definition.id, detail::InterfaceMap()), traits(definition.traits),
        callback(definition.verify) {}

  bool hasTrait(TypeID id) override {
    return (traits & TTKIT_SAME_LAYOUT && id == TypeID::get<ttkit::tt::SameOperandsAndResultEncoding>()) ||
           (traits & TTKIT_ELEMENTWISE && id == TypeID::get<OpTrait::Elementwise>()) ||
           (traits & TTKIT_PURE && id == TypeID::get<OpTrait::HasRecursiveMemoryEffects>()) ||
           (traits & TTKIT_TERMINATOR && id == TypeID::get<OpTrait::IsTerminator>()) ||
           (traits & TTKIT_NO_TERMINATOR && id == TypeID::get<OpTrait::NoTerminator>()) ||
           (traits & TTKIT_ISOLATED && id == TypeID::get<OpTrait::IsIsolatedFromAbove>());
  }
  OperationName::ParseAssemblyFn getParseAssemblyFn() override { return parse; }
  void printAssembly(Operation *op, OpAsmPrinter &printer, StringRef) override { print(op, printer); }
  LogicalResult verifyInvariants(Operation *op) override {
    if (traits & TTKIT_TERMINATOR && failed(OpTrait::impl::verifyIsTerminator(op)))
      return failure();
    return success(callback(wrap(op), /*regions=*/false));
  }
  LogicalResult verifyRegionInvariants(Operation *op) override {
    if (traits & TTKIT_ISOLATED && failed(OpTrait::impl::verifyIsIsolatedFromAbove(op)))
      return failure();
    return success(!op->getNumRegions() || callback(wrap(op), /*regions=*/true));
  }

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

/// What verifies parameters of a definition: Python.
auto verifier(MLIRContext *context, std::string name, const ParametricDefinition &definition) {
  return [=](function_ref<InFlightDiagnostic()> emitError, ArrayRef<Attribute> parameters) {
    SmallVector<MlirAttribute> handles = llvm::map_to_vector(parameters, [](Attribute one) { return wrap(one); });
    return success(definition.verify(name.c_str(), definition.isAttribute, wrap(context), handles.data(),
                                     handles.size(), &emitError));
  };
}

/// Adds a type or an attribute to a dialect that lacks it.
void add(DynamicDialect *dialect, const ParametricDefinition &definition) {
  std::string name = (dialect->getNamespace() + "." + definition.name).str();
  auto verify = verifier(dialect->getContext(), name, definition);
  TypeID id;
  if (definition.isAttribute) {
    if (dialect->lookupAttrDefinition(definition.name))
      return;
    auto made = DynamicAttrDefinition::get(definition.name, dialect, std::move(verify));
    id = made->getTypeID();
    dialect->registerDynamicAttr(std::move(made));
  } else {
    if (dialect->lookupTypeDefinition(definition.name))
      return;
    auto made = DynamicTypeDefinition::get(definition.name, dialect, std::move(verify));
    id = made->getTypeID();
    dialect->registerDynamicType(std::move(made));
  }
  definition.defined(name.c_str(), definition.isAttribute, wrap(id));
}

void populate(MLIRContext *context, DynamicDialect *dialect) {
  if (!dialect->getRegisteredInterface<DialectInlinerInterface>())
    dialect->addInterfaces<ttkit::InlineAnywhere>();
  context->disableMultithreading(); // verifiers are Python's, whose lock the thread that verifies must hold
  Definitions &defined = definitions()[dialect->getNamespace().str()];
  for (const ParametricDefinition &definition : defined.parametrics)
    add(dialect, definition);
  for (const OperationDefinition &definition : defined.operations) {
    std::string name = (dialect->getNamespace() + "." + definition.name).str();
    if (RegisteredOperationName::lookup(StringRef(name), context))
      continue;
    RegisteredOperationName::insert(std::make_unique<DynamicOperation>(name, dialect, definition), {});
    if (definition.traits & TTKIT_PURE)
      RegisteredOperationName::lookup(StringRef(name), context)->attachInterface<NoEffects, AlwaysSpeculatable>();
  }
}

ExtensibleDialect *find(MLIRContext *context, const char *dialect) {
  return dyn_cast_if_present<ExtensibleDialect>(context->getOrLoadDialect(dialect));
}

SmallVector<Attribute> unwrapAll(const MlirAttribute *parameters, size_t count) {
  return llvm::map_to_vector(ArrayRef(parameters, count), [](MlirAttribute one) { return unwrap(one); });
}

} // namespace

void ttkit::registerDynamicDialects(DialectRegistry &registry) {
  for (const auto &dialect : definitions())
    registry.insertDynamic(dialect.first, populate);
}

void ttkitDefineOperation(const char *dialect, const char *name, unsigned traits, TtkitVerifyCallback verify) {
  static TypeIDAllocator ids;
  definitions()[dialect].operations.push_back({name, traits, verify, ids.allocate()});
}

void ttkitDefineParametric(const char *dialect, const char *name, bool isAttribute, TtkitParametersCallback verify,
                           TtkitDefinedCallback defined) {
  definitions()[dialect].parametrics.push_back({name, isAttribute, verify, defined});
}

void ttkitReportParameters(void *report, const char *message) {
  (*static_cast<function_ref<InFlightDiagnostic()> *>(report))() << message;
}

MlirType ttkitDefinedType(MlirContext context, const char *dialect, const char *name, const MlirAttribute *parameters,
                          size_t count) {
  ExtensibleDialect *found = find(unwrap(context), dialect);
  DynamicTypeDefinition *definition = found ? found->lookupTypeDefinition(name) : nullptr;
  return wrap(definition ? Type(DynamicType::get(definition, unwrapAll(parameters, count))) : Type());
}

MlirAttribute ttkitDefinedAttribute(MlirContext context, const char *dialect, const char *name,
                                    const MlirAttribute *parameters, size_t count) {
  ExtensibleDialect *found = find(unwrap(context), dialect);
  DynamicAttrDefinition *definition = found ? found->lookupAttrDefinition(name) : nullptr;
  return wrap(definition ? Attribute(DynamicAttr::get(definition, unwrapAll(parameters, count))) : Attribute());
}

MlirAttribute ttkitTypeParameter(MlirType type, size_t index) {
  auto dynamic = dyn_cast<DynamicType>(unwrap(type));
  return wrap(dynamic && index < dynamic.getParams().size() ? dynamic.getParams()[index] : Attribute());
}

MlirAttribute ttkitAttributeParameter(MlirAttribute attribute, size_t index) {
  auto dynamic = dyn_cast<DynamicAttr>(unwrap(attribute));
  return wrap(dynamic && index < dynamic.getParams().size() ? dynamic.getParams()[index] : Attribute());
}

void ttkitLoadDynamicDialect(MlirContext context, const char *name) {
  DynamicDialect *dialect = unwrap(context)->getOrLoadDynamicDialect(name, [](DynamicDialect *) {});
  populate(unwrap(context), dialect);
}
