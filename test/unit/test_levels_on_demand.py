"""Levels and resources of kernels that tools compile no further than they run: made when a script asks for them."""

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.compiler.asm import AsmDict
from ttkit.runtime.driver import driver
from ttkit.runtime.stand_in import StandInDriver, stack_bytes_of
from ttkit.target import GPUTarget
from ttkit.visualize.recording_driver import recording
from ttkit.why.watching import watching


@ttkit.jit
def copy(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i))


@ttkit.jit
def wide(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.sort(tl.load(x + i)))


@pytest.mark.parametrize("scope", [recording, watching])
def test_every_level_is_there(scope):
    x, out = np.ones(64, np.float32), np.zeros(64, np.float32)
    with scope():
        made = copy[(1,)](x, out, 64)
        assert out.all()
        assert "ld.global" in made.asm["ptx"] and "llir" in made.asm and len(made.asm["cubin"])


@pytest.mark.parametrize("scope", [recording, watching])
def test_registers_are_known(scope):
    x, out = np.ones(64, np.float32), np.zeros(64, np.float32)
    with scope():
        assert copy[(1,)](x, out, 64).n_regs > 0


def test_spilled_registers_are_known_without_a_gpu(monkeypatch):
    monkeypatch.setattr(driver, "_active", StandInDriver(GPUTarget("cuda", 90, 32), interprets=False))
    x = np.zeros(4096, np.float32)
    made = wide.warmup(x, x, N=4096, num_warps=1, maxnreg=32, grid=(1,))
    assert made.n_spills == stack_bytes_of(made.asm["cubin"]) // 4 > 0


def test_an_unknown_level_is_answered_with_those_that_there_are():
    with pytest.raises(KeyError, match="Unknown key: 'llri'; the kernel has ttir, ptx"):
        AsmDict({"k.ttir": b"", "k.ptx": b"", "k.json": b""})["llri"]
