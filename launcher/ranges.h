// NVTX ranges of this process, told to Python.
#ifndef TTKIT_LAUNCHER_RANGES_H
#define TTKIT_LAUNCHER_RANGES_H

#include "python.h"

namespace ttkit {

/// watch_ranges(push, pop): addresses of functions that are called where a thread begins a range, with its name, and
/// where it ends its innermost one; 0 for none.
PyObject *watchRanges(PyObject *, PyObject *args);

} // namespace ttkit

#endif
