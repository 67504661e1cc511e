// A pass whose body is a Python callable, indistinguishable from a C++ one: textual pipelines, nesting, options,
// statistics, timing, IR printing, reproducers.
//
// A pass is registered by name alone.  When a pipeline first names it, Python is asked to describe it (which imports
// its file), and only then are its anchor and options known.

#include "capi/PythonPass.h"
#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace {

TtkitPassCallbacks callbacks = {};
bool describeEagerly = false;
/// The TypeIDs of all passes in Python.
llvm::DenseSet<TypeID> pythonPasses;

} // namespace

struct TtkitPassDefinition {
  struct Option {
    std::string name, type, value, help;
  };
  struct Statistic {
    std::string name, help;
  };

  std::string name, summary, className, error;
  std::optional<std::string> anchor;
  std::vector<Option> options;
  std::vector<Statistic> statistics;
  std::vector<std::string> dependentDialects;
  TypeID typeID;
  bool described = false;
};

namespace {

/// Reads the default of an option.  Defaults come from Python literals, so a malformed one is a bug of our own.
template <typename T> T parseDefault(StringRef text) {
  T value = {};
  if constexpr (std::is_same_v<T, std::string>)
    value = text.str();
  else if constexpr (std::is_same_v<T, bool>)
    value = text == "true";
  else if constexpr (std::is_same_v<T, double>)
    (void)text.getAsDouble(value);
  else
    (void)text.getAsInteger(10, value);
  return value;
}

template <typename T> std::string printValue(const T &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if constexpr (std::is_same_v<T, bool>)
    os << (value ? "true" : "false");
  else if constexpr (std::is_same_v<T, double>)
    os << llvm::format("%.17g", value);
  else
    os << value;
  return text;
}

/// A hash of all that passes can change in an operation; a tenth of what verifying it takes.
llvm::hash_code contentsOf(Operation *root) {
  llvm::hash_code found(0);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    found = llvm::hash_combine(found, op, op->getBlock(), op->getName(), op->getLoc(), op->getRawDictionaryAttrs(),
                               op->hashProperties());
    for (Value operand : op->getOperands())
      found = llvm::hash_combine(found, operand);
    for (Type type : op->getResultTypes())
      found = llvm::hash_combine(found, type);
    for (Block *successor : op->getSuccessors())
      found = llvm::hash_combine(found, successor);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        found = llvm::hash_combine(found, &region, &block);
        for (BlockArgument argument : block.getArguments())
          found = llvm::hash_combine(found, argument.getType(), argument.getLoc());
      }
  });
  return found;
}

} // namespace

/// The pass itself.  TtkitPass in the C ABI is this class.
struct TtkitPass : Pass {
  /// An option of any type, as text.
  struct AnyOption {
    std::string name;
    std::function<std::string()> value;
    std::shared_ptr<void> storage;
  };

  explicit TtkitPass(TtkitPassDefinition *definition)
      : Pass(definition->typeID, definition->anchor ? std::optional<StringRef>(*definition->anchor) : std::nullopt),
        definition(definition) {
    for (const TtkitPassDefinition::Option &option : definition->options)
      addOption(option);
    for (const TtkitPassDefinition::Statistic &statistic : definition->statistics)
      statistics.push_back(
          std::make_unique<Statistic>(this, statistic.name.c_str(), statistic.help.c_str()));
  }

  StringRef getName() const override {
    return definition->className.empty() ? StringRef(definition->name) : StringRef(definition->className);
  }
  StringRef getArgument() const override { return definition->name; }
  StringRef getDescription() const override { return definition->summary; }

  void getDependentDialects(DialectRegistry &registry) const override {
    if (!definition->dependentDialects.empty())
      registry.addExtension(definition->typeID, std::make_unique<LoadDialects>(definition->dependentDialects));
  }

  LogicalResult initializeOptions(StringRef options,
                                  function_ref<LogicalResult(const Twine &)> errorHandler) override {
    if (!definition->error.empty())
      return errorHandler("pass '" + definition->name + "' can't be used: " + definition->error);
    return Pass::initializeOptions(options, errorHandler);
  }

