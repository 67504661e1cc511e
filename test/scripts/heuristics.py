"""Parameters that follow from the arguments: a sum of rows in blocks that are as large as a row allows."""

import arrays
import triton
import triton.language as tl


@triton.heuristics(
    {
        "BLOCK": lambda args: triton.next_power_of_2(args["n"]),
        "EVEN": lambda args: args["n"] % args["BLOCK"] == 0,
        "num_warps": lambda args: 8 if args["BLOCK"] >= 2048 else 4,
    }
)
@triton.jit
def row_sum(x, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    loaded = tl.load(x + row * n + at) if EVEN else tl.load(x + row * n + at, mask=at < n, other=0)
    tl.store(out + row, tl.sum(loaded, axis=0))


def main():
    for n in (64, 100, 2048):
        x, out = arrays.normal(5, n), arrays.zeros(5)
        row_sum[(5,)](arrays.on_device(x), out, n)
        arrays.close(out, x.sum(1), 1e-3)


if __name__ == "__main__":
    main()
