"""States: what is launched while one lasts is below a node of its name, whatever the scope."""

from __future__ import annotations

from contextlib import ContextDecorator

import ttkit.profiler.contexts as contexts
import ttkit.profiler.sessions as sessions

METADATA = "__proton_launch_metadata"


class state(ContextDecorator):
    """A state: `with state("name"):`, or `@state("name")` before a function."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> state:
        enter_state(self.name)
        return self

    def __exit__(self, *error: object) -> None:
        exit_state()


class metadata_state(state):
    """The state of what is launched to find out about launches; viewers leave it out."""

    def __init__(self) -> None:
        super().__init__(METADATA)


def enter_state(name: str) -> None:
    """Begins a state.  Does nothing where no session is active."""
    if sessions.ACTIVE:
        contexts.thread.states.append(name)
        contexts.go_to(contexts.thread.current())


def exit_state() -> None:
    """Ends the state that was begun last, if there is one."""
    if contexts.thread.states:
        contexts.thread.states.pop()
        contexts.go_back()
