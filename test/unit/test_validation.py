"""Proofs of passes (ttkit.validation): terms, verdicts, and mistakes that are planted in what passes left."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path

import pytest
import warm_commands
from planted_in_passes import MISTAKES, planted

import ttkit
from ttkit.context import Context, parse_file, parse_text
from ttkit.interpreter.check.check_passes import tolerance_of
from ttkit.interpreter.check.generated_inputs import Inputs, NoInputs, Outcome, run, try_inputs
from ttkit.interpreter.decode import Module, decode_module
from ttkit.interpreter.errors import NotInterpretable, TookTooLong
from ttkit.passes.infra.events import PassEvent, PassSubscriber
from ttkit.passes.manager import run_passes
from ttkit.validation import PassProofs, validate
from ttkit.validation.candidates import Candidates
from ttkit.validation.comparisons import less, resized
from ttkit.validation.counterexamples import difference
from ttkit.validation.functions import OPEN, PROVED, REFUTED
from ttkit.validation.integers import add, divide_unsigned, multiply, number, remainder_unsigned, scaled
from ttkit.validation.proofs import decoded, verdicts
from ttkit.validation.terms import Session, make, x

IR = Path(__file__).parents[1] / "data" / "ir"
KERNEL = "tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {{\n{}\ntt.return\n}}"


def verdict(before: str, after: str, searches: bool = False):
    """The verdict on the bodies of two kernels that take x, out and n."""
    context = Context()
    modules = [decoded(KERNEL.format(body), context) for body in (before, after)]
    return validate(*modules, "k", searches=searches)


@pytest.fixture
def terms():
    """A session, with two arguments of type i32."""
    with Session():
        yield make("argument", (), 0, "i32"), make("argument", (), 1, "i32")


def test_equal_sums_are_one_term(terms):
    a, b = terms
    assert multiply(add(a, b), add(a, b)) is add(multiply(a, a), add(scaled(multiply(a, b), 2), multiply(b, b)))


def test_an_index_is_put_together_again(terms):
    row, column, four = x(0, 8), x(1, 4), number(4, "i32")
    place = add(scaled(row, 4), column)
    assert divide_unsigned(place, four) is row
    assert remainder_unsigned(place, four) is column
    a = terms[0]
    assert add(scaled(divide_unsigned(a, four), 4), remainder_unsigned(a, four)) is a


def test_sums_that_may_wrap_stay_narrow(terms):
    a = terms[0]
    assert resized(add(a, number(1, "i32")), "i64", True) is not add(resized(a, "i64", True), number(1, "i64"))
    place = add(x(0, 8), number(1, "i32"))
    assert resized(place, "i64", True) is add(resized(x(0, 8), "i64", True), number(1, "i64"))
    assert not less(a, add(a, number(1, "i32"))).is_const
    assert less(x(0, 8), number(8, "i32")).attr == 1


CARRIED = """
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%f = arith.constant 2.0 : f32
{}
tt.store %out, %sum : !tt.ptr<f32>
"""
IN_ORDER = """
%sum, %square = scf.for %i = %zero to %n step %one iter_args(%a = %f, %b = %f) -> (f32, f32) : i32 {
  %p = tt.addptr %x, %i : !tt.ptr<f32>, i32
  %v = tt.load %p : !tt.ptr<f32>
  %c = arith.addf %a, %v : f32
  %d = arith.mulf %b, %a : f32
  scf.yield %c, %d : f32, f32
}
"""
MOVED = """
%end, %square, %sum = scf.for %i = %zero to %n step %one iter_args(%p = %x, %b = %f, %a = %f) -> (!tt.ptr<f32>, f32, f32) : i32 {
  %v = tt.load %p : !tt.ptr<f32>
  %c = arith.addf %v, %a : f32
  %d = arith.mulf %a, %b : f32
  %q = tt.addptr %p, %one : !tt.ptr<f32>, i32
  scf.yield %q, %d, %c : !tt.ptr<f32>, f32, f32
}
"""  # noqa: E501


def test_loops_that_carry_the_same_in_another_order_are_equal():
    found = verdict(CARRIED.format(IN_ORDER), CARRIED.format(MOVED))
    assert (found.outcome, found.trips, found.rounding) == (PROVED, (), ())


@pytest.mark.parametrize(
    "wrong",
    [
        IN_ORDER.replace("%a, %v", "%b, %v"),
        IN_ORDER.replace("yield %c", "yield %a"),
        IN_ORDER.replace("%zero to", "%one to"),
        IN_ORDER.replace("%a = %f", "%a = %g").replace("%sum,", "%g = arith.constant 3.0 : f32\n%sum,"),
    ],
)
def test_loops_that_differ_are_refuted(wrong):
    found = verdict(CARRIED.format(IN_ORDER), CARRIED.format(wrong), searches=True)
    assert found.outcome == REFUTED
    assert "before and" in found.reason


LONG_STEPS = """
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%late = arith.constant 3 : i32
%step = arith.constant 7000 : i32
%last = scf.for %i = %zero to %n step %step iter_args(%j = %zero) -> (i32) : i32 {{
  %next = arith.addi %j, %one : i32
  %is_late = arith.cmpi eq, %j, %late : i32
  %wrong = arith.select %is_late, %j, %next : i32
  scf.yield %{} : i32
}}
%sum = arith.sitofp %last : i32 to f32
tt.store %out, %sum : !tt.ptr<f32>
"""


def test_the_trip_count_without_a_proof_is_where_a_counterexample_is_looked_for():
    found = verdict(LONG_STEPS.format("next"), LONG_STEPS.format("wrong"), searches=True)
    assert found.outcome == REFUTED
    [n] = map(int, re.findall(r"arg2=(\d+)", found.reason))
    assert 21_000 < n <= 28_000  # four iterations


def test_reassociation_is_said_and_swaps_need_none():
    start = "%a = tt.load %x : !tt.ptr<f32>\n%b = tt.load %out : !tt.ptr<f32>\n%c = arith.addf %a, %b : f32\n"
    end = "\ntt.store %out, %d : !tt.ptr<f32>"
    whole = verdict(start + "%d = arith.addf %c, %a : f32" + end, start + "%d = arith.addf %a, %c : f32" + end)
    assert (whole.outcome, whole.rounding) == (PROVED, ())
    other = "%e = arith.addf %a, %a : f32\n%d = arith.addf %e, %b : f32"
    moved = verdict(start + "%d = arith.addf %c, %a : f32" + end, start + other + end)
    assert (moved.outcome, moved.rounding) == (PROVED, ("reassociation",))


@pytest.mark.parametrize(("factor", "outcome"), [("2.0", PROVED), ("-2.0", PROVED), ("3.0", REFUTED)])
def test_twice_a_float_is_its_sum_with_itself(factor, outcome):
    start, end = "%a = tt.load %x : !tt.ptr<f32>\n", "\ntt.store %out, %d : !tt.ptr<f32>"
    product = start + f"%f = arith.constant {factor} : f32\n%d = arith.mulf %f, %a : f32" + end
    doubled = (
        "%c = arith.addf %a, %a : f32\n%d = arith.negf %c : f32" if factor < "0" else "%d = arith.addf %a, %a : f32"
    )
    found = verdict(product, start + doubled + end, searches=outcome == REFUTED)
    assert (found.outcome, found.rounding) == (outcome, ())


@pytest.mark.parametrize(
    ("divisor", "factor", "outcome"),
    [
        ("4.0", "0.25", PROVED),
        ("-0.5", "-2.0", PROVED),
        ("0x7F000000", "5.877472e-39", PROVED),
        ("3.0", "0.33333334", REFUTED),
    ],
)
def test_a_quotient_by_a_power_of_two_is_a_product(divisor, factor, outcome):
    """2^127 is the largest power; its reciprocal is denormal, and exact.  A third is not exact."""
    start, end = "%a = tt.load %x : !tt.ptr<f32>\n", "\ntt.store %out, %d : !tt.ptr<f32>"
    quotient = start + f"%f = arith.constant {divisor} : f32\n%d = arith.divf %a, %f : f32" + end
    product = start + f"%f = arith.constant {factor} : f32\n%d = arith.mulf %a, %f : f32" + end
    found = verdict(quotient, product, searches=outcome == REFUTED)
    assert (found.outcome, found.rounding) == (outcome, ())


def test_a_read_that_was_not_there_is_no_proof():
    mask = "%zero = arith.constant 0 : i32\n%f = arith.constant 0.0 : f32\n%c = arith.cmpi sgt, %n, %zero : i32\n"
    masked = mask + "%v = tt.load %x, %c : !tt.ptr<f32>\ntt.store %out, %v, %c : !tt.ptr<f32>"
    assert verdict(masked, masked.replace("%x, %c", "%x")).outcome == OPEN
    assert verdict(masked.replace("%x, %c", "%x"), masked).outcome == PROVED


def test_where_scratch_memory_is_changes_no_result():
    """allocate-shared-memory-nv says it at operations that need some."""
    update = "%p = tt.int_to_ptr %w : i64 -> !tt.ptr<i32>\n%v = tt.atomic_cas acq_rel, gpu, %p, %n, %n"
    kernel = "%w = arith.extsi %n : i32 to i64\n" + update + "{} : (!tt.ptr<i32>, i32, i32) -> i32"
    assert verdict(kernel.format(""), kernel.format(" {allocation.offset = 0 : i32}")).outcome == PROVED


class Keep(PassSubscriber):
    """Keeps the IR on both sides of each pass that changed it."""

    finds_changes = True

    def __init__(self) -> None:
        self.last, self.runs = "", []

    def before(self, event: PassEvent) -> None:
        self.last = self.last or event.text(generic=True)

    def after(self, event: PassEvent) -> None:
        if event.changed:
            new = event.text(generic=True)
            self.runs.append((event.pass_name, self.last, new))
            self.last = new


def compiled(name: str, *watching: PassSubscriber) -> None:
    """Runs the passes of a kernel of the corpus."""
    capability = name.split(".")[1]
    stages = ",".join(f"{stage}{{capability={capability}}}" for stage in ("ttkit-ttir", "ttkit-ttgir"))
    with ttkit.Context() as context:
        run_passes(parse_file(str(IR / name), context), stages, subscribers=watching)


@pytest.mark.parametrize(
    "name",
    """row_softmax.90.ttir matmul_f16.80.ttir attention.90.ttir descriptor_matmul.90.ttir
    descriptor_gather_scatter.100.ttir descriptor_reductions.100.ttir scaled_matmul.100.ttir
    early_return_debug.90.ttir""".split(),
)
def test_every_pass_of_a_kernel_is_proved(name):
    proofs = PassProofs(searches=False)
    compiled(name, proofs)
    assert proofs.verdicts
    assert not [str(one) for one in proofs.verdicts if one.verdict.outcome != PROVED]


INPUTS = 16


def difference_on_inputs(old: Module, new: Module, name: str, rounds: bool) -> str:
    """What the interpreter finds on a few inputs, in words; empty if both sides agree.  At least one input runs."""
    before, after = old.functions[name], new.functions[name]
    tolerance = tolerance_of(before, after) if rounds else 0.0
    runs = runs_of(old, name, rounds)
    for inputs, first in runs:
        with suppress(NotInterpretable):  # such as a tensor map of a negative size
            if found := difference(old, new, before, after, inputs, first, tolerance):
                return found
    assert runs, f"@{name} runs on none of the inputs"
    return ""


@lru_cache(maxsize=1)
def runs_of(module: Module, name: str, rounds: bool) -> list[tuple[Inputs, Outcome]]:
    """Inputs that a function runs on, and their outcomes, which all modules are compared with.

    Where results may be rounded otherwise, buffers do not overlap: elements of another type would differ by much.
    """
    function, found = module.functions[name], []
    for one in islice(Candidates(function, function, {}, not rounds), INPUTS):
        try:
            inputs, first = try_inputs(module, function, one.seed, list(one.texts), one.grid, one.changes)
        except NoInputs:
            continue
        first = first or run(module, function, inputs)
        if first.error is None and not (rounds and inputs.aliases):
            found.append((inputs, first))
    return found


def check_proved_mistakes(before: str, after: str, context, pass_name: str, each: int, mistakes=MISTAKES) -> int:
    """Plants mistakes in what a pass left: one that is proved changes no result.  Gives how many there were."""
    old, count = decoded(before, context), 0
    for kind, op, text in planted(after, context, 1, each, mistakes):
        count += 1
        new = decoded(text, context)
        for found in verdicts(old, new, pass_name, searches=False):
            if found.outcome == PROVED:
                shown = difference_on_inputs(old, new, found.function, bool(found.rounding))
                assert not shown, f"{kind} in {op}: {found}, but {shown}"
    return count


KERNELS = (
    ("row_softmax.90.ttir", "tritongpu-coalesce", 1),
    ("integer_atomics.80.ttir", "convert-triton-to-tritongpu", 1),
    ("layer_norm.80.ttir", "tritongpu-remove-layout-conversions", 1),
    ("matmul_f16.80.ttir", "tritongpu-pipeline", 1),
    ("descriptor_gather_scatter.100.ttir", "triton-nvidia-tma-lowering", 1),
    ("descriptor_reductions.100.ttir", "triton-nvidia-tma-lowering", 2),
    ("scaled_matmul.100.ttir", "triton-nvidia-mma-lowering", 2),
)


@pytest.mark.parametrize(("name", "pass_name", "each"), KERNELS)
def test_a_planted_mistake_that_is_proved_changes_no_result(name, pass_name, each):
    keep = Keep()
    compiled(name, keep)
    before, after = next((old, new) for one, old, new in keep.runs if one == pass_name)
    context = Context()
    context.allow_unregistered_dialects = True
    assert check_proved_mistakes(before, after, context, pass_name, each) >= 5


LAYOUTS = """
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90"} {
tt.func public @k(%x: tensor<64x64x!tt.ptr<f16>, #blocked>, %out: tensor<64x64x!tt.ptr<f32>, #mma>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %value = tt.load %x : tensor<64x64x!tt.ptr<f16>, #blocked>
  %a = ttg.local_alloc %value : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %dot = ttng.warp_group_dot %a, %a, %zero {isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
"""
COPY = "%copy = ttg.async_copy_global_to_local %x, %a"
COPY += " : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>\n"
COPY += "%group = ttg.async_commit_group tokens %copy\n"
ENDED = """
  %sum = ttng.warp_group_dot_wait %dot {pendings = 0 : i32} : tensor<64x64xf32, #mma>
"""
END = """
  %all = ttg.async_wait {num = 0 : i32}
  tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
  tt.return
}
}
"""


def test_a_copy_of_the_same_value_may_not_begin_before_the_product_has_ended():
    context = Context()
    before, late, early = (
        decoded(text, context)
        for text in (LAYOUTS + ENDED + END, LAYOUTS + ENDED + COPY + END, LAYOUTS + COPY + ENDED + END)
    )
    assert validate(before, late, "k", searches=False).outcome == PROVED
    assert validate(before, early, "k", searches=False).outcome == OPEN


WRONG = IR.parent / "triton_wrong"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("operand_in_registers", "overwrites the buffer"),
        ("two_products", "before it has been waited for"),
        ("sum_scaled_in_branch", "before it has been waited for"),
        ("product_in_branch", "reads the buffer"),
        ("fused_empty_loop", "arg2=0"),
        ("filled_in_a_branch", "41868 before and 48602 after"),
    ],
)
def test_wrong_loops_of_triton_are_refuted(name, said):
    before, after = (str(WRONG / f"{name}.{side}.ttgir") for side in ("before", "after"))
    context = Context()
    old, new = (decode_module(parse_file(file, context)) for file in (before, after))
    [refuted] = verdicts(old, new)
    assert refuted.outcome == REFUTED
    assert said in refuted.reason
    [unsearched] = verdicts(old, new, searches=False)
    assert unsearched.outcome == OPEN


@pytest.mark.parametrize("name", ["sum_scaled_in_branch", "product_in_branch"])
def test_the_same_loops_pipelined_here_are_proved(name):
    proofs = PassProofs(searches=False)
    with ttkit.Context() as context:
        module = parse_file(str(WRONG / f"{name}.before.ttgir"), context)
        run_passes(module, "tritongpu-pipeline{num-stages=3}", subscribers=[proofs])
    assert [one.verdict.outcome for one in proofs.verdicts] == [PROVED]


SLICED = """
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
!whole = !ttg.memdesc<64x64xf32, #s, #ttg.shared_memory, mutable>
!part = !ttg.memdesc<64x64xf32, #s, #ttg.shared_memory, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32} {
tt.func @k(%x: !whole) -> tensor<64x64xf32, #b> {
  VIEW
  %v = ttg.local_load %y : !part -> tensor<64x64xf32, #b>
  %w = arith.addf %v, %v : tensor<64x64xf32, #b>
  %u = arith.addf %w, %v : tensor<64x64xf32, #b>
  tt.return %u : tensor<64x64xf32, #b>
}
}
"""


def test_what_the_interpreter_cannot_be_given_refutes_nothing():
    view = "%y = ttg.memdesc_subslice %x[0, 0] : !whole -> !part"
    sliced = SLICED.replace("VIEW", view).replace("%u = arith.addf", "%u = arith.subf")
    before, context = SLICED.replace("VIEW", "").replace("%y", "%x"), Context()
    found = validate(decoded(before, context), decoded(sliced, context), "k")
    assert found.outcome == OPEN, found.reason


def test_offsets_of_block_pointers_do_not_wrap_in_counterexamples_either():
    text = """tt.func @k(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
      %c1 = arith.constant 1 : i64
      %0 = tt.make_tensor_ptr %p, [%n], [%c1], [%i] {order = array<i32: 0>} : <tensor<16xf32>>
      %x = tt.load %0 {boundaryCheck = array<i32: 0>, padding = 2 : i32, isVolatile = true} : !tt.ptr<tensor<16xf32>>
      %1 = tt.advance %0, [%i] : <tensor<16xf32>>
      tt.store %1, %x {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16xf32>>
      tt.return
    }"""
    proofs = PassProofs()
    with Context() as context:
        run_passes(parse_text(text, context), "triton-rewrite-tensor-pointer", subscribers=[proofs])
    [found] = proofs.verdicts
    assert found.verdict.outcome != REFUTED, found.verdict.reason


def test_slower_code_is_no_counterexample(monkeypatch):
    slow = Outcome({}, [], TookTooLong("the kernel did not end in time"))
    monkeypatch.setattr("ttkit.validation.counterexamples.run", lambda *arguments, **options: slow)
    module = decoded(KERNEL.format(""), Context())
    function = module.functions["k"]
    assert difference(module, module, function, function, Inputs(0, (1, 1, 1), {}), Outcome({}, []), 0.0) == ""


SCRIPT = """
import numpy as np

import ttkit
import ttkit.language as tl

@ttkit.jit
def copy(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)

copy[(4,)](np.ones(1000, np.float32), np.zeros(1000, np.float32), 1000, BLOCK=256)
"""


def test_the_passes_of_a_script_are_proved(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    words = "prove", "--passes", "--json", "script.py"
    ended = warm_commands.ttkit(tmp_path, *words, TTKIT_DEVICE="interpret:sm_90")
    found = [json.loads(line) for line in ended.stdout.splitlines()]
    outcomes = {one["pass"]: one["outcome"] for one in found if one["kernel"] == "copy"}
    assert outcomes["tritongpu-coalesce"] == PROVED, ended.stderr
    assert {*outcomes.values()} == {PROVED}
    assert "convert-triton-gpu-to-llvm" in outcomes
    assert ended.returncode == 0


def test_no_change_is_an_object_in_json(tmp_path):
    (tmp_path / "k.mlir").write_text("tt.func public @k() {\n  tt.return\n}\n")
    ended = warm_commands.ttkit(tmp_path, "prove", "--passes", "--json", "k.mlir", "--pipeline", "canonicalize")
    found = json.loads(ended.stdout)
    assert (found["pass"], found["outcome"], ended.returncode) == (None, "unchanged", 0)


@pytest.mark.usefixtures("broken_passes")
def test_the_sides_of_a_refutation_are_kept():
    proofs = PassProofs()
    with ttkit.Context() as context:
        module = parse_file(str(IR / "row_softmax.90.ttir"), context)
        run_passes(module, "canonicalize,swap-operands", subscribers=[proofs])
    [found] = [one for one in proofs.verdicts if one.verdict.outcome == REFUTED]
    assert found.pass_name == "swap-operands"
    with Context() as context:
        assert "arith.subf" in str(parse_text(found.before, context))
    assert found.before != found.after
