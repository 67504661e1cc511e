// The tt-opt driver: mlir-opt's own, but a failed run leaves the output file as it was, and a crash is a diagnostic.

#include "capi/PythonPass.h"
#include "capi/ttkit.h"

#include "mlir-c/RegisterEverything.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <unistd.h>

using namespace mlir;

namespace {

/// The file that a crash must not leave behind; empty if there is none.
char unfinishedFile[4096] = "";

/// Only async-signal-safe calls here.
void reportCrash(int signal) {
  const char *reason = signal == SIGABRT  ? "error: internal error: an assertion failed"
                       : signal == SIGSEGV ? "error: internal error: invalid memory access, or input nested too deeply"
                                           : "error: internal error: the process was stopped by a signal";
  const char *rest = "; no output was written. Set TTKIT_KEEP_SIGNALS=1 to get the crash itself.\n";
  (void)!write(STDERR_FILENO, reason, strlen(reason));
  (void)!write(STDERR_FILENO, rest, strlen(rest));
  if (unfinishedFile[0])
    unlink(unfinishedFile);
  _exit(1);
}

/// Nobody reads the output any more, which is not an error: `tt-opt k.mlir | head -1`.
void endQuietly(int) {
  if (unfinishedFile[0])
    unlink(unfinishedFile);
  _exit(128 + SIGPIPE);
}

/// An output that appears under its name only when it is complete.  Devices and pipes are written directly.
class WholeFile {
public:
  LogicalResult open(StringRef name, std::string &error) {
    target = name.str();
    llvm::sys::fs::file_status status;
    bool exists = !llvm::sys::fs::status(name, status) && llvm::sys::fs::exists(status);
    atomic = name != "-" && (!exists || llvm::sys::fs::is_regular_file(status));
    if (atomic && exists && access(target.c_str(), W_OK) != 0) {
      error = "cannot open output file '" + target + "': " + strerror(errno);
      return failure();
    }
    // A link keeps pointing at its file: it is the file that is replaced.
    SmallString<128> real;
    if (atomic && exists && !llvm::sys::fs::real_path(name, real))
      target = std::string(real);
    std::string path = atomic ? target + ".unfinished-" + std::to_string(getpid()) : target;
    file = openOutputFile(path, &error);
    if (!file && atomic)
      error = "cannot open output file '" + name.str() + "': " + strerror(errno);
    if (file && atomic && path.size() < sizeof(unfinishedFile))
      memcpy(unfinishedFile, path.c_str(), path.size() + 1);
    return success(file != nullptr);
  }

  raw_ostream &os() { return file->os(); }

