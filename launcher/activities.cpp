// CUPTI asks for buffers and tells of launches in the middle of them, and completes buffers on a thread of its own:
// nothing here waits for Python's lock.
#include "activities.h"

#include <cstdlib>
#include <mutex>
#include <vector>

namespace ttkit {

namespace {

constexpr size_t BUFFER_SIZE = size_t(4) << 20, BUFFER_ALIGNMENT = 8, MAX_SPARE = 4;
// CUpti_CallbackDomain, CUpti_ApiCallbackSite
constexpr int DRIVER_API = 1, RUNTIME_API = 2, RESOURCE = 3, ENTER = 0;
constexpr uint32_t NODE_CREATED = 13; // CUpti_CallbackIdResource

struct Buffer {
  uint8_t *data;
  size_t used;
};

/// A launch, by the number that its kernels' records have, and the place of its thread.
struct Launch {
  uint32_t correlation, place;
};

/// A node of a CUDA graph: the place of the thread that captured it, or the node that it was copied from.
struct Node {
  uint64_t node, original;
  uint64_t place;
};

/// The beginning of CUpti_CallbackData.
struct CallbackData {
  int site;
  const char *name;
  const void *parameters;
  void *result;
  const char *symbol;
  void *context;
  uint32_t contextNumber;
  uint64_t *data;
  uint32_t correlation;
};

struct ResourceData {
  void *context, *resource;
  void *const *descriptor; // of a node: graph, original graph, node, original node
};

std::mutex lock;
std::vector<Buffer> completed;
std::vector<uint8_t *> spare;
std::vector<Launch> launches;
std::vector<Node> nodes;
thread_local uint32_t place = 0;
int (*numberOfNode)(void *, uint64_t *) = nullptr;
void (*launched)(uint32_t) = nullptr;

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
  *buffer = static_cast<uint8_t *>(std::aligned_alloc(BUFFER_ALIGNMENT, BUFFER_SIZE));
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

void notify(void *, int domain, uint32_t event, const void *data) {
  if (domain == RESOURCE) {
    void *const *graph = static_cast<const ResourceData *>(data)->descriptor;
    Node node{0, 0, place};
    if (!numberOfNode || numberOfNode(graph[2], &node.node))
      return;
    if (event != NODE_CREATED && numberOfNode(graph[3], &node.original))
      return;
    std::lock_guard<std::mutex> guard(lock);
    nodes.push_back(node);
  } else if (domain == DRIVER_API || domain == RUNTIME_API) {
    const auto *call = static_cast<const CallbackData *>(data);
    if (call->site != ENTER)
      return;
    if (launched)
      launched(call->correlation);
    if (!place)
      return;
    std::lock_guard<std::mutex> guard(lock);
    launches.push_back({call->correlation, place});
  }
}

template <typename T> PyObject *asBytes(const std::vector<T> &items) {
  return PyBytes_FromStringAndSize(reinterpret_cast<const char *>(items.data()),
                                   static_cast<Py_ssize_t>(items.size() * sizeof(T)));
}

template <typename Function> unsigned long long address(Function *function) {
  return static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(function));
}

} // namespace

PyObject *activityCallbacks(PyObject *, PyObject *) {
  return Py_BuildValue("KKK", address(request), address(complete), address(notify));
}

PyObject *takeActivities(PyObject *, PyObject *) {
  std::vector<Buffer> taken;
  std::vector<Launch> started;
  std::vector<Node> made;
  {
    std::lock_guard<std::mutex> guard(lock);
    taken.swap(completed), started.swap(launches), made.swap(nodes);
  }
  Ref list(PyList_New(0));
  for (const Buffer &buffer : taken) {
    Ref bytes(PyBytes_FromStringAndSize(reinterpret_cast<char *>(buffer.data), static_cast<Py_ssize_t>(buffer.used)));
    giveBack(buffer.data);
    if (list && (!bytes || PyList_Append(list.get(), bytes.get()) < 0))
      list.reset(nullptr);
  }
  Ref first(asBytes(started)), second(asBytes(made));
  return list && first && second ? PyTuple_Pack(3, list.get(), first.get(), second.get()) : nullptr;
}

PyObject *setPlace(PyObject *, PyObject *number) {
  const unsigned long given = PyLong_AsUnsignedLong(number);
  if (PyErr_Occurred())
    return nullptr;
  place = static_cast<uint32_t>(given);
  Py_RETURN_NONE;
}

PyObject *watch(PyObject *, PyObject *args) {
  unsigned long long node, launch;
  if (!PyArg_ParseTuple(args, "KK", &node, &launch))
    return nullptr;
  numberOfNode = reinterpret_cast<int (*)(void *, uint64_t *)>(static_cast<uintptr_t>(node));
  launched = reinterpret_cast<void (*)(uint32_t)>(static_cast<uintptr_t>(launch));
  Py_RETURN_NONE;
}

} // namespace ttkit
