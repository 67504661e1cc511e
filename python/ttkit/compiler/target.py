"""The GPUs that code is made for."""

from ttkit.lazy_dataclass import dataclass

# The newest version of PTX that the NVPTX target of LLVM 22.1 writes.
NEWEST_PTX = 90
# Capability -> the first version of PTX that knows it.
FIRST_PTX = {75: 63, 80: 70, 86: 71, 87: 74, 89: 78, 90: 80, 100: 86, 103: 88, 110: 90, 120: 87, 121: 88}
# Those whose tensor cores need the architecture-specific variant, such as sm_90a.
SPECIFIC = frozenset({90, 100, 103, 110, 120, 121})


@dataclass(frozen=True)
class Target:
    """An NVIDIA GPU.

    capability: such as 90 for compute capability 9.0.
    ptx_version: such as 87 for PTX 8.7.
    """

    capability: int
    ptx_version: int = 87

    def __post_init__(self) -> None:
        if self.capability not in FIRST_PTX:
            known = ", ".join(f"sm_{capability}" for capability in FIRST_PTX)
            raise ValueError(f"unknown target sm_{self.capability}; known are {known}")
        if self.ptx_version < FIRST_PTX[self.capability]:
            raise ValueError(f"{self.arch} needs PTX {FIRST_PTX[self.capability] / 10} or later")

    @property
    def arch(self) -> str:
        """The name that LLVM and ptxas know it by."""
        return f"sm_{self.capability}{'a' if self.capability in SPECIFIC else ''}"

    @property
    def features(self) -> str:
        """What LLVM may use."""
        return f"+ptx{min(self.ptx_version, NEWEST_PTX)}"


def runs_on(arch: int, capability: int) -> bool:
    """Whether a GPU runs code made for another: later ones of a generation run what is not architecture-specific."""
    if arch in SPECIFIC:
        return arch == capability
    return arch // 10 == capability // 10 and arch <= capability
