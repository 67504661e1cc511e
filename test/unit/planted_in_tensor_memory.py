"""Bugs planted in lowered products that accumulate in tensor memory (tcgen05): one change of one operation each."""

from __future__ import annotations

import re

from mlir import ir
from planted_in_lowering import ASM
from planted_in_passes import Change, Mistake, erased
from planted_in_protocols import lost, text

PRODUCT = r"(tcgen05\.mma\S+ )(\[ \$\d+ \+ )(\d+)( \], )(\$\d+), (\$\d+), (\$\d+)(.*?), (\$\d+);"
LAST_PRODUCT = rf"(?s)(.*){PRODUCT}"


def instruction_descriptor(bits: int) -> Change:
    """Bits of the number that says what the first product multiplies change."""

    def change(op: ir.Operation) -> bool:
        """Writes another number into the text, if the number is a constant."""
        old = op.attributes["asm_string"].value
        found = re.search(PRODUCT, old)
        made = op.operands[int(found[7][1:])].owner if found else None
        if not isinstance(made, ir.Operation | ir.OpView) or "value" not in made.operation.attributes:
            return False
        number = (made.operation.attributes["value"].value & 0xFFFFFFFF) ^ bits
        start, end = found.span(7)
        op.attributes["asm_string"] = ir.StringAttr.get(f"{old[:start]}{number}{old[end:]}")
        return True

    return change


def described(kind: str, bits: int) -> Mistake:
    """A mistake in an instruction descriptor."""
    return Mistake(kind, ASM, instruction_descriptor(bits))


LOADS = r"(tcgen05\.ld\S+ \{[^}]*\}, \[\$\d+ \+ )(\d+)"
STORES = r"(tcgen05\.st\S+ \[\$\d+ \+ )(\d+)"
MISTAKES = (
    text("load of another column", LOADS, r"\g<1>1"),
    text("load of the rows of another warp", LOADS, r"\g<1>2097152"),
    text("load of other rows", LOADS, r"\g<1>1048576"),
    text("loaded registers swapped", r"(tcgen05\.ld\S+ )\{(\$\d+), (\$\d+)", r"\1{\3, \2"),
    text("second half of a load elsewhere", r"(tcgen05\.ld\S+ .*\], )(\d+);", r"\g<1>1\2;"),
    text("dropped wait for loads", r"tcgen05\.wait::ld\S*;", ""),
    text("store to another column", STORES, r"\g<1>1"),
    text("store to the rows of another warp", STORES, r"\g<1>2097152"),
    text("stored registers swapped", r"(tcgen05\.st\S+ [^{]*)\{(\$\d+), (\$\d+)", r"\1{\3, \2"),
    text("dropped wait for stores", r"tcgen05\.wait::st\S*;", ""),
    text("store after its wait", r"(?s)(tcgen05\.st.*?;)\s*(tcgen05\.wait::st\S*;)", r"\2 \1"),
    text("result in another column", PRODUCT, r"\g<1>\g<2>1\g<4>\5, \6, \7\8, \9;"),
    text("result in other rows", PRODUCT, r"\g<1>\g<2>1048576\g<4>\5, \6, \7\8, \9;"),
    text("operands of a product swapped", PRODUCT, r"\g<1>\g<2>\3\4\6, \5, \7\8, \9;"),
    text("operand twice", PRODUCT, r"\g<1>\g<2>\3\4\5, \5, \7\8, \9;"),
    text("lost product", r"@\$\d+ tcgen05\.mma[^;]*;", ""),
    text("lost last product", r"(?s)(.*)@\$\d+ tcgen05\.mma[^;]*;", r"\1"),
    text("last product twice", r"(?s)(.*)(@\$\d+ tcgen05\.mma[^;]*;)", r"\1\2 \2"),
    text("first product does not add", PRODUCT, r"\g<1>\g<2>\3\4\5, \6, \7\8, 0;"),
    text("last product does not add", LAST_PRODUCT, r"\1\g<2>\3\4\5\6, \7, \8\9, 0;"),
    text("product by each warp or thread", r"@\$\d+ (tcgen05\.mma)", r"\1"),
    described("other rows", 1 << 24),
    described("half of the columns", 1 << 17),
    described("another type of the first operand", 1 << 7),
    described("another type of the second operand", 1 << 10),
    described("first operand turned", 1 << 15),
    described("second operand turned", 1 << 16),
    described("negative first operand", 1 << 13),
    described("sums of 16 bits", 1 << 4),
    text("scales swapped", r"(scale_vec\S+ .*?)(\[\$\d+\]), (\[\$\d+\])", r"\1\3, \2"),
    text("scales of another column", r"(scale_vec\S+ .*?\[\$\d+)\]", r"\1 + 1]"),
    text("next tile elsewhere", r"(add\.s64 \$0, \$1, )(\d+)", r"\g<1>6"),
    text("previous tile again", r"(add\.s64 \$0, \$1, )(\d+)", r"\g<1>0"),
    lost("dropped commit", "tcgen05.commit"),
    text("commit at another mbarrier", r"(tcgen05\.commit\S+ \[\$1)\]", r"\1 + 8]"),
    text("commit by each warp or thread", r"@\$0 (tcgen05\.commit)", r"\1"),
    text("wrong phase", r"complete, \[\$0\], \$1", "complete, [$0], 1"),
    lost("dropped wait", "wait.parity"),
    text("wait at another mbarrier", r"complete, \[\$0\]", "complete, [$0 + 8]"),
    lost("dropped fence of the asynchronous proxy", "fence.proxy.async"),
    Mistake("dropped barrier", ("nvvm.barrier0",), erased),
    text("too few columns", r"(tcgen05\.alloc\S+ \[\$1\], )\d+", r"\g<1>16"),
    text("twice as many columns", r"(tcgen05\.alloc\S+ \[\$1\], )\d+", r"\g<1>512"),
    text("columns taken by all warps", r"@\$0 (tcgen05\.alloc)", r"\1"),
    lost("columns that are not given back", "tcgen05.dealloc"),
    text("other columns given back", r"(tcgen05\.dealloc\S+ \$1, )\d+", r"\g<1>16"),
    lost("address of columns that nobody writes", "tcgen05.alloc"),
)  # fmt: skip
