"""The extension module that launches kernels without running Python: `launcher/` in the source tree.

It keeps, for each jitted function, the kernels that were launched, under a key made of what their arguments are:

1. A call comes in.  If something that the kernels depend on has changed (`guards`), or an argument is of a kind that
   the module does not know, `Launches.miss` does everything, in Python.
2. The arguments are read: types, divisibility, constants; their words are the key.  A kernel that is not there is
   `miss`'s business too, which enters it for the next call.
3. The values are packed as the kernel takes them, and the driver is called.

Without the module (`extension()` is None) all launches go the way of `miss`.
"""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ttkit.knobs as knobs
from ttkit.cuda import libcuda
from ttkit.installation import folders
from ttkit.language.jit_callable import SOURCE_CHANGES, JITCallable
from ttkit.language.jit_function import JITFunction
from ttkit.language.parameters import KernelParam
from ttkit.notices import say_once
from ttkit.passes.changes import IN_FORCE
from ttkit.runtime.arguments import packing
from ttkit.runtime.launches import stream_source
from ttkit.runtime.parameters import DESCRIPTOR, flat_types
from ttkit.runtime.pointers import adapter_of, dtype_name
from ttkit.runtime.specialization import is_constexpr
from ttkit.runtime.tensor_descriptor import TensorDescriptor
from ttkit.runtime.tensor_maps import HOST_TYPE

if TYPE_CHECKING:
    from ttkit.runtime.launcher import Launcher

NAME = "ttkit_launcher"
CHECK = "ttkit.compiler.launch_check"
"""Who wants each launch to be checked has imported it."""

# The same numbers as in launcher/values.h.
CONSTEXPR, BY_VALUE, BY_ALIGNMENT, ANNOTATED, FIXED = 1, 2, 4, 8, 16
SLOW, TENSOR, ARRAY, CONSTANT, TUPLE, INTEGER, REAL, BOOLEAN, DESCRIPTOR_KIND = range(9)

# What a kernel's compilation and launch depend on besides the call, as attributes of groups of knobs.
_KNOBS = (
    (knobs.runtime, "debug"),
    (knobs.runtime, "add_stages_inspection_hook"),
    (knobs.compilation, "instrumentation_mode"),
)
_HOOKS = ("launch_enter_hook", "launch_exit_hook")
# Objects of these mean the same as long as they live.
_LASTING = (JITCallable, type, type(len), type(lambda: None))


@functools.cache
def extension() -> Any:
    """The module; None where it was not built, or the driver is older than CUDA 11.8."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        say_once(
            "free-threaded Python: launches use the slower launcher, in Python, since the native one needs the GIL"
        )
        return None
    path = _path()
    if path is None:
        return None
    loader = importlib.machinery.ExtensionFileLoader(NAME, str(path))
    spec = importlib.util.spec_from_file_location(NAME, path, loader=loader)
    assert spec is not None
    module = sys.modules.get(NAME)
    if module is None:
        module = sys.modules[NAME] = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    module.connect(kind_of, dtype_number, read_array, identify, fail, enter_hooks, leave_hooks)
    return module


def _path() -> Path | None:
    for folder in folders():
        for suffix in (".abi3.so", ".pyd"):
            path = Path(folder) / "_native" / f"{NAME}{suffix}"
            if path.exists():
                return path
    return None


@functools.cache
def connect_driver(path: str) -> bool:
    """Whether the module can launch with this libcuda."""
    module = extension()
    if module is None:
        return False
    try:
        module.load_driver(path)
    except OSError:
        return False
    return True


def forget_driver() -> None:
    """No launch is native until a driver is connected again."""
    connect_driver.cache_clear()
    if (module := extension()) is not None:
        module.forget_driver()


# --- what the module asks ---------------------------------------------------------------------------------------------


def kind_of(value: Any) -> int:
    """The way the module reads values of this type."""
    numpy = sys.modules.get("numpy")
    if isinstance(value, JITCallable) or is_constexpr(value):
        return CONSTANT
    if isinstance(value, TensorDescriptor):
        return DESCRIPTOR_KIND
    if isinstance(value, tuple):
        return TUPLE
    if isinstance(value, int) or (numpy is not None and isinstance(value, numpy.integer)):
        return INTEGER
    if isinstance(value, float) or (numpy is not None and isinstance(value, numpy.floating)):
        return REAL
    if numpy is not None and isinstance(value, numpy.bool_):
        return BOOLEAN
    if hasattr(value, "data_ptr") and hasattr(value, "dtype"):
        return TENSOR
    if numpy is not None and isinstance(value, numpy.ndarray):
        return SLOW  # it lies in the host's memory
    return SLOW if adapter_of(value) is None else ARRAY


_TYPE_NUMBERS: dict[str, int] = {}
"""The numbers of the element types of arrays, by name."""


def dtype_number(dtype: Any) -> int:
    """The number of an element type, whichever framework's dtype it is."""
    return _TYPE_NUMBERS.setdefault(dtype_name(dtype), len(_TYPE_NUMBERS))


