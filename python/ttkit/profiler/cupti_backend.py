"""Times of kernels from CUPTI's activity records: what the GPU itself says of each.

The number of a thread's place goes along with its launches as their external correlation; nothing is called around
them, so launches stay native.  Records come back in buffers that `launcher/activities.cpp` keeps; they are read all at
once, when a buffer is full or the session is asked.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from ctypes import byref, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any

import ttkit.locks as locks
from ttkit.profiler import activity_records as records
from ttkit.profiler import contexts, cupti
from ttkit.profiler.contexts import context_of
from ttkit.profiler.gpus import properties, synchronize_all
from ttkit.profiler.table import Event, Kernel
from ttkit.runtime import native

if TYPE_CHECKING:
    import numpy as np

    from ttkit.profiler.sessions import Session

_DRAIN_SECONDS = 0.5
_KEPT = 1 << 20  # correlations that kernels may still come for


class CuptiBackend:
    """Kernels of all GPUs of this process, whoever launches them."""

    device_type = "CUDA"

    def __init__(self) -> None:
        self._sessions: list[Session] = []
        self._lock = locks.lock()
        self._reader: records.Reader | None = None
        self._known = _Correlations()
        self._graph_nodes: dict[int, int] = {}
        self._python: dict[int, int] = {}
        self._subscriber: Any = None
        self._callback = cupti.CALLBACK(self._on_callback)
        self._stopping = threading.Event()

    # --- sessions ----------------------------------------------------------------------------------------------------

    def start(self, session: Session) -> None:
        with self._lock:
            if self._reader is None:
                self._connect()
            if not self._sessions:
                self._enable(True)
                self._stopping.clear()
                threading.Thread(target=self._drain_now_and_then, name="ttkit-profiler", daemon=True).start()
            if session.wants_python:
                self._watch_launches(True)
            self._sessions.append(session)

    def stop(self, session: Session) -> None:
        with self._lock:
            self._sessions.remove(session)
            if not any(each.wants_python for each in self._sessions):
                self._watch_launches(False)
            if not self._sessions:
                self._stopping.set()
                self._enable(False)

    def flush(self) -> None:
        synchronize_all()
        cupti.call("cuptiActivityFlushAll", cupti.FLUSH_FORCED)
        self._drain()

    def devices(self) -> dict[str, dict[str, Any]]:
        return properties()

    # --- CUPTI -------------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        """Finds libcupti, for good.

        Raises:
            CuptiError: there is none, or no launcher to keep its buffers.
        """
        module = native.extension()
        if module is None:
            raise cupti.CuptiError("ttkit was built without its launcher, which keeps CUPTI's buffers")
        size = records.KERNEL_SIZES.get(cupti.major_version())
        if size is None:
            raise cupti.CuptiError(f"the records of CUPTI {cupti.major_version()} are not known here: use 12 or 13")
        cupti.call("cuptiActivityRegisterCallbacks", *module.activity_callbacks())
        self._reader = records.Reader(size, cupti.next_record)
        self._take = module.take_activities
        self._subscribe()
        push, pop = (getattr(cupti.library(), f"cuptiActivity{verb}ExternalCorrelationId") for verb in ("Push", "Pop"))
        last = c_uint64()
        contexts.entered.append(lambda place: push(cupti.SCOPES, place.number))
        contexts.left.append(lambda: pop(cupti.SCOPES, byref(last)))

    def _enable(self, on: bool) -> None:
        """Switches records of kernels, and of the calls that launch them, which the correlations go with."""
        for kind in (records.CONCURRENT_KERNEL, records.EXTERNAL):
            cupti.call("cuptiActivityEnable" if on else "cuptiActivityDisable", kind)
        for number in cupti.DRIVER_LAUNCHES:
            cupti.call("cuptiActivityEnableDriverApi", number, on)
        for number in cupti.RUNTIME_LAUNCHES:
            if number < 500 or cupti.major_version() > 12:
                cupti.call("cuptiActivityEnableRuntimeApi", number, on)

    def _subscribe(self) -> None:
        """Hears of nodes of CUDA graphs.  Another profiler in the process may be the one subscriber that CUPTI allows:
        kernels of graphs are then not where they were captured."""
        subscriber = c_void_p()
        try:
            cupti.call("cuptiSubscribe", byref(subscriber), self._callback, None)
            self._subscriber = subscriber
            for event in (cupti.GRAPH_NODE_CREATED, cupti.GRAPH_NODE_CLONED):
                cupti.call("cuptiEnableCallback", 1, subscriber, cupti.RESOURCE, event)
        except cupti.CuptiError as error:
            print(f"ttkit: kernels of CUDA graphs will have no scopes: {error}", file=sys.stderr)

    def _watch_launches(self, on: bool) -> None:
        """Hears of launches: for sessions that want to know the line of Python."""
        if self._subscriber is None:
            if on:
                raise cupti.CuptiError('context="python" needs CUPTI\'s callbacks, which another profiler has')
            return
        for number in cupti.DRIVER_LAUNCHES:
            cupti.call("cuptiEnableCallback", on, self._subscriber, cupti.DRIVER_API, number)

    def _on_callback(self, _: Any, domain: int, number: int, data: int) -> None:
        if domain == cupti.RESOURCE:
            self._on_graph_node(number, data)
        elif domain == cupti.DRIVER_API:
            found = ctypes.cast(data, ctypes.POINTER(cupti.CallbackData)).contents
            if found.site == 0:
                place = contexts.python_context(sys._getframe(), contexts.thread.current())
                self._python[found.correlation] = place.number

    def _on_graph_node(self, event: int, data: int) -> None:
        descriptor = ctypes.cast(data, ctypes.POINTER(cupti.ResourceData)).contents.descriptor
        graph = ctypes.cast(descriptor, ctypes.POINTER(cupti.GraphData)).contents
        number = self._node_number(graph.node)
        if event == cupti.GRAPH_NODE_CREATED:
            self._graph_nodes[number] = contexts.thread.current().number
        else:
            self._graph_nodes[number] = self._graph_nodes.get(self._node_number(graph.original_node), 0)

    @staticmethod
    def _node_number(node: int) -> int:
        number = c_uint64()
        cupti.call("cuptiGetGraphNodeId", node, byref(number))
        return number.value

    # --- records -----------------------------------------------------------------------------------------------------

    def _drain_now_and_then(self) -> None:
        while not self._stopping.wait(_DRAIN_SECONDS):
            self._drain()

    def _drain(self) -> None:
        """Reads the buffers that CUPTI has completed."""
        with self._lock:
            for buffer in self._take():
                assert self._reader is not None
                found = self._reader.read(buffer)
                self._known.add(found.get(records.EXTERNAL))
                if (kernels := found.get(records.CONCURRENT_KERNEL)) is not None:
                    self._count(kernels)

    def _count(self, kernels: np.ndarray) -> None:
        """Adds the kernels of a buffer to the tables of all sessions."""
        import numpy as np

        shadow = self._known.places(kernels["correlation"])
        names = _Names()
        for session in self._sessions:
            places = shadow
            if session.wants_python:
                places = np.array([self._python.get(each, 0) for each in kernels["correlation"].tolist()])
            for key, runs, nanoseconds in _sums(kernels, places):
                session.table.add_kernel(self._kernel(key, names), runs, nanoseconds)
            if session.table.keeps_events:
                session.table.add_events(map(_event, kernels, places.tolist(), [names] * len(kernels)))
        for each in kernels["correlation"].tolist() if self._python else ():
            self._python.pop(each, None)

    def _kernel(self, key: np.void, names: _Names) -> Kernel:
        place, name, device, node = (int(key[each]) for each in ("place", "name", "device", "graph_node"))
        captured = self._graph_nodes.get(node)
        return Kernel(
            context_of(place), names(name), device, None if captured is None else context_of(captured), node != 0
        )


class _Names:
    """Names of kernels by their addresses, which hold while a buffer is read."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def __call__(self, address: int) -> str:
        if address not in self._known:
            self._known[address] = ctypes.string_at(address).decode(errors="replace") if address else "unknown"
        return self._known[address]


