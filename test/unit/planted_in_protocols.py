"""Bugs planted in lowered copies by TMA, mbarriers and tensor maps: one change of one operation each."""

from __future__ import annotations

import re

from mlir import ir
from planted_in_lowering import ASM, text_changed
from planted_in_passes import Change, Mistake, erased


def erased_where(pattern: str) -> Change:
    """Inline assembly that fits a pattern is lost."""

    def change(op: ir.Operation) -> bool:
        """Erases it."""
        return bool(re.search(pattern, op.attributes["asm_string"].value)) and erased(op)

    return change


def text(kind: str, pattern: str, new: str) -> Mistake:
    """A change of the text of inline assembly."""
    return Mistake(kind, ASM, text_changed(pattern, new))


def lost(kind: str, pattern: str) -> Mistake:
    """Inline assembly that is lost."""
    return Mistake(kind, ASM, erased_where(pattern))


LOAD = r"(cp\.async\.bulk\.tensor\.\dd\.shared::cluster\S* )"
STORE = r"(cp\.(?:reduce\.)?async\.bulk\.tensor\.\dd\.global\S* )"
MISTAKES = (
    text("wrong phase", r"complete, \[\$0\], \$1", "complete, [$0], 1"),
    text("wait at another mbarrier", r"complete, \[\$0\]", "complete, [$0 + 8]"),
    lost("dropped wait", "wait.parity"),
    text("too many bytes", r"(expect_tx\S+ _, \[\$1\], )(\d+)", r"\g<1>1\2"),
    text("too few bytes", r"(expect_tx\S+ _, \[\$1\], )(\d+)", r"\g<1>16"),
    lost("dropped announcement of bytes", "expect_tx"),
    text("bytes announced at another mbarrier", r"(expect_tx\S+ _, \[\$1)\]", r"\1 + 8]"),
    text("bytes announced by all threads", r"@\$0 (mbarrier\.arrive)", r"\1"),
    text("an arrival that announces nothing", r"arrive\.expect_tx\.(\S+ _, \[\$1\]), \d+", r"arrive.\1, 1"),
    text("wrong count of an mbarrier", r"(mbarrier\.init\S+ \[\$1\], )(\d+)", r"\g<1>1\2"),
    text("mbarrier at another place", r"(mbarrier\.init\S+ \[\$1)\]", r"\1 + 8]"),
    lost("mbarrier that is not initialized", "mbarrier.init"),
    text("mbarrier initialized by all threads", r"@\$0 (mbarrier\.init)", r"\1"),
    lost("mbarrier that does not end", "mbarrier.inval"),
    lost("dropped copy", "cp.async.bulk.tensor.*shared::cluster"),
    lost("dropped store", "global.shared::cta"),
    text("copy by each warp or thread", r"@\$0 (cp\.)", r"\1"),
    text("copy that counts at another mbarrier", LOAD + r"(.*\[\$\d+)\]", r"\1\2 + 8]"),
    text("coordinates of a copy swapped", LOAD + r"(.*)\{(\$\d+), (\$\d+)", r"\1\2{\4, \3"),
    text("coordinates of a store swapped", STORE + r"(.*)\{(\$\d+), (\$\d+)", r"\1\2{\4, \3"),
    text("a coordinate of a copy is 0", LOAD + r"(.*)\{\$\d+", r"\1\g<2>{0"),
    text("a coordinate of a store is 1", STORE + r"(.*)\{\$\d+", r"\1\g<2>{1"),
    text("copy to another place", LOAD + r"\[\$1\]", r"\1[$1 + 1024]"),
    text("copy to a row further", LOAD + r"\[\$1\]", r"\1[$1 + 128]"),
    text("store from another place", STORE + r"(.*)\[(\$\d+)\];", r"\1\2[\3 + 1024];"),
    text("another update", r"cta\.(?:add|and|max)\.", "cta.min."),
    text("update as a store", r"cp\.reduce\.async\.(.*cta)\.\w+\.bulk", r"cp.async.\1.bulk"),
    text("wait for one store fewer", r"wait_group\.read 0", "wait_group.read 1"),
    lost("dropped wait for stores", r"^cp\.async\.bulk\.wait_group"),
    Mistake("dropped end of a group", ("nvvm.cp.async.bulk.commit.group",), erased),
    lost("dropped fence of the asynchronous proxy", "fence.proxy.async"),
    lost("dropped fence of the proxy of tensor maps", "fence.proxy.tensormap"),
    lost("tensor map that is not copied", "cp_fenceproxy"),
    text("tensor map of half its bytes", r"(cp_fenceproxy.*)0x80", r"\g<1>0x40"),
    text("wrong swizzle", r"(swizzle_mode.*)0x[123]", r"\g<1>0x0"),
    text("another swizzle", r"(swizzle_mode.*)0x[013]", r"\g<1>0x2"),
    text("wrong fill", r"(fill_mode.*)0x0", r"\g<1>0x1"),
    text("wrong type of elements", r"(elemtype.*)0x\w+", r"\g<1>0x5"),
    text("wrong rank", r"(tile\.rank.*)0x\w+", r"\g<1>0x3"),
    text("wrong interleaving", r"(interleave_layout.*)0x0", r"\g<1>0x1"),
    text("box along another dimension", r"(box_dim.*\[ \$0 \+ 0 \], )0x0", r"\g<1>0x1"),
    text("size of another dimension", r"(global_dim.*\[ \$0 \+ 0 \], )0x0", r"\g<1>0x1"),
    lost("stride of a tensor map that is not set", "global_stride"),
    lost("address of a tensor map that is not set", "global_address"),
    text("elements of a tensor map that are left out", r"(element_stride.*\[ \$0 \+ 0 \], 0x\d, )\$1", r"\g<1>2"),
    text("field of another tensor map", r"(tensormap\.replace.*\[ \$0 \+ )0 \]", r"\g<1>128 ]"),
    lost("memory of a tensor map that is not cleared", r"st\.shared\.b32"),
    Mistake("dropped barrier", ("nvvm.barrier0",), erased),
    Mistake("dropped barrier of a warp", ("nvvm.bar.warp.sync",), erased),
)  # fmt: skip
