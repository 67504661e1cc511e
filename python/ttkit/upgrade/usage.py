"""Names, arguments and modules of Triton that later versions renamed, removed or warn of."""

from __future__ import annotations

from ttkit.upgrade.changes import CHANGES, ERROR, NOTICE, Change

_TL = "triton.language"
_GL = "triton.experimental.gluon.language"
_NVIDIA = f"{_GL}.nvidia"
_NO_BLOCK_POINTERS = Change(
    (3, 9),
    ERROR,
    "block pointers are removed",
    "tl.make_tensor_descriptor, which TMA copies from sm_90 on and which takes time to make in the kernel, or pointers "
    "with masks: time both; ttkit has block pointers in every version",
)
_KEYWORDS = "later parameters are given by name alone"


def _gone(since: tuple[int, int], advice: str) -> Change:
    return Change(since, ERROR, "the name is removed", advice)


_TMA_NAMES = {
    "async_copy_global_to_shared": "async_load",
    "async_copy_shared_to_global": "async_store",
}
NAMES: dict[str, Change] = {
    f"{_TL}.make_block_ptr": _NO_BLOCK_POINTERS,
    f"{_TL}.advance": _NO_BLOCK_POINTERS,
    f"{_TL}.view": Change((3, 9), NOTICE, "view warns: it may reorder elements", "tl.reshape"),
    f"{_GL}.thread_barrier": _gone((3, 7), "gl.barrier()"),
    f"{_NVIDIA}.blackwell.get_tmem_reg_layout": _gone((3, 8), "memory.get_reg_layout()"),
    f"{_NVIDIA}.blackwell.float2": _gone((3, 8), "blackwell.add2, mul2, fma2"),
    f"{_NVIDIA}.hopper.cluster.arrive": _gone((3, 9), "cluster.barrier()"),
    f"{_NVIDIA}.hopper.cluster.wait": _gone((3, 9), "cluster.barrier()"),
    **{
        f"{_NVIDIA}.{module}.{old}": _gone((3, 9), f"{module.rpartition('.')[2]}.{new}")
        for module in ("hopper.tma", "blackwell.tma")
        for old, new in _TMA_NAMES.items()
    },
    **{
        f"{_NVIDIA}.{generation}.async_copy.async_copy_global_to_shared": _gone((3, 9), "async_copy.async_load")
        for generation in ("ampere", "hopper", "blackwell")
    },
    "triton.compiler.code_generator.find_paths_if": _gone((3, 7), "triton._utils.find_paths_if"),
    "triton.compiler.code_generator.get_iterable_path": _gone((3, 7), "triton._utils.get_iterable_path"),
    "triton.compiler.code_generator.get_jit_fn_file_line": _gone((3, 8), "fn.starting_line_number, with fn.raw_src"),
    "triton.runtime.jit.get_jit_fn_file_line": _gone((3, 8), "fn.starting_line_number, with fn.raw_src"),
    "triton.backends.nvidia.driver.make_launcher": _gone((3, 7), "launches go through kernel[grid](...)"),
    "triton.backends.nvidia.driver.compile_module_from_src": _gone(
        (3, 8), "triton.runtime.build.compile_module_from_src"
    ),
    "triton.backends.nvidia.compiler.CUDABackend.instrumentation": _gone(
        (3, 9), "triton._instrumentation.register_instrumentation"
    ),
}
"""{full name: its change}."""

POSITIONAL: dict[str, tuple[int, Change]] = {
    f"{_TL}.load": (3, Change((3, 9), ERROR, f"tl.load takes 3 arguments by position; {_KEYWORDS}", "name the others")),
    f"{_TL}.store": (
        3,
        Change((3, 9), ERROR, f"tl.store takes 3 arguments by position; {_KEYWORDS}", "name the others"),
    ),
    f"{_TL}.softmax": (
        2,
        Change((3, 9), ERROR, f"tl.softmax takes 2 arguments by position; {_KEYWORDS}", "name the others"),
    ),
}
"""{full name: the most arguments by position, and what more than that meet}."""

_NO_BOUNDS = Change(
    (3, 9),
    ERROR,
    "the parameter is removed with block pointers",
    "tl.make_tensor_descriptor checks bounds itself, and has padding_option",
)
_REORDERS = Change(
    (3, 9), NOTICE, "can_reorder=True warns, and is removed in 3.10", "leave can_reorder out: elements keep their order"
)
_ROUNDS = CHANGES["fdiv_rounding"]
KEYWORDS: dict[tuple[str, str], Change] = {
    (f"{_TL}.load", "boundary_check"): _NO_BOUNDS,
    (f"{_TL}.load", "padding_option"): _NO_BOUNDS,
    (f"{_TL}.store", "boundary_check"): _NO_BOUNDS,
    (f"{_TL}.cat", "can_reorder"): _REORDERS,
    (f"{_TL}.reshape", "can_reorder"): _REORDERS,
    (f"{_TL}.fdiv", "ieee_rounding"): _ROUNDS,
    (f"{_TL}.math.fdiv", "ieee_rounding"): _ROUNDS,
    (f"{_TL}.softmax", "ieee_rounding"): _ROUNDS,
    (f"{_TL}.softmax", "keep_dims"): Change(
        (3, 9), NOTICE, "keep_dims warns: softmax keeps the dimension at any rate", "leave keep_dims out"
    ),
}
"""{(full name of a function, parameter): the change of calls that give it}, but those that give False or ""."""

STAGES = Change(
    (3, 9),
    ERROR,
    "backends are called as add_stages(stages, options, language)",
    "def add_stages(self, stages, options, language=None)",
)
