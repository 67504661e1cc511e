#include "launch.h"

namespace ttkit {

namespace {

constexpr uint64_t LARGEST[3] = {0x7FFFFFFF, 65535, 65535};
constexpr int RECENT = 8, MAX_BYTES = 8192;
constexpr int INTERLEAVE_NONE = 0, L2_128_BYTES = 2, FILL_NONE = 0, FILL_NAN = 1, TF32 = 11;

PyObject *recent[RECENT]; // kernels; a launch that fails later is one of them
unsigned recentCount;

void remember(PyObject *kernel) {
  PyObject *&slot = recent[recentCount++ % RECENT];
  PyObject *old = slot;
  Py_INCREF(kernel);
  slot = kernel;
  Py_XDECREF(old);
}

/// The bytes of all parameters, and where each begins.
struct Parameters {
  alignas(64) unsigned char bytes[MAX_BYTES];
  void *addresses[2 * Arguments::MAX_LEAVES];
  size_t size = 0;
  int count = 0;

  /// Room for a parameter; null if there is none.
  unsigned char *add(size_t bytesNeeded, size_t alignment) {
    size = (size + alignment - 1) / alignment * alignment;
    if (size + bytesNeeded > MAX_BYTES || count == 2 * Arguments::MAX_LEAVES)
      return nullptr;
    unsigned char *place = bytes + size;
    addresses[count++] = place;
    size += bytesNeeded;
    return place;
  }
  bool add(char code, const Leaf &leaf) {
    const size_t needed = sizeOf(code);
    unsigned char *place = add(needed, needed);
    return place && pack(code, leaf, place);
  }
  bool addInteger(char code, uint64_t value) {
    Leaf leaf{Leaf::Signed, {0}};
    leaf.bits = value;
    return add(code, leaf);
  }
};

/// The numbers of a sequence.
struct Numbers {
  int64_t values[MAX_RANK];
  Py_ssize_t count = -1;

