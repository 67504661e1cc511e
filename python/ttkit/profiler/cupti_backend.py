"""Times of kernels from CUPTI's activity records: what the GPU itself says of each.

`launcher/activities.cpp` notes the place of each launch's thread, and keeps the buffers that records come in: no Python
is called around launches, which stay native.  All is read at once, now and then and when the session is asked.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import threading
from collections.abc import Callable
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any

import ttkit.locks as locks
import ttkit.profiler.activity_records as records
import ttkit.profiler.contexts as contexts
import ttkit.profiler.cupti as cupti
from ttkit.profiler.contexts import context_of
from ttkit.profiler.gpus import properties, synchronize_all
from ttkit.profiler.mode import BaseMode, PCSampling
from ttkit.profiler.pc_sampling import Sampler
from ttkit.profiler.table import Event, Kernel
from ttkit.runtime import native

if TYPE_CHECKING:
    import numpy as np

    from ttkit.profiler.sessions import Session

_DRAIN_SECONDS = 0.5
_LAUNCHED = ctypes.CFUNCTYPE(None, ctypes.c_uint32)
_NODE = struct.Struct("<QQQ")  # see `Node` in launcher/activities.cpp
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
        self._launched = _LAUNCHED(self._on_launch)
        self._stopping = threading.Event()
        self._sampler: Sampler | None = None
        self._kind = records.CONCURRENT_KERNEL

    # --- sessions ----------------------------------------------------------------------------------------------------

    def start(self, session: Session) -> None:
        """Has CUPTI note activities, and for the session Python's frames or samples of the program counter.

        Raises:
            CuptiError: another profiler has what is needed.
        """
        with self._lock:
            if isinstance(session.mode, PCSampling) and not self._sessions:
                self._disconnect()
            if self._reader is None:
                self._connect()
            if session.wants_python and self._subscriber is None:
                raise cupti.CuptiError('context="python" needs CUPTI\'s callbacks, which another profiler has')
            if not self._sessions:
                self._begin(session.mode)
            elif isinstance(session.mode, PCSampling) and self._sampler is None:
                raise cupti.CuptiError("kernels that run at once can't be sampled: end the other sessions first")
            if isinstance(session.mode, PCSampling) and self._sampler is not None:
                session.take_hook(self._sampler.hook)
            self._sessions.append(session)
            self._watch()
            contexts.go_back()  # to the scopes that are open

    def stop(self, session: Session) -> None:
        """Takes the session out; the last one ends what CUPTI notes."""
        with self._lock:
            self._sessions.remove(session)
            self._watch()
            if not self._sessions:
                self._stopping.set()
                self._enable(False)
            if self._sampler is not None and not self._sampled():
                self._sampler.stop()
                self._sampler = None

    def flush(self) -> None:
        """Waits for all GPUs, and counts what CUPTI has noted and sampled."""
        synchronize_all()
        cupti.call("cuptiActivityFlushAll", cupti.FLUSH_FORCED)
        self._drain()
        if self._sampler is not None:
            self._sampler.read([session.table for session in self._sampled()])

    def _begin(self, mode: BaseMode) -> None:
        """Measures, for a first session.

        Raises:
            CuptiError: CUPTI does not allow it.
        """
        self._kind = records.KERNEL if isinstance(mode, PCSampling) else records.CONCURRENT_KERNEL
        self._sampler = Sampler(mode) if isinstance(mode, PCSampling) else None
        try:
            self._enable(True)
        except BaseException:
            if self._sampler is not None:
                self._sampler.stop()
                self._sampler = None
            raise
        self._stopping.clear()
        threading.Thread(target=self._drain_now_and_then, name="ttkit-profiler", daemon=True).start()

    def _sampled(self) -> list[Session]:
        return [session for session in self._sessions if isinstance(session.mode, PCSampling)]

    def devices(self) -> dict[str, dict[str, Any]]:
        """Properties of the GPUs, by their numbers."""
        return properties()

    # --- CUPTI -------------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        """Finds libcupti, and connects it with the launcher.

        Raises:
            CuptiError: there is none, or no launcher to keep its buffers.
        """
        module = native.extension()
        if module is None:
            raise cupti.CuptiError("ttkit was built without its launcher, which keeps CUPTI's buffers")
        size = records.KERNEL_SIZES.get(cupti.major_version())
        if size is None:
            raise cupti.CuptiError(f"the records of CUPTI {cupti.major_version()} are not known here: use 12 or 13")
        request, complete, notify = module.activity_callbacks()
        cupti.call("cuptiActivityRegisterCallbacks", request, complete)
        self._reader, self._launcher = records.Reader(size, cupti.next_record), module
        subscriber = c_void_p()
        try:
            cupti.call("cuptiSubscribe", byref(subscriber), notify, None)
        except cupti.CuptiError as error:  # it allows one, which another profiler of this process may be
            print(f"ttkit: kernels will not be in their scopes: {error}", file=sys.stderr)
            return
        self._subscriber = subscriber
        contexts.LISTENERS.append(module.set_place)

    def _disconnect(self) -> None:
        """Has CUPTI forget all that it knows: of kernels that it has once traced it takes samples for another's.

        Numbers of launches begin anew then.  Where another profiler has CUPTI too, all stays as it is.
        """
        if self._subscriber is None:
            return
        contexts.LISTENERS.remove(self._launcher.set_place)
        synchronize_all()
        cupti.call("cuptiUnsubscribe", self._subscriber)
        cupti.call("cuptiFinalize")
        self._subscriber = self._reader = None
        self._known = _Correlations()
        self._python.clear()

    def _enable(self, on: bool) -> None:
        """Switches records of kernels, and what is told of their launches, and of nodes of graphs."""
        cupti.call("cuptiActivityEnable" if on else "cuptiActivityDisable", self._kind)
        if self._subscriber is None:
            return
        events = [(cupti.RESOURCE, number) for number in (cupti.GRAPH_NODE_CREATED, cupti.GRAPH_NODE_CLONED)]
        events += [(cupti.DRIVER_API, number) for number in cupti.DRIVER_LAUNCHES]
        events += [(cupti.RUNTIME_API, number) for number in cupti.RUNTIME_LAUNCHES]
        if cupti.major_version() > 12:
            events += [(cupti.RUNTIME_API, number) for number in cupti.RUNTIME_LAUNCHES_13]
        for domain, number in events:
            cupti.call("cuptiEnableCallback", on, self._subscriber, domain, number)

    def _watch(self) -> None:
        """Hears of each launch where a session wants to know the line of Python."""
        wants_lines = any(session.wants_python for session in self._sessions)
        told = ctypes.cast(self._launched, c_void_p).value if wants_lines else 0
        number_of_node = ctypes.cast(cupti.library().cuptiGetGraphNodeId, c_void_p).value
        self._launcher.watch(number_of_node, told)

    def _on_launch(self, correlation: int) -> None:
        place = contexts.python_context(sys._getframe(), contexts.thread.current())
        self._python[correlation] = place.number

    # --- records -----------------------------------------------------------------------------------------------------

    def _drain_now_and_then(self) -> None:
        while not self._stopping.wait(_DRAIN_SECONDS):
            self._drain()

    def _drain(self) -> None:
        """Reads the buffers that CUPTI has completed."""
        with self._lock:
            assert self._reader is not None
            buffers, launches, nodes = self._launcher.take_activities()
            self._known.add(launches)
            for node, original, place in _NODE.iter_unpack(nodes):
                self._graph_nodes[node] = self._graph_nodes.get(original, 0) if original else place
            for buffer in buffers:
                kernels = self._reader.read(buffer)
                if len(kernels):
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

    def add(self, launches: bytes) -> None:
        """Adds launches: pairs of a correlation and a place."""
        import numpy as np

        if not launches:
            return
        pairs = np.frombuffer(launches, dtype=np.uint32).reshape(-1, 2)
        if self._correlations is not None:
            pairs = np.concatenate([np.stack([self._correlations, self._places], axis=1), pairs])
        correlations, order = np.unique(pairs[:, 0], return_index=True)
        self._correlations, self._places = correlations[-_KEPT:], pairs[:, 1][order][-_KEPT:]

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
