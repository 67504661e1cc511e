// The extension module `ttkit_launcher`, which ttkit/runtime/native.py loads and explains.
#include "activities.h"
#include "dispatcher.h"
#include "launch.h"
#include "ranges.h"

namespace ttkit {

static PyObject *loadDriver(PyObject *, PyObject *args) {
  const char *path;
  if (!PyArg_ParseTuple(args, "s", &path))
    return nullptr;
  const std::string wrong = driver.load(path);
  if (!wrong.empty()) {
    PyErr_SetString(PyExc_OSError, wrong.c_str());
    return nullptr;
  }
  Py_RETURN_NONE;
}

static void replace(PyObject *&place, PyObject *borrowed) {
  PyObject *old = place;
  Py_XINCREF(borrowed);
  place = borrowed;
  Py_XDECREF(old);
}

static PyObject *connect(PyObject *, PyObject *args) {
  PyObject *kindOf, *dtypeOf, *readArray, *identify, *fail, *enter = nullptr, *leave = nullptr;
  if (!PyArg_ParseTuple(args, "OOOOO|OO", &kindOf, &dtypeOf, &readArray, &identify, &fail, &enter, &leave))
    return nullptr;
  replace(callbacks.enter, enter), replace(callbacks.leave, leave);
  replace(callbacks.kindOf, kindOf), replace(callbacks.dtypeOf, dtypeOf), replace(callbacks.readArray, readArray);
  replace(callbacks.identify, identify), replace(callbacks.fail, fail);
  Py_RETURN_NONE;
}

static PyObject *setStream(PyObject *, PyObject *function) {
  replace(callbacks.streamOf, function == Py_None ? nullptr : function);
  Py_RETURN_NONE;
}

static PyObject *forgetDriver(PyObject *, PyObject *) {
  driver = {};
  Py_RETURN_NONE;
}

static PyObject *forget(PyObject *, PyObject *) {
  forgetConstants();
  Py_RETURN_NONE;
}

static PyObject *recentNames(PyObject *, PyObject *) { return recentKernels(); }

static PyObject *forgetRecent(PyObject *, PyObject *) {
  forgetRecentKernels();
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"load_driver", Guarded<loadDriver>::call, METH_VARARGS, "load_driver(path): finds the functions of libcuda; OSError without."},
    {"forget_driver", Guarded<forgetDriver>::call, METH_NOARGS, "As before load_driver."},
    {"connect", Guarded<connect>::call, METH_VARARGS, "connect(kind_of, dtype_of, read_array, identify, fail, enter, leave): what Python does."},
    {"set_stream", Guarded<setStream>::call, METH_O, "set_stream(function): what gives a device's current stream; None for 0."},
    {"forget_constants", Guarded<forget>::call, METH_NOARGS, "Asks again what constants are."},
    {"recent", Guarded<recentNames>::call, METH_NOARGS, "Names of the kernels launched last, the latest last."},
    {"forget_recent", Guarded<forgetRecent>::call, METH_NOARGS, "All that was launched has ended."},
    {"activity_callbacks", activityCallbacks, METH_NOARGS, "Addresses of what CUPTI calls: for buffers, and launches."},
    {"take_activities", takeActivities, METH_NOARGS, "The records, launches and nodes of graphs since the last call."},
    {"set_place", setPlace, METH_O, "set_place(number): where this thread's launches are from now on."},
    {"watch", watch, METH_VARARGS, "watch(cuptiGetGraphNodeId, told): tells of graphs, and of each launch."},
    {"watch_ranges", watchRanges, METH_VARARGS, "watch_ranges(push, pop): tells of NVTX ranges."},
    {nullptr, nullptr, 0, nullptr},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "ttkit_launcher", "Launches of kernels, from a call to the driver.", -1, functions,
    nullptr,               nullptr,          nullptr,                                           nullptr};

} // namespace ttkit

PyMODINIT_FUNC PyInit_ttkit_launcher(void) {
  PyObject *module = PyModule_Create(&ttkit::definition);
  if (module && ttkit::initializeValues() && ttkit::addDispatcher(module))
    return module;
  Py_XDECREF(module);
  return nullptr;
}
