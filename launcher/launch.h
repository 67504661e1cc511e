// Packing arguments and calling the driver.
#ifndef TTKIT_LAUNCHER_LAUNCH_H
#define TTKIT_LAUNCHER_LAUNCH_H

#include "entry.h"

namespace ttkit {

/// Programs in each dimension.
struct Grid {
  uint64_t x = 1, y = 1, z = 1;
  bool isEmpty() const { return x == 0 || y == 0 || z == 0; }
};

/// Reads a grid of one to three numbers; Slow where Python must say what is wrong with it.
Result readGrid(PyObject *value, uint32_t ctas, Grid &grid);

/// Launches an entry's kernel.  Slow where Python must say what is wrong with an argument.
///
/// values: the arguments as a tuple, if the entry has a pointer after them.
Result launch(const Entry &entry, const Arguments &arguments, PyObject *values, const Grid &grid);

/// Names of the kernels that were launched last, the latest last; a list.
PyObject *recentKernels();
void forgetRecentKernels();

} // namespace ttkit

#endif
