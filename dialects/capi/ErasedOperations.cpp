// Operations that were erased while Python may hold them: of contexts where that is asked for they stay in memory, so that
// Python's object is known to be of no operation any more, and what it reads is no other's.
//
// MLIR tells nobody that an operation dies.  But its library calls the functions that end one through its table of
// functions of other files, as the dynamic linker requires; the entries of that table are replaced here, once.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Operation.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

#ifdef __linux__
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

using namespace mlir;

namespace {

/// The erased operations of a context.
struct Erased {
  std::vector<Operation *> roots;        // with what is in them
  std::vector<Operation *> all;          // these and those inside of them
  std::vector<Operation *> placeholders; // for the operands that they had
};

std::mutex mutex;
llvm::DenseMap<MLIRContext *, Erased> erasedOf;
std::atomic<unsigned> watched{0};
// Volatile, so that calls go to MLIR's functions themselves and not by this library's own table.
void (Operation::*volatile originalErase)() = &Operation::erase;
void (Operation::*volatile originalDestroy)() = &Operation::destroy;
void (*volatile originalDeleteNode)(Operation *) = &llvm::ilist_traits<Operation>::deleteNode;

/// Takes an operation of a watched context out of its block and keeps it; its operands become values without a use
/// elsewhere.  False for others, and for one whose results have uses, which MLIR complains about.
bool keep(Operation *op) {
  if (watched.load(std::memory_order_relaxed) == 0)
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = erasedOf.find(op->getContext());
  if (found == erasedOf.end() || !op->use_empty())
    return false;
  if (op->getBlock())
    op->remove();
  Erased &erased = found->second;
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands()) {
      Value value = operand.get();
      Region *region = value ? value.getParentRegion() : nullptr;
      if (!value || (region && op->isProperAncestor(region->getParentOp())) ||
          (region && region->getParentOp() == op))
        continue;
      OperationState state(UnknownLoc::get(op->getContext()), "builtin.unrealized_conversion_cast");
      state.addTypes(value.getType());
      erased.placeholders.push_back(Operation::create(state));
      operand.set(erased.placeholders.back()->getResult(0));
    }
    erased.all.push_back(inner);
  });
  for (BlockOperand &successor : op->getBlockOperands())
    successor.drop();
  erased.roots.push_back(op);
  return true;
}

void erase(Operation *op) {
  if (!keep(op))
    (op->*originalErase)();
}

void destroy(Operation *op) {
  if (!keep(op))
    (op->*originalDestroy)();
}

void deleteNode(Operation *op) {
  if (!keep(op))
    originalDeleteNode(op);
}

#ifdef __linux__
/// Replaces an entry of the table of a library, if it is for one of the functions.
void replace(ElfW(Addr) base, const ElfW(Rela) & entry, const char *name) {
  const std::pair<const char *, void *> functions[] = {
      {"_ZN4mlir9Operation5eraseEv", reinterpret_cast<void *>(erase)},
      {"_ZN4mlir9Operation7destroyEv", reinterpret_cast<void *>(destroy)},
      {"_ZN4llvm12ilist_traitsIN4mlir9OperationEE10deleteNodeEPS2_", reinterpret_cast<void *>(deleteNode)},
  };
  for (auto [replaced, replacement] : functions) {
    if (std::strcmp(name, replaced) != 0)
      continue;
    void **slot = reinterpret_cast<void **>(base + entry.r_offset);
    size_t size = sysconf(_SC_PAGESIZE);
    void *page = reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(slot) & ~(size - 1));
    if (mprotect(page, size, PROT_READ | PROT_WRITE) == 0)
      *slot = replacement;
  }
}

int replaceIn(dl_phdr_info *info, size_t, void *) {
  llvm::StringRef path = info->dlpi_name;
  if (!path.contains("libMLIRPythonCAPI") && !path.contains("libttkit"))
    return 0;
  const ElfW(Rela) *entries = nullptr;
  const ElfW(Sym) *symbols = nullptr;
  const char *names = nullptr;
  size_t size = 0;
  for (int place = 0; place < info->dlpi_phnum; ++place) {
    if (info->dlpi_phdr[place].p_type != PT_DYNAMIC)
      continue;
    auto *dynamic = reinterpret_cast<const ElfW(Dyn) *>(info->dlpi_addr + info->dlpi_phdr[place].p_vaddr);
    for (; dynamic->d_tag != DT_NULL; ++dynamic) {
      if (dynamic->d_tag == DT_JMPREL)
        entries = reinterpret_cast<const ElfW(Rela) *>(dynamic->d_un.d_ptr);
      else if (dynamic->d_tag == DT_PLTRELSZ)
        size = dynamic->d_un.d_val;
      else if (dynamic->d_tag == DT_SYMTAB)
        symbols = reinterpret_cast<const ElfW(Sym) *>(dynamic->d_un.d_ptr);
      else if (dynamic->d_tag == DT_STRTAB)
        names = reinterpret_cast<const char *>(dynamic->d_un.d_ptr);
    }
  }
  if (entries && symbols && names)
    for (size_t place = 0; place < size / sizeof(ElfW(Rela)); ++place)
      replace(info->dlpi_addr, entries[place], names + symbols[ELF64_R_SYM(entries[place].r_info)].st_name);
  return 0;
}
#endif

} // namespace

void ttkitKeepErased(MlirContext context) {
  std::lock_guard<std::mutex> lock(mutex);
#ifdef __linux__
  static bool replaced = (dl_iterate_phdr(replaceIn, nullptr), true);
  (void)replaced;
  if (erasedOf.try_emplace(unwrap(context)).second)
    ++watched;
#endif
}

size_t ttkitErasedOperations(MlirContext context, MlirOperation *found, size_t capacity) {
  std::lock_guard<std::mutex> lock(mutex);
  auto erased = erasedOf.find(unwrap(context));
  if (erased == erasedOf.end())
    return 0;
  const std::vector<Operation *> &all = erased->second.all;
  for (size_t place = 0; place < all.size() && place < capacity; ++place)
    found[place] = wrap(all[place]);
  return all.size();
}

void ttkitFreeErased(MlirContext context) {
  Erased erased;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = erasedOf.find(unwrap(context));
    if (found == erasedOf.end())
      return;
    erased = std::move(found->second);
    erasedOf.erase(found);
    --watched;
  }
  for (Operation *op : erased.roots)
    (op->*originalDestroy)();
  for (Operation *op : erased.placeholders)
    (op->*originalDestroy)();
}
