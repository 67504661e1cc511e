// `kernel[grid](...)`: from a call to a launch.
#ifndef TTKIT_LAUNCHER_DISPATCHER_H
#define TTKIT_LAUNCHER_DISPATCHER_H

#include "python.h"

namespace ttkit {

/// Adds the class Dispatcher to a module; false with an exception.
bool addDispatcher(PyObject *module);

} // namespace ttkit

#endif
