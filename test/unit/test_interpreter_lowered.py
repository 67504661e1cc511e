"""Lowered code runs thread by thread: kernels give what their ttg gives, and what is wrong with them is found."""

import sys
from pathlib import Path

import numpy as np
import pytest
from sweeps import every

import ttkit
from ttkit.interpreter.check.check_passes import Checker, Settings
from ttkit.interpreter.check.pipelines import PassChecks
from ttkit.interpreter.errors import InterpreterError, Misaligned, NotInterpretable, OutOfBounds, Race
from ttkit.interpreter.lowered.ptx_text import Address, Statement, statements
from ttkit.passes.stages import pipeline_text

TESTS = Path(__file__).parents[1]
sys.path.append(str(TESTS))
LOWERED = "convert-triton-gpu-to-llvm"


# --- Kernels of the corpus; all of them: test/check_lowering.py ------------------------------------------------------
@pytest.mark.parametrize(
    "kernel, target",
    every(
        2,
        [
            ("axis_reductions.90.ttgir", 90),
            ("batched_matmul.80.remove-layout-conversions.ttgir", 80),
            ("best_few.80.ttgir", 80),
            ("asynchronous_copies.80.ttgir", 80),
            ("descriptor_ranks.90.ttgir", 90),
            ("warp_roles.90.ttgir", 90),
            ("calls.80.ttgir", 80),
            ("bfloat_atomics.90.ttgir", 90),
        ],
    ),
)
def test_lowering_keeps_what_kernels_do(kernel, target):
    skipped: list[str] = []
    checker = Checker(Settings(1), lambda _, text: skipped.append(text))
    with ttkit.Context():
        module = ttkit.parse((TESTS / "data" / "ir" / kernel).read_text())
        ttkit.run_passes(module, pipeline_text("ttkit-llir", f"capability={target}"), subscribers=[PassChecks(checker)])
    assert checker.found is None, checker.found.message
    assert skipped == []
    assert LOWERED in checker.checked


POLLING = """module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @kernel(%lock: !tt.ptr<i32>, %half: !tt.ptr<f16>, %out: !tt.ptr<i32>, %on: i1) {
    %true = arith.constant true
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %float = arith.constant 0.0 : f16
    %0 = tt.atomic_rmw add, release, gpu, %lock, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %1 = tt.atomic_rmw add, acquire, gpu, %lock, %zero, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %2 = tt.atomic_rmw add, relaxed, gpu, %lock, %zero, %on : (!tt.ptr<i32>, i32, i1) -> i32
    %3 = tt.atomic_rmw fadd, acquire, gpu, %half, %float, %true : (!tt.ptr<f16>, f16, i1) -> f16
    %4 = arith.fptosi %3 : f16 to i32
    %5 = tt.get_program_id x : i32
    %6 = tt.addptr %out, %5 : !tt.ptr<i32>, i32
    %7 = arith.addi %1, %2 : i32
    %8 = arith.addi %7, %4 : i32
    tt.store %6, %8 : !tt.ptr<i32>
    tt.return
  }
}"""


@pytest.mark.parametrize("nvg_lowered", [False, True])
def test_locks_are_polled(nvg_lowered):
    """By nvg.ld_acquire, and by the inline PTX that it becomes; a masked poll gives 0."""
    lock, half, out = np.zeros(1, np.int32), np.full(1, 7.0, np.float16), np.zeros(3, np.int32)
    passes = "allocate-shared-memory-nv{compute-capability=90},convert-triton-gpu-to-llvm{compute-capability=90}"
    with ttkit.Context():
        module = ttkit.parse(POLLING)
        ttkit.run_passes(module, passes + ",convert-nv-gpu-to-llvm" * nvg_lowered)
        assert ("ld.global.gpu.acquire.b32" if nvg_lowered else "nvg.ld_acquire acquire, gpu") in str(module)
        ttkit.interpret(module, 3, [lock, half, out, False])
    np.testing.assert_array_equal(out, [10, 10, 10])  # Programs run side by side: each has added before one polls.


