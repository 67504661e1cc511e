"""What users set: options and types of a compilation, and environment variables."""

from __future__ import annotations

import ast
import os
import random
import tempfile
from dataclasses import fields

import ttkit
import ttkit.language as tl
from fuzz.level import ACCEPTED, Level, refusal
from fuzz.levels.ir import OF_COMPILING
from ttkit import knobs
from ttkit.frontend import ASTSource
from ttkit.frontend.errors import CompilationError
from ttkit.notices import NOTICES
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

VALUES = """0 1 -1 2 3 4 8 16 31 32 33 64 255 256 1024 10**9 2**31 2**63 2**70 -2**63 0.0 1.0 4.0 1.5 float('nan') ''
    'x'
    '4' 'tf32' 'ieee' 'bf16' 'sm90' 'sm_80' 'sm999' 'sm90a' 'cuda' 'hip' None True False () (1,) ('tf32',) [] ['x'] {}
    {'a':'b'} b'4' 1j ... 'fp8e5' ('x','y') ((1,2),) '\\0' 'я' '-v' '--help' '/dev/null' '/nonexistent'""".split()
TYPES = """*fp32 *i8 *fp16 i1 i8 i32 i64 u32 u64 fp16 bf16 fp32 fp64 *fp8e5 *fp8e4nv *bf16 constexpr
    tensordesc<fp16[16,16]>
    tensordesc<fp32[8]> *constexpr x *x ** *** i3 fp128 tensordesc< tensordesc<> tensordesc<fp16[0]> *i1 nvTmaDesc void
    float32 *float32 -1 *tensordesc<fp16[16]> [i32] (i32,i32)""".split()
WORDS = """0 1 2 true false on off yes no TRUE -1 999999999999999999999 1.5 x я / /dev/null /nonexistent . .. a:b
    os:path
    ttkit.cache.manager:FileCacheManager ttkit.cache.remote:RemoteCacheManager
    ttkit.cache.remote:RedisRemoteCacheBackend
    nomodule:Class json:loads 80 90 sm80 sm999 cuda:90 ttir ttgir llir all tf32 ieee interpret:sm_90 sm_90
    compile:sm_90 {key} {key}{nothing} %s ; , =""".split()


@ttkit.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


class Options(Level):
    """A kernel compiled with any options, types, constants, attributes and targets: lines of `kind name = value`."""

    name = "options"
    seconds = 60.0

    def prepare(self) -> None:
        self.names = [field.name for field in fields(CompileOptions) if field.name != "pipeline"]
        self.names += ["warps", "num_buffers_warp_spec", "num_consumer_groups", "matrix_instr_nonkdim", ""]

    def make(self, rng: random.Random) -> str:
        lines = []
        for _ in range(rng.choice((1, 1, 2, 3))):
            how, value = rng.random(), rng.choice(VALUES)
            if how < 0.6:
                lines.append(f"option {rng.choice(self.names)} = {value}")
            elif how < 0.75:
                lines.append(f"type {rng.choice(('x', 'y', 'n', 'BLOCK', 'z'))} = {rng.choice(TYPES)!r}")
            elif how < 0.9:
                lines.append(f"constant {rng.choice(('BLOCK', 'BLOCK', 'n', 'x', 'z'))} = {value}")
            elif how < 0.95:
                lines.append(f"attribute {rng.randrange(-1, 5)} = {value}")
            else:
                lines.append(f"target {rng.choice(('arch', 'warp_size', 'backend'))} = {value}")
        return "\n".join(lines) + "\n"

    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        os.environ["TRITON_CACHE_DIR"] = self.folder.name

    def check(self, text: str) -> str:
        types = {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}
        constants, options, attributes = {"BLOCK": 128}, {}, {}
        target = {"backend": "cuda", "arch": 90, "warp_size": 32}
        for line in text.splitlines():
            head, _, spelled = line.partition(" = ")
            kind, _, name = head.partition(" ")
            place = {"option": options, "type": types, "constant": constants, "target": target}.get(kind, attributes)
            if place is attributes:
                attributes[(int(name),)] = [("tt.divisibility", value_of(spelled))]
            else:
                place[name] = value_of(spelled)
        clean = (CompilationError, TypeError, ValueError, KeyError, RuntimeError, FileNotFoundError, *OF_COMPILING)
        try:
            ttkit.compile(ASTSource(kernel, types, constants, attributes), GPUTarget(**target), options)
        except clean as error:
            return refusal(error, clean)
        return ACCEPTED


def value_of(spelled: str) -> object:
    """A literal; powers too."""
    base, power, exponent = spelled.partition("**")
    if power and base.lstrip("-").isdigit():
        return int(base) ** int(exponent) if not base.startswith("-") else -(int(base[1:]) ** int(exponent))
    return float("nan") if "nan" in spelled else ast.literal_eval(spelled)


class Environment(Level):
    """A kernel compiled with any environment: lines of `NAME=value`."""

    name = "environment"
    seconds = 60.0

    def prepare(self) -> None:
        variables = {knob.key for group in knobs.GROUPS.values() for knob in group_knobs(group)}
        # Where files are is the harness's; and what makes LLVM say more than a disk holds.
        left_out = {"TRITON_HOME", "TRITON_LIBCUDA_PATH", "TRITON_ENABLE_LLVM_DEBUG", "TRITON_LLVM_DEBUG_ONLY"}
        self.names = sorted((variables | set(knobs.INVALIDATING)) - left_out)

    def make(self, rng: random.Random) -> str:
        names = [rng.choice(self.names) for _ in range(rng.choice((1, 1, 2, 4)))]
        return "".join(f"{name}={rng.choice(WORDS)}\n" for name in names)

    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)  # files that variables name by a bare word
        self.environment = {**os.environ, "TRITON_CACHE_DIR": os.path.join(self.folder.name, "cache"),
                            "TRITON_DUMP_DIR": os.path.join(self.folder.name, "dump"),
                            "TRITON_OVERRIDE_DIR": os.path.join(self.folder.name, "override")}  # fmt: skip

    def check(self, text: str) -> str:
        os.environ.clear()
        os.environ.update(self.environment)
        NOTICES.forget()
        for line in text.splitlines():
            name, _, value = line.partition("=")
            os.environ[name] = value
        types = {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}
        clean = (CompilationError, RuntimeError, ValueError, OSError, ImportError, *OF_COMPILING)
        try:
            ttkit.compile(ASTSource(kernel, types, {"BLOCK": 128}), GPUTarget("cuda", 90, 32))
        except clean as error:
            return refusal(error, clean)
        return ACCEPTED


def group_knobs(group: object) -> list:
    """The variables of a group of knobs."""
    found = {**vars(type(group)), **vars(group)} if not isinstance(group, type) else vars(group)
    return [knob for knob in found.values() if isinstance(knob, knobs.Variable)]
