"""Hooks, and what calls them."""

from ttkit.profiler.hook_manager import Hook, HookManager

__all__ = ["Hook", "HookManager"]