  Numbers(PyObject *owner, const char *attribute) {
    Ref sequence(PyObject_GetAttrString(owner, attribute));
    Py_ssize_t size = sequence ? PySequence_Size(sequence.get()) : -1;
    if (size < 0 || size > MAX_RANK)
      return;
    for (Py_ssize_t index = 0; index < size; ++index)
      values[index] = takeLong(PySequence_GetItem(sequence.get(), index));
    if (!PyErr_Occurred())
      count = size;
  }
};

/// Whether memory that lies elsewhere is padded with NaN.
int paddingOf(PyObject *descriptor) {
  Ref padding(PyObject_GetAttrString(descriptor, "padding"));
  return padding ? PyUnicode_CompareWithASCIIString(padding.get(), "nan") == 0 : -1;
}

/// Whether elements are rounded to tf32; descriptors of other packages may not say.
int roundsToTf32(PyObject *descriptor) {
  Ref rounds(PyObject_GetAttrString(descriptor, "round_f32_to_tf32"));
  if (rounds)
    return PyObject_IsTrue(rounds.get());
  PyErr_Clear();
  return 0;
}

bool encode(const MapPlan &plan, uint64_t address, const Numbers &shape, const Numbers &strides, int padding,
            bool rounds, TensorMap *map) {
  const uint32_t rank = static_cast<uint32_t>(plan.box.size());
  uint64_t sizes[MAX_RANK], steps[MAX_RANK];
  uint32_t box[MAX_RANK], ones[MAX_RANK];
  if (shape.count != rank || strides.count != rank)
    return false;
  for (uint32_t index = 0; index < rank; ++index) {
    const uint32_t inner = rank - 1 - index; // the driver wants the innermost dimension first
    sizes[index] = shape.values[inner] * (index == 0 && plan.doubledLast ? 2 : 1);
    box[index] = plan.box[inner], ones[index] = 1;
    if (inner > 0)
      steps[index] = strides.values[inner - 1] * plan.elementSize;
  }
  return driver.encodeTensorMap &&
         driver.encodeTensorMap(map, rounds ? TF32 : plan.elementType, rank, reinterpret_cast<void *>(address), sizes,
                                steps, box, ones, INTERLEAVE_NONE, plan.swizzle, L2_128_BYTES, padding ? FILL_NAN : FILL_NONE) == 0;
}

/// The address that kernels have for memory; false if they can't reach it.
bool reach(uint64_t address, uint64_t &found) {
  found = 0;
  return address == 0 || driver.getPointerAttribute(&found, DEVICE_POINTER, address) == 0;
}

/// Adds what a descriptor becomes: a tensor map or pointer, shape, strides and padding; then shape and strides again.
bool addDescriptor(const MapPlan *plan, PyObject *descriptor, Parameters &parameters) {
  Ref base(PyObject_GetAttrString(descriptor, "base"));
  Ref pointer(base ? PyObject_CallMethod(base.get(), "data_ptr", nullptr) : nullptr);
  const uint64_t address = pointer ? PyLong_AsUnsignedLongLong(pointer.get()) : 0;
  const Numbers shape(descriptor, "shape"), strides(descriptor, "strides");
  const int padding = paddingOf(descriptor), rounds = plan ? roundsToTf32(descriptor) : 0;
  uint64_t reached = 0;
  if (PyErr_Occurred() || padding < 0 || rounds < 0 || shape.count < 0 || shape.count != strides.count || !reach(address, reached))
    return false;
  if (plan) {
    auto *map = reinterpret_cast<TensorMap *>(parameters.add(sizeof(TensorMap), alignof(TensorMap)));
    if (!map || !encode(*plan, reached, shape, strides, padding, rounds, map))
      return false;
  } else {
    bool added = parameters.addInteger('P', reached);
    for (Py_ssize_t index = 0; index < shape.count; ++index)
      added &= parameters.addInteger('q', shape.values[index]);
    for (Py_ssize_t index = 0; index < shape.count; ++index)
      added &= parameters.addInteger('q', strides.values[index]);
    if (!added || !parameters.addInteger('?', padding))
      return false;
  }
  bool added = true;
  for (Py_ssize_t index = 0; index < shape.count; ++index)
    added &= parameters.addInteger('i', shape.values[index]);
  for (Py_ssize_t index = 0; index < shape.count; ++index)
    added &= parameters.addInteger('q', strides.values[index]);
  return added;
}

bool addArguments(const Entry &entry, const Arguments &arguments, Parameters &parameters) {
  if (entry.codes.size() != static_cast<size_t>(arguments.leafCount))
    return false;
  size_t maps = 0;
  for (int index = 0; index < arguments.leafCount; ++index) {
    const char code = entry.codes[index];
    Leaf leaf = arguments.leaves[index];
    if (code == 'x')
      continue;
    if (code == 'T' || code == 'D') {
      if (leaf.tag != Leaf::Descriptor ||
          !addDescriptor(code == 'T' ? &entry.maps[maps++] : nullptr, leaf.object, parameters))
        return false;
      continue;
    }
    if (leaf.tag == Leaf::Pointer && !reach(leaf.bits, leaf.bits))
      return false;
    if (!parameters.add(code, leaf))
      return false;
  }
  return true;
}

/// Adds the two scratch buffers; `keep` owns them.
Result addScratch(const Entry &entry, const Grid &grid, PyObject *stream, Parameters &parameters, Ref &keep) {
  uint64_t scratch = 0, profile = 0;
  if (entry.allocate) {
    Ref ctas(PyLong_FromUnsignedLongLong(grid.x * grid.y * grid.z * entry.ctas));
    if (!ctas)
      return Result::Error;
    keep.reset(PyObject_CallFunctionObjArgs(entry.allocate.get(), ctas.get(), stream, nullptr));
    if (!keep)
      return Result::Error;
    PyObject *first = PyTuple_GetItem(keep.get(), 0), *second = PyTuple_GetItem(keep.get(), 1);
    if (!first || !second)
      return Result::Error;
    scratch = PyLong_AsUnsignedLongLong(first);
    profile = PyLong_AsUnsignedLongLong(second);
    if (PyErr_Occurred())
      return Result::Error;
  }
  return parameters.addInteger('P', scratch) && parameters.addInteger('P', profile) ? Result::Ok : Result::Slow;
}

/// Adds the pointer that follows the arguments.
Result addLastArgument(const Entry &entry, PyObject *values, const Grid &grid, Parameters &parameters) {
  Ref callable = Ref::borrowed(entry.lastArgument.get());
  Ref address(PyObject_CallFunction(callable.get(), "OKKK", values, static_cast<unsigned long long>(grid.x),
                                    static_cast<unsigned long long>(grid.y), static_cast<unsigned long long>(grid.z)));
  const uint64_t number = address ? PyLong_AsUnsignedLongLong(address.get()) : 0;
  if (PyErr_Occurred())
    return Result::Error;
  return parameters.addInteger('P', number) ? Result::Ok : Result::Slow;
}

/// Raises what Python makes of an error of the driver.
Result fail(int code, PyObject *kernel) {
  Ref number(PyLong_FromLong(code));
  if (number)
    Ref(PyObject_CallFunctionObjArgs(callbacks.fail, number.get(), kernel, nullptr));
  return Result::Error;
}

} // namespace

Result readGrid(PyObject *value, uint32_t ctas, Grid &grid) {
  uint64_t *const sizes[3] = {&grid.x, &grid.y, &grid.z};
  Py_ssize_t count = PyTuple_Check(value) ? PyTuple_Size(value) : PyList_Check(value) ? PyList_Size(value) : 0;
  if (count < 1 || count > 3)
    return Result::Slow;
  for (Py_ssize_t index = 0; index < count; ++index) {
    PyObject *item = PyTuple_Check(value) ? PyTuple_GetItem(value, index) : PyList_GetItem(value, index);
    if (!PyLong_Check(item))
      return Result::Slow;
    long long size = PyLong_AsLongLong(item);
    if (size < 0 || static_cast<uint64_t>(size) > LARGEST[index] / (index == 0 ? ctas : 1)) {
      PyErr_Clear();
      return Result::Slow;
    }
    *sizes[index] = static_cast<uint64_t>(size);
  }
  return Result::Ok;
}

Result launch(const Entry &entry, const Arguments &arguments, PyObject *values, const Grid &grid) {
  Parameters parameters;
  if (!addArguments(entry, arguments, parameters)) {
    PyErr_Clear();
    return Result::Slow;
  }
  Ref stream, keep;
  void *handle = nullptr;
  if (callbacks.streamOf) {
    stream.reset(PyObject_CallFunctionObjArgs(callbacks.streamOf, entry.device.get(), nullptr));
    if (!stream)
      return Result::Error;
    handle = PyLong_AsVoidPtr(stream.get());
    if (!handle && PyErr_Occurred())
      return Result::Error;
  }
  Result result = entry.lastArgument ? addLastArgument(entry, values, grid, parameters) : Result::Ok;
  if (result == Result::Ok)
    result = addScratch(entry, grid, stream ? stream.get() : Py_None, parameters, keep);
  if (result != Result::Ok)
    return result;
  LaunchAttribute attributes[MAX_ATTRIBUTES];
  LaunchConfig config{};
  config.grid[0] = static_cast<uint32_t>(grid.x * entry.ctas);
  config.grid[1] = static_cast<uint32_t>(grid.y), config.grid[2] = static_cast<uint32_t>(grid.z);
  config.block[0] = entry.threads, config.block[1] = config.block[2] = 1;
  config.shared = entry.shared, config.stream = handle, config.attributes = attributes;
  for (const LaunchAttribute &attribute : entry.attributes)
    attributes[config.attributeCount++] = attribute;
  void *function = entry.function;
  Ref kernel = Ref::borrowed(entry.kernel.get());
  // Another thread may drop the entry now.  The driver waits where too much is queued, perhaps for a callback in Python.
  PyThreadState *state = PyEval_SaveThread();
  int code = driver.launch(&config, function, parameters.addresses, nullptr);
  PyEval_RestoreThread(state);
  if (code)
    return fail(code, kernel.get());
  remember(kernel.get());
  return Result::Ok;
}

PyObject *recentKernels() {
  Ref names(PyList_New(0));
  for (unsigned index = 0; names && index < RECENT; ++index) {
    PyObject *kernel = recent[(recentCount + index) % RECENT];
    if (!kernel)
      continue;
    Ref name(PyObject_GetAttrString(kernel, "name"));
    if (!name || PyList_Append(names.get(), name.get()) < 0)
      return nullptr;
  }
  return names.release();
}

void forgetRecentKernels() {
  for (PyObject *&slot : recent) {
    PyObject *old = slot;
    slot = nullptr;
    Py_XDECREF(old);
  }
}

} // namespace ttkit
