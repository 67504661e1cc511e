"""Bundles from lists of launches: every variant for each of several GPUs, in parallel and on machines without one.

made = build(LaunchList.load("launches.json"), [80, 90], jobs=8)
write_bundle("bundle.ttkit", made)
for failure in made.failures: print(failure)
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import ttkit.knobs as knobs
from ttkit.aot.launch_list import LaunchList, LaunchListError, Variant
from ttkit.cache.digests import toolkit_key
from ttkit.runtime.bundle import Exported, contents_of
from ttkit.runtime.bundle_answers import left_aside
from ttkit.runtime.compile import compile
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.variants import generalized, key_of
from ttkit.target import GPUTarget
from ttkit.whole_files import write_files
from ttkit.workers import Died, Workers

_FOREVER = 1e6  # seconds
_DATE = (1980, 1, 1, 0, 0, 0)  # of all files in a bundle, so that equal kernels make equal bundles


@dataclass
class Built:
    """The compiled variants of a list.

    failures: a text for each variant that could not be compiled: file and line of the kernel, its types, the GPU, why.
    """

    kernels: list[Exported] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def files(self) -> dict[str, bytes]:
        """The files of the bundle, by name."""
        return contents_of(self.kernels, {"toolkit": toolkit_key()})


def build(
    launches: Iterable[LaunchList],
    capabilities: Sequence[int],
    *,
    jobs: int | None = None,
    general: bool = False,
    line_info: bool = False,
    each: Callable[[int, int], None] = lambda done, count: None,
) -> Built:
    """Compiles all variants of lists for all GPUs.  Needs no GPU; the cache on disk is used.

    Args:
        capabilities: of the GPUs, such as 90.
        jobs: processes; by default one for each processor.
        general: add to each variant the one that assumes nothing of its arguments' values, for launches with others.
        line_info: keep the kernels' lines and the paths of their files, for profilers.
        each: called with the number of kernels that are done, and of all.
    """
    made = Built()
    work: dict[str, tuple[Variant, int]] = {}
    for one in launches:
        for variant in one.variants():
            if isinstance(variant, LaunchListError):
                made.failures.append(str(variant))
                continue
            wanted = [variant]
            if general:
                wanted.append(variant._replace(source=generalized(variant.source)))
            for each_variant in wanted:
                for capability in capabilities:
                    try:
                        key = key_of(each_variant.source, each_variant.options_for(capability))
                    except (ValueError, TypeError) as error:
                        made.failures.append(_failure(each_variant, capability, str(error)))
                        continue
                    work.setdefault(f"{key}-{capability}", (each_variant, capability))
    _compile_all(list(work.values()), made, jobs, line_info, each)
    return made


def _compile_all(
    work: list[tuple[Variant, int]],
    made: Built,
    jobs: int | None,
    line_info: bool,
    each: Callable[[int, int], None],
) -> None:
    def answer(number: int, _reached: Callable[[Any], None]) -> tuple[bytes, bytes] | str:
        """Compiles one; its cubin and metadata, or what is wrong with it."""
        variant, capability = work[number]
        target = GPUTarget("cuda", capability, 32)
        try:
            kernel = compile(variant.source, target, variant.options_for(capability))
        except Exception as error:
            return str(error) or type(error).__name__
        return kernel.kernel, kernel.metadata_json

    replies: dict[int, tuple[bytes, bytes] | str] = {}
    with ExitStack() as stack:
        stack.enter_context(left_aside())
        stack.enter_context(knobs.compilation.scope())
        if not line_info:
            knobs.compilation.disable_line_info = True
        count = min(jobs or _processors(), len(work))
        if count > 1 and hasattr(os, "fork"):
            found = stack.enter_context(Workers(count, answer, timeout=_FOREVER)).each(range(len(work)))
        else:
            found = ((number, answer(number, print)) for number in range(len(work)))
        for number, reply in found:
            ended = f"the process that compiled it ended with {reply.how}" if isinstance(reply, Died) else reply
            replies[number] = ended
            each(len(replies), len(work))
    for number, (variant, capability) in enumerate(work):
        if isinstance(reply := replies[number], str):
            made.failures.append(_failure(variant, capability, reply))
            continue
        contents = {f"{variant.source.name}.cubin": reply[0], f"{variant.source.name}.json": reply[1]}
        kernel = CompiledKernel(variant.source, {}, "", contents=contents)
        made.kernels.append(Exported(variant.source, variant.options_for(capability), kernel))


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _failure(variant: Variant, capability: int, text: str) -> str:
    return f"{variant.place}: error: {variant.title} for sm_{capability}: {text}"


def write_bundle(path: str | os.PathLike[str], built: Built) -> int:
    """Writes a bundle as one file, which appears when it is complete; gives its size in bytes.

    Raises:
        OSError: it can't be written.
    """
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as archive:
        for name, contents in sorted(built.files().items()):
            entry = ZipInfo(name, _DATE)
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, contents)
    write_files({path: data.getvalue()})
    return data.tell()
