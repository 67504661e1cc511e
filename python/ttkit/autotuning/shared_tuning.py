"""Tuning with a store: one process decides, all take its choice, and what was timed before is not timed again."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import ttkit.knobs as knobs
from ttkit.autotuning.config import QUANTILES, Config
from ttkit.autotuning.device_facts import device_facts
from ttkit.autotuning.nearest import keys_of_texts
from ttkit.autotuning.nearest import nearest as nearest_of
from ttkit.autotuning.store import Store, StoreError, Timing, digest
from ttkit.autotuning.store_address import store_at
from ttkit.cache.digests import toolkit_key
from ttkit.compiler.backend import make_backend
from ttkit.compiler.dialect_sources import dialects_identity
from ttkit.notices import say_once
from ttkit.runtime.driver import driver
from ttkit.runtime.pointers import element_type, is_array

BEAT = 5.0
"""Seconds after which a process that decides says so again."""
LEASE = 60.0
"""Seconds without a word after which another process decides."""
_FIRST_LOOK, _LAST_LOOK = 0.05, 1.0  # seconds between two looks of a process that waits


class Found(NamedTuple):
    """A choice that another process made, and the times that are known."""

    config: Config
    timings: dict[Config, list[float]]


class SharedTuning:
    """The tuning of one kernel, for one tuning key and one list of configurations.

    Args:
        tuner: an Autotuner, of which `fn` is the jitted function.
        arguments: of the launch, by name.
    """

    def __init__(
        self, tuner: Any, fn: Any, key: tuple[Any, ...], configs: Sequence[Config], arguments: Mapping[str, Any]
    ) -> None:
        self._tuner, self._key, self._address = tuner, key, tuner.store or ""
        self._texts = {config: text_of(config) for config in configs}
        backend = make_backend(driver.active.get_current_target())
        # Variables change code, and what options are by default.
        settings = str(sorted(knobs.cache_invalidating_variables().items())), backend.parse_options({}, "").hash()
        self._device = self._facts()
        self._problem = {
            "kernel": fn.__name__,
            "source": fn.cache_key,
            "toolkit": digest(toolkit_key(), dialects_identity(), backend.hash(), *settings),
            **{name: self._device[name] for name in ("device", "driver", "clocks")},
            "tuning_key": str(key),
        }
        self._arguments = ", ".join(
            f"{name}: {_described(value)}" for name, value in arguments.items() if name in fn.arg_names
        )
        # Without driver and clocks: processes of a job take the same choice, though their GPUs may run at other clocks.
        fixed = (self._problem[name] for name in ("kernel", "source", "toolkit", "device", "tuning_key"))
        self._id = digest(*fixed, *self._texts.values())
        self._owner = f"{socket.gethostname()}:{os.getpid()}:{os.urandom(4).hex()}"

    def _facts(self) -> dict[str, str]:
        """Facts about the GPU that times: of a worker, if workers time."""
        executor = self._tuner.timing_executor
        if executor is not None:
            from ttkit.autotuning.portable_timing import DEVICE
            from ttkit.executors.tasks import on_one_worker

            (answer,) = on_one_worker(executor, DEVICE, [None])
            if answer.value is not None:
                found: dict[str, str] = answer.value
                return found
        return device_facts()

    def decide(
        self, benchmark: Callable[[Mapping[Config, list[float]] | None], Any], nearest: bool = False
    ) -> Found | None:
        """Takes the choice that was made, or makes it, or waits for the process that makes it.

        Args:
            benchmark: tunes, given the times that are known, and gives the `Trials`.
            nearest: whether the choice may be that of the nearest tuning key whose times are known.

        Returns:
            the choice of another process; None where this one has tuned.
        """
        try:
            store = store_at(self._address)
            if (found := self._wait(store)) is not None:
                return found
        except StoreError as error:
            say_once(f"the store of times can't be used, and processes may choose differently: {error}")
            benchmark(None)
            return None
        with self._claimed(store):
            if nearest and (found := self._nearest(store)) is not None:
                self._keep_choice(store, found.config)
                return found
            trials = benchmark(self._known(store))
            self._keep(store, trials)
        return None

    def _wait(self, store: Store) -> Found | None:
        """A choice; None once this process may make it."""
        look, seen, since = _FIRST_LOOK, None, time.monotonic()
        while True:
            if (found := self._found(store)) is not None:
                return found
            last = store.claimed_by(self._id)
            if last is None:
                mine = store.claim(self._id, self._owner)
            elif last != seen:
                mine, seen, since = False, last, time.monotonic()
            else:
                mine = time.monotonic() - since > LEASE and store.take_over(self._id, self._owner, last)
            if mine:
                found = self._found(store)  # made between the look and the claim
                if found is not None:
                    store.release(self._id, self._owner)
                return found
            time.sleep(look)
            look = min(2 * look, _LAST_LOOK)

    def _found(self, store: Store) -> Found | None:
        text = store.choice(self._id)
        for config, own in self._texts.items():
            if own == text:
                return Found(config, self._known(store))
        return None

    @contextmanager
    def _claimed(self, store: Store) -> Iterator[None]:
        """Says again and again that this process decides."""
        ended = threading.Event()

        def beat() -> None:
            """The thread that does."""
            while not ended.wait(BEAT):
                with suppress(StoreError):
                    store.beat(self._id, self._owner)

        thread = threading.Thread(target=beat, name="ttkit-tuning-claim", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            with suppress(StoreError):
                store.release(self._id, self._owner)

    def _known(self, store: Store) -> dict[Config, list[float]]:
        """Times of these configurations that were measured before, on such a device."""
        rows = {one.configuration: one for one in store.timings(**self._problem) if one.ms is not None}
        return {
            config: [row.ms, row.ms if row.ms_20 is None else row.ms_20, row.ms if row.ms_80 is None else row.ms_80]
            for config, text in self._texts.items()
            if (row := rows.get(text)) is not None and row.ms is not None
        }

    def _nearest(self, store: Store) -> Found | None:
        """The fastest configuration of the nearest key that was tuned for, on such a device; None if there is none."""
        same = {name: self._problem[name] for name in ("kernel", "source", "toolkit", "device")}
        configs = {text: config for config, text in self._texts.items()}
        fastest: dict[str, Config] = {}
        try:
            for row in store.timings(**same):  # the fastest of each tuning first
                if row.ms is not None and row.configuration in configs:
                    fastest.setdefault(row.tuning_key, configs[row.configuration])
        except StoreError:
            return None
        near = nearest_of(self._key, keys_of_texts(fastest))
        return None if near is None else Found(fastest[near[1]], {})

    def _keep(self, store: Store, trials: Any) -> None:
        """Keeps what was timed, then the choice."""
        timed = [config for config in self._texts if config not in trials.known or config in trials.compared]
        try:
            store.record(self._row(trials, config) for config in timed)
        except StoreError as error:
            say_once(f"times can't be kept: {error}")
            return
        self._keep_choice(store, trials.best)

    def _keep_choice(self, store: Store, config: Config) -> None:
        chosen = {
            "id": self._id,
            **{name: self._problem[name] for name in ("kernel", "device", "tuning_key")},
            "configuration": self._texts[config],
            "decided": time.time(),
        }
        try:
            store.choose([chosen])
        except StoreError as error:
            say_once(f"times can't be kept: {error}")

    def _row(self, trials: Any, config: Config) -> Timing:
        error = trials.skipped.get(config, "")
        times: Sequence[float | None] = [None] * len(QUANTILES) if error else trials.timings[config]
        facts = trials.devices.get(config) or self._device
        return Timing(
            **{**self._problem, **{name: facts[name] for name in ("device", "driver", "clocks")}},
            arguments=self._arguments,
            configuration=self._texts[config],
            ms=times[0],
            ms_20=times[1],
            ms_80=times[2],
            error=error,
            compile_seconds=trials.compile_seconds.get(config),
            worker=facts["worker"],
            clock=facts.get("clock"),  # type: ignore[arg-type]
            measured=time.time(),
        )


def text_of(config: Config) -> str:
    """A configuration as JSON, which identifies it."""
    return json.dumps(config.all_kwargs(), default=repr)


def _described(value: Any) -> str:
    if is_array(value):
        return f"{element_type(value)}[{', '.join(map(str, getattr(value, 'shape', ())))}]"
    text = str(value)
    return text if len(text) <= 40 else f"{type(value).__name__}"
