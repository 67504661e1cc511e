"""Cubins of both compilers side by side: compiled anywhere, timed by the driver alone.

    python bench/cubins.py compile ttkit FOLDER [--target 90] [--only NAME ...]     # without a GPU
    PYTHON bench/cubins.py compile triton FOLDER ...                         # PYTHON has Triton
    python bench/cubins.py compile ttkit FOLDER --of FOLDER_OF_TRITON ...    # from the other's ttgir, or the reverse
    python bench/cubins.py time FOLDER FOLDER ... [--rounds 16] [--output FILE] [--only NAME ...]

Timing needs libcuda and numpy, neither a compiler nor torch, and takes seconds.  All folders' kernels get the same
arguments (cubin_cases.py) and are launched in random order, the L2 cache flushed before each.  A figure is the mean of
the middle half; of kernels under 30 us also the time of one in a graph of many, with warm caches.  Ratios are times of
the first folder divided by those of each.  Results are compared with the first's.
Cubins of another architecture, as of sm_80 on an sm_90, are timed by way of their PTX, which the driver assembles.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import math
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from attention_cases import attention_cases
from both_languages import load
from cubin_cases import Case, Descriptor, Memory, all_cases
from result_file import as_text
from row_cases import row_cases

os.environ.setdefault("TTKIT_COMPILE_SECONDS", "120")  # a case that takes longer is a defect
HERE = Path(__file__).resolve().parent
PIECE = 8 << 20
FLUSHED_BYTES = 128 << 20
COMPARED_BYTES = 4 << 20
SMALL_US, IN_A_GRAPH, REPLAYS = 30, 200, 8
TYPES = {"f8": np.uint8, "f16": np.float16, "f32": np.float32, "i8": np.int8, "i32": np.int32}
MAX_DYNAMIC_SHARED, CAPTURE_RELAXED = 8, 2
ATTRIBUTES = 75, 76, 97  # of a device: its capability, and bytes of shared memory that a program may ask for


def chosen(names: list[str]) -> list[Case]:
    """The cases whose names begin with one of these; without any all."""
    return [
        case
        for case in (*all_cases(), *row_cases(), *attention_cases())
        if not names or case.name.startswith(tuple(names))
    ]


def file_name(case: Case) -> str:
    """A case's name as that of a file."""
    return case.name.replace(" ", "_").replace(",", "")


# --- Compiling --------------------------------------------------------------------------------------------------------


def sources(which: str, cases: list[Case], target: int) -> Iterator[tuple[Case, Any, Any, Any]]:
    """Each case that a target can run, its source, the compiler and the GPU: what `compile` takes."""
    compiler, language = importlib.import_module(which), importlib.import_module(f"{which}.language")
    if which == "triton":
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource
    else:
        from ttkit import ASTSource, GPUTarget
    families = "vector product specialized model row attention memory_bound".split()
    files = [f"{family}_kernels" for family in families]
    modules = {name: load(f"{name}_of_{which}", HERE / f"{name}.py", compiler.jit, language) for name in files}
    for case in cases:
        if target < oldest(case):
            continue
        kernel = getattr(modules[case.source], case.kernel)
        source = ASTSource(kernel, *specialized(kernel, case, language))
        yield case, source, compiler, GPUTarget("cuda", target, 32)


def specialized(kernel: Any, case: Case, language: Any) -> tuple[dict[str, str], dict[str, Any], dict[tuple, list]]:
    """The signature, the constants and the hints with which a launch of a case compiles its kernel."""
    constants = {n: getattr(language, v) if isinstance(v, str) else v for n, v in case.constants.items()}
    arguments = iter(case.arguments)
    signature, hints = {}, {}
    for index, name in enumerate(kernel.arg_names):
        if name in constants:
            signature[name] = "constexpr"
            continue
        argument = next(arguments)
        signature[name] = type_of(argument)
        if isinstance(argument, Memory) or (isinstance(argument, int) and argument % 16 == 0):
            hints[(index,)] = [["tt.divisibility", 16]]
    return signature, constants, hints


