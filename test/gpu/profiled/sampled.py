"""Samples a kernel that computes for long at one line; with arguments, after a profile of a CUDA graph.

Most samples are where young warps begin, not selected while older ones compute; most that issue are at that line.
"""

import json
import sys

import torch
import triton
import triton.language as tl
import triton.profiler as proton


@triton.jit
def spin(x, out, n, rounds, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, at < n)
    for _ in range(rounds):
        value = value * 1.0001 + 0.5  # hot
    tl.store(out + at, value, at < n)


def replay_a_graph(launch):
    proton.start("graph")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        launch()
    graph.replay()
    proton.finalize()
    launch()
    torch.cuda.synchronize()


def lines_with_samples(node):
    if "@" in node["frame"]["name"]:
        yield node["frame"]["name"], node["metrics"].get("stalled_selected", 0)
    for child in node["children"]:
        yield from lines_with_samples(child)


def main():
    n = 1 << 24
    x, out = torch.rand(n, device="cuda"), torch.empty(n, device="cuda")
    launch = lambda: spin[(n // 1024,)](x, out, n, 640, BLOCK=1024)
    launch()
    torch.cuda.synchronize()
    if len(sys.argv) > 1:
        replay_a_graph(launch)
    proton.start("samples", mode="pcsampling:interval=4096")
    for _ in range(20):
        launch()
    proton.finalize()
    with open("samples.hatchet") as file:
        found = dict(lines_with_samples(json.load(file)[0]))
    with open(__file__) as file:
        hot = next(number for number, text in enumerate(file, 1) if text.rstrip().endswith("# hot"))
    print(found)
    assert found and found[f"{__file__}:{hot}@spin"] > max(1000, 0.8 * sum(found.values()))


if __name__ == "__main__":
    main()
