"""Registers of kernels with products, limited where a multiprocessor then runs more programs."""

import pytest

from ttkit.compiler import levels
from ttkit.compiler.occupancy import limited, register_limits
from ttkit.compiler.ptxas import Cubin, Resources
from ttkit.options import CompileOptions
from ttkit.target import Target


def ptx(threads: int, body: str = "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16") -> str:
    return f".visible .entry k()\n.reqntid {threads}\n{{\n\t{body}\n}}\n"


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "limits"),
    [
        (256, 186, 81920, [128]),  # two programs where there is one
        (128, 184, 24576, [128, 168]),  # four or three where there are two
        (256, 231, 65536, []),  # far fewer registers
        (128, 200, 32768, []),  # three where there are two take a fourth of them more
        (256, 180, 163840, []),  # shared memory is for one
        (256, 128, 32768, []),
    ],
)
def test_limits(threads: int, registers: int, shared: int, limits: list[int]) -> None:
    assert list(register_limits(ptx(threads), Resources(registers), shared, Target(90))) == limits


@pytest.mark.parametrize("body", ["add.f32", ".maxnreg 100 mma.sync.aligned", "setmaxnreg.inc wgmma.mma_async.sync"])
def test_kernels_without_products_or_with_their_own_limit_have_none(body: str) -> None:
    assert not list(register_limits(ptx(256, body), Resources(186), 0, Target(90)))


@pytest.mark.parametrize(("spilled", "registers"), [(12, 128), (64, 186)])
def test_few_spills_are_taken(spilled: int, registers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def assemble(text: str, **_: object) -> Cubin:
        made = Cubin(b"")
        is_limited = ".maxnreg 128" in text
        made.log = f"Used {128 if is_limited else 186} registers\n{spilled * is_limited} bytes spill stores"
        return made

    monkeypatch.setattr(levels, "assemble", assemble)
    made = levels.make_cubin(ptx(256), {"shared": 81920}, CompileOptions.for_capability(90), 90)
    assert made.resources.registers == registers


def test_the_limit_stands_behind_the_number_of_threads() -> None:
    assert ".reqntid 256\n.maxnreg 128\n{" in limited(ptx(256), 128)