def compile_cases(which: str, folder: Path, cases: list[Case], target: int, of: Path | None = None) -> None:
    """Writes a cubin, its PTX, its ttgir and a description of each case; from the ttgir in folder `of`, if given.

    Which half of a compiler a difference comes from is seen by ttgir of one that the other compiles.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for case, kernel_source, compiler, gpu in sources(which, cases, target):
        path = folder / file_name(case)
        other = of and (of / path.name).with_suffix(".ttgir")
        source = str(other) if other else kernel_source
        made = compiler.compile(source, target=gpu, options=case.options)
        about = {"name": made.metadata.name, "shared": made.metadata.shared, "threads": 32 * made.metadata.num_warps}
        about |= {"scratch": made.metadata.global_scratch_size, "target": target}
        about |= {"maps": [vars_of(plan) for plan in getattr(made.metadata, "tensordesc_meta", None) or ()]}
        if other:
            about["maps"] = json.loads(other.with_suffix(".json").read_text())["maps"]
        path.with_suffix(".json").write_text(json.dumps(about))
        path.with_suffix(".cubin").write_bytes(made.asm["cubin"])
        path.with_suffix(".ptx").write_text(made.asm["ptx"])
        path.with_suffix(".ttgir").write_text(str(made.asm["ttgir"]))


def oldest(case: Case) -> int:
    """The first target that has what a case needs: TMA, or fp8."""
    if case.source == "specialized_kernels" or any(isinstance(argument, Descriptor) for argument in case.arguments):
        return 90
    return 89 if any(getattr(argument, "kind", "") == "f8" for argument in case.arguments) else 0


def vars_of(plan: Any) -> dict[str, Any]:
    """The fields of a plan, whatever holds them."""
    return dict(plan if isinstance(plan, dict) else vars(plan))


def type_of(argument: Any) -> str:
    """An argument's type, as signatures spell it."""
    if isinstance(argument, int):
        return "i32"
    return "fp32" if isinstance(argument, float) else argument.type


# --- Timing -----------------------------------------------------------------------------------------------------------


class Driver:
    """The functions of libcuda; a code that is not 0 raises."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.cuInit(0)
        self.cuDeviceGet(ctypes.byref(device), 0)
        self.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
        self.cuCtxSetCurrent(context)
        self.stream = ctypes.c_void_p()
        self.cuStreamCreate(ctypes.byref(self.stream), 1)
        name = ctypes.create_string_buffer(100)
        self.cuDeviceGetName(name, 100, device)
        self.gpu = name.value.decode()
        major, minor, shared = (self.attribute(number, device) for number in ATTRIBUTES)
        self.capability, self.shared_bytes = 10 * major + minor, shared
        self.pieces: dict[str, int] = {}

    def __getattr__(self, name: str) -> Callable[..., None]:
        function = getattr(self.library, name)

        def checked(*arguments: Any) -> None:
            if code := function(*arguments):
                raise RuntimeError(f"{name}: error {code}")

        return checked

    def attribute(self, number: int, device: ctypes.c_int) -> int:
        found = ctypes.c_int()
        self.cuDeviceGetAttribute(ctypes.byref(found), number, device)
        return found.value

    def allocate(self, size: int) -> int:
        found = ctypes.c_uint64()
        self.cuMemAlloc_v2(ctypes.byref(found), ctypes.c_size_t(max(size, 512)))
        return found.value

    def filled(self, kind: str, size: int) -> int:
        """Memory with random numbers of a kind, again and again the same PIECE of them."""
        if kind not in self.pieces:
            numbers = random_numbers(kind)
            self.pieces[kind] = self.allocate(PIECE)
            self.cuMemcpyHtoD_v2(ctypes.c_uint64(self.pieces[kind]), numbers.ctypes, ctypes.c_size_t(PIECE))
        found = self.allocate(size)
        for at in range(0, size, PIECE):
            count = ctypes.c_size_t(min(PIECE, size - at))
            self.cuMemcpyDtoD_v2(ctypes.c_uint64(found + at), ctypes.c_uint64(self.pieces[kind]), count)
        return found

    def event(self) -> ctypes.c_void_p:
        found = ctypes.c_void_p()
        self.cuEventCreate(ctypes.byref(found), 0)
        self.cuEventRecord(found, self.stream)
        return found

    def microseconds(self, start: ctypes.c_void_p, end: ctypes.c_void_p) -> float:
        found = ctypes.c_float()
        self.cuEventElapsedTime(ctypes.byref(found), start, end)
        self.cuEventDestroy_v2(start)
        self.cuEventDestroy_v2(end)
        return found.value * 1e3


def random_numbers(kind: str) -> np.ndarray:
    """Random elements of a kind, the same in each run; PIECE bytes of them, which fill memory over and over."""
    generator = np.random.default_rng(0)
    if kind.startswith("index"):
        return generator.integers(0, int(kind.partition(":")[2]), PIECE // 8, dtype=np.int64)
    if kind == "f8":  # of magnitudes from 1/16 to 2
        return (generator.integers(0x18, 0x40, PIECE) | generator.integers(0, 2, PIECE) << 7).astype(np.uint8)
    if kind in ("i8", "i32"):
        type = TYPES[kind]
        return generator.integers(-64, 64, PIECE // np.dtype(type).itemsize, dtype=type)
    if kind in ("negative", "positive"):
        return (generator.random(PIECE // 4, dtype=np.float32) * (-1 if kind == "negative" else 0.1)).astype(np.float32)
    type = TYPES[kind]
    return generator.standard_normal(PIECE // np.dtype(type).itemsize, dtype=np.float32).astype(type)


def bytes_of(argument: Any) -> int:
    """The bytes of an argument's memory."""
    if isinstance(argument, Descriptor):
        return argument.rows * argument.columns * np.dtype(TYPES[argument.kind]).itemsize
    width = 8 if argument.kind.startswith("index") else np.dtype(TYPES.get(argument.kind, np.float32)).itemsize
    return argument.elements * width


