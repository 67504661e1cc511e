"""The base of shared memory in PTX: a register of its own where a loop counts up the register that begins with it.

    mov.b32  %r1, global_smem;               mov.b32  %r9, global_smem;
    add.s32  %r2, %r1, 49152;                mov.b32  %r1, %r9;
    LOOP:                               =>   add.s32  %r2, %r9, 49152;
    ...                                      LOOP:
    add.s32  %r1, %r1, 8;                    ...
                                             add.s32  %r1, %r1, 8;

ptxas 12.8 and 13.0 compute %r2 after the loop, where it is used, from the uniform register that the loop has changed:
the address is then off by what the loop has added.  With two registers the result is right.
"""

from __future__ import annotations

import re

from ttkit.patterns import pattern

_SHARED = ", global_smem;"
_BASE = pattern(r"^\tmov\.b32 \t(%r\d+), global_smem;$")
_COUNT = pattern(r"^(\t\.reg \.b32 \t%r<)(\d+)(>;)$")
_SET_AGAIN = r"^\t(?:@!?%p\d+ )?[\w.:]+ \t{0},(?! global_smem;)"
_MAY_SET = r"^\t(?:@!?%p\d+ )?[\w.:]+ \t{0}\b|\{{.*{0}\b"
"""Texts of instructions that set a register: again after the base, or maybe, as one of several."""
_ENDS = pattern(r"^[$\w]+:|^\t(?:@!?%p\d+ )?(?:bra|brx|ret)\b")
"""Lines at which a basic block begins or ends."""


def with_base_apart(ptx: str) -> str:
    """PTX in which no register that holds the base of shared memory is set again, as far as its block uses it."""
    counted = {base for base in _bases(ptx) if _is_set_again(base, ptx)}
    if not counted:
        return ptx
    made: list[str] = []
    declared, free, current = -1, 0, ("", "")
    for line in ptx.split("\n"):
        if found := _COUNT.match(line):
            declared, free = len(made), int(found[2])
        base = _BASE.match(line)
        if base and base[1] in counted and declared >= 0:
            current = (base[1], f"%r{free}")
            free += 1
            made[declared] = _COUNT.sub(rf"\g<1>{free}\g<3>", made[declared])
            made += [f"\tmov.b32 \t{current[1]}, global_smem;", f"\tmov.b32 \t{base[1]}, {current[1]};"]
            continue
        if current[0] and (_ENDS.match(line) or re.search(_MAY_SET.format(current[0]), line)):
            current = ("", "")
        made.append(re.sub(rf"{current[0]}\b", current[1], line) if current[0] else line)
    return "\n".join(made)


def _bases(ptx: str) -> set[str]:
    """The registers that get the base of shared memory."""
    before = [part[part.rfind("\n") + 1 :] for part in ptx.split(_SHARED)[:-1]]
    return {found[1] for line in before if (found := _BASE.match(line + _SHARED))}


def _is_set_again(base: str, ptx: str) -> bool:
    """Whether an instruction sets a register to something else than the base; counting is faster than a search."""
    is_set = f" \t{base},"
    return ptx.count(is_set) > ptx.count(is_set + " global_smem;") and bool(
        re.search(_SET_AGAIN.format(base), ptx, re.MULTILINE)
    )
