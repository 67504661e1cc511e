// NVTX's headers are part of each library that marks ranges.  At its first range such a library loads the
// module that NVTX_INJECTION64_PATH names, which may be this one.  It then calls InitializeInjectionNvtx2, which fills in
// the functions for its later calls.  Marks and ranges that overlap (nvtxRangeStart) are left alone.
#include "ranges.h"

#include <atomic>
#include <mutex>
#include <set>
#include <string>

namespace ttkit {

namespace {

using Function = void (*)();
using Push = void (*)(const char *);

constexpr uint32_t CALLBACKS = 1;                     // NvtxExportTableID
constexpr int CORE = 1, CORE2 = 5;                    // NvtxCallbackModule
constexpr int ASCII = 1, UNICODE = 2, REGISTERED = 3; // nvtxMessageType_t

struct ExportTable {
  size_t size;
  int (*functionsOf)(int module, Function ***functions, unsigned *count);
};

/// nvtxEventAttributes_t.
struct Attributes {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved;
  uint64_t payload;
  int32_t messageType;
  const void *message;
};

std::atomic<Push> pushed{nullptr};
std::atomic<Function> popped{nullptr};
thread_local int depth = 0;

std::string narrow(const wchar_t *text) {
  std::string bytes;
  for (; *text; ++text) {
    const auto code = static_cast<uint32_t>(*text);
    if (code < 0x80) {
      bytes += static_cast<char>(code);
      continue;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; // bytes of UTF-8 after the first
    bytes += static_cast<char>((0xFF00 >> (more + 1) & 0xFF) | code >> (6 * more));
    while (more--)
      bytes += static_cast<char>(0x80 | (code >> (6 * more) & 0x3F));
  }
  return bytes;
}

int push(const char *name) {
  if (const Push told = pushed)
    told(name ? name : "");
  return depth++;
}

int pushWide(const wchar_t *name) { return push(name ? narrow(name).c_str() : nullptr); }

int pushAttributes(const Attributes *given) {
  const void *message = given ? given->message : nullptr;
  if (!message)
    return push(nullptr);
  switch (given->messageType) {
  case ASCII:
    return push(static_cast<const char *>(message));
  case UNICODE:
    return pushWide(static_cast<const wchar_t *>(message));
  case REGISTERED:
    return push(static_cast<const std::string *>(message)->c_str());
  }
  return push(nullptr);
}

int pop() {
  if (!depth)
    return -1;
  if (const Function told = popped)
    told();
  return --depth;
}

/// Whether ranges of a domain are told: of the default one, and of that of the package nvtx.  Others are those of
/// libraries, NCCL's for example, which may hold locks of their own where they mark ranges: no Python may run there.
bool isToldOf(const std::string *domain) { return !domain || *domain == "NVTX"; }

int pushInDomain(const std::string *domain, const Attributes *given) {
  return isToldOf(domain) ? pushAttributes(given) : 0;
}
int popInDomain(const std::string *domain) { return isToldOf(domain) ? pop() : 0; }

/// A handle for a text, the same for the same text; it stays.
const void *keep(std::string text) {
  static std::mutex lock;
  static auto &kept = *new std::set<std::string>; // threads may mark ranges while the process ends
  std::lock_guard<std::mutex> guard(lock);
  return &*kept.insert(std::move(text)).first;
}

const void *registerString(void *, const char *text) { return keep(text ? text : ""); }
const void *registerWide(void *, const wchar_t *text) { return keep(text ? narrow(text) : ""); }
const void *createDomain(const char *name) { return keep(name ? name : ""); }
const void *createWide(const wchar_t *name) { return keep(name ? narrow(name) : ""); }

struct TableEntry {
  unsigned number; // NvtxCallbackIdCore, NvtxCallbackIdCore2
  Function function;
};

template <typename Type> Function plain(Type *function) { return reinterpret_cast<Function>(function); }

template <size_t count> bool fill(const ExportTable *table, int module, const TableEntry (&entries)[count]) {
  Function **functions = nullptr;
  unsigned size = 0;
  if (!table->functionsOf(module, &functions, &size))
    return false;
  for (const TableEntry &entry : entries)
    if (entry.number < size && functions[entry.number])
      *functions[entry.number] = entry.function;
  return true;
}

} // namespace

PyObject *watchRanges(PyObject *, PyObject *args) {
  unsigned long long push, pop;
  if (!PyArg_ParseTuple(args, "KK", &push, &pop))
    return nullptr;
  pushed = reinterpret_cast<Push>(static_cast<uintptr_t>(push));
  popped = reinterpret_cast<Function>(static_cast<uintptr_t>(pop));
  Py_RETURN_NONE;
}

} // namespace ttkit

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void *(*exportTable)(uint32_t)) {
  using namespace ttkit;
  const auto *table = static_cast<const ExportTable *>(exportTable(CALLBACKS));
  if (!table)
    return 0;
  const TableEntry core[] = {{8, plain(pushAttributes)}, {9, plain(push)}, {10, plain(pushWide)}, {11, plain(pop)}};
  const TableEntry inDomains[] = {{4, plain(pushInDomain)}, {5, plain(popInDomain)}, {10, plain(registerString)},
                             {11, plain(registerWide)}, {12, plain(createDomain)}, {13, plain(createWide)}};
  return fill(table, CORE, core) && fill(table, CORE2, inDomains);
}