class Kernel:
    """A loaded kernel with its parameters."""

    def __init__(self, driver: Driver, path: Path, case: Case, memory: list[int]) -> None:
        self.driver, self.grid = driver, [*case.grid, 1, 1][:3]
        self.about = json.loads(path.with_suffix(".json").read_text())
        own = self.about["target"] // 10 == driver.capability // 10
        code = path.with_suffix(".cubin").read_bytes() if own else path.with_suffix(".ptx").read_bytes() + b"\0"
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        driver.cuModuleLoadData(ctypes.byref(module), code)
        driver.cuModuleGetFunction(ctypes.byref(self.function), module, self.about["name"].encode())
        driver.cuFuncSetAttribute(self.function, MAX_DYNAMIC_SHARED, self.about["shared"])
        self.kept: list[Any] = []
        addresses: list[int] = []
        maps, given = iter(self.about["maps"]), iter(memory)
        for argument in case.arguments:
            addresses += self.packed(argument, maps, given)
        scratch = self.about.get("scratch", 0) * math.prod(self.grid)
        addresses += [self.keep(ctypes.c_uint64(driver.allocate(scratch) if scratch else 0))]
        addresses += [self.keep(ctypes.c_uint64(0))]  # the profiler's
        self.parameters = (ctypes.c_void_p * len(addresses))(*addresses)

    def keep(self, value: Any) -> int:
        self.kept.append(value)
        return ctypes.addressof(value)

    def packed(self, argument: Any, maps: Iterator[dict[str, Any]], memory: Iterator[int]) -> list[int]:
        """The addresses of the parameters that an argument becomes."""
        if isinstance(argument, int):
            return [self.keep(ctypes.c_int32(argument))]
        if isinstance(argument, float):
            return [self.keep(ctypes.c_float(argument))]
        if isinstance(argument, Memory):
            return [self.keep(ctypes.c_uint64(next(memory)))]
        shape = [ctypes.c_int32(argument.rows), ctypes.c_int32(argument.columns)]
        strides = [ctypes.c_int64(argument.columns), ctypes.c_int64(1)]
        return [self.tensor_map(argument, next(maps), next(memory)), *map(self.keep, (*shape, *strides))]

    def tensor_map(self, argument: Descriptor, plan: dict[str, Any], memory: int) -> int:
        start = self.keep((ctypes.c_byte * 256)())
        start += -start % 64
        sizes = (ctypes.c_uint64 * 2)(argument.columns, argument.rows)
        steps = (ctypes.c_uint64 * 1)(argument.columns * plan["elem_size"])
        box, ones = (ctypes.c_uint32 * 2)(*reversed(plan["block_size"])), (ctypes.c_uint32 * 2)(1, 1)
        address, place = ctypes.c_void_p(memory), ctypes.c_void_p(start)
        self.driver.cuTensorMapEncodeTiled(
            place, plan["elem_type"], 2, address, sizes, steps, box, ones, 0, plan["swizzle"], 2, 0
        )
        return start

    def launch(self) -> None:
        threads, shared = self.about["threads"], self.about["shared"]
        stream = self.driver.stream
        self.driver.cuLaunchKernel(self.function, *self.grid, threads, 1, 1, shared, stream, self.parameters, None)