def read_array(value: Any) -> tuple[int, int]:
    """The address of an array and the number of its element type."""
    adapter = adapter_of(value)
    assert adapter is not None
    return adapter.address(value), dtype_number(adapter.dtype(value))


_CONSTANTS: dict[Any, int] = {}
"""Numbers of constants, for as long as the process lives: each has kernels of its own, which live as long."""


def identify(value: Any) -> tuple[int, bool]:
    """A number that constants share which mean the same, and whether this object always has it.

    Raises:
        TypeError: it has no hash.
    """
    return _CONSTANTS.setdefault(_meaning(value), len(_CONSTANTS)), isinstance(value, _LASTING)


def _meaning(value: Any) -> Any:
    """A key that is equal for constants that mean the same: unlike 1, 1.0 and True, or 0.0 and -0.0."""
    if isinstance(value, JITCallable):
        return JITCallable, value.cache_key
    if is_constexpr(value):
        return type(value), _meaning(value.value)
    if isinstance(value, tuple):
        return type(value), tuple(_meaning(item) for item in value)
    return type(value), repr(value) if isinstance(value, float) else value


def forget_changed_functions() -> None:
    """Has the module ask again what functions mean, if the source of one was replaced since."""
    global _changes
    if _changes != SOURCE_CHANGES["count"]:
        _changes = SOURCE_CHANGES["count"]
        extension().forget_constants()


_changes = SOURCE_CHANGES["count"]


def fail(code: int, kernel: Any) -> None:
    """Raises what the driver's error means."""
    raise libcuda.error_of(code, "cuLaunchKernelEx", kernel.name)


def enter_hooks(kernel: Any, device: int, grid: Any, arguments: tuple[Any, ...]) -> Any:
    """Calls the hooks before a launch; what they are told, None if none of them wants to know of this kernel.

    A hook has a function `wants` of a kernel if it can do without some.
    """
    before = knobs.runtime.launch_enter_hook
    if not _wanted(kernel, before, knobs.runtime.launch_exit_hook):
        return None
    told = kernel.launch_metadata(grid, stream_source()(device), *arguments)
    if before is not None:
        before(told)
    return told


def _wanted(kernel: Any, before: Any, after: Any) -> bool:
    """Whether a hook of either chain wants to know of a kernel.  It runs at each launch: no generators here."""
    if before is None:
        return True
    for call in before.calls:
        wants = getattr(call, "wants", None)
        if wants is None or wants(kernel):
            return True
    if after is not None:
        for call in after.calls:
            if not hasattr(call, "wants"):
                return True
    return False


def leave_hooks(told: Any) -> None:
    """Calls the hooks after a launch that they wanted to know of."""
    if told is not None and knobs.runtime.launch_exit_hook is not None:
        knobs.runtime.launch_exit_hook(told)


# --- what Python tells the module -------------------------------------------------------------------------------------


def create_dispatcher(function: JITFunction, miss: Any) -> Any:
    """The launches of one function; None without the module.

    miss: called with (grid, args, kwargs, key) where Python is needed; key may be None.
    """
    module = extension()
    if module is None or len(function.params) > 100:
        return None
    parameters = []
    for param in function.params:
        standard = (param.default,) if param.has_default else ()
        parameters.append((param.name, parameter_flags(param), *standard))
    return module.Dispatcher(tuple(parameters), miss)