  LogicalResult commit(std::string &error) {
    file->os().flush();
    if (file->os().has_error()) {
      error = "cannot write '" + target + "': " + file->os().error().message();
      file->os().clear_error();
      return failure();
    }
    file->keep();
    if (atomic) {
      if (std::error_code code = llvm::sys::fs::rename(file->getFilename(), target)) {
        error = "cannot write '" + target + "': " + code.message();
        llvm::sys::fs::remove(file->getFilename());
        return failure();
      }
      unfinishedFile[0] = 0;
    }
    return success();
  }

private:
  std::string target;
  bool atomic = false;
  std::unique_ptr<llvm::ToolOutputFile> file;
};

int fail(const Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

/// Options that Python has acted on before the command line came here; declared so that they are accepted and listed.
struct DriverOptions {
  llvm::cl::list<std::string> loadPass{"load-pass", llvm::cl::value_desc("file.py"),
                                       llvm::cl::desc("Load the passes that a Python file defines (may be repeated)")};
  llvm::cl::list<std::string> loadDialect{
      "load-dialect", llvm::cl::value_desc("file.py"),
      llvm::cl::desc("Load the dialects that a Python file or module defines (may be repeated)")};
  llvm::cl::list<std::string> pipelineFile{
      "pipeline-file", llvm::cl::value_desc("file.py"),
      llvm::cl::desc("Run a Python file that changes the stages ttkit-ttir, ttkit-ttgir and ttkit-llir by "
                     "ttkit.pipelines (may be repeated)")};
  llvm::cl::opt<bool> pythonTraceback{
      "python-traceback",
      llvm::cl::desc("Show the Python traceback when a pass written in Python raises an exception")};
  llvm::cl::opt<bool> checkPasses{
      "check-passes",
      llvm::cl::desc("Run the kernels before and after each pass and report the first pass that changes a result")};
  llvm::cl::list<std::string> checkArg{
      "check-arg", llvm::cl::value_desc("NAME=VALUE"),
      llvm::cl::desc("An argument of the kernel for --check-passes, as for tt-run; the others are generated")};
  llvm::cl::opt<std::string> checkGrid{"check-grid", llvm::cl::value_desc("X[,Y[,Z]]"),
                                       llvm::cl::desc("Number of programs for --check-passes")};
  llvm::cl::opt<unsigned> checkRuns{"check-runs", llvm::cl::init(3), llvm::cl::value_desc("N"),
                                    llvm::cl::desc("Sets of inputs for --check-passes (default 3)")};
  llvm::cl::opt<unsigned> checkSeed{"check-seed", llvm::cl::init(0), llvm::cl::value_desc("N"),
                                    llvm::cl::desc("Seed of the inputs for --check-passes")};
  llvm::cl::opt<std::string> checkDump{
      "check-dump", llvm::cl::value_desc("PREFIX"),
      llvm::cl::desc("Where --check-passes writes the IR before and after the pass that it names: PREFIX.before.mlir "
                     "and PREFIX.after.mlir; by default it goes to stderr")};
  llvm::cl::opt<std::string> layoutLedger{
      "layout-ledger", llvm::cl::ValueOptional, llvm::cl::value_desc("FILE.json"),
      llvm::cl::desc("Count layout conversions, shared memory and bank conflicts after each pass; a table goes to "
                     "stderr, and the numbers to the file")};
};

/// Whether any of the forms of guards/parser_aborts.py may be in a text: in Python that takes ten times as long.
bool isSuspect(StringRef text) {
  for (StringRef word : {"array<", "!llvm", "switch", "shufflevector", "{-#"})
    if (text.contains(word))
      return true;
  for (size_t at = text.find('x'); at != StringRef::npos; at = text.find('x', at + 1))
    if (at >= 10 && llvm::all_of(text.substr(at - 10, 10), llvm::isDigit))
      return true;
  // The name of an operation in generic form, perhaps with a comment after it.
  for (size_t at = text.find('"'); at != StringRef::npos; at = text.find('"', at + 1))
    if (StringRef rest = text.substr(at + 1).ltrim(); rest.starts_with("(") || rest.starts_with("/"))
      return true;
  return false;
}

/// A text whose `expected-error {{...}}` comments MLIR 22 does not see, since it looks for them even without
/// --verify-diagnostics.  It sees those alone that end with their line: a zero-width space goes there, where it is
/// invisible in the lines that diagnostics show, and moves no place.
std::unique_ptr<llvm::MemoryBuffer> hideExpectations(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  StringRef text = buffer->getBuffer();
  if (!text.contains("expected-"))
    return buffer;
  std::string hidden;
  for (auto [line, rest] = text.split('\n');; std::tie(line, rest) = rest.split('\n')) {
    StringRef kept = line.rtrim();
    hidden += kept;
    if (kept.contains("expected-") && kept.ends_with("}}"))
      hidden += "\u200b";
    hidden += line.drop_front(kept.size());
    if (line.end() == text.end())
      break;
    hidden += '\n';
  }
  return llvm::MemoryBuffer::getMemBufferCopy(hidden, buffer->getBufferIdentifier());
}

/// Diagnostics at places in Python's files get columns from 1, as MLIR tells them: those of its syntax trees count from 0.
void countColumnsFromOne(MLIRContext *context) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FileLineColRange place) -> std::optional<std::pair<Attribute, WalkResult>> {
    if (!place.getFilename().getValue().ends_with(".py"))
      return std::nullopt;
    Location moved = FileLineColLoc::get(place.getFilename(), place.getStartLine(), place.getStartColumn() + 1);
    return std::pair(Attribute(moved), WalkResult::skip());
  });
  DiagnosticEngine &engine = context->getDiagEngine();
  engine.registerHandler([&engine, replacer, emitted = false](Diagnostic &diagnostic) mutable {
    auto moved = [&](Location place) { return Location(cast<LocationAttr>(replacer.replace(LocationAttr(place)))); };
    Location place = moved(diagnostic.getLocation());
    if (emitted || place == diagnostic.getLocation())
      return failure();
    Diagnostic shown(place, diagnostic.getSeverity());
    shown << diagnostic.str();
    for (Diagnostic &note : diagnostic.getNotes())
      shown.attachNote(moved(note.getLocation())) << note.str();
    emitted = true;
    engine.emit(std::move(shown));
    emitted = false;
    return success();
  });
}

