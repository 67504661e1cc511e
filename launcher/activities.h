// What CUPTI says of kernels that have run, kept until Python takes it.
#ifndef TTKIT_LAUNCHER_ACTIVITIES_H
#define TTKIT_LAUNCHER_ACTIVITIES_H

#include "python.h"

namespace ttkit {

/// activity_callbacks(): addresses of the functions for cuptiActivityRegisterCallbacks and cuptiSubscribe.
PyObject *activityCallbacks(PyObject *, PyObject *);

/// take_activities(): what came since the last call: buffers of records, a list of bytes; then launches and nodes of
/// graphs, as bytes (see `Launch`, `Node`).
PyObject *takeActivities(PyObject *, PyObject *);

/// set_place(number): where this thread's launches are from now on; 0 for nowhere.
PyObject *setPlace(PyObject *, PyObject *number);

/// watch(address of cuptiGetGraphNodeId, address of a function that is called with the correlation of each launch).
PyObject *watch(PyObject *, PyObject *args);

} // namespace ttkit

#endif
