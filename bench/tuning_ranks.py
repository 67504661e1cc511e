"""The ranks of a job tune at once, and take the same choice.  Needs a GPU.

    python bench/tuning_ranks.py [--ranks 4] [--configs 40] [--gpus 0,1] [--output FILE.json]

The ranks are processes that share a store.  Where torch is installed they form a group (gloo), and each compares its
choice with those of all others; else the parent does.  Each would choose otherwise by itself: its times are random.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import tuning
from autotune import matmul

from ttkit import cdiv
from ttkit.autotuning import autotune

KEYS = (512, 1024, 2048)


def gathered(choices):
    """The choices of all ranks, through torch.distributed; only this one's without torch."""
    if find_spec("torch") is None:
        return [choices]
    import torch.distributed as dist

    dist.init_process_group("gloo")
    found = [None] * dist.get_world_size()
    dist.all_gather_object(found, choices)
    dist.destroy_process_group()
    return found


def rank(count, store):
    """What one of them does: tunes a matrix product for three sizes, and prints the choices."""
    number, timed = int(os.environ["RANK"]), []
    chance = random.Random(number)

    def do_bench(call, quantiles):
        """A time that is wrong, differently on each rank."""
        timed.append(1)
        factor = chance.uniform(0.5, 2.0)
        return [factor * each for each in tuning.QUICK(call, quantiles=quantiles)]

    choices = {}
    began = time.perf_counter()
    tuned = autotune(tuning.product_configs(count), key=["M"], do_bench=do_bench, store=store, jobs=4)(matmul)

    for size in KEYS:
        a, b, c = (tuning.random(size, size) for _ in range(3))
        grid = lambda given, size=size: (cdiv(size, given["BM"]), cdiv(size, given["BN"]))
        tuned[grid](a, b, c, *[size] * 6)
        choices[size] = str(tuned.best_config)
    seconds = time.perf_counter() - began
    found = gathered(choices)
    print(json.dumps({"choices": choices, "same": all(one == choices for one in found), "of": len(found)}), end="\t")
    print(json.dumps({"seconds": round(seconds, 2), "timed": len(timed)}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--configs", type=int, default=40)
    parser.add_argument("--gpus", default="", help="such as 0,1: the ranks take them in turn; by default all see all")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--rank", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rank:
        rank(options.configs, options.rank)
        return
    with tempfile.TemporaryDirectory(prefix="ttkit-bench-") as folder:
        command = [sys.executable, __file__, "--configs", str(options.configs), "--rank", f"{folder}/tuning.sqlite"]
        group = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29541", "WORLD_SIZE": str(options.ranks)}
        shared = {**os.environ, **group, "TRITON_CACHE_DIR": f"{folder}/cache"}
        gpus = options.gpus.split(",")
        seen = [
            {"CUDA_VISIBLE_DEVICES": gpus[number % len(gpus)]} if options.gpus else {}
            for number in range(options.ranks)
        ]
        ranks = [
            subprocess.Popen(
                command, env={**shared, **seen[number], "RANK": str(number)}, stdout=subprocess.PIPE, text=True
            )
            for number in range(options.ranks)
        ]
        lines = [each.communicate()[0].strip().splitlines()[-1] for each in ranks]
    said = [[json.loads(part) for part in line.split("\t")] for line in lines]
    choices = [first["choices"] for first, _ in said]
    found = {
        "ranks": options.ranks,
        "same": all(one == choices[0] for one in choices) and all(first["same"] for first, _ in said),
        "compared": "torch.distributed" if said[0][0]["of"] > 1 else "files",
        "choices": choices[0],
        "timed": [second["timed"] for _, second in said],
        "configs": options.configs * len(KEYS),
        "seconds": [second["seconds"] for _, second in said],
    }
    if options.output:
        options.output.write_text(json.dumps(found))
    print(f"{options.ranks} ranks: {'the same choice' if found['same'] else 'DIFFERENT choices'} for {len(KEYS)} sizes")
    print(f"  each timed {found['timed']} of {found['configs']} configurations, in {found['seconds']} s")


if __name__ == "__main__":
    main()
