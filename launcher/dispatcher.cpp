#include "dispatcher.h"

#include "launch.h"

#include <algorithm>
#include <cstring>

namespace ttkit {

namespace {

constexpr int MAX_PARAMETERS = 128, MAX_KEYWORDS = 160;

/// Something that must be as it was when kernels were entered: an item of a dictionary, or that a list is empty.
struct Guard {
  Ref container, key, value; // without a key, a list; without a value, the dictionary must not have the key

  bool holds() const {
    if (!key)
      return PyList_Size(container.get()) == 0;
    return PyDict_GetItemWithError(container.get(), key.get()) == value.get() && !PyErr_Occurred();
  }
};

/// The launches of one function.
struct State {
  std::vector<Ref> names, defaults;
  std::vector<unsigned> flags;
  std::vector<Guard> guards;
  std::vector<Ref> hooks; // lists of functions that are called around launches
  Ref miss;
  Table table;

  bool hasHooks() const {
    for (const Ref &list : hooks)
      if (PyList_Size(list.get()) > 0)
        return true;
    return false;
  }
  bool guardsHold() const {
    for (const Guard &guard : guards)
      if (!guard.holds())
        return false;
    return true;
  }
};

struct DispatcherObject {
  PyObject ob_base;
  State *state;
};

State &stateOf(PyObject *self) { return *reinterpret_cast<DispatcherObject *>(self)->state; }

/// All arguments, constants too.
PyObject *tupleOf(const State &state, PyObject *const *slots) {
  Ref values(PyTuple_New(state.names.size()));
  for (size_t index = 0; values && index < state.names.size(); ++index) {
    Py_INCREF(slots[index]);
    PyTuple_SetItem(values.get(), index, slots[index]);
  }
  return values.release();
}

/// A call as it was made; all references are borrowed.
struct Call {
  PyObject *const *positional;
  Py_ssize_t count;
  PyObject *names[MAX_KEYWORDS], *values[MAX_KEYWORDS];
  int keywords = 0;

