// Kernels by the words that arguments are read as, and how each is launched.
#ifndef TTKIT_LAUNCHER_ENTRY_H
#define TTKIT_LAUNCHER_ENTRY_H

#include "driver.h"
#include "values.h"

#include <memory>
#include <vector>

namespace ttkit {

/// A tensor map to encode for an argument that is a TensorDescriptor.
struct MapPlan {
  int swizzle, elementSize, elementType;
  bool doubledLast;
  std::vector<uint32_t> box;
};

/// A kernel that was launched, on one device.
struct Entry {
  std::vector<uint64_t> words;
  Ref kernel, device, allocate, caches, cacheKey, cache, kernels, kernelKey;
  Ref lastArgument; // (arguments, x, y, z) -> a pointer that the kernel takes after them; or null
  void *function = nullptr;
  uint32_t threads = 0, shared = 0, ctas = 1;
  std::vector<LaunchAttribute> attributes;
  std::string codes; // for each leaf, see `sizeOf`
  std::vector<MapPlan> maps;

  /// Whether the function's caches, which users may clear, still have it.
  bool isCached() const {
    PyObject *first = PyDict_GetItemWithError(caches.get(), cacheKey.get());
    return first == cache.get() && PyDict_GetItemWithError(kernels.get(), kernelKey.get()) == kernel.get();
  }
};

/// Entries by their words: open addressing.
class Table {
public:
  /// The entry of these words, or null.  It outlives its removal, for who has it.
  std::shared_ptr<Entry> find(const uint64_t *words, int count) const;
  void add(std::shared_ptr<Entry> entry);
  void clear();
  size_t size() const { return entries.size(); }
  template <typename Function> int visit(Function function) const {
    for (const std::shared_ptr<Entry> &entry : entries)
      if (int result = function(*entry))
        return result;
    return 0;
  }

private:
  static uint64_t hash(const uint64_t *words, int count);
  int numberOf(const uint64_t *words, int count) const;
  void insert(int number);

  std::vector<std::shared_ptr<Entry>> entries;
  std::vector<int> slots; // numbers of entries, -1 for none; a power of two, at most half full
  mutable int last = -1;
};

} // namespace ttkit

#endif
