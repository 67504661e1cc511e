"""All kernels of this folder, from Python source to a cubin, run and checked: `make demo`."""

import time

import layer_norm
import live_pass
import matmul
import softmax
import vector_add


def main():
    """Runs all examples, in this process, one after the other."""
    start = time.perf_counter()
    for example in (vector_add, softmax, layer_norm, matmul, live_pass):
        example.main()
    print(f"all numbers are right; {time.perf_counter() - start:.1f} seconds")


if __name__ == "__main__":
    main()
