"""PTX in which what was loaded from global memory is stored to shared memory as late as it can be.

LLVM's order for few registers (`llvm.Module.saves_registers`) has such a store right behind its load, for which it
waits, and the arithmetic that could go on meanwhile behind the store.  ptxas keeps to that.  On an H200 `chunk_output`
of 64x128 takes 0.96 of the time; where registers are limited so that more programs run, which wait for each other's
loads, `chunk_output` of 128x128 takes 1.05 (2026-11-23, bench/cubins.py), so there PTX stays as it is.
"""

import re

STORE = re.compile(r"\tst\.shared\.\S+ \t\[[^]]*\], (\{[^}]*\}|%\w+);")
LOAD = re.compile(r"\tld\.global\.\S+ \t(\{[^}]*\}|%\w+), ")
PASSED = re.compile(
    r"\t(?:add|sub|mul|mad|fma|div|rem|neg|abs|min|max|ex2|lg2|rcp|sqrt|rsqrt|and|or|xor|not|shl|shr|shf|bfe|bfi|prmt|cvt"
    r"|mov|setp|selp|ld\.param|ld\.global|\.loc)\b"
)
"""What neither accesses shared memory nor orders accesses."""
REGISTER = re.compile(r"%\w+")


def stores_late(ptx: str) -> str:
    """Moves such stores behind the arithmetic and the loads from global memory that follow them; their order stays.

    PTX in LLVM's usual order, without products by wgmma and copies beside them, stays as it is.
    """
    if "wgmma.mma_async" not in ptx or "cp.async" not in ptx:
        return ptx
    lines: list[str] = []
    waiting: list[str] = []
    loaded: set[str] = set()
    needed: set[str] = set()
    place = ""
    for line in ptx.splitlines(keepends=True):
        store = STORE.match(line)
        if store and not loaded.isdisjoint(REGISTER.findall(store[1])):
            waiting += [place, line]
            needed.update(REGISTER.findall(line))
            continue
        # Only copies into the arguments of the next block give a register another value.
        result = REGISTER.search(line)
        if waiting and (not PASSED.match(line) or (result is not None and result[0] in needed)):
            lines += [*waiting, place]
            waiting, needed = [], set()
        if line.startswith("\t.loc"):
            place = line
        elif load := LOAD.match(line):
            loaded.update(REGISTER.findall(load[1]))
        lines.append(line)
    return "".join(lines)