  LogicalResult initialize(MLIRContext *context) override {
    for (const std::string &dialect : definition->dependentDialects)
      if (!context->getLoadedDialect(dialect))
        return emitError(UnknownLoc::get(context)) << "pass '" << definition->name << "' needs dialect '" << dialect
                                                   << "', which is not registered";
    return success();
  }

  bool canScheduleOn(RegisteredOperationName name) const override {
    return !definition->anchor || name.getStringRef() == *definition->anchor;
  }

  void runOnOperation() override {
    llvm::hash_code before = isVerified ? contentsOf(getOperation()) : llvm::hash_code(0);
    hasSucceeded = callbacks.run(definition->name.c_str(), this, wrap(getOperation()), run);
    if (!hasSucceeded)
      signalPassFailure();
    else if (isVerified && contentsOf(getOperation()) == before)
      markAllAnalysesPreserved(); // so that MLIR doesn't verify once more what it has verified after the pass before
  }

  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<TtkitPass>(definition); }

  TtkitPassDefinition *definition;
  /// Python's object for the run of the pipeline, or null.
  void *run = nullptr;
  /// Whether MLIR verifies what the pass leaves, unless it changed nothing.
  bool isVerified = true;
  /// Whether Python ran it without an error; MLIR may still find the IR invalid.
  bool hasSucceeded = false;
  std::vector<AnyOption> options;
  std::vector<std::unique_ptr<Statistic>> statistics;

private:
  /// Loads dialects known by name only, when the pass manager loads those of the pipeline.
  struct LoadDialects : DialectExtensionBase {
    // For a dialect that is always there: once.  Without any it would apply to those that one of `names` loads first, too.
    explicit LoadDialects(std::vector<std::string> names) : DialectExtensionBase({"builtin"}), names(std::move(names)) {}
    void apply(MLIRContext *context, MutableArrayRef<Dialect *>) const final {
      for (const std::string &name : names)
        context->getOrLoadDialect(name);
    }
    std::unique_ptr<DialectExtensionBase> clone() const final { return std::make_unique<LoadDialects>(names); }
    std::vector<std::string> names;
  };

  void addOption(const TtkitPassDefinition::Option &option) {
    if (option.type == "bool")
      addScalar<bool>(option);
    else if (option.type == "int")
      addScalar<int64_t>(option);
    else if (option.type == "float")
      addScalar<double>(option);
    else if (option.type == "list[int]")
      addList<int64_t>(option);
    else if (option.type == "list[str]")
      addList<std::string>(option);
    else
      addScalar<std::string>(option);
  }

  template <typename T> void addScalar(const TtkitPassDefinition::Option &option) {
    auto storage = std::make_shared<Option<T>>(*this, option.name, llvm::cl::desc(option.help),
                                               llvm::cl::init(parseDefault<T>(option.value)));
    auto print = [raw = storage.get()] { return printValue<T>(raw->getValue()); };
    options.push_back(AnyOption{option.name, print, storage});
  }

  template <typename T> void addList(const TtkitPassDefinition::Option &option) {
    SmallVector<StringRef> parts;
    StringRef(option.value).split(parts, ',', -1, /*KeepEmpty=*/false);
    std::vector<T> values;
    for (StringRef part : parts)
      values.push_back(parseDefault<T>(part));
    auto storage = std::make_shared<ListOption<T>>(*this, option.name, llvm::cl::desc(option.help),
                                                   llvm::cl::list_init<T>(values));
    auto print = [raw = storage.get()]() -> std::string {
      return llvm::join(llvm::map_range(**raw, [](const T &value) { return printValue<T>(value); }), ",");
    };
    options.push_back(AnyOption{option.name, print, storage});
  }
};

//===--------------------------------------------------------------------------------------------------------------===//
// The C ABI
//===--------------------------------------------------------------------------------------------------------------===//

