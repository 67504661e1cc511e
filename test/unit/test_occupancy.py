"""Registers of kernels with products, limited where a multiprocessor then runs more programs."""

import threading

import pytest

import ttkit
import ttkit.language as tl
from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.compiler import levels
from ttkit.compiler.occupancy import (
    assembled_for_programs,
    limited,
    register_limits,
    with_best_limit,
    with_fewer_programs,
    with_fewer_spills,
    with_fitting_programs,
    with_more_programs,
    with_unused_registers,
)
from ttkit.compiler.ptxas import Cubin, PTXASError, Resources
from ttkit.options import CompileOptions
from ttkit.target import Target


def ptx(threads: int, body: str = "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16") -> str:
    return f".visible .entry k()\n.reqntid {threads}\n{{\n\t{body}\n}}\n"


LOAD = "\tld.global.b32 %%r%d, [%%rd1];\n"
ADD = "\tadd.f32 %%r1000, %%r1000, %%r%d;\n"


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "limits"),
    [
        (256, 186, 81920, [128]),  # two programs where there is one
        (128, 184, 24576, [168, 128]),  # three or four where there are two
        (256, 231, 65536, []),  # far fewer registers
        (128, 200, 32768, []),  # three where there are two take a fourth of them more
        (256, 180, 163840, []),  # shared memory is for one
        (256, 180, 262144, []),  # for none: a launch says so
        (256, 128, 32768, []),
    ],
)
def test_limits(threads: int, registers: int, shared: int, limits: list[int]) -> None:
    assert list(register_limits(ptx(threads), Resources(registers), shared, Target(90))) == limits


@pytest.mark.parametrize("body", [".maxnreg 100 mma.sync.aligned", "setmaxnreg.inc wgmma.mma_async.sync"])
def test_kernels_with_their_own_limit_have_none(body: str) -> None:
    assert not list(register_limits(ptx(256, body), Resources(186), 0, Target(90)))


@pytest.mark.parametrize(
    ("facts", "tried"),
    [
        (KernelFacts(), []),
        (KernelFacts(dots=True), []),  # by fused multiply-adds
        (KernelFacts(dots=True, mma_sync=True), [128]),
        (KernelFacts(dots=True, wgmma=True), [128]),
        (KernelFacts(dots=True, tcgen5=True), [216, 232, 248]),
    ],
)
def test_facts_choose_the_limits_that_are_tried(facts: KernelFacts, tried: list[int]) -> None:
    found = []

    def assemble(text: str) -> Cubin:
        found.append(int(text.partition(".maxnreg ")[2].split()[0]))
        return made(found[-1], 100)

    with_best_limit(made(186, 32), ptx(256), facts, 81920, Target(90), assemble)
    assert sorted(found) == tried


def made(registers: int, spilled: int = 0, more: str = "") -> Cubin:
    cubin = Cubin(b"")
    cubin.log = f"Used {registers} registers\n{spilled} bytes spill stores\n{more}"
    return cubin


SERIALIZED = (
    "ptxas info : (C7512) Potential Performance Loss: wgmma.mma_async instructions are serialized "
    "due to insufficient register resources for the function 'f'"
)


