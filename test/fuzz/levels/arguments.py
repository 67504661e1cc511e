"""The commands' own options and arguments, any of them with any words: called in this process, which is fast."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fuzz.level import ACCEPTED, REFUSED, Level, leak
from ttkit.drivers import compile, layout, proton, reduce, run, toolkit
from ttkit.drivers.manual import PARSERS
from ttkit.profiler import viewer
from ttkit.tools import compile as aot
from ttkit.tools import link

MAINS = {"ttkit": toolkit.main, "tt-compile": compile.main, "tt-run": run.main, "tt-layout": layout.main,
         "tt-reduce": reduce.main, "proton": proton.main, "proton-viewer": viewer.main,
         "tools.compile": aot.main, "tools.link": link.main}  # fmt: skip
ALL_PARSERS = {**PARSERS, "tools.compile": aot.command_line, "tools.link": link.command_line}
NOT = {"explore", "--gpu"}
"""What waits for a browser, or takes a GPU."""
TTIR = """tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %b = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %b, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %q : tensor<64x!tt.ptr<f32>>
  tt.store %q, %x : tensor<64x!tt.ptr<f32>>
  tt.return
}
"""
LAYOUT = "#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>"
FILES = {"k.ttir": TTIR, "empty": "", "s.py": "print(1)\n", "x.json": "{}", "bytes.bin": "\0\udcff\xff",
         "k.html": "<html>",
         "k.py": "import ttkit\nimport ttkit.language as tl\n\n\n@ttkit.jit\ndef k(p, n, B: tl.constexpr):\n"
                 "    tl.store(p + tl.arange(0, B), n)\n"}  # fmt: skip
WORDS = """0 1 -1 4 2.5 nan inf -inf 1e999 999999999999999999999 1,1,1 1,0 0x10 '१' x= =x x=1 x=n k k,x p=zeros:64xf32
    0=1 zeros:64 zeros:-1 zeros:99999999999x99999999999 rand:64 full=2:64 randint:0:9:64 randint:9:0:64 none true '' ' '
    '\1' 'я' '\udcff' sm_90 sm_80,sm_90 cuda:90:32 90 75 cse canonicalize triton-combine all asan tsan init bash
    tests.py k.ttgir k.ptx k.cubin nothing sub . '*fp32, i32, 64' '*fp32:16, i32:1, 64' '*fp32' 'i32, i32, i32, i32'
    '*fp32, i32, x' 'tensordesc<f>, 1, 2' '((((' 'n + 1' 'n // 0' '2**99**99' 'cdiv(n, 64)' 'k(' p=n maxnreg=64
    num_warps=3 num_warps=x time/ms avg_time/x %x '%b#0' '#a' 'tensor<64xf32>' 'tensor<0xf32>' 'tensor<64xf32, #x>'
    'builtin.module(cse)' 'cse{x=1}' 1G -1K 99999999T 1.5"""


class Arguments(Level):
    """A command line."""

    name = "arguments"
    seconds = 60.0

    def prepare(self) -> None:
        self.words = [*shlex.split(WORDS), *FILES, LAYOUT, f"tensor<64xf32, {LAYOUT}>"]
        self.parsers = [found for name, parser in ALL_PARSERS.items() for found in parsers((name,), parser())]

    def make(self, rng: random.Random) -> str:
        words, parser = rng.choice(self.parsers)
        line, behind = list(words), []
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction) or action.dest in ("help", "version"):
                continue
            likely = 0.9 if action.required or not action.option_strings else 0.15
            if rng.random() > likely or NOT & {*action.option_strings}:
                continue
            values = [self.value(rng, action) for _ in range(self.count(rng, action))]
            (line if action.option_strings else behind).extend([*action.option_strings[-1:], *values])
        if rng.random() < 0.05:
            line.insert(rng.randrange(1, len(line) + 1), rng.choice(self.words))
        return shlex.join([*line, *behind]) + "\n"

    def count(self, rng: random.Random, action: argparse.Action) -> int:
        """How many values an argument gets."""
        if isinstance(action.nargs, int):
            return action.nargs
        return 1 if action.nargs is None else rng.choice((0, 1, 1, 2, 3))

    def value(self, rng: random.Random, action: argparse.Action) -> str:
        """One that fits, perhaps."""
        if action.choices and rng.random() < 0.9:
            return str(rng.choice(sorted(map(str, action.choices))))
        is_file = action.metavar in ("FILE", "SCRIPT ARGS", "FILE.py") or action.dest in ("file", "path", "script")
        return rng.choice(list(FILES) if is_file and rng.random() < 0.7 else self.words)

    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        os.environ.update(TRITON_CACHE_DIR=str(Path("cache").resolve()), TTKIT_DEVICE="sm_90", PATH="")

    def check(self, text: str) -> str:
        for name, content in FILES.items():
            Path(name).write_text(content, errors="surrogatepass")
        command, *words = shlex.split(text)
        return outcome_of(MAINS[command], words)


def parsers(words: tuple[str, ...], parser: argparse.ArgumentParser) -> Iterator[tuple[tuple[str, ...], Any]]:
    """A parser and those of its subjects, with the words that lead there."""
    inner = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not inner:
        yield words, parser
    for action in inner:
        for name, each in action.choices.items():
            if name not in NOT:
                yield from parsers((*words, name), each)


def outcome_of(main: Callable[[list[str]], Any], arguments: list[str]) -> str:
    """What a command comes to: a finding if it ends without a word, otherwise than by an exit code or with another
    than 0, 1 and 2."""
    before, sys.stdin = sys.stdin, io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()) as told, contextlib.redirect_stderr(told):
        try:
            main(arguments)
        except SystemExit as end:
            if end.code in (0, None):
                return ACCEPTED
            said = end.code if isinstance(end.code, str) else told.getvalue() if end.code in (1, 2) else ""
            return REFUSED if said.strip() else f"ends with {end.code!r}, and says nothing"
        except Exception as error:
            return leak(error)
        finally:
            sys.stdin = before
    return ACCEPTED
