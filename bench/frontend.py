"""Time from kernel source to tt, of ttkit and, for comparison, of Triton.

    python bench/frontend.py [--oracle ORACLE/bin/python] [--repeat N]

Milliseconds of one compilation, the best of N, after one that is not counted; in a context made before.  What is
measured: syntax tree to operations, and their verification; neither printing nor passes.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "test" / "oracle"))

NAMES = ["vector_add", "matmul_f16", "attention", "layer_norm", "row_softmax", "orders"]
FOLDERS = [HERE.parent / "test" / "data" / "kernels", HERE.parent / "test" / "data" / "language"]


def times(frontend: str, repeat: int) -> dict[str, float]:
    """{kernel: milliseconds}."""
    import kernel_sources

    if frontend == "ttkit":
        kernel_sources.stand_in_for_triton()
        compile_case = kernel_sources.prepared_ttkit
    else:
        compile_case = kernel_sources.prepared_triton
    found = {}
    for folder in FOLDERS:
        for case in kernel_sources.load_cases(folder, NAMES) if folder.exists() else []:
            best = float("inf")
            for _ in range(repeat + 1):
                run = compile_case(case, case.archs[0])
                start = time.perf_counter()
                run()
                best = min(best, time.perf_counter() - start)
            found[case.name] = best * 1e3
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", help="a Python that has Triton 3.6")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--json", choices=["triton", "ttkit"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.json:
        json.dump(times(arguments.json, arguments.repeat), sys.stdout)
        return
    ours = times("ttkit", arguments.repeat)
    theirs = {}
    if arguments.oracle:
        command = [arguments.oracle, __file__, "--json", "triton", "--repeat", str(arguments.repeat)]
        theirs = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    print(f"{'kernel':16} {'ttkit ms':>9} {'Triton ms':>10} {'ratio':>6}")
    for name, milliseconds in ours.items():
        other = f"{theirs[name]:10.2f} {milliseconds / theirs[name]:6.2f}" if name in theirs else ""
        print(f"{name:16} {milliseconds:9.2f} {other}")


if __name__ == "__main__":
    main()
