"""Calls of kernels, generated from a seed: what they are specialized for must be what Triton specializes for.

A case is text, so that both sides read the same: a kernel's parameters, options of `jit`, and arguments.  The names in
arguments are those of `environment`.
"""

import collections
import enum
import random

PARAMETERS = (
    "{0}",
    "{0}",
    "{0}",
    "{0}: tl.constexpr",
    "{0}: 'constexpr'",
    "{0}: tl.int32",
    "{0}: 'i64'",
    "{0}: tl.uint8",
    "{0}: tl.float32",
    "{0}: 'bf16'",
    "{0}: tl.int1",
    "{0}: tl.const",
    "{0}: '*fp16'",
    "{0}: 'const *i32'",
    "{0}: int",
    "{0}: bool",
    "{0}: tl.pointer_type(tl.float32)",
)
NUMBERS = (
    "0 1 2 16 -16 -1 48 2**31-1 2**31 -2**31 -2**31-1 2**63-1 -2**63 2**63 2**64-16 2**64-1 Number.ONE Number.MANY "
    "True False 1.0 0.0 -2.5"
).split()
DTYPES = (
    "torch.float32 torch.float16 torch.bfloat16 torch.float64 torch.int8 torch.int16 torch.int32 "
    "torch.int64 torch.uint8 torch.bool torch.float8_e4m3fn torch.float8_e5m2 torch.float8_e4m3fnuz "
    "torch.float8_e5m2fnuz torch.uint16 float32 int32 bfloat16"
).split()
CONSTANTS = "0 1 True None 3.5 'relu' (1,2) helper tl.float16 tl.constexpr(3) Pair(1,2) 64".split()
OTHERS = "None helper tl.constexpr(5) tl.constexpr(None) () Pair(1,16) (1,(16,3.0,None)) ((helper,),True)".split()
Number = enum.IntEnum("Number", {"ONE": 1, "MANY": 32})
Pair = collections.namedtuple("Pair", "first second")


class Dtype:
    """A dtype as torch prints it."""

    def __init__(self, name):
        self.name = name
        self.itemsize = 2
        self.is_floating_point = True

    def __str__(self):
        return self.name


class Tensor:
    def __init__(self, dtype, address):
        self.dtype, self.address = _dtypes.setdefault(dtype, Dtype(dtype)), address

    def data_ptr(self):
        return self.address


_dtypes = {}


def environment(tl, jit, descriptor, helper):
    """What the arguments of cases are written with."""
    return {
        "tl": tl,
        "jit": jit,
        "T": Tensor,
        "D": lambda dtype, shape: descriptor(
            Tensor(dtype, 64), [64] * len(shape), [64] * (len(shape) - 1) + [1], shape
        ),
        "Number": Number,
        "Pair": Pair,
        "helper": helper,
    }


def make_cases(seed=0, count=400):
    """[{"parameters": text, "options": {...}, "arguments": [text]}]"""
    chosen = random.Random(seed)
    return [_case(chosen) for _ in range(count)]


def _case(chosen):
    size = chosen.randint(1, 6)
    names = [f"p{index}" for index in range(size)]
    declared = [chosen.choice(PARAMETERS).format(name) for name in names]
    options = {}
    for option in ("do_not_specialize", "do_not_specialize_on_alignment"):
        if chosen.random() < 0.3:
            picked = chosen.sample(range(size), chosen.randint(1, size))
            options[option] = [chosen.choice([index, names[index]]) for index in picked]
    return {
        "parameters": ", ".join(declared),
        "options": options,
        "arguments": [_argument(chosen, text) for text in declared],
    }


def _argument(chosen, declared):
    if "constexpr" in declared:
        return chosen.choice(CONSTANTS)
    if "*" in declared or "const" in declared or "pointer" in declared:
        return _tensor(chosen)
    if ":" in declared:
        return chosen.choice([*NUMBERS[:6], "True", "2.5"] if "fl" in declared or "bf" in declared else NUMBERS[:7])
    kind = chosen.random()
    if kind < 0.35:
        return chosen.choice(NUMBERS)
    if kind < 0.7:
        return _tensor(chosen)
    if kind < 0.8:
        return f"({_tensor(chosen)}, {chosen.choice(NUMBERS)}, {chosen.choice(OTHERS)})"
    if kind < 0.87:
        return f"D({chosen.choice(DTYPES[:6])!r}, {chosen.choice([[16], [8, 16], [2, 4, 32]])})"
    return chosen.choice(OTHERS)


def _tensor(chosen):
    return f"T({chosen.choice(DTYPES)!r}, {chosen.choice([0, 16, 8, 4096, 4100])})"


def source_of(cases):
    """A module with a kernel for each case."""
    head = "\n\n@jit\ndef helper(x):\n    return x\n"
    kernels = [
        f"\n\n@jit(**options[{index}])\ndef kernel{index}({case['parameters']}):\n    pass\n"
        for index, case in enumerate(cases)
    ]
    return head + "".join(kernels)


def described(signature, constants, attributes):
    """The result as JSON has it.  Attributes that say nothing are left out, and those of constants."""
    return {
        "signature": _plain(signature),
        "constants": sorted([list(path), _text(value)] for path, value in constants.items()),
        "attributes": sorted(
            [list(path), _plain(found)] for path, found in attributes.items() if found and path not in constants
        ),
    }


def _text(value):
    if hasattr(value, "cache_key"):
        return f"function {value.__name__}"
    if isinstance(value, tuple):
        return [_text(item) for item in value]
    return f"{type(value).__name__} {value}"


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
