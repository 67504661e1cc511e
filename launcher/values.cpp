#include "values.h"

#include <cmath>
#include <cstring>

namespace ttkit {

Callbacks callbacks{};

namespace {

/// What a word of a key says first.
enum Word : uint64_t {
  INTEGER = 1,
  REAL,
  BOOLEAN,
  NONE,
  POINTER,
  TUPLE,
  CONSTANT,
  FIXED_VALUE,
  OPTION,
  DESCRIPTOR,
  C_INTEGER = 32,
  C_REAL,
  C_BOOLEAN,
  C_NONE,
  C_STRING,
  C_OTHER,
};

enum Key : uint64_t { NOT_LOOKED_AT = 0, PLAIN = 1 << 16, DIVISIBLE = 2 << 16, ONE = 3 << 16 };
constexpr uint64_t DIVISOR = 16;

PyObject *kinds;      // {type: Kind}
PyObject *dtypes;     // {dtype: number}
PyObject *strings;    // {str: number}
PyObject *identities; // {address: (object, number)} of objects that mean the same for ever
PyObject *dataPtrName, *dtypeName, *baseName, *blockShapeName;

uint64_t bitsOf(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The number that a dictionary has for a key; -1 if it has none, -2 with an exception.
long lookup(PyObject *dictionary, PyObject *key) {
  PyObject *found = PyDict_GetItemWithError(dictionary, key);
  if (!found)
    return PyErr_Occurred() ? -2 : -1;
  return PyLong_AsLong(found);
}

/// The number that Python gives for a key, kept in a dictionary; -1 with an exception.
long ask(PyObject *dictionary, PyObject *key, PyObject *callback, PyObject *argument) {
  long number = lookup(dictionary, key);
  if (number != -1)
    return number < 0 ? -1 : number;
  Ref made(PyObject_CallFunctionObjArgs(callback, argument, nullptr));
  if (!made || PyDict_SetItem(dictionary, key, made.get()) < 0)
    return -1;
  return PyLong_AsLong(made.get());
}

/// The number of a string, which is the same for equal ones.
long stringNumber(PyObject *text) {
  long number = lookup(strings, text);
  if (number != -1)
    return number < 0 ? -1 : number;
  number = static_cast<long>(PyDict_Size(strings));
  Ref made(PyLong_FromLong(number));
  return made && PyDict_SetItem(strings, text, made.get()) == 0 ? number : -1;
}

long dtypeNumber(PyObject *value, PyObject *name) {
  Ref dtype(PyObject_GetAttr(value, name));
  return dtype ? ask(dtypes, dtype.get(), callbacks.dtypeOf, dtype.get()) : -1;
}

/// The number that constants which mean the same share; -1 with an exception.
long constantNumber(PyObject *value) {
  Ref address(PyLong_FromVoidPtr(value));
  if (!address)
    return -1;
  if (PyObject *found = PyDict_GetItemWithError(identities, address.get()))
    return PyLong_AsLong(PyTuple_GetItem(found, 1));
  if (PyErr_Occurred())
    return -1;
  Ref answer(PyObject_CallFunctionObjArgs(callbacks.identify, value, nullptr));
  if (!answer)
    return -1;
  PyObject *number = PyTuple_GetItem(answer.get(), 0), *lasts = PyTuple_GetItem(answer.get(), 1);
  if (!number || !lasts)
    return -1;
  if (PyObject_IsTrue(lasts)) {
    Ref kept(PyTuple_Pack(2, value, number)); // the object lives on, so its address stays its own
    if (!kept || PyDict_SetItem(identities, address.get(), kept.get()) < 0)
      return -1;
  }
  return PyLong_AsLong(number);
}

PyObject *intern(const char *text) { return PyUnicode_InternFromString(text); }

} // namespace

long takeLong(PyObject *owned) {
  Ref holder(owned);
  return owned ? PyLong_AsLong(owned) : -1;
}

bool initializeValues() {
  kinds = PyDict_New(), dtypes = PyDict_New(), strings = PyDict_New(), identities = PyDict_New();
  dataPtrName = intern("data_ptr"), dtypeName = intern("dtype");
  baseName = intern("base"), blockShapeName = intern("block_shape");
  return kinds && dtypes && strings && identities && dataPtrName && dtypeName && baseName && blockShapeName;
}

void forgetConstants() { PyDict_Clear(identities); }

Result Arguments::leaf(Leaf made, uint64_t word, unsigned flags) {
  if (leafCount == MAX_LEAVES || !push(flags & FIXED ? uint64_t(FIXED_VALUE) : word))
    return Result::Slow;
  leaves[leafCount++] = made;
  return Result::Ok;
}

Result Arguments::read(PyObject *value, unsigned flags) {
  if (flags & CONSTEXPR)
    return readConstant(value);
  PyTypeObject *type = Py_TYPE(value);
  if (type == &PyLong_Type)
    return readInteger(value, flags);
  if (type == &PyFloat_Type)
    return readReal(PyFloat_AsDouble(value), flags);
  if (type == &PyBool_Type)
    return readBoolean(value == Py_True, flags);
  if (value == Py_None)
    return leaf({Leaf::None, {0}}, NONE, flags);
  if (type == &PyTuple_Type)
    return flags & (FIXED | ANNOTATED) ? Result::Slow : readTuple(value);
  return readOther(value, flags);
}

Result Arguments::readOther(PyObject *value, unsigned flags) {
  PyObject *type = reinterpret_cast<PyObject *>(Py_TYPE(value));
  long kind = ask(kinds, type, callbacks.kindOf, value);
  if (kind < 0)
    return Result::Error;
  switch (static_cast<Kind>(kind)) {
  case Kind::Tensor:
    return readTensor(value, flags);
  case Kind::Array:
    return readArray(value, flags);
  case Kind::Integer: {
    Ref plain(PyNumber_Index(value));
    if (!plain)
      return Result::Error;
    // As a constant, the member of an enumeration is more than its number.
    Result result = readInteger(plain.get(), flags);
    return result == Result::Ok && !push(reinterpret_cast<uintptr_t>(type)) ? Result::Slow : result;
  }
  case Kind::Real: {
    double real = PyFloat_AsDouble(value);
    return real == -1.0 && PyErr_Occurred() ? Result::Error : readReal(real, flags);
  }
  case Kind::Boolean:
    return readBoolean(PyObject_IsTrue(value) == 1, flags);
  case Kind::Tuple:
    return flags & (FIXED | ANNOTATED) ? Result::Slow : readTuple(value);
  case Kind::Descriptor:
    return flags & (FIXED | ANNOTATED) ? Result::Slow : readDescriptor(value);
  case Kind::Constant: {
    long number = constantNumber(value);
    if (number < 0)
      return Result::Error;
    return leaf({Leaf::None, {0}}, CONSTANT | uint64_t(number) << 32, flags);
  }
  case Kind::Slow:
    break;
  }
  return Result::Slow;
}

Result Arguments::readInteger(PyObject *value, unsigned flags) {
  int overflow;
  Leaf made{Leaf::Signed, {PyLong_AsLongLongAndOverflow(value, &overflow)}};
  uint64_t width = made.integer >= INT32_MIN && made.integer <= INT32_MAX ? 0 : 1;
  if (overflow) {
    made.bits = overflow > 0 ? PyLong_AsUnsignedLongLong(value) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
      PyErr_Clear();
      return Result::Slow; // which says what is wrong
    }
    made.tag = Leaf::Unsigned, width = 2;
  }
  uint64_t key = NOT_LOOKED_AT;
  if (flags & BY_VALUE) {
    bool divisible = flags & BY_ALIGNMENT && made.bits % DIVISOR == 0;
    key = made.bits == 1 && made.tag == Leaf::Signed ? ONE : divisible ? DIVISIBLE : PLAIN;
  }
  return leaf(made, INTEGER | key | (flags & ANNOTATED ? 0 : width << 8), flags);
}

Result Arguments::readReal(double value, unsigned flags) {
  Leaf made{Leaf::Real, {0}};
  made.real = value;
  return leaf(made, REAL, flags);
}

Result Arguments::readBoolean(bool value, unsigned flags) {
  return leaf({Leaf::Signed, {value}}, BOOLEAN, flags);
}

Result Arguments::pointer(uint64_t address, uint64_t dtype, unsigned flags) {
  Leaf made{Leaf::Pointer, {0}};
  made.bits = address;
  uint64_t key = NOT_LOOKED_AT;
  if (flags & BY_VALUE)
    key = flags & BY_ALIGNMENT && address % DIVISOR == 0 ? DIVISIBLE : PLAIN;
  return leaf(made, POINTER | key | dtype << 32, flags);
}

Result Arguments::readTensor(PyObject *value, unsigned flags) {
  Ref address(PyObject_CallMethodObjArgs(value, dataPtrName, nullptr));
  if (!address)
    return Result::Error;
  uint64_t bits = PyLong_AsUnsignedLongLong(address.get());
  if (PyErr_Occurred())
    return Result::Error;
  long dtype = flags & (ANNOTATED | FIXED) ? 0 : dtypeNumber(value, dtypeName);
  return dtype < 0 ? Result::Error : pointer(bits, dtype, flags);
}

Result Arguments::readArray(PyObject *value, unsigned flags) {
  Ref answer(PyObject_CallFunctionObjArgs(callbacks.readArray, value, nullptr));
  if (!answer)
    return Result::Error;
  PyObject *first = PyTuple_GetItem(answer.get(), 0), *second = PyTuple_GetItem(answer.get(), 1);
  if (!first || !second)
    return Result::Error;
  uint64_t address = PyLong_AsUnsignedLongLong(first);
  long dtype = PyLong_AsLong(second);
  if (PyErr_Occurred())
    return Result::Error;
  return pointer(address, flags & ANNOTATED ? 0 : dtype, flags);
}

Result Arguments::readTuple(PyObject *value) {
  Py_ssize_t size = PyTuple_Size(value);
  if (!push(TUPLE | uint64_t(size) << 32) || !push(reinterpret_cast<uintptr_t>(Py_TYPE(value))))
    return Result::Slow;
  for (Py_ssize_t index = 0; index < size; ++index) {
    Result result = read(PyTuple_GetItem(value, index), BY_VALUE | BY_ALIGNMENT);
    if (result != Result::Ok)
      return result;
  }
  return Result::Ok;
}

Result Arguments::readDescriptor(PyObject *value) {
  Ref base(PyObject_GetAttr(value, baseName)), block(PyObject_GetAttr(value, blockShapeName));
  if (!base || !block)
    return Result::Error;
  long dtype = dtypeNumber(base.get(), dtypeName);
  if (dtype < 0)
    return Result::Error;
  Py_ssize_t rank = PySequence_Size(block.get());
  if (rank < 0)
    return Result::Error;
  Leaf made{Leaf::Descriptor, {0}};
  made.object = value;
  if (leaf(made, DESCRIPTOR | uint64_t(rank) << 8 | uint64_t(dtype) << 32, 0) != Result::Ok)
    return Result::Slow;
  for (Py_ssize_t index = 0; index < rank; ++index) {
    long size = takeLong(PySequence_GetItem(block.get(), index));
    if (size == -1 && PyErr_Occurred())
      return Result::Error;
    if (!push(size))
      return Result::Slow;
  }
  return Result::Ok;
}

Result Arguments::readConstant(PyObject *value) {
  PyTypeObject *type = Py_TYPE(value);
  uint64_t word = C_OTHER;
  int64_t bits = 0;
  if (type == &PyLong_Type) {
    int overflow;
    word = C_INTEGER, bits = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow)
      word = C_OTHER;
  } else if (type == &PyBool_Type) {
    word = C_BOOLEAN, bits = value == Py_True;
  } else if (value == Py_None) {
    word = C_NONE;
  } else if (type == &PyFloat_Type) {
    word = C_REAL, bits = bitsOf(PyFloat_AsDouble(value));
  } else if (type == &PyUnicode_Type) {
    word = C_STRING, bits = stringNumber(value);
    if (bits < 0)
      return Result::Error;
  }
  if (word == C_OTHER && (bits = constantNumber(value)) < 0) {
    PyErr_Clear(); // it has no hash: Python may still know what to do
    return Result::Slow;
  }
  return push(word) && push(bits) ? Result::Ok : Result::Slow;
}

Result Arguments::readOption(PyObject *name, PyObject *value) {
  long number = stringNumber(name);
  if (number < 0)
    return Result::Error;
  return push(OPTION | uint64_t(number) << 32) ? readConstant(value) : Result::Slow;
}

} // namespace ttkit
