"""Findings of an upgrade, and rules in which versions disagree, which `ttkit.language.versions.since` names."""

from __future__ import annotations

from typing import NamedTuple

from ttkit.triton_versions import Version

ERROR, MEANING, SPEED, NOTICE = "error", "meaning", "speed", "notice"
"""Kinds: it does not run; its results differ; it takes another time; it only warns, or will change later."""


class Change(NamedTuple):
    """A rule of a later version.

    since: the version that brought it.
    kind: one of those above.
    text: what it does to the program.
    advice: what to write.
    """

    since: Version
    kind: str
    text: str
    advice: str


class Finding(NamedTuple):
    """A place of a program that a change concerns.

    kernel: the kernel that was compared; "" for what the source alone shows.
    """

    file: str
    line: int
    change: Change
    kernel: str = ""


CHANGES = {
    "returned_constant": Change(
        (3, 7),
        MEANING,
        "a number that a function returns is a constexpr where it was a tensor: it takes the type of other operands",
        "return tl.to_tensor(...) for a tensor",
    ),
    "negation": Change(
        (3, 8),
        MEANING,
        "-x of a float is its negation where it was 0 - x: of 0.0 it is -0.0",
        "0 - x, where the sign of zero matters",
    ),
    "fdiv_rounding": Change(
        (3, 8),
        MEANING,
        "ieee_rounding, which was ignored, rounds the quotient to nearest; it takes more instructions",
        "leave ieee_rounding out for the quotient of before",
    ),
    "number_type": Change(
        (3, 9),
        MEANING,
        "a number beside a tensor in a comparison takes the tensor's type, as in a sum; it was int32 or fp32",
        "convert the tensor first, as in x.to(tl.float32) < 0.1",
    ),
    "narrow_extremes": Change(
        (3, 9),
        MEANING,
        "minimum, maximum and clamp of bf16 give bf16; they gave fp32",
        "x.to(tl.float32) before it, where what follows needs fp32",
    ),
    "scan_type": Change(
        (3, 9),
        MEANING,
        "cumsum and cumprod of bf16 are summed in bf16, and gave fp32; cumprod of narrow integers gives int32",
        "dtype=tl.float32, or x.to(tl.float32) before it",
    ),
    "quotient_type": Change(
        (3, 9),
        MEANING,
        "quotients of fp8 are computed in fp32; they were computed in fp8 or fp16",
        "convert the operands to the type of the quotient",
    ),
    "ternary_type": Change(
        (3, 9),
        MEANING,
        "the three operands of fma and clamp get one type together; numbers take that of the tensors",
        "convert the tensors first",
    ),
    "negative_zero": Change((3, 9), MEANING, "-0.0 is -0.0 where it was 0.0", "0.0, where the sign matters"),
    "stored_bool": Change(
        (3, 9),
        MEANING,
        "a value that is stored as bool becomes 0 or 1; an integer was cut to 8 bits",
        "store to a pointer to int8 for the integer",
    ),
}
FUSION = Change(
    (3, 9),
    NOTICE,
    "products and sums become fused operations unless options say otherwise; from 3.10 on they do not by default, and "
    "this line takes two instructions for each element where it takes one",
    "enable_fp_fusion=True at launches, or TRITON_DEFAULT_FP_FUSION=1, to keep speed and results",
)
PREFETCH = Change(
    (3, 8),
    SPEED,
    "operands of this product are not loaded into registers a step of the loop ahead any more, but on sm_80 to sm_89",
    "time the kernel on this GPU, also with num_stages one larger",
)
CLUSTERS = Change(
    (3, 9),
    SPEED,
    "other passes choose how the CTAs of a cluster divide tensors",
    "time the kernel; kernels with num_ctas=1 do not change",
)


def other_work(since: Version, more: str, less: str) -> Change:
    """The change of a line that takes other operations on each element; one of the two may be empty."""
    parts = [f"{operations} {side}" for operations, side in ((more, "more"), (less, "less")) if operations]
    text = f"takes other operations for each element: {'; '.join(parts)}"
    return Change(since, SPEED, text, "see what else changes in this line, and time the kernel")


REFUSED = "the kernel is not compiled any more: {message}"