# --- Mistakes ---------------------------------------------------------------------------------------------------------
KERNEL = """module attributes {{"ttg.num-warps" = 2 : i32, ttg.shared = 1024 : i32}} {{
  llvm.mlir.global external @global_smem() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<0 x i8>
  llvm.func @kernel(%out: !llvm.ptr<1>, %n: i32, %s0: !llvm.ptr<1>, %s1: !llvm.ptr<1>)
      attributes {{nvvm.kernel, nvvm.reqntid = array<i32: 64>}} {{
    %memory = llvm.mlir.addressof @global_smem : !llvm.ptr<3>
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c63 = llvm.mlir.constant(63 : i32) : i32
    %other = llvm.xor %thread, %c63 : i32
    %mine = llvm.getelementptr %memory[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %theirs = llvm.getelementptr %memory[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %place = llvm.getelementptr %out[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    {body}
    llvm.return
  }}
}}"""
EXCHANGE = """llvm.store %thread, %mine : i32, !llvm.ptr<3>
    {between}
    %got = llvm.load %theirs : !llvm.ptr<3> -> i32
    llvm.store %got, %place : i32, !llvm.ptr<1>"""


def run(body: str, size: int = 64, **options) -> np.ndarray:
    out = np.zeros(size, np.int32)
    with ttkit.Context():
        ttkit.interpret(ttkit.parse(KERNEL.format(body=body)), 1, [out, 5], **options)
    return out


def test_threads_exchange_data_behind_a_barrier():
    np.testing.assert_array_equal(run(EXCHANGE.format(between="nvvm.barrier0")), np.arange(64)[::-1])


def test_a_missing_barrier():
    with pytest.raises(Race, match=r"(?s)llvm.load: warp 0 reads byte 252 .* another warp wrote: no barrier.*:15:12"):
        run(EXCHANGE.format(between=""))


NEIGHBOUR = """%next = llvm.xor %thread, %c1 : i32
    %neighbours = llvm.getelementptr %memory[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %thread, %mine : i32, !llvm.ptr<3>
    {between}
    %got = llvm.load %neighbours : !llvm.ptr<3> -> i32
    {behind}
    llvm.store %c1, %mine : i32, !llvm.ptr<3>
    llvm.store %got, %place : i32, !llvm.ptr<1>"""
SYNC = "%all{} = llvm.mlir.constant(-1 : i32) : i32\n    nvvm.bar.warp.sync %all{} : i32"


def test_lanes_exchange_data_behind_a_barrier_of_their_warp():
    first, second = SYNC.format(1, 1), SYNC.format(2, 2)
    found = run(NEIGHBOUR.format(between=first, behind=second))
    np.testing.assert_array_equal(found, np.arange(64) ^ 1)
    with pytest.raises(Race, match=r"reads byte 4 .* another lane wrote: no bar.warp.sync stands between"):
        run(NEIGHBOUR.format(between="", behind=second))
    with pytest.raises(Race, match=r"writes byte 0 .* another lane read: no bar.warp.sync stands between"):
        run(NEIGHBOUR.format(between=first, behind=""))
    with pytest.raises(InterpreterError, match="a thread is not in the mask of an operation of its warp: 0xffff"):
        run(NEIGHBOUR.format(between=first.replace("-1", "65535"), behind=second))


def test_threads_part_and_meet():
    body = """%is_odd = llvm.and %thread, %c1 : i32
    %odd = llvm.trunc %is_odd : i32 to i1
    llvm.cond_br %odd, ^then, ^else
  ^then:
    %twice = llvm.add %thread, %thread : i32
    llvm.br ^after(%twice : i32)
  ^else:
    llvm.br ^after(%c1 : i32)
  ^after(%chosen: i32):
    %all = llvm.mlir.constant(-1 : i32) : i32
    %clamp = llvm.mlir.constant(31 : i32) : i32
    %got = nvvm.shfl.sync bfly %all, %chosen, %c1, %clamp : i32 -> i32
    llvm.store %got, %place : i32, !llvm.ptr<1>"""
    thread = np.arange(64)
    chosen = np.where(thread % 2, 2 * thread, 1)
    np.testing.assert_array_equal(run(body), chosen[thread ^ 1])