  bool addKeyword(PyObject *name, PyObject *value) {
    if (keywords == MAX_KEYWORDS)
      return false;
    names[keywords] = name, values[keywords++] = value;
    return true;
  }
};

/// Lets Python compile and launch.  It enters the kernel under the key, if there is one.
PyObject *missed(const State &state, PyObject *grid, const Call &call, const Arguments *key) {
  Ref arguments(PyTuple_New(call.count)), keywords(PyDict_New());
  if (!arguments || !keywords)
    return nullptr;
  for (Py_ssize_t index = 0; index < call.count; ++index) {
    Py_INCREF(call.positional[index]);
    PyTuple_SetItem(arguments.get(), index, call.positional[index]);
  }
  for (int index = 0; index < call.keywords; ++index)
    if (PyDict_SetItem(keywords.get(), call.names[index], call.values[index]) < 0)
      return nullptr;
  Ref words = Ref::borrowed(Py_None);
  if (key)
    words.reset(PyBytes_FromStringAndSize(reinterpret_cast<const char *>(key->words),
                                          key->wordCount * sizeof(uint64_t)));
  if (!words)
    return nullptr;
  Ref callable = Ref::borrowed(state.miss.get());
  return PyObject_CallFunctionObjArgs(callable.get(), grid, arguments.get(), keywords.get(), words.get(), nullptr);
}

int parameterNumber(const State &state, PyObject *name) {
  const int count = static_cast<int>(state.names.size());
  for (int index = 0; index < count; ++index)
    if (state.names[index].get() == name) // names in calls are interned, as these are
      return index;
  for (int index = 0; index < count; ++index)
    if (PyUnicode_Compare(state.names[index].get(), name) == 0)
      return index;
  return -1;
}

/// Binds arguments to parameters; Slow where Python would complain.  `slots` are borrowed.
Result bind(const State &state, const Call &call, PyObject **slots, Arguments &arguments) {
  const int count = static_cast<int>(state.names.size());
  if (call.count > count)
    return Result::Slow;
  for (int index = 0; index < count; ++index)
    slots[index] = index < call.count ? call.positional[index] : nullptr;
  for (int index = 0; index < call.keywords; ++index) {
    const int number = parameterNumber(state, call.names[index]);
    if (number < 0) {
      Result result = arguments.readOption(call.names[index], call.values[index]);
      if (result != Result::Ok)
        return result;
    } else if (slots[number]) {
      return Result::Slow;
    } else {
      slots[number] = call.values[index];
    }
  }
  for (int index = 0; index < count; ++index)
    if (!slots[index] && !(slots[index] = state.defaults[index].get()))
      return Result::Slow;
  return Result::Ok;
}

Result readAll(const State &state, PyObject *const *slots, Arguments &arguments) {
  for (size_t index = 0; index < state.names.size(); ++index) {
    Result result = arguments.read(slots[index], state.flags[index]);
    if (result != Result::Ok)
      return result;
  }
  return Result::Ok;
}

/// The grid that a function gives for {name: argument}.
PyObject *callGrid(const State &state, PyObject *grid, PyObject *const *slots) {
  Ref bound(PyDict_New());
  for (size_t index = 0; bound && index < state.names.size(); ++index)
    if (PyDict_SetItem(bound.get(), state.names[index].get(), slots[index]) < 0)
      return nullptr;
  return bound ? PyObject_CallFunctionObjArgs(grid, bound.get(), nullptr) : nullptr;
}

PyObject *dispatch(PyObject *self, PyObject *grid, const Call &call) {
  const State &state = stateOf(self);
  void *context = nullptr;
  if (!state.guardsHold() || !driver.launch || driver.getCurrentContext(&context) || !context)
    return PyErr_Occurred() ? nullptr : missed(state, grid, call, nullptr);
  Arguments arguments;
  PyObject *slots[MAX_PARAMETERS];
  arguments.push(reinterpret_cast<uintptr_t>(context));
  Result result = bind(state, call, slots, arguments);
  if (result == Result::Ok)
    result = readAll(state, slots, arguments);
  if (result != Result::Ok)
    return result == Result::Error ? nullptr : missed(state, grid, call, nullptr);
  std::shared_ptr<Entry> entry = state.table.find(arguments.words, arguments.wordCount);
  if (!entry || !entry->isCached())
    return missed(state, grid, call, &arguments);
  Ref made;
  if (!PyTuple_Check(grid) && PyCallable_Check(grid)) {
    made.reset(callGrid(state, grid, slots));
    if (!made)
      return nullptr;
    grid = made.get();
  }
  Grid sizes;
  result = readGrid(grid, entry->ctas, sizes);
  const bool hooked = result == Result::Ok && state.hasHooks();
  Ref values, told; // told: what hooks before the launch were told, which those after it are told too
  if (hooked || entry->lastArgument) {
    values.reset(tupleOf(state, slots));
    if (!values)
      return nullptr;
  }
  if (hooked) {
    told.reset(PyObject_CallFunctionObjArgs(callbacks.enter, entry->kernel.get(), entry->device.get(), grid,
                                            values.get(), nullptr));
    if (!told)
      return nullptr;
  }
  if (result == Result::Ok && !sizes.isEmpty())
    result = launch(*entry, arguments, values.get(), sizes);
  if (result == Result::Ok && told && !Ref(PyObject_CallFunctionObjArgs(callbacks.leave, told.get(), nullptr)))
    return nullptr;
  if (result == Result::Slow)
    return missed(state, grid, call, nullptr);
  return result == Result::Ok ? Ref::borrowed(entry->kernel.get()).release() : nullptr;
}

// --- methods ---------------------------------------------------------------------------------------------------------

PyObject *callBound(PyObject *bound, PyObject *const *args, Py_ssize_t count, PyObject *kwnames) {
  Call call{args, count, {}, {}, 0};
  const Py_ssize_t keywords = kwnames ? PyTuple_Size(kwnames) : 0;
  for (Py_ssize_t index = 0; index < keywords; ++index)
    if (!call.addKeyword(PyTuple_GetItem(kwnames, index), args[count + index])) {
      PyErr_SetString(PyExc_TypeError, "too many keyword arguments");
      return nullptr;
    }
  return dispatch(PyTuple_GetItem(bound, 0), PyTuple_GetItem(bound, 1), call);
}

PyMethodDef boundCall = {"launch", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Guarded<callBound>::call)),
                         METH_FASTCALL | METH_KEYWORDS, "Launches the kernel, over the grid that it was made for."};

