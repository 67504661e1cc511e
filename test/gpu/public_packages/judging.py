"""Whether two compilers computed the same, of the results that each left."""

from __future__ import annotations

CLOSE = {16: 2e-2, 32: 2e-3, 64: 2e-3, 8: 2e-2}  # by the bits of a float: share of the largest value


def judge(theirs: dict, ours: dict) -> tuple[str, str, float | None]:
    """(status, detail, largest difference as a share of the largest value, if it was found) of two outcomes.

    An outcome is {"results": [tensor on the CPU]} or {"error": text}; a status one of `run.py`'s.
    """
    import torch

    if "error" in theirs or "error" in ours:
        if "error" in theirs and "error" in ours:
            return "both fail", f"{theirs['error']} // {ours['error']}", None
        return ("Triton fails", theirs["error"], None) if "error" in theirs else ("ttkit fails", ours["error"], None)
    if len(theirs["results"]) != len(ours["results"]):
        return "differs", f"{len(theirs['results'])} results, ttkit: {len(ours['results'])}", None
    worst, too_far = 0.0, ""
    for number, (expected, found) in enumerate(zip(theirs["results"], ours["results"], strict=True)):
        if expected.shape != found.shape or expected.dtype != found.dtype:
            return (
                "differs",
                f"result {number}: {expected.dtype} {list(expected.shape)}, ttkit: {found.dtype} {list(found.shape)}",
                None,
            )
        if torch.equal(expected, found) or (
            torch.equal(expected.isnan(), found.isnan()) and torch.equal(expected.nan_to_num(), found.nan_to_num())
        ):
            continue
        if not expected.dtype.is_floating_point:
            return "differs", f"result {number}: {int((expected != found).sum())} of {expected.numel()} integers", None
        exact, ours_exact = expected.double(), found.double()
        finite = exact.isfinite() & ours_exact.isfinite()
        if not torch.equal(exact[~finite].nan_to_num(), ours_exact[~finite].nan_to_num()):
            return "differs", f"result {number}: {int((~finite).sum())} are not finite in one or both", None
        exact, ours_exact = exact[finite], ours_exact[finite]
        distance = float((exact - ours_exact).abs().max() / exact.abs().max().clamp(min=1e-30))
        if not distance <= CLOSE[torch.finfo(expected.dtype).bits]:
            too_far = too_far or f"result {number}: by {distance:.2g} of the largest value"
        worst = max(worst, distance)
    if too_far:
        return "differs", too_far, worst
    return ("close", f"{worst:.1e}", worst) if worst else ("equal", "", 0.0)
