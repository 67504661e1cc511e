"""Hooks of a session: called when kernels are loaded and launched."""

from __future__ import annotations

from typing import Any

import ttkit.knobs as knobs


class Hook:
    """Called around launches; a class of one's own overrides what it needs.

    priority: of several hooks the one with the largest is entered first, and left last.
    """

    priority: int = 0

    def init_handle(self, module: Any, function: Any, name: str, metadata_group: dict[str, str], hash: str) -> None:
        """A kernel was loaded.

        Args:
            module, function: the driver's handles.
            metadata_group: {name: path} of its files in the cache.
        """

    def enter(self, metadata: Any) -> None:
        """A kernel is about to be launched; metadata: a `LazyDict`."""

    def exit(self, metadata: Any) -> None:
        """It was launched."""

    def wants(self, kernel: Any) -> bool:
        """Whether launches of a kernel matter; of others it may not be told."""
        return True

    def activate(self) -> None:
        """A session with this hook goes on."""

    def deactivate(self) -> None:
        """It stops."""


class HookManager:
    """The hooks of all sessions.

    active_hooks: those that are called, each once, by priority.
    session_hooks: {session: {hook: whether it is active}}.
    """

    active_hooks: list[Hook] = []
    session_hooks: dict[int, dict[Hook, bool]] = {}

    @staticmethod
    def init_handle(module: Any, function: Any, name: str, metadata_group: dict[str, str], hash: str) -> None:
        """Tells the hooks of a kernel that was loaded."""
        for hook in HookManager.active_hooks:
            hook.init_handle(module, function, name, metadata_group, hash)

    @staticmethod
    def enter(metadata: Any) -> None:
        """Tells them of a launch to come."""
        for hook in HookManager.active_hooks:
            hook.enter(metadata)

    @staticmethod
    def exit(metadata: Any) -> None:
        """Tells them of a launch, in the opposite order."""
        for hook in reversed(HookManager.active_hooks):
            hook.exit(metadata)

    @staticmethod
    def register(hook: Hook, session: int) -> None:
        """Adds a hook of a session, which is called once the session is active."""
        HookManager.session_hooks.setdefault(session, {}).setdefault(hook, False)

    @staticmethod
    def unregister(session: int | None = None) -> None:
        """Takes the hooks of a session away, of all without one."""
        for number in [session] if session is not None else list(HookManager.session_hooks):
            HookManager.deactivate(number)
            HookManager.session_hooks.pop(number, None)

    @staticmethod
    def activate(session: int | None = None) -> None:
        """Calls the hooks of a session from now on, of all without one."""
        HookManager._set(session, True)

    @staticmethod
    def deactivate(session: int | None = None) -> None:
        """Does not any more, unless another session wants them."""
        HookManager._set(session, False)

    @staticmethod
    def _set(session: int | None, is_active: bool) -> None:
        sessions = HookManager.session_hooks
        for number in [session] if session is not None else list(sessions):
            for hook in sessions.get(number, {}):
                sessions[number][hook] = is_active
        wanted = {hook for hooks in sessions.values() for hook, active in hooks.items() if active}
        before = set(HookManager.active_hooks)
        for hook in before - wanted:
            hook.deactivate()
        HookManager.active_hooks = sorted(wanted, key=lambda hook: -hook.priority)
        for hook in wanted - before:
            hook.activate()
        _connect(bool(wanted))


def _wants(kernel: Any) -> bool:
    """Whether some hook wants to know of launches of a kernel."""
    return any(hook.wants(kernel) for hook in HookManager.active_hooks)


for _function in (HookManager.enter, HookManager.exit):
    _function.wants = _wants  # see ttkit.runtime.native.enter_hooks


def _connect(is_wanted: bool) -> None:
    """Launches call the manager, or run without knowing of it."""
    runtime = knobs.runtime
    for chain, function in (
        (runtime.launch_enter_hook, HookManager.enter),
        (runtime.launch_exit_hook, HookManager.exit),
        (runtime.kernel_load_end_hook, HookManager.init_handle),
    ):
        (chain.add if is_wanted else chain.remove)(function)