PyObject *bindGrid(PyObject *self, PyObject *grid) {
  Ref pair(PyTuple_Pack(2, self, grid));
  return pair ? PyCFunction_NewEx(&boundCall, pair.get(), nullptr) : nullptr;
}

PyObject *launchMethod(PyObject *self, PyObject *args) {
  PyObject *grid, *positional, *keywords;
  if (!PyArg_ParseTuple(args, "OO!O!", &grid, &PyTuple_Type, &positional, &PyDict_Type, &keywords))
    return nullptr;
  // Reading an argument may run code that changes the caller's dictionary.
  Ref own(PyDict_Copy(keywords));
  if (!own)
    return nullptr;
  keywords = own.get();
  const Py_ssize_t count = PyTuple_Size(positional);
  PyObject *values[MAX_PARAMETERS];
  if (count > MAX_PARAMETERS || PyDict_Size(keywords) > MAX_KEYWORDS) {
    PyErr_SetString(PyExc_TypeError, "too many arguments");
    return nullptr;
  }
  for (Py_ssize_t index = 0; index < count; ++index)
    values[index] = PyTuple_GetItem(positional, index);
  Call call{values, count, {}, {}, 0};
  PyObject *name, *value;
  for (Py_ssize_t position = 0; PyDict_Next(keywords, &position, &name, &value);)
    call.addKeyword(name, value);
  return dispatch(self, grid, call);
}

/// Raises where an item is not a tuple: PyArg_ParseTuple would report that as a bug of its caller.
bool isTuple(PyObject *item) {
  if (!PyTuple_Check(item))
    PyErr_SetString(PyExc_TypeError, "a tuple is wanted");
  return PyTuple_Check(item);
}

/// set_guards([(dict, key, value) or (dict, key) or (list,)][, [list of hooks]])
PyObject *setGuards(PyObject *self, PyObject *args) {
  PyObject *list, *lists = nullptr;
  if (!PyArg_ParseTuple(args, "O|O", &list, &lists))
    return nullptr;
  std::vector<Ref> hooks;
  for (Py_ssize_t index = 0, count = lists ? PySequence_Size(lists) : 0; index < count; ++index) {
    hooks.push_back(Ref(PySequence_GetItem(lists, index)));
    if (!hooks.back() || !PyList_Check(hooks.back().get())) {
      PyErr_SetString(PyExc_TypeError, "hooks are lists");
      return nullptr;
    }
  }
  std::vector<Guard> guards;
  for (Py_ssize_t index = 0, count = PySequence_Size(list); index < count; ++index) {
    Ref item(PySequence_GetItem(list, index));
    PyObject *container, *key = nullptr, *value = nullptr;
    if (!item || !isTuple(item.get()) || !PyArg_ParseTuple(item.get(), "O|OO", &container, &key, &value))
      return nullptr;
    if (!(key ? PyDict_Check(container) : PyList_Check(container))) {
      PyErr_SetString(PyExc_TypeError, "a guard is an item of a dictionary, or a list");
      return nullptr;
    }
    guards.push_back({Ref::borrowed(container), Ref::borrowed(key), Ref::borrowed(value)});
  }
  if (PyErr_Occurred())
    return nullptr;
  stateOf(self).guards.swap(guards);
  stateOf(self).hooks.swap(hooks);
  stateOf(self).table.clear();
  Py_RETURN_NONE;
}

bool readMaps(PyObject *list, std::vector<MapPlan> &maps) {
  for (Py_ssize_t index = 0, count = PySequence_Size(list); index < count; ++index) {
    Ref item(PySequence_GetItem(list, index));
    MapPlan plan;
    PyObject *box;
    int doubled;
    if (!item || !isTuple(item.get()) ||
        !PyArg_ParseTuple(item.get(), "iiipO!", &plan.swizzle, &plan.elementSize, &plan.elementType, &doubled,
                                   &PyTuple_Type, &box))
      return false;
    plan.doubledLast = doubled;
    for (Py_ssize_t place = 0; place < PyTuple_Size(box); ++place)
      plan.box.push_back(static_cast<uint32_t>(PyLong_AsLong(PyTuple_GetItem(box, place))));
    if (plan.box.empty() || plan.box.size() > MAX_RANK)
      PyErr_SetString(PyExc_ValueError, "the box of a tensor map has 1 to 5 dimensions");
    maps.push_back(std::move(plan));
  }
  return !PyErr_Occurred();
}

