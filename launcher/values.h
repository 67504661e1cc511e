// The arguments of a launch: what identifies the kernel that they need, and the values that it takes.
#ifndef TTKIT_LAUNCHER_VALUES_H
#define TTKIT_LAUNCHER_VALUES_H

#include "python.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ttkit {

/// How a parameter's arguments are specialized; the same numbers as in ttkit/runtime/native.py.
enum ParameterFlags : unsigned {
  CONSTEXPR = 1,     // a constant
  BY_VALUE = 2,      // whether it is 1, and whether 16 divides it
  BY_ALIGNMENT = 4,  // whether 16 divides it
  ANNOTATED = 8,     // the type is not the value's
  FIXED = 16,        // nothing of the value matters
};

/// What Python says of a type of arguments; the same numbers as in ttkit/runtime/native.py.
enum class Kind : long {
  Slow = 0,       // Python knows what to do
  Tensor = 1,     // has data_ptr() and dtype
  Array = 2,      // Python reads address and dtype
  Constant = 3,   // a function, a constexpr
  Tuple = 4,      // a named tuple
  Integer = 5,    // of a subclass, or of numpy
  Real = 6,       // of a subclass, or of numpy
  Boolean = 7,    // of numpy
  Descriptor = 8, // a TensorDescriptor
};

enum class Result { Ok, Slow, Error };

/// A value that a kernel may take.
struct Leaf {
  enum Tag : uint8_t { None, Signed, Unsigned, Real, Pointer, Descriptor } tag;
  union {
    int64_t integer;
    uint64_t bits;
    double real;
    PyObject *object; // borrowed of the arguments
  };
};

/// Arguments as they are read.  The words tell which kernel they need: equal words, the same kernel.
struct Arguments {
  static constexpr int MAX_WORDS = 384, MAX_LEAVES = 192;

  uint64_t words[MAX_WORDS];
  Leaf leaves[MAX_LEAVES];
  int wordCount = 0, leafCount = 0;

  /// Reads the argument of a parameter.
  Result read(PyObject *value, unsigned flags);
  /// Reads a constant, or the value of an option.
  Result readConstant(PyObject *value);
  /// Reads an option.
  Result readOption(PyObject *name, PyObject *value);

  bool push(uint64_t word) {
    if (wordCount == MAX_WORDS)
      return false;
    words[wordCount++] = word;
    return true;
  }

private:
  Result readInteger(PyObject *value, unsigned flags);
  Result readReal(double value, unsigned flags);
  Result readBoolean(bool value, unsigned flags);
  Result readTensor(PyObject *value, unsigned flags);
  Result readArray(PyObject *value, unsigned flags);
  Result readTuple(PyObject *value);
  Result readDescriptor(PyObject *value);
  Result readOther(PyObject *value, unsigned flags);
  Result pointer(uint64_t address, uint64_t dtype, unsigned flags);
  Result leaf(Leaf made, uint64_t word, unsigned flags);
};

/// What Python does for this library; set once by `connect`.
struct Callbacks {
  PyObject *kindOf;    // (value) -> Kind of its type
  PyObject *dtypeOf;   // (dtype) -> number of the element type
  PyObject *readArray; // (value) -> (address, number of the element type)
  PyObject *identify;  // (value) -> (number that equal constants share, whether the object always has it)
  PyObject *streamOf;  // (device) -> handle of the current stream; or null
  PyObject *fail;      // (error code, kernel): raises
  PyObject *enter;     // (kernel, device, grid, arguments) -> what hooks are told; calls those before a launch
  PyObject *leave;     // (what hooks were told): calls those after it
};

extern Callbacks callbacks;

/// Creates the tables and names; false with an exception.
bool initializeValues();
/// Forgets what constants are: a function's code has changed.
void forgetConstants();
/// The number of a Python integer, which the caller owns; -1 with an exception.
long takeLong(PyObject *owned);

/// A parameter of a compiled kernel, as one letter of a plan: P pointer, b h i q signed and B H I Q unsigned integers, ?
/// a bool, e half, E bfloat16, f float, d double, x nothing, T a descriptor that becomes a tensor map, D one that
/// becomes a pointer with shape and strides.
constexpr const char *CODES = "PbhiqBHIQ?eEfdxTD";
size_t sizeOf(char code);
/// Writes a value as a parameter takes it; false if it does not fit.
bool pack(char code, const Leaf &leaf, unsigned char *target);

} // namespace ttkit

#endif