void setPassRun(Pass *pass, void *run, bool verifies) {
  if (!isPythonPass(pass))
    return;
  static_cast<TtkitPass *>(pass)->run = run;
  static_cast<TtkitPass *>(pass)->isVerified = verifies;
}

bool isPythonPass(Pass *pass) { return pythonPasses.contains(pass->getTypeID()); }

bool hasSucceeded(Pass *pass) { return static_cast<TtkitPass *>(pass)->hasSucceeded; }

void ttkitSetPassCallbacks(TtkitPassCallbacks newCallbacks) { callbacks = newCallbacks; }

void ttkitDescribePassesEagerly() { describeEagerly = true; }

bool ttkitIsPassRegistered(const char *name) { return PassInfo::lookup(name) || PassPipelineInfo::lookup(name); }

bool ttkitRegisterPass(const char *name) {
  static TypeIDAllocator typeIDs;
  if (ttkitIsPassRegistered(name))
    return false;
  // Lives as long as MLIR's registry, which is to the end of the process.
  auto *definition = new TtkitPassDefinition();
  definition->name = name;
  definition->typeID = typeIDs.allocate();
  pythonPasses.insert(definition->typeID);
  auto registering = std::make_shared<bool>(!describeEagerly);
  registerPass([definition, registering]() -> std::unique_ptr<Pass> {
    if (!*registering && !definition->described) {
      callbacks.describe(definition->name.c_str(), definition);
      definition->described = true;
    }
    return std::make_unique<TtkitPass>(definition);
  });
  *registering = false;
  return true;
}

void ttkitPassDescribe(TtkitPassDefinition *definition, const char *className, const char *summary,
                       const char *anchor) {
  definition->className = className;
  definition->summary = summary;
  if (anchor)
    definition->anchor = anchor;
}

void ttkitPassAddOption(TtkitPassDefinition *definition, const char *name, const char *type, const char *value,
                        const char *help) {
  definition->options.push_back({name, type, value, help});
}

void ttkitPassAddStatistic(TtkitPassDefinition *definition, const char *name, const char *help) {
  definition->statistics.push_back({name, help});
}

void ttkitPassAddDependentDialect(TtkitPassDefinition *definition, const char *dialect) {
  definition->dependentDialects.push_back(dialect);
}

void ttkitPassSetError(TtkitPassDefinition *definition, const char *message) { definition->error = message; }

void ttkitPassOptions(TtkitPass *pass, void (*emit)(const char *name, const char *value)) {
  for (const TtkitPass::AnyOption &option : pass->options)
    emit(option.name.c_str(), option.value().c_str());
}

void ttkitPassCount(TtkitPass *pass, size_t statistic, uint64_t amount) {
  if (statistic < pass->statistics.size())
    *pass->statistics[statistic] += amount;
}

MlirContext ttkitContextOf(MlirOperation operation) { return wrap(unwrap(operation)->getContext()); }

// As Operation::emitError, whose note however has all that is in the operation: a module, for most passes.
void ttkitEmitError(MlirOperation operation, const char *message) {
  Operation *op = unwrap(operation);
  InFlightDiagnostic diagnostic = emitError(op->getLoc()) << message;
  if (op->getContext()->shouldPrintOpOnDiagnostic() && op->getParentOp()) // of a module it would say nothing
    diagnostic.attachNote(op->getLoc()).append("see current operation: ").appendOp(
        *op, OpPrintingFlags().printGenericOpForm().skipRegions());
}

// Operation::emitRemark and emitWarning would add a note with the operation.
void ttkitEmitRemark(MlirOperation operation, const char *message, const char *note) {
  Location location = unwrap(operation)->getLoc();
  InFlightDiagnostic diagnostic = emitRemark(location) << message;
  if (note)
    diagnostic.attachNote(location) << note;
}

void ttkitEmitWarning(MlirOperation operation, const char *message) {
  emitWarning(unwrap(operation)->getLoc()) << message;
}