def flushed_times(driver: Driver, kernels: dict[str, Kernel], rounds: int, flushed: int) -> dict[str, float]:
    """Microseconds of each, the mean of the middle half."""
    events: dict[str, list[Any]] = {name: [] for name in kernels}
    for _ in range(rounds):
        for name in random.sample(list(kernels), len(kernels)):
            words = ctypes.c_size_t(FLUSHED_BYTES // 4)
            driver.cuMemsetD32Async(ctypes.c_uint64(flushed), 0, words, driver.stream)
            start = driver.event()
            kernels[name].launch()
            events[name].append((start, driver.event()))
    driver.cuStreamSynchronize(driver.stream)
    found = {}
    for name, pairs in events.items():
        times = sorted(driver.microseconds(*pair) for pair in pairs)
        middle = times[len(times) // 4 : -(len(times) // 4) or None]
        found[name] = sum(middle) / len(middle)
    return found


def graph_of(driver: Driver, kernel: Kernel) -> ctypes.c_void_p:
    """A graph of IN_A_GRAPH launches of a kernel, launched once."""
    graph, found = ctypes.c_void_p(), ctypes.c_void_p()
    driver.cuStreamBeginCapture_v2(driver.stream, CAPTURE_RELAXED)
    for _ in range(IN_A_GRAPH):
        kernel.launch()
    driver.cuStreamEndCapture(driver.stream, ctypes.byref(graph))
    driver.cuGraphInstantiateWithFlags(ctypes.byref(found), graph, ctypes.c_uint64(0))
    driver.cuGraphLaunch(found, driver.stream)
    return found


def graph_times(driver: Driver, kernels: dict[str, Kernel], replays: int = REPLAYS) -> dict[str, list[float]]:
    """Microseconds of one of many launches in a graph, for each replay."""
    graphs = {name: graph_of(driver, kernel) for name, kernel in kernels.items()}
    times: dict[str, list[float]] = {name: [] for name in kernels}
    for _ in range(replays):
        for name in random.sample(list(kernels), len(kernels)):
            start = driver.event()
            driver.cuGraphLaunch(graphs[name], driver.stream)
            end = driver.event()
            driver.cuStreamSynchronize(driver.stream)
            times[name].append(driver.microseconds(start, end) / IN_A_GRAPH)
    return times


def results_of(driver: Driver, kernel: Kernel, case: Case, memory: list[int]) -> list[np.ndarray]:
    """What a launch writes, of each result the first bytes."""
    tensors = [argument for argument in case.arguments if not isinstance(argument, (int, float))]
    results = [(argument, address) for argument, address in zip(tensors, memory) if argument.is_result]
    for argument, address in results:
        driver.cuMemsetD8_v2(ctypes.c_uint64(address), ctypes.c_ubyte(0), ctypes.c_size_t(bytes_of(argument)))
    driver.cuCtxSynchronize()
    kernel.launch()
    driver.cuStreamSynchronize(driver.stream)
    found = []
    for argument, address in results:
        host = np.empty(min(bytes_of(argument), COMPARED_BYTES), np.uint8)
        driver.cuMemcpyDtoH_v2(host.ctypes, ctypes.c_uint64(address), ctypes.c_size_t(host.size))
        found.append(host.view(TYPES[argument.kind]))
    return found


def difference(found: list[np.ndarray], expected: list[np.ndarray]) -> str:
    """ "equal", or the largest difference divided by the largest number."""
    if all(np.array_equal(a.view(np.uint8), b.view(np.uint8)) for a, b in zip(found, expected)):
        return "equal"
    worst = 0.0
    with np.errstate(all="ignore"):
        for a, b in zip(found, expected):
            a, b = a.astype(np.float64), b.astype(np.float64)
            worst = max(worst, float(np.nanmax(np.abs(a - b)) / np.nanmax(np.abs(b))))
    return f"{worst:.1e}"


def measure(driver: Driver, case: Case, folders: list[Path], rounds: int, flushed: int) -> dict[str, Any]:
    """Times of one case with the cubins of all folders, in microseconds, and how their results differ."""
    tensors = [argument for argument in case.arguments if not isinstance(argument, (int, float))]
    memory = [driver.filled(tensor.kind, bytes_of(tensor)) for tensor in tensors]
    kernels = {folder.name: Kernel(driver, folder / file_name(case), case, memory) for folder in folders}
    results = {name: results_of(driver, kernel, case, memory) for name, kernel in kernels.items()}
    times = flushed_times(driver, kernels, rounds, flushed)
    first, *others = kernels
    row: dict[str, Any] = {"case": case.name, "us": {name: round(time, 2) for name, time in times.items()}}
    row["ratios"] = {name: round(times[first] / times[name], 3) for name in others}
    if times[first] < SMALL_US:
        graph = {name: min(taken) for name, taken in graph_times(driver, kernels).items()}
        row["graph_us"] = {name: round(time, 2) for name, time in graph.items()}
        row["graph_ratios"] = {name: round(graph[first] / graph[name], 3) for name in others}
    row["results"] = {name: difference(results[name], results[first]) for name in others}
    for address in memory:
        driver.cuMemFree_v2(ctypes.c_uint64(address))
    return row


def time_cases(folders: list[Path], names: list[str], rounds: int, output: Path | None) -> None:
    """Measures the cases that all folders have, and writes a file of the rows."""
    driver, rows = Driver(), []
    flushed = driver.allocate(FLUSHED_BYTES)
    for case in chosen(names):
        described = [folder / f"{file_name(case)}.json" for folder in folders]
        if not all(path.exists() for path in described):
            continue
        shared = [json.loads(path.read_text())["shared"] for path in described]
        if max(shared) > driver.shared_bytes:
            print(f"{case.name}: bytes of shared memory {shared}, of {driver.shared_bytes}", flush=True)
            continue
        rows.append(measure(driver, case, folders, rounds, flushed))
        print(json.dumps(rows[-1]), flush=True)
    if output:
        output.write_text(as_text({"gpu": driver.gpu, "results": rows}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("compile")
    making.add_argument("compiler", choices=("ttkit", "triton"))
    making.add_argument("folder", type=Path)
    making.add_argument("--target", type=int, default=90)
    making.add_argument("--of", type=Path, metavar="FOLDER", help="start from the ttgir that is there")
    timing = commands.add_parser("time")
    timing.add_argument("folders", type=Path, nargs="+")
    timing.add_argument("--rounds", type=int, default=16)
    timing.add_argument("--output", type=Path)
    for command in (making, timing):
        command.add_argument("--only", nargs="*", default=[], metavar="NAME", help="how the names of cases begin")
    options = parser.parse_args()
    if options.command == "compile":
        compile_cases(options.compiler, options.folder, chosen(options.only), options.target, options.of)
    else:
        time_cases(options.folders, options.only, options.rounds, options.output)


if __name__ == "__main__":
    main()