def test_five_bits_name_the_other_lane():
    body = """%all = llvm.mlir.constant(-1 : i32) : i32
    %clamp = llvm.mlir.constant(31 : i32) : i32
    %far = llvm.mlir.constant(-31 : i32) : i32
    %got = nvvm.shfl.sync KIND %all, %thread, %far, %clamp : i32 -> i32
    llvm.store %got, %place : i32, !llvm.ptr<1>"""
    thread = np.arange(64)
    np.testing.assert_array_equal(run(body.replace("KIND", "bfly")), thread ^ 1)
    np.testing.assert_array_equal(run(body.replace("KIND", "down")), np.where(thread % 32 < 31, thread + 1, thread))


@pytest.mark.parametrize("index", [2, -1])
@pytest.mark.parametrize(
    "line",
    [
        "%r = llvm.extractelement %v[%i : i32] : vector<2xi32>",
        "%r = llvm.insertelement %thread, %v[%i : i32] : vector<2xi32>",
    ],
)
def test_an_element_that_a_vector_does_not_have(line, index):
    body = f"""%v = llvm.mlir.constant(dense<1> : vector<2xi32>) : vector<2xi32>
    %i = llvm.mlir.constant({index} : i32) : i32
    {line}"""
    with pytest.raises(InterpreterError, match=rf"element {index} of a vector of 2 is undefined"):
        run(body)


def test_lanes_that_never_meet():
    body = """%is_odd = llvm.and %thread, %c1 : i32
    %odd = llvm.trunc %is_odd : i32 to i1
    llvm.cond_br %odd, ^then, ^after
  ^then:
    nvvm.barrier0
    llvm.br ^after
  ^after:"""
    with pytest.raises(InterpreterError, match="the kernel hangs: thread 1 waits for all 32 threads to come"):
        run(body)


def test_a_barrier_that_one_warp_does_not_come_to():
    body = """%c32 = llvm.mlir.constant(32 : i32) : i32
    %first = llvm.icmp "ult" %thread, %c32 : i32
    llvm.cond_br %first, ^then, ^after
  ^then:
    nvvm.barrier0
    llvm.br ^after
  ^after:"""
    with pytest.raises(InterpreterError, match=r"thread 0 waits for barrier 0 of 64 threads"):
        run(body)


WAIT = """{ .reg .pred p;
      waitLoop: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @!p bra.uni waitLoop; }"""


@pytest.mark.parametrize("order", [None, 1, 2])
def test_a_phase_that_never_ends(order):
    body = """%leader = llvm.icmp "eq" %thread, %n : i32
    llvm.inline_asm has_side_effects "@$0 mbarrier.init.shared::cta.b64 [$1], 2;", "b,r" %leader, %memory
      : (i1, !llvm.ptr<3>) -> ()
    nvvm.barrier0
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.inline_asm has_side_effects "@$0 mbarrier.arrive.shared::cta.b64 _, [$1], 1;", "b,r" %leader, %memory
      : (i1, !llvm.ptr<3>) -> ()
    llvm.inline_asm has_side_effects "{WAIT}", "r,r" %memory, %zero : (!llvm.ptr<3>, i32) -> ()"""
    turns = None if order is None else np.random.default_rng(order)
    with pytest.raises(InterpreterError, match="the end of phase 0 of the mbarrier at byte 0"):
        run(body.replace("{WAIT}", " ".join(WAIT.split())), turns=turns)


