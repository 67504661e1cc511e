// The parsers, verifiers and printers of the dialects under libFuzzer: `make parsers`.
//
// libttkit is built with the sanitizers, and calls __sanitizer_cov_trace_pc, which is here: gcc has no other
// instrumentation that libFuzzer could read.  MLIR itself is not instrumented.

#include "capi/ttkit.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"
#include "mlir-c/Support.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace {

/// Operations and types on which MLIR itself ends the process (test/fuzz/upstream).
constexpr std::string_view UPSTREAM[] = {"scf.index_switch", "cf.switch", "!llvm.func<"};

constexpr size_t COUNTERS = 1 << 18;
/// Inputs after which types and attributes, which live as long as their context, are dropped.
constexpr unsigned INPUTS_PER_CONTEXT = 2000;

/// libFuzzer takes them for counters of code by the name of their section.
__attribute__((section("__libfuzzer_extra_counters"))) uint8_t counters[COUNTERS];
thread_local uintptr_t previous;

MlirContext newContext() {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  ttkitRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  ttkitLoadDialects(context);
  // Diagnostics are made, but go nowhere.
  auto ignore = [](MlirDiagnostic, void *) { return mlirLogicalResultSuccess(); };
  mlirContextAttachDiagnosticHandler(context, ignore, nullptr, nullptr);
  return context;
}

/// Whether a loop in generic form has a block without arguments.
bool hasLoopWithoutArgument(std::string_view text) {
  for (size_t loop = text.find("\"scf.for\""); loop != text.npos; loop = text.find("\"scf.for\"", loop + 1)) {
    size_t body = text.find("({", loop);
    size_t first = body == text.npos ? body : text.find_first_not_of(" \n", body + 2);
    if (first == text.npos || text[first] != '^' || text.find_first_of("(:", first) != text.find("(%", first))
      return true;
  }
  return false;
}

/// Inputs that MLIR may end the process on are left out: little else would be found.
bool isLeftOut(std::string_view text) {
  for (std::string_view known : UPSTREAM)
    if (text.find(known) != text.npos)
      return true;
  return hasLoopWithoutArgument(text);
}

} // namespace

/// An edge of the control flow, by where it comes from and where it goes.
extern "C" void __sanitizer_cov_trace_pc() {
  uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  uint8_t &counter = counters[((here >> 1) ^ previous) % COUNTERS];
  counter += counter != UINT8_MAX;
  previous = here >> 2;
}

/// Comparisons of numbers that gcc instruments and libFuzzer does not look at.
extern "C" void __sanitizer_cov_trace_cmpf(float, float) {}
extern "C" void __sanitizer_cov_trace_cmpd(double, double) {}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static MlirContext context = newContext();
  static unsigned used = 0;
  if (++used == INPUTS_PER_CONTEXT) {
    mlirContextDestroy(context);
    context = newContext();
    used = 0;
  }
  std::string text(reinterpret_cast<const char *>(data), size); // with the null byte that MLIR's parser asks for
  if (isLeftOut(text))
    return 0;
  previous = 0;
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreate(text.data(), text.size()));
  if (mlirModuleIsNull(module))
    return 0;
  auto write = [](MlirStringRef part, void *printed) { static_cast<std::string *>(printed)->append(part.data, part.length); };
  std::string printed;
  mlirOperationPrint(mlirModuleGetOperation(module), write, &printed);
  MlirModule again = mlirModuleCreateParse(context, mlirStringRefCreate(printed.data(), printed.size()));
  if (mlirModuleIsNull(again))
    __builtin_trap(); // what is printed does not parse
  mlirModuleDestroy(again);
  mlirModuleDestroy(module);
  return 0;
}
