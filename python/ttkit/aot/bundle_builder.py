"""Bundles from lists of launches: every variant for each of several GPUs, in parallel and on machines without one.

made = build(LaunchList.load("launches.json"), [80, 90], jobs=8)
write_bundle("bundle.ttkit", made)
for failure in made.failures: print(failure)
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import ttkit.knobs as knobs
from ttkit.aot.launch_list import LaunchList, LaunchListError, Variant
from ttkit.aot.portable_compile import FUNCTION, compile_variant, served, task_of
from ttkit.cache.digests import toolkit_key
from ttkit.executors.tasks import SECONDS, each_answer
from ttkit.runtime.bundle import Exported, contents_of
from ttkit.runtime.bundle_answers import left_aside
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.variants import generalized, key_of
from ttkit.whole_files import write_files
from ttkit.workers import Died, Workers, processors

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


class _Work(NamedTuple):
    """A kernel that is to be compiled.

    launches, launch: the list that has it, and the launch there.
    general: whether it is compiled for any values of its types.
    """

    variant: Variant
    capability: int
    launches: LaunchList
    launch: dict[str, Any]
    general: bool

    def key(self) -> str:
        """Identifies the kernel.  Raises ValueError or TypeError: an option is not possible on this GPU."""
        return f"{key_of(self.variant.source, self.variant.options_for(self.capability))}-{self.capability}"

    def failure(self, text: str) -> str:
        """A message that it could not be compiled."""
        return f"{self.variant.place}: error: {self.variant.title} for sm_{self.capability}: {text}"


def build(
    launches: Iterable[LaunchList],
    capabilities: Sequence[int],
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    general: bool = False,
    line_info: bool = False,
    each: Callable[[int, int], None] = lambda done, count: None,
) -> Built:
    """Compiles all variants of lists for all GPUs.  Needs no GPU; the cache on disk is used.

    Args:
        capabilities: of the GPUs, such as 90.
        jobs: processes; by default one for each processor.
        executor: that compiles; its workers need the same ttkit, and the modules that the lists name.  `jobs` is then
            the number of its workers, where it does not say that.
        general: add to each variant the one that assumes nothing of its arguments' values, for launches with others.
        line_info: keep the kernels' lines and the paths of their files, for profilers.
        each: called with the number of kernels that are done, and of all.
    """
    made = Built()
    work: dict[str, _Work] = {}
    for one in launches:
        for launch, variant in zip(one.launches, one.variants()):
            if isinstance(variant, LaunchListError):
                made.failures.append(str(variant))
                continue
            for is_general in (False, True) if general else (False,):
                source = generalized(variant.source) if is_general else variant.source
                for capability in capabilities:
                    item = _Work(variant._replace(source=source), capability, one, launch, is_general)
                    try:
                        work.setdefault(item.key(), item)
                    except (ValueError, TypeError) as error:
                        made.failures.append(item.failure(str(error)))
    _compile_all(list(work.values()), made, jobs, executor, line_info, each)
    return made


def _compile_all(
    work: list[_Work],
    made: Built,
    jobs: int | None,
    executor: Executor | None,
    line_info: bool,
    each: Callable[[int, int], None],
) -> None:
    replies: dict[int, dict[str, bytes] | str] = {}
    with ExitStack() as stack:
        stack.enter_context(left_aside())
        stack.enter_context(knobs.compilation.scope())
        if not line_info:
            knobs.compilation.disable_line_info = True
        answers = _answers_here(work, jobs, stack) if executor is None else _answers_of(executor, work, jobs)
        for number, reply in answers:
            replies[number] = reply
            each(len(replies), len(work))
    for number, item in enumerate(work):
        if isinstance(reply := replies[number], str):
            made.failures.append(item.failure(reply))
            continue
        source = item.variant.source
        kernel = CompiledKernel(source, {}, "", contents=reply)
        made.kernels.append(Exported(source, item.variant.options_for(item.capability), kernel))


def _answers_here(
    work: list[_Work], jobs: int | None, stack: ExitStack
) -> Iterator[tuple[int, dict[str, bytes] | str]]:
    """The files of each kernel, or what is wrong with it, in the order in which they come: in forked processes."""

    def answer(number: int, _reached: Callable[[Any], None]) -> dict[str, bytes] | str:
        """Compiles one."""
        try:
            return served(compile_variant(work[number].variant, work[number].capability))
        except Exception as error:
            return str(error) or type(error).__name__

    count = min(jobs or processors(), len(work))
    if count <= 1 or not hasattr(os, "fork"):
        yield from ((number, answer(number, print)) for number in range(len(work)))
        return
    for number, reply in stack.enter_context(Workers(count, answer, timeout=_FOREVER)).each(range(len(work))):
        yield number, f"the process that compiled it ended with {reply.how}" if isinstance(reply, Died) else reply


def _answers_of(
    executor: Executor, work: list[_Work], width: int | None
) -> Iterator[tuple[int, dict[str, bytes] | str]]:
    """The same, by an executor."""
    tasks = [
        task_of(item.launches, item.launch, item.capability, general=item.general, only_served=True) for item in work
    ]
    for number, reply in each_answer(executor, FUNCTION, tasks, width=width):
        if reply.late:
            yield number, f"it took more than {SECONDS:g} s"
        elif reply.ended:
            yield number, f"the process that compiled it ended with {reply.ended}"
        else:
            yield number, reply.value if reply.error is None else str(reply.error) or type(reply.error).__name__


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
