// What CUPTI says of kernels that have run, kept until Python takes it.
#ifndef TTKIT_LAUNCHER_ACTIVITIES_H
#define TTKIT_LAUNCHER_ACTIVITIES_H

#include "python.h"

namespace ttkit {

/// activity_callbacks(): addresses of the functions for cuptiActivityRegisterCallbacks.
PyObject *activityCallbacks(PyObject *, PyObject *);

/// take_activities(): the buffers that CUPTI has completed since the last call, a list of bytes.
PyObject *takeActivities(PyObject *, PyObject *);

} // namespace ttkit

#endif