@pytest.mark.parametrize(
    ("smaller", "registers"),
    [
        (made(128, 32), 128),
        (made(128, 64), 186),
        (made(128, 0, SERIALIZED), 128),
        (PTXASError("(C7602) Insufficient registers (128) to compile instruction"), 186),
    ],
)
def test_limits_that_cost_little_are_taken(
    smaller: Cubin | PTXASError, registers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def assemble(text: str, **_: object) -> Cubin:
        if ".maxnreg 128" not in text:
            return made(186)
        if isinstance(smaller, PTXASError):
            raise smaller
        return smaller

    monkeypatch.setattr(levels, "assemble", assemble)
    chosen = levels.make_cubin(ptx(256), {"shared": 81920, "facts": ["wgmma"]}, CompileOptions.for_capability(90), 90)
    assert chosen.resources.registers == registers


def test_the_limit_stands_behind_the_number_of_threads() -> None:
    assert ".reqntid 256\n.maxnreg 128\n{" in limited(ptx(256), 128)


IN_TENSOR_MEMORY = "tcgen05.mma.cta_group::1.kind::f16"


@pytest.mark.parametrize(
    ("body", "by_limit", "registers"),
    [
        (IN_TENSOR_MEMORY, {248: 40, 232: 12, 216: 60}, 232),
        (IN_TENSOR_MEMORY, {248: 0}, 248),
        (IN_TENSOR_MEMORY, {248: 40, 232: 40, 216: 60}, 254),
        (IN_TENSOR_MEMORY, {}, 254),  # an instruction needs more registers
        (f"setmaxnreg.inc {IN_TENSOR_MEMORY}", {248: 0}, 254),
    ],
)
def test_products_in_tensor_memory_get_the_limit_with_the_least_spilled(body, by_limit, registers) -> None:
    def assemble(text: str) -> Cubin:
        limit = int(text.partition(".maxnreg ")[2].split()[0])
        if limit not in by_limit:
            raise PTXASError("(C7602) Insufficient registers to compile instruction")
        return made(limit, by_limit[limit])

    found = with_fewer_spills(made(254, 32), ptx(128, body), assemble)
    assert found.resources.registers == registers


def test_what_spills_nothing_gets_no_limit() -> None:
    whole = made(254)
    assert with_fewer_spills(whole, ptx(128, IN_TENSOR_MEMORY), lambda text: made(216)) is whole


@pytest.mark.parametrize(
    ("by_limit", "registers", "tried"),
    [
        ({168: 0, 128: 0}, 128, [168, 128]),
        ({168: 0, 128: 528}, 168, [168, 128]),
        ({168: 4, 128: 4}, 168, [168]),
        ({168: 500, 128: 0}, 184, [168]),
        ({}, 184, [168]),  # an instruction needs more registers
    ],
)
def test_a_limit_that_costs_something_is_the_last_to_be_tried(by_limit, registers, tried) -> None:
    found = []

    def assemble(text: str) -> Cubin:
        found.append(limit := int(text.partition(".maxnreg ")[2].split()[0]))
        if limit not in by_limit:
            raise PTXASError("(C7602) Insufficient registers to compile instruction")
        return made(limit, by_limit[limit])

    chosen = with_more_programs(made(184), ptx(128), 24576, Target(90), assemble)
    assert (chosen.resources.registers, found) == (registers, tried)


@pytest.mark.parametrize(("threads", "registers"), [(256, 128), (128, 186)])
def test_products_that_wait_for_each_other_pay_for_a_second_program_alone(threads: int, registers: int) -> None:
    text = ptx(threads)  # one program with 186 registers, or two
    found = with_more_programs(made(186), text, 65592, Target(90), lambda _: made(128, 0, SERIALIZED))
    assert found.resources.registers == registers
    already = made(186, 0, SERIALIZED)
    found = with_more_programs(already, text, 65592, Target(90), lambda _: made(128, 0, SERIALIZED))
    assert found.resources.registers == 128


def test_limits_against_spills_are_tried_side_by_side() -> None:
    all_three = threading.Barrier(3, timeout=60)

    def assemble(text: str) -> Cubin:
        all_three.wait()
        limit = int(text.partition(".maxnreg ")[2].split()[0])
        return made(limit, limit - 216)

    chosen = with_fewer_spills(made(254, 32), ptx(128, IN_TENSOR_MEMORY), assemble)
    assert chosen.resources.registers == 216


def test_what_is_wrong_beside_registers_is_said() -> None:
    def assemble(text: str) -> Cubin:
        raise PTXASError("needs more") if ".maxnreg 248" in text else OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        with_fewer_spills(made(254, 32), ptx(128, IN_TENSOR_MEMORY), assemble)


@pytest.mark.parametrize(("capability", "registers"), [(90, 128), (100, 186)])
def test_nothing_is_spilled_for_more_programs_where_nobody_has_measured_it(capability: int, registers: int) -> None:
    text = ptx(256, "mma.sync.aligned")
    chosen = with_more_programs(made(186), text, 81920, Target(capability), lambda _: made(128, 12))
    assert chosen.resources.registers == registers


@pytest.mark.parametrize(
    ("threads", "asked", "spilled_by", "programs"),
    [
        (128, 3, {3: 32}, 3),  # little
        (128, 3, {3: 64, 2: 64}, 2),  # threads have all registers then
        (256, 3, {3: 400, 2: 30}, 2),
        (256, 3, {3: 400, 2: 100, 1: 100}, 1),
        (128, None, {None: 400}, None),  # ptxas decides
        (32, 16, {16: 4, 12: 0}, 12),  # a warp less for each scheduler
        (32, 16, {16: 400, 12: 40, 8: 4}, 8),
        (32, 16, {16: 0}, 16),
        (64, 8, {8: 4, 6: 4, 4: 4}, 4),
        (128, 8, {8: 8, 6: 4, 5: 0}, 5),  # a quarter less, while more are asked for than hide latency
        (256, 4, {4: 8, 3: 8}, 3),
    ],
)
def test_kernels_that_spill_ask_for_fewer_programs(
    threads: int, asked: int | None, spilled_by: dict[int | None, int], programs: int | None
) -> None:
    def text(programs: int | None) -> str:
        directive = "" if programs is None else f".minnctapersm {programs}\n"
        return ptx(threads, "add.f32").replace("{", directive + "{", 1)

    by_text = {text(number): made(80, spilled) for number, spilled in spilled_by.items()}
    assert with_fewer_programs(by_text[text(asked)], text(asked), by_text.__getitem__) is by_text[text(programs)]


@pytest.mark.parametrize(
    ("threads", "asked", "outliving", "programs"),
    [
        (256, 4, 66, 3),  # 64 registers for 66 values, then 80
        (256, 4, 65, 4),  # ptxas spills eight bytes of such a kernel
        (128, 6, 130, 3),  # 96 and 128 are no more than all values
        (128, 2, 400, 2),  # the fewest that are asked for
        (512, 2, 66, 1),
        (256, 0, 400, 0),
        (32, 16, 140, 12),  # a warp less for each scheduler
    ],
)
def test_values_that_outlive_a_barrier_have_registers(threads: int, asked: int, outliving: int, programs: int) -> None:
    def text(programs: int) -> str:
        loads, adds = ("".join(one % number for number in range(outliving)) for one in (LOAD, ADD))
        body = f"{loads}\tbar.sync \t0;\n{adds}\tbar.sync \t0;\n{LOAD % 0}"
        return ptx(threads, body).replace("{", f".minnctapersm {programs}\n{{", 1)

    assert with_fitting_programs(text(asked)) == text(programs)


def test_values_without_barriers_do_not_outlive_them() -> None:
    text = ptx(256, "".join(LOAD % number + ADD % number for number in range(200))).replace(
        "{", ".minnctapersm 4\n{", 1
    )
    assert with_fitting_programs(text) == text
    assert with_fitting_programs(ptx(256)) == ptx(256)


def test_a_kernel_of_no_threads_is_left_to_ptxas() -> None:
    text = ptx(0).replace("{", ".minnctapersm 4\n{", 1)
    assert with_fitting_programs(text) == text


@pytest.mark.parametrize(
    ("threads", "programs", "registers", "stack", "next"),
    [
        (128, 6, 80, 480, "3"),  # 200 values: four and five programs have less than two thirds of that
        (64, 7, 128, 992, "4"),  # 376 values: five and six have less than two thirds, and four all registers
    ],
)
def test_numbers_of_programs_that_would_spill_again_are_passed_over(
    threads: int, programs: int, registers: int, stack: int, next: str
) -> None:
    asked: list[str] = []

    def assemble(text: str) -> Cubin:
        asked.append(text.partition(".minnctapersm ")[2][0])
        return made(149, 0)

    text = ptx(threads, "add.f32").replace("{", f".minnctapersm {programs}\n{{", 1)
    first = made(registers, 616, f"{stack} bytes stack frame")
    assert with_fewer_programs(first, text, assemble).resources.registers == 149
    assert asked == [next]


@pytest.mark.parametrize(
    ("threads", "registers", "spilled", "again"),
    [
        (64, 32, 8092, True),  # ptxas gave up
        (512, 32, 8092, True),
        (64, 255, 452, False),  # a thread can have no more
        (512, 128, 452, False),
        (64, 32, 0, False),
    ],
)
def test_what_spills_beside_unused_registers_is_assembled_with_a_bound(
    threads: int, registers: int, spilled: int, again: bool
) -> None:
    texts = []

    def assemble(text: str) -> Cubin:
        texts.append(text)
        return made(255, 1664)

    before = made(registers, spilled)
    after = with_unused_registers(before, ptx(threads), assemble)
    assert (after is not before) == again
    assert texts == [ptx(threads).replace("\n{", "\n.minnctapersm 1\n{")] * again


def test_a_bound_that_spills_more_is_not_taken() -> None:
    before = made(32, 8)
    assert with_unused_registers(before, ptx(64), lambda text: made(255, 16)) is before


def test_programs_that_an_instruction_has_no_registers_for() -> None:
    asked = ptx(256).replace("\n{", "\n.minnctapersm 2\n{")

    def assemble(text: str) -> Cubin:
        if ".minnctapersm" in text:
            raise PTXASError("Insufficient registers (128)")
        return made(158, 0)

    assert assembled_for_programs(asked, assemble).resources.registers == 158
    with pytest.raises(PTXASError):
        assembled_for_programs(asked, lambda text: assemble(asked))


def test_wide_results_of_eight_warps_compile() -> None:
    """A wgmma with 256 columns needs more than the 128 registers that two programs leave."""

    @ttkit.jit
    def kernel(a, b, out, steps, N: tl.constexpr):
        rows, columns = tl.arange(0, 128), tl.arange(0, N)
        total = tl.zeros((128, N), tl.float32)
        for step in range(steps):
            left = tl.load(a + rows[:, None] * 128 + tl.arange(0, 128)[None, :] + step)
            total = tl.dot(left, tl.load(b + tl.arange(0, 128)[:, None] * N + columns[None, :] + step), total)
        tl.store(out + rows[:, None] * N + columns[None, :], total.to(tl.float16))

    types = {"a": "*fp16", "b": "*fp16", "out": "*fp16", "steps": "i32", "N": "constexpr"}
    options = {"num_warps": 8, "num_stages": 1}
    compiled = ttkit.compile(ttkit.ASTSource(kernel, types, {"N": 256}), ttkit.GPUTarget("cuda", 90, 32), options)
    assert ".minnctapersm 2" in compiled.asm["ptx"]
    assert compiled.asm["cubin"]