def parameter_flags(param: KernelParam) -> int:
    """The way its arguments are specialized, as `specialization.specialize_parameter` does it."""
    if param.is_constexpr:
        return CONSTEXPR
    by_value = 0 if param.do_not_specialize else BY_VALUE
    by_alignment = 0 if param.do_not_specialize_on_alignment else BY_ALIGNMENT
    annotated = param.annotation_type
    if annotated and (not by_value or annotated == "u1" or annotated[:2] in ("fp", "bf")):
        return FIXED | ANNOTATED
    return by_value | by_alignment | (ANNOTATED if annotated else 0)


Guard = tuple[Any, ...]


def guards(function: JITFunction) -> list[Guard] | None:
    """All that must stay as it is for the kernels that were entered to be right; None if they never are.

    Each is (dictionary, key, value), (dictionary, key) for a key that must be missing, or (list,) that must be empty.
    """
    from ttkit.runtime.driver import driver

    found: list[Guard] = [_item(driver.__dict__, "_active"), (function.pre_run_hooks,), _item(SOURCE_CHANGES, "count")]
    found += [_item(group.__dict__, name) for group, name in _KNOBS]
    for name in _HOOKS:
        chain = getattr(knobs.runtime, name)
        found.append(_item(knobs.runtime.__dict__, name))
        if chain is not None and not isinstance(chain, knobs.HookChain):
            return None
    for (name, _), (_, namespace) in function.used_global_vals.items():
        if type(namespace) is not dict:
            return None
        found.append(_item(namespace, name))
    found.append((IN_FORCE,))
    return found


def hook_lists() -> list[list[Any]]:
    """Functions that are called around launches: for now, or later."""
    chains = (getattr(knobs.runtime, name) for name in _HOOKS)
    return [chain.calls for chain in chains if isinstance(chain, knobs.HookChain)]


def _item(container: dict[str, Any], key: str) -> Guard:
    return (container, key, container[key]) if key in container else (container, key)


def same_guards(left: list[Guard] | None, right: list[Guard] | None) -> bool:
    """Whether they ask for the same objects."""
    if left is None or right is None:
        return left is right
    return len(left) == len(right) and all(
        len(one) == len(other) and all(x is y or (type(x) is str and x == y) for x, y in zip(one, other))
        for one, other in zip(left, right)
    )


def plan_codes(function: JITFunction, types: dict[str, Any], descriptors: list[Any]) -> str | None:
    """A letter for each value that the module reads of the arguments; None if it can't pass one."""
    codes = ""
    remaining = iter(descriptors)
    for param in function.params:
        if param.is_constexpr:
            continue
        for kind in flat_types(types[param.name]):
            if DESCRIPTOR.match(kind):
                codes += "T" if next(remaining, None) is not None else "D"
            elif kind == "constexpr":
                codes += "x"
            elif letter := packing(kind).letter:
                codes += letter
            else:
                return None
    return codes


def map_plans(descriptors: list[Any]) -> list[tuple[int, int, int, bool, tuple[int, ...]]]:
    """Plans by which the module encodes the tensor maps of arguments."""
    return [
        (
            meta["swizzle"],
            meta["elem_size"],
            HOST_TYPE[meta["elem_type"]],
            meta["fp4_padded"],
            tuple(meta["block_size"]),
        )
        for meta in descriptors
        if meta is not None
    ]


def enter(dispatcher: Any, key: bytes, function: JITFunction, kernel: Any, where: tuple[Any, ...]) -> None:
    """Enters a kernel that was launched under the key that the module asked with.

    where: the caches that have the kernel, see `add` in launcher/dispatcher.cpp.
    """
    launcher: Launcher = kernel.run
    codes = plan_codes(function, kernel.src.signature, launcher.descriptors)
    if codes is None:
        return
    source = stream_source()
    extension().set_stream(source)
    attributes = [(one.id, *one.value[:3]) for one in launcher.attributes]
    dispatcher.add(
        key,
        kernel,
        kernel.function,
        (launcher.threads, launcher.shared, launcher.num_ctas),
        attributes,
        codes,
        map_plans(launcher.descriptors),
        where[1],
        launcher.allocate if launcher.needs_memory else None,
        where,
        launcher.last_argument,
    )
