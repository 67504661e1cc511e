"""Scripts written for Triton, run by ttkit as they are.

    python -m ttkit.compat script.py ARGS          # runs a script
    PYTHONPATH=$(python -m ttkit.compat --path)    # for all that Python starts from here on

    import ttkit.compat
    ttkit.compat.install()
    import triton, triton.language as tl            # are ttkit

What `import triton` finds is made of names of ttkit, each loaded on first use (`names.py` has the table, `finder.py`
the mechanism).  Processes that this one starts, such as torch's compile workers, get the same.
"""

from __future__ import annotations

import os
import sys

import ttkit.knobs as knobs
from ttkit.compat.names import TRITON_VERSION
from ttkit.triton_versions import RELEASES, Choice, UnknownVersion, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ttkit.compat.finder import Finder, MissingModule, MissingName
    from ttkit.compat.torch_cpu import inductor_on_cpu

__all__ = [
    "TRITON_VERSION",
    "MissingModule",
    "MissingName",
    "TritonInUse",
    "inductor_on_cpu",
    "install",
    "path_for_children",
    "uninstall",
]

_HOOK_FOLDER = "import_hook"
version_in_force = TRITON_VERSION
"""What `triton.__version__` says."""
_found: Finder | None = None


class TritonInUse(ImportError):
    """Triton itself has been imported: both can't be `triton` in one process."""


def __getattr__(name: str) -> object:
    if name in ("MissingModule", "MissingName"):
        from ttkit.compat import finder

        return getattr(finder, name)
    if name == "inductor_on_cpu":
        from ttkit.compat.torch_cpu import inductor_on_cpu

        return inductor_on_cpu
    raise AttributeError(f"module 'ttkit.compat' has no attribute '{name}'")


def install(*, version: str | None = None, packages: Mapping[str, str] | None = None, children: bool = True) -> None:
    """From now on `import triton` gives ttkit.  A second time does nothing.

    Args:
        version: the version of Triton that it says it is, and whose rules kernels follow where versions disagree
            (`ttkit.language.versions`), "3.6" to "3.9"; by default that of TTKIT_TRITON_VERSION.  What later versions
            added is there at any rate, and what they took away stays.
        packages: {package: version} of packages whose kernels follow the rules of another version, such as
            {"fla": "3.8"}.
        children: so it does in processes that this one starts: their search path (`PYTHONPATH`, and `sys.path`, which
            some packages hand on) begins with a folder whose `triton` is ttkit.

    Raises:
        TritonInUse: Triton was imported before.
        ValueError: no such version.
    """
    global _found, version_in_force
    try:
        asked = Choice.of_text(knobs.language.triton_version)
    except UnknownVersion as error:
        raise UnknownVersion(f"TTKIT_TRITON_VERSION: {error}") from None
    if version is not None:
        asked.script = parsed(version)
    asked.packages.update({name: parsed(text) for name, text in (packages or {}).items()})
    from ttkit.compat.finder import ROOT, Facade, Finder

    loaded = sys.modules.get(ROOT)
    if loaded is not None and not isinstance(loaded, Facade):
        where = getattr(loaded, "__file__", None) or "unknown"
        raise TritonInUse(
            f"triton is imported already, from {where}: call ttkit.compat.install() before, or run the "
            "script by `python -m ttkit.compat`"
        )
    version_in_force = RELEASES[asked.script]
    if version or packages:
        _follow(str(asked), children)
    if _found is None:
        _found = Finder()
        sys.meta_path.insert(0, _found)
    if children:
        _lead_children_here()
    if os.environ.get("TTKIT_DEVICE"):
        from ttkit.compat.torch_cpu import answer_questions

        answer_questions()


def uninstall() -> None:
    """Takes back what `install` did, for the imports to come."""
    global _found, version_in_force
    from ttkit.compat.finder import ROOT

    if _found is None:
        return
    version_in_force = TRITON_VERSION
    knobs.language.triton_version = None
    knobs.language.triton_version = knobs.env
    sys.meta_path.remove(_found)
    _found = None
    for name in [name for name in sys.modules if name == ROOT or name.startswith(ROOT + ".")]:
        del sys.modules[name]
    folder = path_for_children()
    sys.path[:] = [path for path in sys.path if path != folder]
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != folder]
    if paths:
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    else:
        os.environ.pop("PYTHONPATH", None)


def path_for_children() -> str:
    """The folder whose package `triton` is ttkit, for PYTHONPATH."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), _HOOK_FOLDER)


def _follow(choice: str, children: bool) -> None:
    """Sets the versions whose rules kernels follow, here and in processes that this one starts."""
    propagated = knobs.propagate_env
    knobs.propagate_env = propagated and children
    try:
        knobs.language.triton_version = choice
    finally:
        knobs.propagate_env = propagated


def _lead_children_here() -> None:
    folder = path_for_children()
    if folder not in sys.path:
        sys.path.insert(1, folder)  # the first is the script's own folder
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if folder not in paths:
        os.environ["PYTHONPATH"] = os.pathsep.join([folder, *paths])
