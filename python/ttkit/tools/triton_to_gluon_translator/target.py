"""GPUs that kernels are translated for: all of NVIDIA's get the same source."""

from __future__ import annotations

from enum import Enum

_PACKAGE = "triton.tools.triton_to_gluon_translator"
_HELPERS = {
    "sm80": "nvidia_helpers",
    "sm90": "hopper_helpers",
    **dict.fromkeys(("sm100", "sm103"), "blackwell_helpers"),
}


class TranslatorTarget(str, Enum):
    """A GPU by name, or "generic".  AMD's are names alone: a translation for them is refused."""

    GENERIC = "generic"
    SM80 = "sm80"
    SM90 = "sm90"
    SM100 = "sm100"
    SM103 = "sm103"
    SM107 = "sm107"
    GFX90A = "gfx90a"
    GFX1250 = "gfx1250"
    GFX942 = "gfx942"
    GFX950 = "gfx950"

    @property
    def is_amd(self) -> bool:
        """Whether it is one of AMD's."""
        return self.value.startswith("gfx")

    @property
    def is_nvidia(self) -> bool:
        """Whether it is one of NVIDIA's."""
        return self.value.startswith("sm")

    @property
    def tensor_descriptor_import(self) -> str:
        """The line that imports the class of descriptors in kernels."""
        return "from triton.experimental.gluon.language.nvidia.hopper.tma import tensor_descriptor"

    @property
    def helpers_module(self) -> str:
        """The module of the functions that translated kernels call."""
        return f"{_PACKAGE}.{_HELPERS.get(self.value, 'common_helpers')}"
