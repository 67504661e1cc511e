"""Cross entropy of many short rows: a program for each, with a gather and a launch over some thousand programs."""

import arrays
import numpy as np
import triton
import triton.language as tl


@triton.jit
def cross_entropy(logits_ptr, labels_ptr, losses_ptr, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    label = tl.load(labels_ptr + row)
    logits = tl.load(logits_ptr + row * classes + i, mask=i < classes, other=-float("inf"))
    largest = tl.max(logits, 0)
    total = tl.log(tl.sum(tl.exp(logits - largest), 0)) + largest
    tl.store(losses_ptr + row, total - tl.load(logits_ptr + row * classes + label))


def main():
    rows, classes = 4000, 100
    logits = arrays.normal(rows, classes)
    labels = np.random.default_rng(3).integers(0, classes, rows).astype(np.int32)
    losses = arrays.zeros(rows)
    cross_entropy[(rows,)](arrays.on_device(logits), arrays.on_device(labels), losses, classes, BLOCK=128)
    wanted = np.log(np.exp(logits).sum(1)) - logits[np.arange(rows), labels]
    arrays.close(losses, wanted, 1e-3, 1e-3)


if __name__ == "__main__":
    main()
