"""Modules of Triton that are modules of ttkit as a whole; `names.py` has those of which only some names are."""

from __future__ import annotations


def _below(of_triton: str, of_ttkit: str, names: str) -> dict[str, str]:
    return {f"{of_triton}.{name}": f"{of_ttkit}.{name}" for name in names.split()}


_GLUON = "triton.experimental.gluon.language"
_TRANSLATOR = "triton.tools.triton_to_gluon_translator"
ALIASES = {
    "triton.language": "ttkit.language",
    **_below(
        "triton.language",
        "ttkit.language",
        "core math semantic standard random target_info extra extra.libdevice extra.cuda extra.cuda.libdevice",
    ),
    "triton.language.extra.cuda.gdc": "ttkit.language.extra.cuda.launch_control",
    _GLUON: "ttkit.language.gluon",
    f"{_GLUON}.extra": "ttkit.language.extra",
    **_below(
        _GLUON,
        "ttkit.language.gluon",
        """
        fpsan nvidia nvidia.ampere nvidia.ampere.async_copy nvidia.ampere.mbarrier nvidia.hopper nvidia.hopper.cluster
        nvidia.hopper.mbarrier nvidia.hopper.tma nvidia.blackwell nvidia.blackwell.clc nvidia.blackwell.float2
        nvidia.blackwell.tma amd amd.cdna3 amd.cdna4 amd.cdna4.async_copy amd.gfx1250 amd.gfx1250.async_copy
        amd.gfx1250.cluster amd.gfx1250.mbarrier amd.gfx1250.tdm amd.hint amd.rdna3 amd.rdna4
        """,
    ),
    **{f"{_GLUON}.amd.{name}": "ttkit.language.gluon.amd" for name in ("slice", "warp_pipeline")},
    **{
        f"{_GLUON}.amd.{name}": "ttkit.language.gluon.amd.gfx1250"
        for name in ("cdna5", "cdna5._layouts", "gfx1250._layouts")
    },
    **_below(f"{_GLUON}.amd.cdna5", "ttkit.language.gluon.amd.gfx1250", "async_copy cluster mbarrier tdm"),
    f"{_GLUON}.amd._layouts": "ttkit.layout.gluon.amd",
    f"{_GLUON}._layouts": "ttkit.layout.gluon",
    f"{_GLUON}._semantic": "ttkit.language.gluon.semantic",
    **{f"{_GLUON}.{name}": "ttkit.language.gluon" for name in ("_core", "_standard", "_math")},
    "triton._internal_testing": "ttkit.compat.internal_testing",
    "triton.knobs": "ttkit.knobs",
    **_below(
        "triton.tools",
        "ttkit.tools",
        """
        compile link triton_to_gluon_translater triton_to_gluon_translater.translator
        triton_to_gluon_translater.translator_helpers triton_to_gluon_translator
        triton_to_gluon_translator.translator triton_to_gluon_translator.target
        """,
    ),
    **{
        f"{_TRANSLATOR}.{name}_helpers": "ttkit.tools.triton_to_gluon_translater.translator_helpers"
        for name in ("common", "nvidia", "hopper", "blackwell")
    },
    "triton.profiler": "ttkit.profiler",
    **_below(
        "triton.profiler",
        "ttkit.profiler",
        """
        context data flags hooks hooks.hook hooks.instrumentation hooks.launch language mode profile scope specs state
        viewer
        """,
    ),
    "triton.profiler.proton": "ttkit.drivers.proton",
    "triton._C.libtriton.ir": "ttkit.compat.ir",
}