int run(const MlirOptMainConfig &config, StringRef input, StringRef output, DialectRegistry &registry,
        const std::atomic<bool> &failedObserver, TtkitRefuseCallback refuse) {
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(0))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to interrupt)\n";
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &error);
  if (!buffer)
    return fail(error);
  StringRef text = buffer->getBuffer();
  if (isSuspect(text) && refuse(buffer->getBufferIdentifier().data(), text.data(), text.size(),
                                config.shouldAllowUnregisteredDialects()))
    return 1;
  if (!config.shouldVerifyDiagnostics())
    buffer = hideExpectations(std::move(buffer));
  WholeFile file;
  if (failed(file.open(output, error)))
    return fail(error);
  if (failed(MlirOptMain(file.os(), std::move(buffer), registry, config)))
    return 1;
  if (failedObserver)
    return 1;
  return failed(file.commit(error)) ? fail(error) : 0;
}

} // namespace

void ttkitReportCrashes() {
  if (getenv("TTKIT_KEEP_SIGNALS"))
    return;
  static char alternateStack[64 * 1024];
  stack_t stack = {};
  stack.ss_sp = alternateStack;
  stack.ss_size = sizeof(alternateStack);
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = reportCrash;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE})
    sigaction(signal, &action, nullptr);
}

static int optMain(int argc, char **argv, const char *banner, TtkitPassObserver observer, TtkitRefuseCallback refuse) {
  signal(SIGPIPE, endQuietly);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllGPUToLLVMIRTranslations(registry);
  ttkitRegisterDialects(wrap(&registry));

  DriverOptions options;
  auto [input, output] = registerAndParseCLIOptions(argc, argv, banner, registry);
  ttkitReportCrashes();
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  auto failedObserver = std::make_shared<std::atomic<bool>>(false);
  config.setPassPipelineSetupFn([plain = config, observer, failedObserver](PassManager &manager) {
    if (failed(plain.setupPassPipeline(manager)))
      return failure();
    countColumnsFromOne(manager.getContext());
    observePasses(manager, observer, failedObserver);
    return success();
  });
  if (config.shouldShowDialects()) {
    llvm::outs() << "Available Dialects: ";
    llvm::interleave(registry.getDialectNames(), llvm::outs(), ",");
    llvm::outs() << "\n";
    return 0;
  }
  if (config.shouldListPasses()) {
    printRegisteredPasses();
    return 0;
  }
  return run(config, input, output, registry, *failedObserver, refuse);
}

void ttkitRegisterUpstreamPasses() { mlirRegisterAllPasses(); }

int ttkitOptMain(int argc, char **argv, const char *banner, TtkitPassObserver observer, TtkitRefuseCallback refuse) {
  int code = optMain(argc, argv, banner, observer, refuse);
  // The caller ends the process without running destructors.
  llvm::outs().flush();
  return code;
}