class _Correlations:
    """Places by the correlations of launches."""

    def __init__(self) -> None:
        self._correlations: Any = None
        self._places: Any = None

    def add(self, found: np.ndarray | None) -> None:
        """Adds external correlations."""
        import numpy as np

        if found is None:
            return
        ours = found[found["kind"] == cupti.SCOPES]
        parts = [ours["correlation"]] if self._correlations is None else [self._correlations, ours["correlation"]]
        places = [ours["id"]] if self._places is None else [self._places, ours["id"]]
        correlations, order = np.unique(np.concatenate(parts), return_index=True)
        self._correlations = correlations[-_KEPT:]
        self._places = np.concatenate(places)[order][-_KEPT:]

    def places(self, correlations: np.ndarray) -> np.ndarray:
        """Numbers of places; 0 where a launch was in none."""
        import numpy as np

        if self._correlations is None or not len(self._correlations):
            return np.zeros(len(correlations), dtype=np.uint64)
        where = np.searchsorted(self._correlations, correlations).clip(max=len(self._correlations) - 1)
        return np.where(self._correlations[where] == correlations, self._places[where], 0)


def _sums(kernels: np.ndarray, places: np.ndarray) -> list[tuple[np.void, int, int]]:
    """Kernels of one kind together: (kind, runs, ns)."""
    import numpy as np

    keys = np.empty(len(kernels), dtype=[("place", "u8"), ("name", "u8"), ("device", "u4"), ("graph_node", "u8")])
    keys["place"] = places
    for field in ("name", "device", "graph_node"):
        keys[field] = kernels[field]
    number = np.zeros(len(keys), dtype=np.int64)
    for field in keys.dtype.names or ():
        values, inverse = np.unique(keys[field], return_inverse=True)
        number = number * len(values) + inverse
    _, first, inverse = np.unique(number, return_index=True, return_inverse=True)
    runs = np.bincount(inverse)
    nanoseconds = np.zeros(len(first), dtype=np.int64)
    np.add.at(nanoseconds, inverse, (kernels["end"] - kernels["start"]).astype(np.int64))
    return [(keys[at], int(count), int(time)) for at, count, time in zip(first, runs, nanoseconds)]


def _event(kernel: Any, place: int, names: Callable[[int], str]) -> Event:
    start, end = int(kernel["start"]), int(kernel["end"])
    device, stream = int(kernel["device"]), int(kernel["stream"])
    return Event(context_of(place), names(int(kernel["name"])), start, end, device, stream, "kernel")
