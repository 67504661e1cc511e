"""What lowered code states beside its operations, each planted in the lowering of one kernel: none is proved that may
not hold."""

from __future__ import annotations

import re
from functools import cache

import pytest
from test_lowering_proofs import proved, sides_of

from ttkit.validation.functions import OPEN, PROVED

KERNEL = """
tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32},
                  %n: i32, %m: i32) {
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %ns = tt.splat %n : i32 -> tensor<128xi32>
  %ms = tt.splat %m : i32 -> tensor<128xi32>
  %c = arith.cmpi slt, %i, %ns : tensor<128xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %a = tt.load %xp, %c : tensor<128x!tt.ptr<f32>>
  %j = arith.addi %i, %ms : tensor<128xi32>
  %k = arith.divsi %j, %ns : tensor<128xi32>
  %l = arith.ori %k, %ms : tensor<128xi32>
  %p = arith.muli %l, %ms : tensor<128xi32>
  %t = arith.trunci %p : tensor<128xi32> to tensor<128xi16>
  %u = arith.uitofp %t : tensor<128xi16> to tensor<128xf32>
  %less = arith.cmpf olt, %a, %u : tensor<128xf32>
  %y = arith.select %less, %u, %a : tensor<128xi1>, tensor<128xf32>
  %w = math.exp %a : tensor<128xf32>
  %b = arith.addf %w, %y : tensor<128xf32>
  %sum = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%one: f32, %other: f32):
    %s = arith.addf %one, %other : f32
    tt.reduce.return %s : f32
  }) : (tensor<128xf32>) -> f32
  %sums = tt.splat %sum : f32 -> tensor<128xf32>
  %z = arith.addf %sums, %b : tensor<128xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %op = tt.addptr %os, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  tt.store %op, %z, %c : tensor<128x!tt.ptr<f32>>
  tt.return
}
"""
ENTRY = r"(\^bb0\(%arg0[^\n]*\n)"
TRUE = r'\1%true = "llvm.mlir.constant"() <{value = true}> : () -> i1' "\n"
ASSUME = '"llvm.intr.assume"({}) <{{op_bundle_sizes = array<i32{}>, op_bundle_tags = [{}]}}> : ({}) -> ()\n'
POINTER = "!llvm.ptr<1>"


def first_argument(text: str) -> tuple[str, str]:
    """A change that gives the first argument another attribute."""
    return r"arg_attrs = \[\{", f"arg_attrs = [{{{text}, "


def number(text: str) -> tuple[str, str]:
    """A change that gives the third argument an attribute."""
    return r"16 : i32\}, \{\}", f"16 : i32}}, {{{text}}}"


def function(text: str) -> tuple[str, str]:
    """A change that gives the function another property."""
    return r'("llvm.func"\(\) <\{)', rf"\g<1>{text}, "


def bundle(tag: str, operands: str, types: str) -> tuple[str, str]:
    """A change that adds an assumption of an operand bundle."""
    count = operands.count("%")
    return ENTRY, TRUE + ASSUME.format(f"%true, {operands}", f": {count}", f'"{tag}"', f"i1, {types}")