PHASES = """%leader = llvm.icmp "eq" %thread, %n : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.inline_asm has_side_effects "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r" %leader, %memory
      : (i1, !llvm.ptr<3>) -> ()
    nvvm.barrier0
    {arrive}
    llvm.inline_asm has_side_effects "{wait}", "r,r" %memory, %zero : (!llvm.ptr<3>, i32) -> ()
    {between}
    {arrive}
    llvm.inline_asm has_side_effects "{wait}", "r,r" %memory, %c1 : (!llvm.ptr<3>, i32) -> ()
    {behind}"""
ARRIVE = """llvm.inline_asm has_side_effects "@$0 mbarrier.arrive.shared::cta.b64 _, [$1], 1;", "b,r" %leader, %memory
      : (i1, !llvm.ptr<3>) -> ()"""


def test_warps_stay_in_the_same_phase_of_an_mbarrier():
    def phases(between: str, behind: str = "") -> None:
        run(PHASES.format(between=between, behind=behind, wait=" ".join(WAIT.split()), arrive=ARRIVE))

    phases("nvvm.barrier0")
    with pytest.raises(Race, match="a phase of an mbarrier ends while a warp may still wait for the last one"):
        phases("")
    with pytest.raises(Race, match="writes byte 0 of shared memory, which is an mbarrier"):
        phases("nvvm.barrier0", "llvm.store %thread, %mine : i32, !llvm.ptr<3>")


COPIES = """%leader = llvm.icmp "eq" %thread, %n : i32
    %barrier = llvm.getelementptr %memory[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %behind = llvm.getelementptr %theirs[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
    %next = llvm.getelementptr %mine[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.inline_asm has_side_effects "@$0 mbarrier.init.shared::cta.b64 [$1], 64;", "b,r" %leader, %barrier
      : (i1, !llvm.ptr<3>) -> ()
    llvm.store %thread, %place : i32, !llvm.ptr<1>
    nvvm.barrier0
    llvm.inline_asm has_side_effects "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x4;", "r,l" %mine, %place
      : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()
    {between}
    llvm.inline_asm has_side_effects "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x4;", "r,l" %next, %place
      : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()
    llvm.inline_asm has_side_effects "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];", "r" %barrier
      : (!llvm.ptr<3>) -> ()
    llvm.inline_asm has_side_effects "{wait}", "r,r" %barrier, %zero : (!llvm.ptr<3>, i32) -> ()
    %first = llvm.load %theirs : !llvm.ptr<3> -> i32
    %second = llvm.load %behind : !llvm.ptr<3> -> i32
    %sum = llvm.add %first, %second : i32
    llvm.store %sum, %place : i32, !llvm.ptr<1>"""
END_ONE = """llvm.inline_asm has_side_effects "cp.async.wait_all;", "" : () -> ()"""


@pytest.mark.parametrize("order", [None, 1, 2])
def test_an_arrival_comes_after_all_copies_of_its_thread(order):
    for between in ("", END_ONE):
        turns = None if order is None else np.random.default_rng(order)
        body = COPIES.format(wait=" ".join(WAIT.split()), between=between)
        np.testing.assert_array_equal(run(body, turns=turns), 2 * np.arange(64)[::-1])
    at_once = body.replace("cp.async.mbarrier.arrive.noinc.shared::cta.b64", "mbarrier.arrive.shared::cta.b64 _,")
    with pytest.raises(InterpreterError, match="which a copy under way will write: nobody has waited for it"):
        run(at_once)