bool readAttributes(PyObject *list, std::vector<LaunchAttribute> &attributes) {
  for (Py_ssize_t index = 0, count = PySequence_Size(list); index < count; ++index) {
    Ref item(PySequence_GetItem(list, index));
    LaunchAttribute made{};
    if (!item || !isTuple(item.get()) || !PyArg_ParseTuple(item.get(), "iIII", &made.id, &made.value[0], &made.value[1], &made.value[2]))
      return false;
    attributes.push_back(made);
  }
  if (attributes.size() > MAX_ATTRIBUTES)
    PyErr_SetString(PyExc_ValueError, "too many launch attributes");
  return !PyErr_Occurred();
}

/// Raises unless the codes are known, and there is a tensor map for each that is one.
bool checkEntry(const Entry &entry, Py_ssize_t size) {
  const char *wrong = nullptr;
  const auto maps = static_cast<size_t>(std::count(entry.codes.begin(), entry.codes.end(), 'T'));
  if (size % sizeof(uint64_t))
    wrong = "a key is made of words of 8 bytes";
  else if (entry.ctas == 0)
    wrong = "a kernel has at least one CTA";
  else if (entry.codes.find_first_not_of(CODES) != std::string::npos)
    wrong = "a parameter has an unknown code";
  else if (maps != entry.maps.size())
    wrong = "the tensor maps are not as many as the parameters that are one";
  if (wrong)
    PyErr_SetString(PyExc_ValueError, wrong);
  return !wrong;
}

/// add(key, kernel, function, (threads, shared, ctas), attributes, codes, maps, device, allocate,
///     (caches, device's key, cache, kernels, kernel's key)[, lastArgument])
PyObject *addEntry(PyObject *self, PyObject *args) {
  const char *words, *codes;
  Py_ssize_t size;
  unsigned long long function;
  PyObject *kernel, *attributes, *maps, *device, *allocate, *caches, *cacheKey, *cache, *kernels, *kernelKey;
  PyObject *lastArgument = Py_None;
  auto entry = std::make_shared<Entry>();
  if (!PyArg_ParseTuple(args, "y#OK(III)OsOOO(O!OOO!O)|O", &words, &size, &kernel, &function, &entry->threads,
                        &entry->shared, &entry->ctas, &attributes, &codes, &maps, &device, &allocate, &PyDict_Type,
                        &caches, &cacheKey, &cache, &PyDict_Type, &kernels, &kernelKey, &lastArgument))
    return nullptr;
  entry->words.resize(size / sizeof(uint64_t));
  memcpy(entry->words.data(), words, entry->words.size() * sizeof(uint64_t));
  entry->function = reinterpret_cast<void *>(function);
  entry->codes = codes;
  if (!readAttributes(attributes, entry->attributes) || !readMaps(maps, entry->maps) || !checkEntry(*entry, size))
    return nullptr;
  entry->kernel = Ref::borrowed(kernel), entry->device = Ref::borrowed(device);
  if (allocate != Py_None)
    entry->allocate = Ref::borrowed(allocate);
  if (lastArgument != Py_None)
    entry->lastArgument = Ref::borrowed(lastArgument);
  entry->caches = Ref::borrowed(caches), entry->cacheKey = Ref::borrowed(cacheKey);
  entry->cache = Ref::borrowed(cache);
  entry->kernels = Ref::borrowed(kernels), entry->kernelKey = Ref::borrowed(kernelKey);
  stateOf(self).table.add(std::move(entry));
  Py_RETURN_NONE;
}

PyObject *clearEntries(PyObject *self, PyObject *) {
  stateOf(self).table.clear();
  Py_RETURN_NONE;
}

PyObject *countEntries(PyObject *self, PyObject *) { return PyLong_FromSize_t(stateOf(self).table.size()); }

// --- the class -------------------------------------------------------------------------------------------------------

