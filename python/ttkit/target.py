"""The GPUs that code is made for, with what each can do: the one place where capabilities are numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ttkit.records import dataclass

# The newest version of PTX that the NVPTX target of LLVM 22.1 writes.
NEWEST_PTX = 90
# What the ptxas of the pinned wheel and that target both know, and drivers of CUDA 12.8 and later.
DEFAULT_PTX = 87
# Capability -> the first version of PTX that knows it.
FIRST_PTX = {75: 63, 80: 70, 86: 71, 87: 74, 89: 78, 90: 80, 100: 86, 103: 88, 110: 90, 120: 87, 121: 88}
# The same of those that passes compile for where TRITON_OVERRIDE_ARCH asks for it, and that the pinned ptxas no longer
# supports: there is no code for them.
WITHOUT_CODE = {70: 60}
# Those whose tensor cores need the architecture-specific variant, such as sm_90a.
SPECIFIC = frozenset({90, 100, 103, 110, 120, 121})
# Capability -> KiB of shared memory that a CTA can have (CUDA C++ Programming Guide, technical specifications).
SHARED_KILOBYTES = {
    70: 96,
    75: 64,
    80: 163,
    86: 99,
    87: 163,
    89: 99,
    90: 227,
    100: 227,
    103: 227,
    110: 227,
    120: 99,
    121: 99,
}
# Bytes of shared memory that a CTA of any target can have at most.
MOST_SHARED_BYTES = max(SHARED_KILOBYTES.values()) << 10
# Bytes of each program that it can't use.
RESERVED_SHARED_BYTES = 1 << 10
# Capability -> threads that a multiprocessor runs at once; elsewhere 2048.
MOST_THREADS = {75: 1024, 86: 1536, 87: 1536, 89: 1536, 120: 1536, 121: 1536}
# Registers of a multiprocessor, and the threads that can have 255 of them each.
REGISTERS = 1 << 16
THREADS_WITH_ALL_REGISTERS = 256
# Registers of a thread that an instruction can name.
NAMED_REGISTERS = 255
# Schedulers of a multiprocessor; each runs a share of the warps.
SCHEDULERS = 4
# Registers of a thread that setmaxnreg accepts.
FEWEST_REGISTERS, MOST_REGISTERS = 24, 256


class Rates(NamedTuple):
    """The peak rates of a multiprocessor: work in a cycle.

    From the throughput of instructions in the CUDA C++ Programming Guide, and the peak of dot operations in the papers
    about each architecture, over multiprocessors and clock.

    tensor_bits: multiply-adds of dense dot operations, times the bits of an operand's element.
    tensor_doubles: the same of f64, alone.
    mma_sync: share of both that instructions of single warps reach.
    special: exponentials, logarithms, roots, reciprocals and sines.
    arithmetic: multiply-adds of f32.
    shared_bytes, l2_bytes: of shared memory, and between the multiprocessor and the L2 cache.
    """

    tensor_bits: int
    tensor_doubles: int
    arithmetic: int
    mma_sync: float = 1.0
    special: int = 16
    shared_bytes: int = 128
    l2_bytes: int = 64


RATES = {
    70: Rates(512 * 16, 32, 64),
    75: Rates(512 * 16, 1, 64),
    80: Rates(1024 * 16, 64, 64),
    86: Rates(512 * 16, 1, 128),
    87: Rates(1024 * 16, 1, 128),
    89: Rates(512 * 16, 1, 128),
    90: Rates(2048 * 16, 128, 128, mma_sync=0.5),
    100: Rates(4096 * 16, 64, 128, mma_sync=0.25),
    103: Rates(4096 * 16, 1, 128, mma_sync=0.25, special=32),
    110: Rates(4096 * 16, 1, 128, mma_sync=0.25),
    120: Rates(512 * 16, 1, 128),
    121: Rates(512 * 16, 1, 128),
}


@dataclass(frozen=True)
class GPUTarget:
    """A GPU as scripts name it, by Triton's names: `GPUTarget("cuda", 90, 32)` is an H100."""

    backend: str
    arch: Any
    warp_size: int


class Feature(property):
    """A feature of some GPUs: `Target` has it as a property that is True or False."""

    def __init__(self, has: Callable[[int], bool], meaning: str) -> None:
        super().__init__(lambda target: has(target.capability), doc=meaning)

    if TYPE_CHECKING:

        def __get__(self, target: Any, owner: type | None = None) -> bool: ...  # type: ignore[override]


