"""Arguments of launches, with a driver that only writes them down."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import numpy as np

from fuzz.level import ACCEPTED, REFUSED, Level, refusal
from fuzz.levels.ir import OF_COMPILING

UNIT = Path(__file__).parents[2] / "unit"
VALUES = """0 1 -1 16 2**31 2**63 2**64 -2**63-1 10**30 1.5 float('nan') float('inf') 1e300 True None 'x' b'x' () (1,)
    (1,(2,))
    [] [1,2] {} 1j ... object() int Tensor() Tensor(address=17) Tensor(address=-1) Tensor(address=2**70) Tensor('x')
    Tensor(None) Tensor(5) Tensor(address='x') Tensor(address=None) NoAddress() Raises() np.zeros(4) np.float32(1)
    np.int8(3)
    np.zeros(4,'f4') tl.float32 tl.constexpr(3) double Descriptor((8,8),(8,1),(8,8)) Descriptor((8,),(1,),(8,))
    Descriptor((0,0),(0,0),(8,8)) Descriptor((8,8),(-8,1),(8,8)) Descriptor((),(),()) Descriptor((2**70,8),(8,1),(8,8))
    Descriptor((8,8),(8,2),(8,8)) Index(7) Index('x') type('T',(),{}) lambda:0 range(3)""".split()
GRIDS = """(1,) (2,3) (1,2,3) () (0,) (-1,) (2**31,) (2**70,) (1,2,3,4) 1 None 'x' (1.5,) ('x',) (None,) [1] [1,2]
    Index(3)
    (Index(2),) lambda_meta:(1,) lambda_meta:None lambda_meta:meta['none'] (True,) {} (1,70000,1) np.int32(2)""".split()
OPTIONS = "num_warps num_stages num_ctas maxnreg stream grid warmup debug none launch_cooperative_grid BLOCK x".split()


class NoAddress:
    dtype = "torch.float32"


class Raises:
    dtype = "torch.float32"

    def data_ptr(self) -> int:
        raise ZeroDivisionError("of the user's")


class Index:
    def __init__(self, value: object) -> None:
        self.value = value

    def __index__(self) -> object:
        return self.value


class OnStandIn(Level):
    """What launches the tests' kernels on their stand-in for the driver."""

    def prepare(self) -> None:
        if str(UNIT) not in sys.path:
            sys.path.append(str(UNIT))
        import fake_driver
        import launched_kernels

        self.folder = tempfile.TemporaryDirectory()
        self.driver = fake_driver.build(Path(self.folder.name))
        self.module = launched_kernels


class Launches(OnStandIn):
    """Launches with any grid, arguments and options: lines `kernel NAME`, `grid G`, `argument V`, `option NAME V`."""

    name = "launches"
    seconds = 60.0

    def prepare(self) -> None:
        super().prepare()
        self.kernels = {"add": 5, "copy_blocks": 4, "numbers": 8, "applied": 4, "scaled": 3, "fill": 5}

    def make(self, rng: random.Random) -> str:
        name = rng.choice(list(self.kernels))
        count = self.kernels[name] + rng.choice((0, 0, 0, 0, 0, 1, -1))
        block = "Descriptor((8,8),(8,1),(8,8))"
        sound = {"add": ["Tensor()"] * 3 + ["300", "128"], "copy_blocks": [block, block, "8", "8"],
                 "numbers": ["Tensor()", "1", "2", "3", "4", "1.5", "1.5", "1.5"],
                 "applied": ["Tensor()", "double", "tl.float32", "1"], "scaled": ["Tensor()", "3", "1"],
                 "fill": ["Tensor()", "1.5", "True", "(1,(2,))", "1.5"]}[name]  # fmt: skip
        values = [(sound * 2)[n] if rng.random() < 0.8 else rng.choice(VALUES) for n in range(count)]
        lines = [f"kernel {name}", f"grid {rng.choice(GRIDS) if rng.random() < 0.3 else '(1,)'}"]
        lines += [f"argument {value}" for value in values]
        if rng.random() < 0.2:
            lines.append(f"option {rng.choice(OPTIONS)} {rng.choice(VALUES)}")
        return "\n".join(lines) + "\n"

    def start(self) -> None:
        import os

        os.environ["TRITON_LIBCUDA_PATH"] = str(self.driver)
        os.environ["TRITON_CACHE_DIR"] = str(Path(self.folder.name, str(os.getpid())))

    def check(self, text: str) -> str:
        import ttkit.language as tl
        from ttkit.frontend.errors import CompilationError
        from ttkit.runtime import ArgumentError, KernelFault, OutOfResources, TensorDescriptor

        def descriptor(shape: tuple, strides: tuple, block: tuple) -> object:
            return TensorDescriptor(self.module.Tensor("torch.float32", 4096), shape, strides, block)

        names = {**vars(self.module), "np": np, "tl": tl, "NoAddress": NoAddress, "Raises": Raises, "Index": Index,
                 "Descriptor": descriptor}  # fmt: skip
        clean = (CompilationError, ArgumentError, OutOfResources, KernelFault, TypeError, ValueError, KeyError,
                 RuntimeError, OverflowError, *OF_COMPILING)  # fmt: skip
        kernel, grid, arguments, options = None, (1,), [], {}
        try:
            for line in text.splitlines():
                kind, _, rest = line.partition(" ")
                if kind == "kernel":
                    kernel = getattr(self.module, rest)
                elif kind == "option":
                    name, _, value = rest.partition(" ")
                    options[name] = eval(value, names)
                else:
                    value = eval(rest.replace("lambda_", "lambda "), names)
                    grid = value if kind == "grid" else grid
                    arguments += [value] if kind == "argument" else []
        except Exception:
            return REFUSED  # a descriptor that can't be made says so itself
        if kernel is None:
            return REFUSED
        try:
            for _ in range(2):  # compiled, then found by the native dispatcher
                kernel[grid](*arguments, **options)
        except ZeroDivisionError as error:
            return REFUSED if str(error) == "of the user's" else refusal(error, clean)
        except clean as error:
            return refusal(error, clean)
        return ACCEPTED