bool addParameter(State &state, PyObject *item) {
  PyObject *name, *standard = nullptr;
  unsigned flags;
  if (!isTuple(item) || !PyArg_ParseTuple(item, "UI|O", &name, &flags, &standard))
    return false;
  Py_INCREF(name);
  PyUnicode_InternInPlace(&name);
  state.names.push_back(Ref(name));
  state.flags.push_back(flags);
  state.defaults.push_back(Ref::borrowed(standard));
  return true;
}

PyObject *create(PyTypeObject *type, PyObject *args, PyObject *) {
  PyObject *parameters, *miss;
  if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &parameters, &miss))
    return nullptr;
  const Py_ssize_t count = PyTuple_Size(parameters);
  if (count > MAX_PARAMETERS) {
    PyErr_SetString(PyExc_ValueError, "too many parameters");
    return nullptr;
  }
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject *self = allocate(type, 0);
  if (!self)
    return nullptr;
  Ref owner(self);
  reinterpret_cast<DispatcherObject *>(self)->state = new State;
  stateOf(self).miss = Ref::borrowed(miss);
  for (Py_ssize_t index = 0; index < count; ++index)
    if (!addParameter(stateOf(self), PyTuple_GetItem(parameters, index)))
      return nullptr;
  return owner.release();
}

int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  const State *state = reinterpret_cast<DispatcherObject *>(self)->state;
  if (!state)
    return 0;
  Py_VISIT(state->miss.get());
  for (const Ref &standard : state->defaults)
    Py_VISIT(standard.get());
  for (const Guard &guard : state->guards)
    for (const Ref *each : {&guard.container, &guard.key, &guard.value})
      Py_VISIT(each->get());
  for (const Ref &list : state->hooks)
    Py_VISIT(list.get());
  return state->table.visit([&](const Entry &entry) {
    for (const Ref *each : {&entry.kernel, &entry.device, &entry.allocate, &entry.caches, &entry.cacheKey,
                            &entry.cache, &entry.kernels, &entry.kernelKey, &entry.lastArgument})
      Py_VISIT(each->get());
    return 0;
  });
}

int clearReferences(PyObject *self) {
  State *state = reinterpret_cast<DispatcherObject *>(self)->state;
  if (!state)
    return 0;
  state->miss.reset(nullptr);
  std::vector<Guard>().swap(state->guards);
  std::vector<Ref>().swap(state->hooks);
  for (Ref &standard : state->defaults)
    standard.reset(nullptr);
  state->table.clear();
  return 0;
}

void destroy(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  delete reinterpret_cast<DispatcherObject *>(self)->state;
  auto release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  release(self);
  Py_DECREF(type);
}

PyMethodDef methods[] = {
    {"bind", Guarded<bindGrid>::call, METH_O, "bind(grid): what launches the kernel over a grid when it is called."},
    {"launch", Guarded<launchMethod>::call, METH_VARARGS, "launch(grid, args, kwargs): launches the kernel."},
    {"add", Guarded<addEntry>::call, METH_VARARGS, "Enters a kernel under the key that a miss had."},
    {"set_guards", Guarded<setGuards>::call, METH_VARARGS,
     "What must be as it is for kernels that are entered from now on, and lists of hooks; forgets other kernels."},
    {"clear", Guarded<clearEntries>::call, METH_NOARGS, "Forgets all kernels."},
    {"count", Guarded<countEntries>::call, METH_NOARGS, "How many kernels are entered."},
    {nullptr, nullptr, 0, nullptr},
};

template <typename Function> void *slot(Function *function) { return reinterpret_cast<void *>(function); }

PyType_Slot slots[] = {
    {Py_tp_new, slot(Guarded<create>::call)},
    {Py_tp_dealloc, slot(destroy)},
    {Py_tp_traverse, slot(traverse)},
    {Py_tp_clear, slot(clearReferences)},
    {Py_tp_methods, methods},
    {Py_tp_doc, const_cast<char *>("Dispatcher(((name, flags[, default]), ...), miss): the launches of one function.")},
    {0, nullptr},
};

PyType_Spec spec = {"ttkit_launcher.Dispatcher", sizeof(DispatcherObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

} // namespace

bool addDispatcher(PyObject *module) {
  Ref type(PyType_FromSpec(&spec));
  if (!type || PyModule_AddObject(module, "Dispatcher", type.get()) < 0)
    return false;
  type.release(); // the module's now
  return true;
}

} // namespace ttkit
