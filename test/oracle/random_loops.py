"""Random pipelined loops by Triton's passes: what is wrong with its ttgir, as ttkit's evaluator sees it it.

    python test/oracle/random_loops.py --oracle ORACLE/bin/python [--targets 90 80] [--seed S] [--first N] [--count 100]
                                       [--keep DIR] [--reduce SECONDS] [FILE...]

The kernels are those of `make fuzz FUZZ="--level loops"`: the same seed and number give the same kernel.  Files, such
as those that --keep writes, are kernels of that kind, too.  Findings that fail in the same way are told once, reduced.
"""

import argparse
import json
import subprocess
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

TEST = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TEST))
REFUSES = "Triton refuses it"


def serve():
    """Triton's side: {"text", "target"} -> {"ttgir"} or {"error"}."""
    import types

    import triton
    from fork_server import serve as serve_requests
    from fuzz.loop_texts import read
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, make_backend
    from triton.runtime.driver import driver

    def ttgir(request):
        target = GPUTarget("cuda", request["target"], 32)
        driver.set_active(types.SimpleNamespace(get_current_target=lambda: target))
        program = read(request["text"], triton.jit, triton.language)
        backend = make_backend(target)
        options = backend.parse_options(dict(program.options))
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        signature, attributes = program.signature()
        source = ASTSource(program.kernel, signature, {}, attributes)
        made = backend.get_codegen_implementation(options)
        module = source.make_ir(target, options, made, backend.get_module_map(), context)
        stages, metadata = {}, {"target": target, **options.__dict__}
        backend.add_stages(stages, options, source.language)
        for stage in ("ttir", "ttgir"):
            module = stages[stage](module, metadata)
        return str(module)

    def answer(request, printed):
        try:
            return {"ttgir": ttgir(request)}
        except Exception as error:
            said = [line for line in printed().splitlines() if "error:" in line or "Assertion" in line]
            said = [line.partition("error:")[2] or line for line in said if "Failures have been" not in line]
            text = [line for line in str(error).splitlines() if line.strip(" ^")]
            return {"error": f"{type(error).__name__}: {''.join(text[-1:])}: {''.join(said[:1])}"}

    serve_requests(answer, 15)


class Triton:
    """The process in which Triton compiles."""

    def __init__(self, python):
        command = [python, str(Path(__file__)), "--serve"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def make_level(python, targets):
    """The level of the fuzzers with Triton's passes in place of ttkit's."""
    from fuzz.level import ACCEPTED, REFUSED, leak
    from fuzz.levels.loops import Loops, of_ttg, references
    from fuzz.loop_runs import tt_module
    from fuzz.loop_texts import BadText, read

    import ttkit
    import ttkit.language as tl
    from ttkit.frontend.errors import CompilationError
    from ttkit.interpreter.errors import NotInterpretable

    class ByTriton(Loops):
        """Kernels with loops as Triton compiles them."""

        def prepare(self):
            self.triton = Triton(python)

        def check(self, text):
            try:
                program = read(text, ttkit.jit, tl)
            except BadText:
                return REFUSED
            outcomes = []
            for target in [program.target] if program.target else targets:
                try:
                    module = tt_module(program, target)
                except CompilationError:
                    continue  # neither front end takes it for that target
                outcomes = outcomes or references(program, module)
                if not outcomes:
                    return REFUSED
                if reason := self.by_triton(program, target, outcomes):
                    return f"sm_{target}, {reason}"
            return ACCEPTED if outcomes else REFUSED

        def by_triton(self, program, target, outcomes):
            """What is wrong with Triton's ttgir, or why there is none."""
            answer = self.triton.ask(text=program.text, target=target)
            if "ttgir" not in answer:
                return f"{REFUSES}: {answer.get('error') or answer.get('died')}"
            try:
                with ttkit.Context():
                    return of_ttg(program, ttkit.parse(answer["ttgir"]), outcomes)
            except NotInterpretable as error:
                return f"not interpretable: {error}"
            except Exception as error:
                return leak(error)

    return ByTriton()


def run(arguments):
    """Prints findings and counts."""
    from fuzz.level import ACCEPTED, REFUSED
    from fuzz.shrink import minimize
    from fuzz.workers import signature

    level = make_level(arguments.oracle, arguments.targets)
    level.prepare()
    numbers = range(arguments.first, arguments.first + arguments.count)
    given = [(path.stem, path.read_text()) for path in arguments.files]
    counts, known, start = Counter(), Counter(), time.monotonic()
    for name, text in given or ((str(number), level.input(arguments.seed, number)) for number in numbers):
        outcome = level.check(text)
        kind = outcome if outcome in (ACCEPTED, REFUSED) else REFUSES if REFUSES in outcome else "wrong"
        counts[kind] += 1
        if outcome in (ACCEPTED, REFUSED):
            continue
        sign = signature(outcome)
        known[sign] += 1
        print(f"--- {name}: {outcome}", flush=True)
        if known[sign] == 1 or arguments.every:
            hangs = "no answer" in outcome  # each candidate that does would take as long
            small = text if hangs or not arguments.reduce else minimize(level, text, outcome, arguments.reduce)
            print(small, flush=True)
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                (arguments.keep / f"{name}.txt").write_text(f"# {outcome}\n{small}")
    for sign, many in known.most_common():
        print(f"{many:5} {sign}")
    print(dict(counts), f"{time.monotonic() - start:.0f} s, seed {arguments.seed}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--oracle", help="a Python with Triton")
    parser.add_argument("--targets", nargs="*", type=int, default=[90, 80])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--reduce", type=float, default=60.0, metavar="SECONDS")
    parser.add_argument("--every", action="store_true", help="reduce findings that fail as others did, too")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    serve() if arguments.serve else run(arguments)


if __name__ == "__main__":
    main()
