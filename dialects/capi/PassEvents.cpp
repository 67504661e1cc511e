// Telling Python what happens to the passes of a pipeline: each that begins, ends or fails.

#include "capi/PythonPass.h"
#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <chrono>

using namespace mlir;
using Clock = std::chrono::steady_clock;

namespace {

/// A pass manager calls this from one thread at a time.
class PassEvents : public PassInstrumentation {
public:
  PassEvents(TtkitPassObserver observer, std::shared_ptr<std::atomic<bool>> failed)
      : observer(observer), failed(std::move(failed)) {
    static std::atomic<uint64_t> pipelines = 0;
    pipeline = ++pipelines;
  }

  ~PassEvents() override {
    if (context)
      context->registerActionHandler(nullptr);
  }

  /// Tells of each pattern before it is tried, and lets it be tried if the observer says so.
  void observePatterns(MLIRContext *ofPasses) {
    if (!(observer.wanted & TTKIT_PATTERNS))
      return;
    context = ofPasses;
    context->registerActionHandler([this](function_ref<void()> apply, const tracing::Action &action) {
      const auto *applied = dyn_cast<ApplyPatternAction>(&action);
      if (!applied || open.empty() || tellOfPattern(*applied))
        apply();
    });
  }

  void runBeforePass(Pass *pass, Operation *op) final {
    setPassRun(pass, observer.run, observer.verifies);
    tellOfBeginning(pass, op);
    // It erases the values of code that never runs, and leaves the operations there that use them.
    if (pass->getArgument() == "remove-dead-values")
      keepReachableCode(op);
  }

  void runAfterPass(Pass *pass, Operation *op) final { end(TTKIT_PASS_ENDED, pass, op); }
  void runAfterPassFailed(Pass *pass, Operation *op) final {
    nameCauseOfInvalidIR(pass, op);
    end(TTKIT_PASS_FAILED, pass, op);
  }

private:
  struct Open {
    Clock::time_point start;
    std::optional<OperationFingerPrint> fingerPrint;
    Pass *pass;
    SmallVector<uint64_t, 0> counted;
  };

  /// The verifier's errors do not say which pass they are about.  Only the innermost pass is named.
  void nameCauseOfInvalidIR(Pass *pass, Operation *op) {
    if (isNamed || isAdaptor(pass) || !(isPythonPass(pass) ? hasSucceeded(pass) : isInvalid(op)))
      return;
    isNamed = true;
    StringRef name = pass->getArgument().empty() ? pass->getName() : pass->getArgument();
    emitError(op->getLoc()) << "pass '" << name << "' left invalid IR: the error above is about what it made";
  }

  /// Whether a pass in C++, which has printed why it failed, has also left invalid IR.
  static bool isInvalid(Operation *op) {
    ScopedDiagnosticHandler silent(op->getContext(), [](Diagnostic &) { return success(); });
    return mlir::failed(verify(op));
  }

  void tellOfBeginning(Pass *pass, Operation *op) {
    if (!isShown(pass))
      return;
    if (isTold())
      tell(TTKIT_PASS_BEGINS, pass, op, 0.0, -1);
    open.push_back({Clock::now(), std::nullopt, pass, {}});
    for (Pass::Statistic *statistic : pass->getStatistics())
      open.back().counted.push_back(statistic->getValue());
    if (observer.wanted & TTKIT_PASS_CHANGES)
      open.back().fingerPrint.emplace(op);
  }

  /// Differences of the pass's statistics, which go on from one operation that it runs on to the next.
  static std::string countedSince(Pass *pass, ArrayRef<uint64_t> before) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (auto [statistic, old] : llvm::zip(pass->getStatistics(), before))
      if (uint64_t now = statistic->getValue(); now != old)
        stream << statistic->getName() << '=' << now - old << '\n';
    return text;
  }

  void end(TtkitPassEventKind kind, Pass *pass, Operation *op) {
    if (!isShown(pass))
      return;
    Open ended = std::move(open.back());
    open.pop_back();
    if (!isTold())
      return;
    double seconds = std::chrono::duration<double>(Clock::now() - ended.start).count();
    int changed = ended.fingerPrint ? *ended.fingerPrint != OperationFingerPrint(op) : -1;
    tell(kind, pass, op, seconds, changed, countedSince(pass, ended.counted).c_str());
  }

