// CPython's stable ABI: one build serves every version from 3.10 on.
#ifndef TTKIT_LAUNCHER_PYTHON_H
#define TTKIT_LAUNCHER_PYTHON_H

#define Py_LIMITED_API 0x030A0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

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

} // namespace ttkit

#endif
