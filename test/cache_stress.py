"""Many processes on one cache, killed at random, with files damaged and disks full: nothing wrong is ever served.

    python test/cache_stress.py --processes 32 --seconds 60            the cache alone
    python test/cache_stress.py --processes 32 --seconds 60 --compile  through ttkit.compile, of several kernels

Workers store and load entries whose contents follow from their keys, so that each can tell a wrong answer from a right
one; one that gets a wrong answer, or any exception, makes the script end with exit code 1.  Meanwhile the parent kills
workers with SIGKILL and starts others, cuts and overwrites files of the cache, and removes entries; to every fourth
worker the disk is full half of the time.  In the end `ttkit cache gc` must leave nothing damaged and no leftovers.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import hashlib
import mmap
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

KEYS = 12
LEVELS = ("source", "ttir", "ttgir", "llir", "ptx", "cubin", "json")
SLOTS = 1 << 16


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--compile", action="store_true", help="through ttkit.compile")
    sys.exit(stress(parser.parse_args()))


# --- workers ----------------------------------------------------------------------------------------------------------


class Wrong(Exception):
    """The cache gave something else than what was stored."""


def work(options: argparse.Namespace, seed: int, end: float, slot: memoryview) -> None:
    """Loads and stores until the end.  `slot` counts what it loaded, and what it had to make."""
    draws = random.Random(seed)
    if seed % 4 == 1:
        fill_disk(draws)
    step = options.step
    while time.monotonic() < end:
        slot[step(draws)] += 1


def fill_disk(draws: random.Random) -> None:
    """Makes half of this process's writes to the cache fail in the middle."""
    from ttkit.cache.manager import FileCacheManager

    write = FileCacheManager._write

    def fail(manager, files):
        if draws.random() < 0.5:
            folder = os.path.join(manager.cache_dir, f"tmp.pid_{os.getpid()}_{draws.random()}")
            os.makedirs(folder)
            Path(folder, next(iter(files))).write_bytes(b"half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(manager, files)

    FileCacheManager._write = fail


def cache_step(draws: random.Random) -> int:
    """Loads an entry, as `ttkit.compile` would, and stores it where there is none; 0 if it was there."""
    from ttkit.cache.manager import DamagedEntry, FileCacheManager, base32

    key = hashlib.sha256(str(draws.randrange(KEYS)).encode()).hexdigest()
    manager = FileCacheManager(base32(key))
    try:
        found = manager.load("kernel.json")
    except (DamagedEntry, OSError):
        found = None
    expected = entry(key)
    if found is None:
        with contextlib.suppress(OSError):  # the disk is full, or the entry is being removed
            manager.store("kernel.json", expected)
    elif found[0] != expected:
        raise Wrong(f"contents of {key}")
    return int(found is None)


def entry(key: str) -> dict[str, bytes]:
    """What is stored under a key: some 20 KB."""
    made = {f"kernel.{level}": f"{key} {level} ".encode() * 50 for level in LEVELS}
    cubin, metadata = made["kernel.cubin"], made["kernel.json"]
    return made | {"kernel.cubin": b"\x7fELF" + cubin, "kernel.json": b'"' + metadata + b'"'}


def compile_step():
    import ttkit.knobs
    import ttkit.language as tl

    @ttkit.jit
    def scale(pointer, factor: tl.constexpr):
        offsets = tl.arange(0, 64)
        tl.store(pointer + offsets, tl.load(pointer + offsets) * factor)

    target = ttkit.GPUTarget("cuda", 90, 32)

    heard = []
    ttkit.knobs.compilation.listener = lambda cache_hit, **_: heard.append(cache_hit)

    def step(draws: random.Random) -> int:
        factor = draws.randrange(1, KEYS)
        source = ttkit.ASTSource(scale, {"pointer": "*i32", "factor": "constexpr"}, {"factor": factor})
        kernel = ttkit.compile(source, target)
        text = kernel.asm["source"]
        found = factor == 1 or f"arith.constant {factor} : i32" in text or f"arith.constant dense<{factor}>" in text
        if not found or not kernel.asm["cubin"].startswith(b"\x7fELF") or kernel.name != "scale":
            raise Wrong(f"kernel for {factor}")
        return int(not heard.pop())

    return step


# --- the parent -------------------------------------------------------------------------------------------------------


def stress(options: argparse.Namespace) -> int:
    draws = random.Random(options.seed)
    counts = {"started": 0, "killed": 0, "damaged": 0, "removed": 0}
    shared = mmap.mmap(-1, 16 * SLOTS)
    slots = memoryview(shared).cast("Q")
    with tempfile.TemporaryDirectory(prefix="ttkit-stress-") as directory:
        os.environ["TRITON_CACHE_DIR"] = directory
        options.step = compile_step() if options.compile else cache_step
        end = time.monotonic() + options.seconds
        workers: set[int] = set()
        failed = False
        while time.monotonic() < end and not failed:
            while len(workers) < options.processes and counts["started"] < SLOTS:
                number = counts["started"]
                workers.add(start(options, number, end, slots[2 * number : 2 * number + 2]))
                counts["started"] += 1
            time.sleep(draws.uniform(0, 0.05))
            if draws.random() < (0.1 if options.compile else 0.5):
                os.kill(draws.choice(sorted(workers)), signal.SIGKILL)
                counts["killed"] += 1
            if draws.random() < (0.1 if options.compile else 1):
                counts[damage(Path(directory), draws)] += 1
            failed = not all(reap(workers, os.WNOHANG))
        failed = not all(reap(workers, 0)) or failed
        loaded, made = sum(slots[::2]), sum(slots[1::2])
        print(f"{counts['started']} workers, {counts['killed']} killed; {loaded} entries loaded, {made} made")
        print(f"{counts['damaged']} files damaged, {counts['removed']} entries removed")
        return int(failed or finish(directory, options))


def start(options: argparse.Namespace, number: int, end: float, slot: memoryview) -> int:
    """The process id of a new worker."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        work(options, options.seed + number, end, slot)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def reap(workers: set[int], flag: int) -> Iterator[bool]:
    """Forgets the workers that ended; whether each did so at its time, or was killed."""
    for process in list(workers):
        ended, status = os.waitpid(process, flag)
        if ended:
            workers.discard(process)
            yield status == 0 or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL)


def damage(directory: Path, draws: random.Random) -> str:
    """Cuts or overwrites a file, or removes an entry; says which."""
    files = [path for path in directory.glob("*/*") if path.is_file()]
    if not files:
        return "damaged"
    path = draws.choice(files)
    try:
        if draws.random() < 0.1:
            from ttkit.cache.entries import Removal, remove

            remove(Removal(str(path.parent), "for the test", 0))
            return "removed"
        content = bytearray(path.read_bytes())
        if draws.random() < 0.5:
            content = content[: draws.randrange(len(content) + 1)]
        elif content:
            content[draws.randrange(len(content))] ^= 1 << draws.randrange(8)
        path.write_bytes(content)
    except OSError:
        pass  # gone meanwhile
    return "damaged"


def finish(directory: str, options: argparse.Namespace) -> bool:
    """Collects garbage, and loads or makes every entry once more; whether something damaged or left over remains."""
    from ttkit.cache.entries import entries, garbage, remove

    for removal in list(garbage(directory)):
        remove(removal)
    for number in range(1, KEYS):
        options.step(Fixed(number))
        if options.step(Fixed(number)):
            raise Wrong(f"entry {number} is not kept")
    found = list(entries(directory))
    problems = [problem for item in found for problem in item.problems()]
    leftovers = [leftover for item in found for leftover in item.leftovers]
    print(f"after `ttkit cache gc`: {len(found)} entries, {len(problems)} damaged, {len(leftovers)} leftovers")
    return bool(problems or leftovers)


class Fixed(random.Random):
    """Draws the same number each time."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def randrange(self, *_: int) -> int:
        return self.number


if __name__ == "__main__":
    main()