  void tell(TtkitPassEventKind kind, Pass *pass, Operation *op, double seconds, int changed,
            const char *statistics = nullptr) {
    if (!(observer.wanted & kind))
      return;
    std::string arguments;
    llvm::raw_string_ostream stream(arguments);
    pass->printAsTextualPipeline(stream);
    // A pass without an argument has at least the name of its class.
    std::string className = pass->getName().str();
    std::string name = pass->getArgument().empty() ? className : pass->getArgument().str();
    TtkitPassEvent event = {kind,     pipeline, static_cast<unsigned>(open.size()), name.c_str(), className.c_str(),
                            arguments.c_str(), wrap(op), seconds, changed, statistics};
    if (!observer.tell(observer.run, &event) && failed)
      *failed = true;
  }

  bool tellOfPattern(const ApplyPatternAction &action) {
    // What it prints is all that an action says of its pattern: "`apply-pattern pattern: (anonymous namespace)::Name".
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    action.print(stream);
    std::string name = StringRef(printed).split("pattern: ").second.str();
    ArrayRef<IRUnit> units = action.getContextIRUnits();
    auto *op = units.empty() ? nullptr : dyn_cast_if_present<Operation *>(units.front());
    if (!op)
      return true;
    if (name.empty()) // as those in Python are
      name = "pattern for " + op->getName().getStringRef().str();
    Pass *pass = open.back().pass;
    std::string className = pass->getName().str();
    std::string passName = pass->getArgument().empty() ? className : pass->getArgument().str();
    TtkitPassEvent event = {TTKIT_PATTERNS,    pipeline,     static_cast<unsigned>(open.size() - 1),
                            passName.c_str(), className.c_str(), name.c_str(), wrap(op), 0.0, -1, nullptr};
    return observer.tell(observer.run, &event);
  }

  static bool isAdaptor(Pass *pass) { return pass->getName().contains("OpToOpPassAdaptor"); }

  /// A pass that only runs others: those are what is shown.
  bool isShown(Pass *pass) const {
    return observer.tell && !isAdaptor(pass) && pass->getArgument() != "composite-fixed-point-pass";
  }

  /// A pass that runs a pipeline of its own is told of as a whole, unless what is inside is wanted too.
  bool isTold() const { return open.empty() || observer.wanted & TTKIT_NESTED_PASSES; }

  TtkitPassObserver observer;
  std::shared_ptr<std::atomic<bool>> failed;
  uint64_t pipeline;
  /// Whether a pass was named as the cause of invalid IR.
  bool isNamed = false;
  MLIRContext *context = nullptr;
  /// The passes that run now, each inside of the one before it.
  SmallVector<Open, 2> open;
};

} // namespace

/// Nothing where it is so already: within a pass the mode can't be set.
static void goSingleThreaded(MLIRContext *context) {
  if (context->isMultithreadingEnabled())
    context->disableMultithreading();
}

void observePasses(PassManager &manager, TtkitPassObserver observer, std::shared_ptr<std::atomic<bool>> failed) {
  // The module is looked at while no other thread works on a part of it.
  if (observer.tell)
    goSingleThreaded(manager.getContext());
  auto events = std::make_unique<PassEvents>(observer, std::move(failed));
  events->observePatterns(manager.getContext());
  manager.addInstrumentation(std::move(events));
}

void ttkitObservePasses(MlirPassManager passManager, TtkitPassObserver observer) {
  // Passes in Python need the interpreter's lock, which the bindings hold while a pipeline runs: no worker thread could
  // get it.
  goSingleThreaded(unwrap(passManager)->getContext());
  observePasses(*unwrap(passManager), observer, nullptr);
}

void ttkitReport(MlirOperation module, const char *function, bool isError, const char *message) {
  Operation *at = unwrap(module);
  if (Operation *found = at->hasTrait<OpTrait::SymbolTable>() ? SymbolTable::lookupSymbolIn(at, function) : nullptr)
    at = found;
  // Not the operation's emitError, which would print all of it.
  (isError ? emitError(at->getLoc()) : emitWarning(at->getLoc())) << message;
}