WRONG = {
    "bounds of global memory": ("llvm.store %thread, %place : i32, !llvm.ptr<1>", OutOfBounds, "of buffer 'arg0'"),
    "bounds of shared memory": (
        "%far = llvm.getelementptr %mine[1000] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8\n"
        "llvm.store %thread, %far : i32, !llvm.ptr<3>",
        OutOfBounds,
        "shared memory, which has 1024 bytes",
    ),
    "alignment": (
        "%odd = llvm.getelementptr %mine[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8\n"
        "llvm.store %thread, %odd : i32, !llvm.ptr<3>",
        Misaligned,
        "not a multiple of 4",
    ),
    "an instruction": (
        '%x = llvm.inline_asm "sad.u32 $0, $1, $1, $1;", "=r,r" %thread : (i32) -> i32',
        NotInterpretable,
        "inline assembly has no meaning here: sad.u32",
    ),
    "a jump": (
        'llvm.inline_asm has_side_effects "loop: bra loop;", "" : () -> ()',
        NotInterpretable,
        "inline assembly has no meaning here: loop:",
    ),
    "an intrinsic": (
        'llvm.call_intrinsic "llvm.nvvm.fence.sc.cluster"() : () -> ()',
        NotInterpretable,
        "the intrinsic llvm.nvvm.fence.sc.cluster has no meaning here",
    ),
    "an operation": ("nvvm.cp.async.bulk.prefetch %place, %n : !llvm.ptr<1>", NotInterpretable, "has no meaning"),
    "unreachable": ("llvm.unreachable\n^bb1:", InterpreterError, "took for unreachable"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said_with_its_place(what):
    body, error, text = WRONG[what]
    with pytest.raises(error, match=text) as found:
        run(body, size=32)
    assert ":13:" in str(found.value) or ":14:" in str(found.value)


def test_an_endless_loop_ends():
    with pytest.raises(InterpreterError, match="more than 1000 operations"):
        run("llvm.br ^loop\n^loop:\nllvm.br ^loop\n^unused:", max_steps=1000)


def test_a_result_that_differs_is_found_behind_the_lowering(tmp_path):
    """A pass that drops barriers of lowered code."""
    source = (TESTS / "data" / "ir" / "axis_reductions.90.ttgir").read_text()
    with ttkit.Context():
        module = ttkit.parse(source)
        ttkit.run_passes(module, pipeline_text("ttkit-llir", "capability=90"))
        text = str(module)
    assert "nvvm.barrier0" in text
    checker = Checker(Settings(1), lambda *_: None)
    checker.before(source)
    checker.after("drops-barriers", text.replace("nvvm.barrier0", ""))
    assert checker.found is not None
    assert "it fails after the pass and not before it" in checker.found.message
    assert "no barrier orders them" in checker.found.message


# --- Assembly ---------------------------------------------------------------------------------------------------------
def test_assembly_is_read():
    text = """{ // a comment
      .reg .pred p;
      @!$3 ld.global.v2.b32 { $0, $1 }, [ $2 + -8 ];
      cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$1, {$2, $3}], [$4];
    }"""
    assert statements(text) == (
        Statement(("ld", "global", "v2", "b32"), (("$0", "$1"), Address("$2", -8)), "$3", True),
        Statement(
            ("cp", "async", "bulk", "tensor", "2d", "global", "shared::cta", "bulk_group"),
            (Address("$1", 0, ("$2", "$3")), Address("$4")),
        ),
    )


SCALAR = {
    "add.s32 $0, $1, $2;": lambda a, b: a + b,
    "sub.u32 $0, $1, $2;": lambda a, b: a - b,
    "mul.hi.s32 $0, $1, $2;": lambda a, b: (a.astype(np.int64) * b >> 32).astype(np.int32),
    "mul.lo.s32 $0, $1, $2;": lambda a, b: a * b,
    "mad.lo.s32 $0, $1, $2, 7;": lambda a, b: a * b + 7,
    "max.s32 $0, $1, $2;": np.maximum,
    "min.u32 $0, $1, $2;": lambda a, b: np.minimum(a.view(np.uint32), b.view(np.uint32)).view(np.int32),
    "shl.b32 $0, $1, 33;": lambda a, b: 0 * a,
    "shr.s32 $0, $1, 33;": lambda a, b: np.where(a < 0, -1, 0),
    "shr.u32 $0, $1, 4;": lambda a, b: (a.view(np.uint32) >> 4).view(np.int32),
    "lop3.b32 $0, $1, $2, 0x0F0F0F0F, 0xCA;": lambda a, b: (a & b) | (~a & 0x0F0F0F0F),
    "prmt.b32 $0, $1, $2, 0x4321;": lambda a, b: (
        (a.view(np.uint32) >> 8 | b.view(np.uint32) << 24).astype(np.uint32).view(np.int32)
    ),
    "{ .reg .pred p; setp.lt.s32 p, $1, $2; selp.b32 $0, $1, $2, p; }": np.minimum,
    "{ .reg .b16 l, h; mov.b32 {l, h}, $1; mov.b32 $0, {h, l}; }": lambda a, b: (
        (a.view(np.uint32) >> 16 | a.view(np.uint32) << 16).astype(np.uint32).view(np.int32)
    ),
    "not.b32 $0, $1;": lambda a, b: ~a,
}


@pytest.mark.parametrize("text", SCALAR)
def test_scalar_instructions(text):
    """The same in tt, where each element is a thread."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(-(2**31), 2**31, (2, 64)).astype(np.int32)
    out = np.zeros(64, np.int32)
    source = f"""tt.func public @kernel(%a: !tt.ptr<i32>, %b: !tt.ptr<i32>, %out: !tt.ptr<i32>) {{
      %i = tt.make_range {{start = 0 : i32, end = 64 : i32}} : tensor<64xi32>
      %as = tt.splat %a : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
      %ap = tt.addptr %as, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
      %bs = tt.splat %b : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
      %bp = tt.addptr %bs, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
      %os = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
      %op = tt.addptr %os, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
      %x = tt.load %ap : tensor<64x!tt.ptr<i32>>
      %y = tt.load %bp : tensor<64x!tt.ptr<i32>>
      %r = tt.elementwise_inline_asm "{text}" {{constraints = "=r,r,r", packed_element = 1 : i32, pure = true}}
        %x, %y : tensor<64xi32>, tensor<64xi32> -> tensor<64xi32>
      tt.store %op, %r : tensor<64x!tt.ptr<i32>>
      tt.return
    }}"""
    with np.errstate(all="ignore"):
        wanted = SCALAR[text](a, b)
    with ttkit.Context():
        module = ttkit.parse(source)
        ttkit.interpret(module, 1, [a, b, out])
        np.testing.assert_array_equal(out, wanted)
        ttkit.run_passes(module, f"{pipeline_text('ttkit-ttgir')},{pipeline_text('ttkit-llir')}")
        out[:] = 0
        ttkit.interpret(module, 1, [a, b, out])
    np.testing.assert_array_equal(out, wanted)


def test_updates_of_pairs():
    """Both elements of a register are added, and the old ones returned."""
    target = (np.arange(256) % 8).astype(np.float16)
    given = (np.arange(256) % 5).astype(np.float16)
    old = np.zeros(256, np.float16)
    source = """tt.func public @kernel(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32},
        %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
      %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
      %as = tt.splat %a : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
      %ap = tt.addptr %as, %i : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
      %bs = tt.splat %b : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
      %bp = tt.addptr %bs, %i : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
      %os = tt.splat %out : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
      %op = tt.addptr %os, %i : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
      %y = tt.load %bp : tensor<256x!tt.ptr<f16>>
      %true = arith.constant dense<true> : tensor<256xi1>
      %r = tt.atomic_rmw fadd, relaxed, gpu, %ap, %y, %true
        : (tensor<256x!tt.ptr<f16>>, tensor<256xf16>, tensor<256xi1>) -> tensor<256xf16>
      tt.store %op, %r : tensor<256x!tt.ptr<f16>>
      tt.return
    }"""
    before = target.copy()
    with ttkit.Context():
        module = ttkit.parse(source)
        stages = [pipeline_text(stage, "capability=80") for stage in ("ttkit-ttgir", "ttkit-llir")]
        ttkit.run_passes(module, ",".join(stages))
        assert "add.noftz.f16x2" in str(module)
        ttkit.interpret(module, 1, [target, given, old])
    np.testing.assert_array_equal(target, before + given)
    np.testing.assert_array_equal(old, before)
