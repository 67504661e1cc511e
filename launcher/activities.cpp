// CUPTI asks for buffers in the middle of launches, and completes them on a thread of its own: neither may wait for
// Python's lock.
#include "activities.h"

#include <cstdlib>
#include <mutex>
#include <vector>

namespace ttkit {

namespace {

constexpr size_t BUFFER_SIZE = size_t(4) << 20, ALIGNMENT = 8, MAX_SPARE = 4;

struct Buffer {
  uint8_t *data;
  size_t used;
};

std::mutex lock;
std::vector<Buffer> completed;
std::vector<uint8_t *> spare;

void request(uint8_t **buffer, size_t *size, size_t *maxRecords) {
  *size = BUFFER_SIZE, *maxRecords = 0;
  {
    std::lock_guard<std::mutex> guard(lock);
    if (!spare.empty()) {
      *buffer = spare.back();
      spare.pop_back();
      return;
    }
  }
  *buffer = static_cast<uint8_t *>(std::aligned_alloc(ALIGNMENT, BUFFER_SIZE));
  if (!*buffer)
    *size = 0; // CUPTI drops records, and counts them
}

void giveBack(uint8_t *buffer) {
  std::lock_guard<std::mutex> guard(lock);
  if (spare.size() < MAX_SPARE)
    spare.push_back(buffer);
  else
    std::free(buffer);
}

void complete(void *, uint32_t, uint8_t *buffer, size_t, size_t used) {
  if (!used)
    return giveBack(buffer);
  std::lock_guard<std::mutex> guard(lock);
  completed.push_back({buffer, used});
}

} // namespace

PyObject *activityCallbacks(PyObject *, PyObject *) {
  return Py_BuildValue("KK", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(request)),
                       static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(complete)));
}

PyObject *takeActivities(PyObject *, PyObject *) {
  std::vector<Buffer> taken;
  {
    std::lock_guard<std::mutex> guard(lock);
    taken.swap(completed);
  }
  Ref list(PyList_New(0));
  for (const Buffer &buffer : taken) {
    Ref bytes(PyBytes_FromStringAndSize(reinterpret_cast<char *>(buffer.data), static_cast<Py_ssize_t>(buffer.used)));
    giveBack(buffer.data);
    if (list && (!bytes || PyList_Append(list.get(), bytes.get()) < 0))
      list.reset(nullptr);
  }
  return list.release();
}

} // namespace ttkit