FLAGS = {
    "llvm.add": ("overflowFlags = 0", "overflowFlags = 1"),
    "llvm.mul": ("overflowFlags = 0", "overflowFlags = 2"),
    "llvm.trunc": ("overflowFlags = 0", "overflowFlags = 1"),
    "llvm.fcmp": ("<none>", "<nnan>"),
    "llvm.select": ("<none>", "<ninf>"),
    "llvm.call_intrinsic": ("<none>", "<nnan>"),
}
EFFECTS = "other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none"
SCOPE = '#llvm.alias_scope<id = "s", domain = #llvm.alias_scope_domain<id = "d">>'
SHARED_LOAD = r'("llvm.load"\([^)]*\) <\{alignment = 16 : i64)'
PROMISES: dict[str, tuple[str, str]] = {
    **{f"{name}: {new}": (rf'("{name}".*?){old}', rf"\g<1>{new}") for name, (old, new) in FLAGS.items()},
    **{f"llvm.fadd: {flag}": (r'("llvm.fadd".*?)<contract>', rf"\1<{flag}>") for flag in ("nnan", "reassoc", "fast")},
    **{f"llvm.getelementptr: {flags}": ("noWrapFlags = 0", f"noWrapFlags = {flags}") for flags in (2, 3, 4)},
    "an exact quotient": (r'("llvm.sdiv"\([^)]*\))', r"\1 <{isExact}>"),
    "numbers with no common bits": (r'("llvm.or"\([^)]*\)) :', r"\1 <{isDisjoint}> :"),
    **{
        f"argument: {text}": first_argument(text)
        for text in (
            "llvm.noalias", "llvm.nonnull", "llvm.readonly", "llvm.readnone", "llvm.align = 64 : i64",
            "llvm.dereferenceable = 64 : i64", "tt.pointer_range = 32 : i32",
        )
    },
    "a pointer's divisibility": (r"arg_attrs = \[\{tt.divisibility = 16", "arg_attrs = [{tt.divisibility = 64"),
    **{
        f"number: {text}": number(text)
        for text in (
            "llvm.noundef", "llvm.zeroext", "tt.divisibility = 16 : i32", "tt.contiguity = 16 : i32",
            "llvm.range = #llvm.constant_range<i32, 0, 10>",
        )
    },
    "an assumption": (
        ENTRY,
        r'\1%less = "llvm.icmp"(%arg2, %arg3) <{predicate = 2 : i64}> : (i32, i32) -> i1' "\n"
        + ASSUME.format("%less", "", "", "i1"),
    ),
    "a bundle: align": bundle("align", "%arg0, %arg2", f"{POINTER}, i32"),
    "a bundle: nonnull": bundle("nonnull", "%arg0", POINTER),
    "a bundle: separate storage": bundle("separate_storage", "%arg0, %arg1", f"{POINTER}, {POINTER}"),
    "the range of a thread's number": (
        r'"nvvm.read.ptx.sreg.tid.x"\(\)',
        '"nvvm.read.ptx.sreg.tid.x"() <{range = #llvm.constant_range<i32, 0, 64>}>',
    ),
    **{
        f"function: {name}": ("nvvm.reqntid = array<i32: 128>", f"nvvm.reqntid = array<i32: 128>, nvvm.{name}")
        for name in ("maxntid = array<i32: 32>", "cluster_dim = array<i32: 2>")
    },
    **{
        f"function: {text[:40]}": function(text)
        for text in (
            "no_unwind", "will_return", f"memory_effects = #llvm.memory_effects<{EFFECTS}>", "no_nans_fp_math = true",
            "no_signed_zeros_fp_math = true", 'passthrough = [["no-nans-fp-math", "true"]]', 'passthrough = ["nosync"]',
            'passthrough = [["denormal-fp-math-f32", "preserve-sign"]]',
        )
    },
    "another calling convention": ("CConv = #llvm.cconv<ccc>", "CConv = #llvm.cconv<fastcc>"),
    "a load of what stays": (SHARED_LOAD, r"\1, invariant"),
    "a load that is aligned to more": (r'("llvm.load"\([^)]*\) <\{alignment =) 16', r"\1 64"),
    "a load apart from others": (SHARED_LOAD, rf"\1, noalias_scopes = [{SCOPE}]"),
    "a scope": (ENTRY, rf'\1"llvm.intr.experimental.noalias.scope.decl"() <{{scope = {SCOPE}}}> : () -> ()' "\n"),
    "a lifetime": (ENTRY, r'\1"llvm.intr.lifetime.end"(%arg0) : (!llvm.ptr<1>) -> ()' "\n"),
    "assembly without effects": (", has_side_effects", ""),
    "shared memory that stays": (r"(global_type = !llvm.array<0 x i8>)", r"constant, \1"),
    "shared memory that is aligned to less": ("alignment = 16 : i64, global_type", "alignment = 1 : i64, global_type"),
    "shared memory of a thread": ('sym_name = "global_smem"', 'sym_name = "global_smem", thread_local_'),
    "shared memory of the module": ("linkage = #llvm.linkage<external>", "linkage = #llvm.linkage<internal>"),
    "less shared memory": (r"ttg.shared = \d+", "ttg.shared = 0"),
    "more warps": ('("ttg.num-warps" = )4(.*"ttg.total-num-warps" = )4', r"\g<1>8\g<2>8"),
    "another target": ('ttg.target = "cuda:90"', 'ttg.target = "cuda:80"'),
}  # fmt: skip
HARMLESS = {
    "nothing": ("^", ""),
    "a limit of registers": ("nvvm.reqntid", "nvvm.maxnreg = 64 : i32, nvvm.reqntid"),
    "assembly that all threads do": ("has_side_effects, ", "has_side_effects, is_convergent, "),
    "a weaker fact": (r"arg_attrs = \[\{tt.divisibility = 16", "arg_attrs = [{tt.divisibility = 8"),
}


@cache
def lowering() -> tuple[str, str]:
    """The kernel before and after the lowering."""
    return sides_of(KERNEL, 90)


@pytest.mark.parametrize("kind", PROMISES)
def test_lowered_code_states_nothing_new(kind):
    before, after = lowering()
    wrong = re.sub(*PROMISES[kind], after, count=1)
    assert wrong != after
    found = proved(before, wrong)
    assert found.outcome == OPEN
    assert "can't be read" not in found.reason
    assert re.search("promise|flags|attribute|which the kernel|not modelled|begin at a multiple|move or leave out",
                     found.reason), found.reason  # fmt: skip


@pytest.mark.parametrize("kind", HARMLESS)
def test_what_promises_nothing_stays_proved(kind):
    before, after = lowering()
    assert proved(before, re.sub(*HARMLESS[kind], after, count=1)).outcome == PROVED