class Since(Feature):
    """A feature of all GPUs from a capability on."""

    def __init__(self, first: int, meaning: str) -> None:
        super().__init__(lambda capability: capability >= first, meaning)


class Only(Feature):
    """A feature of the GPUs of some capabilities."""

    def __init__(self, capabilities: Sequence[int], meaning: str) -> None:
        super().__init__(capabilities.__contains__, meaning)


@dataclass(frozen=True)
class Target:
    """An NVIDIA GPU.

    capability: such as 90 for compute capability 9.0.
    ptx_version: such as 87 for PTX 8.7; 0 for the default, or the first that knows the GPU.

    Raises:
        ValueError: there is no such GPU, or it needs a later version of PTX.
    """

    capability: int
    ptx_version: int = 0

    def __post_init__(self) -> None:
        if self.capability not in FIRST_PTX and self.capability not in WITHOUT_CODE:
            known = ", ".join(f"sm_{capability}" for capability in FIRST_PTX)
            raise ValueError(f"unknown target sm_{self.capability}; known are {known}")
        first = {**FIRST_PTX, **WITHOUT_CODE}[self.capability]
        if self.ptx_version == 0:
            object.__setattr__(self, "ptx_version", max(DEFAULT_PTX, first))
        if self.ptx_version < first:
            raise ValueError(f"{self.arch} needs PTX {first / 10} or later")

    def check_code(self) -> None:
        """Checks that code can be made for it.

        Raises:
            ValueError: no ptxas of today does.
        """
        if self.capability in WITHOUT_CODE:
            raise ValueError(
                f"can't generate code for {self.arch}, only tt, ttg and LLVM IR: the ptxas of CUDA 13 supports "
                f"GPUs from sm_{min(FIRST_PTX)} on; name a newer GPU as the target, or in TRITON_OVERRIDE_ARCH"
            )

    @classmethod
    def first_with(cls, feature: str) -> Target:
        """The oldest GPU with a feature, one of the properties `has_...`."""
        return next(target for target in map(cls, FIRST_PTX) if getattr(target, feature))

    # --- Names --------------------------------------------------------------------------------------------------------
    @property
    def arch(self) -> str:
        """The name that LLVM and ptxas know it by."""
        return f"sm_{self.capability}{'a' if self.capability in SPECIFIC else ''}"

    @property
    def features(self) -> str:
        """Features that LLVM may use."""
        return f"+ptx{min(self.ptx_version, NEWEST_PTX)}"

    is_blackwell = Since(100, "Blackwell and later: passes have another order, accumulators may be in tensor memory")

    # --- Memory -------------------------------------------------------------------------------------------------------
    @property
    def shared_bytes(self) -> int:
        """Bytes of shared memory that a CTA can have."""
        return SHARED_KILOBYTES[self.capability] << 10

    @property
    def rates(self) -> Rates:
        """The peak rates of a multiprocessor."""
        return RATES[self.capability]

    def programs_at_once(self, threads: int, shared: int) -> int:
        """Programs that a multiprocessor runs at once, if they have registers enough.

        threads, shared: of a program; shared memory in bytes.
        """
        most = (self.shared_bytes + RESERVED_SHARED_BYTES) // (shared + RESERVED_SHARED_BYTES)
        return min(most, MOST_THREADS.get(self.capability, 2048) // threads)

    has_cache_policies = Since(80, "Loads and stores can set the eviction policy of the L2 cache")
    has_async_copy = Since(80, "cp.async: asynchronous copies from global to shared memory")
    has_ldmatrix = Since(75, "a warp loads 8x8 matrices of 16-bit elements from shared memory at once")
    has_stmatrix = Since(90, "a warp stores such matrices at once")

    # --- Synchronization ----------------------------------------------------------------------------------------------
    has_mbarriers = Since(80, "barriers in shared memory count arrivals")
    has_barrier_waits = Since(90, "mbarrier.try_wait: the thread may sleep meanwhile; and arrivals by count")
    has_clusters = Since(90, "CTAs of a cluster read each other's shared memory")
    has_tma = Since(90, "Bulk copies of tiles by tensor maps, and the fences between them and plain accesses")
    has_tma_gathers = Since(100, "Gathers of rows by TMA")
    has_tma_gathers_for_clusters = Only((100, 103, 110), "One such for several CTAs; ptxas refuses it for sm_120")
    has_copies_to_own_cta = Since(120, "Bulk copies name the CTA's memory; ptxas makes calls of the cluster's")
    has_cluster_launch_control = Since(100, "A running cluster can take over the work of one that is still waiting")
    has_register_hand_over = Since(90, "setmaxnreg: a group of warps can give registers to another")

    # --- Arithmetic ---------------------------------------------------------------------------------------------------
    has_warp_sums = Since(80, "redux.sync: reductions of integers over a warp")
    has_min_of_pairs = Since(80, "Minimum and maximum of pairs of 16-bit floats")
    has_rounding_to_bf16 = Since(80, "cvt of f32 to bf16")

    @property
    def has_fp8_conversions(self) -> bool:
        """cvt from and to e4m3 and e5m2."""
        return self.capability >= 90 or (self.capability == 89 and self.ptx_version >= 81)

    has_bf16_atomic_sums = Since(90, "Atomic sums of bf16 numbers")
    has_paired_f32 = Since(100, "Fused operations on pairs of f32")

    @property
    def has_vector_atomic_sums(self) -> bool:
        """Atomic sums of up to 16 bytes of neighboring floats in global memory."""
        return self.capability >= 90 and self.ptx_version >= 81

    # --- Tensor cores -------------------------------------------------------------------------------------------------
    @property
    def mma_versions(self) -> tuple[int, ...]:
        """Product instructions that Triton 3.6 chooses among, preferred first; tcgen05 on sm_100 and sm_103 alone."""
        return {9: (3, 2), 10: (5, 2)}.get(self.capability // 10, (2,))

    has_wgmma = Only((90,), "Four warps together multiply matrices in shared memory")
    has_tensor_memory = Only((100, 103, 110), "Tensor memory, and tcgen05, which multiplies into it")
    has_i8_products_in_tensor_memory = Only((100, 110), "tcgen05 multiplies i8; ptxas refuses that for sm_103")

    @property
    def has_tensor_memory_reductions(self) -> bool:
        """tcgen05.ld.red: a load from tensor memory also reduces what it loads of a row."""
        return self.capability in (103, 110) and self.ptx_version >= 88

    has_tf32_products = Since(80, "mma.sync of tf32, bf16 and f64, and tiles of 32 bytes along k for f16 and i8")
    has_wide_f64_products = Since(90, "mma.sync multiplies tiles of 16 rows in f64")
    has_fp8_products = Since(89, "Tensor cores multiply e4m3 and e5m2")
    has_tma_scatters = Only((100, 103, 110), "Scatters of rows by TMA; ptxas refuses them for sm_120")
    has_f64_products = Only((80, 90), "mma.sync of f64 is faster than fused multiply-add")
    has_fp8_mma_sync = Only(
        (89, 120, 121), "mma.sync multiplies e4m3 and e5m2; where wgmma or tcgen05 do, it is no faster than f16"
    )
    has_scaled_mma_sync = Only((120, 121), "mma.sync takes block scales and fp4")

    @property
    def max_imprecise_sums(self) -> int:
        """Sums that products of fp8 may keep in fewer bits before they are added up in f32: of wgmma any number."""
        return 2**30 if self.has_wgmma else 0

    @property
    def fp8_types(self) -> tuple[str, ...]:
        """The 8-bit floats that kernels may use, by the language's names."""
        return ("fp8e4b15", "fp8e4nv", "fp8e5") if self.capability >= 89 else ("fp8e4b15", "fp8e5")

    @property
    def deprecated_fp8_operands(self) -> tuple[str, ...]:
        """The 8-bit floats of the language that products take as fp16."""
        return ("fp8e4b15",) if self.capability >= 90 else ()


def fewest_programs(threads: int) -> int:
    """Programs of so many threads that a multiprocessor runs at once where each thread has all registers."""
    return max(THREADS_WITH_ALL_REGISTERS // threads, 1)


def parse_capability(text: str) -> int:
    """The compute capability that `sm_90a`, `sm90`, `cuda:90` or `90` names; code for 90 is always for sm_90a.

    Raises:
        ValueError: there is no such GPU.
    """
    digits = text.removeprefix("cuda:").removeprefix("sm_").removeprefix("sm").removesuffix("a")
    if not digits.isdecimal() or int(digits) not in FIRST_PTX:
        known = ", ".join(Target(capability, FIRST_PTX[capability]).arch for capability in FIRST_PTX)
        raise ValueError(f"unknown target '{text}'; known are {known}")
    return int(digits)


def runs_on(arch: int, capability: int) -> bool:
    """Whether a GPU runs code made for another: later ones of a generation run what is not architecture-specific."""
    if arch in SPECIFIC:
        return arch == capability
    return arch // 10 == capability // 10 and arch <= capability
