// CPython's stable ABI: one build serves every version from 3.10 on.
#ifndef TTKIT_LAUNCHER_PYTHON_H
#define TTKIT_LAUNCHER_PYTHON_H

#define Py_LIMITED_API 0x030A0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <exception>
#include <new>

namespace ttkit {

/// An owned reference.
class Ref {
public:
  Ref() = default;
  explicit Ref(PyObject *owned) : object(owned) {}
  Ref(Ref &&other) : object(other.release()) {}
  Ref &operator=(Ref &&other) {
    reset(other.release());
    return *this;
  }
  ~Ref() { Py_XDECREF(object); }

  static Ref borrowed(PyObject *object) {
    Py_XINCREF(object);
    return Ref(object);
  }
  PyObject *get() const { return object; }
  PyObject *release() {
    PyObject *result = object;
    object = nullptr;
    return result;
  }
  void reset(PyObject *owned) {
    PyObject *old = object;
    object = owned;
    Py_XDECREF(old);
  }
  explicit operator bool() const { return object != nullptr; }

private:
  PyObject *object = nullptr;
};

/// Calls `function` for Python: no exception of C++ gets there, it becomes one of Python's, and `failed` is given.
template <typename Result, typename Function> Result guarded(Result failed, Function function) {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_SystemError, error.what());
  }
  return failed;
}

/// A function of Python's whose C++ may throw.
template <auto function> struct Guarded;
template <typename... Parameters, PyObject *(*function)(Parameters...)> struct Guarded<function> {
  static PyObject *call(Parameters... parameters) {
    return guarded<PyObject *>(nullptr, [&] { return function(parameters...); });
  }
};

} // namespace ttkit

#endif
