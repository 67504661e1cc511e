"""The commands as processes, on damaged files and with odd arguments: what they exit with, and what they print."""

from __future__ import annotations

import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fuzz.damage import make_input
from fuzz.ir_changes import mutate
from fuzz.level import ACCEPTED, REFUSED
from fuzz.levels.ir import Passes
from fuzz.workers import MEMORY

COMMANDS = """tt-opt FILE --canonicalize
tt-opt FILE --cse --mlir-print-ir-after-all
tt-opt FILE -o OUT
tt-opt FILE --PASS
tt-opt FILE --split-input-file --verify-diagnostics
tt-opt FILE --emit-bytecode
tt-opt FILE --pass-pipeline=builtin.module(PASS)
tt-opt FILE --pass-pipeline=WORD
tt-opt FILE --WORD
tt-opt FILE --check-passes --PASS
tt-run FILE
tt-run FILE --grid WORD
tt-run FILE --arg WORD
tt-run FILE --WORD WORD
tt-layout FILE
tt-layout -l WORD -t WORD
tt-layout WORD
tt-compile FILE -o OUT
tt-compile FILE -o OUT.ptx --target WORD
tt-compile FILE --WORD
tt-layout FILE --value WORD
tt-reduce FILE --test-pass PASS --fails -o OUT
tt-reduce FILE --test-pass PASS --contains WORD
ttkit prove FILE
ttkit prove FILE --size x=WORD --grid WORD
ttkit schedule FILE
ttkit schedule FILE --loop WORD --num-stages 4 -o OUT
ttkit fuzz --pass PASS --programs 1
ttkit show-access FILE
ttkit bisect FILE
ttkit trace --compare FILE FILE
ttkit profile --timeline FILE
proton-viewer FILE
ttkit WORD
ttkit cache WORD
ttkit WORD FILE""".split("\n")
WORDS = """x 0 -1 1,1,1 99999999999999999999 a=b arg0=1 arg0=zeros:4xf32 arg0=rand:-1xf32 sm90 sm_80 80 cuda:90 help
    version
    list check gc show new-pass new-op sanitize trace bisect fuzz #ttg.blocked<{ #ttg.slice<{dim=0,parent=x}>
    tensor<16x16xf32> tensor<0xf32> builtin.module( canonicalize{x=y} func.func(cse) я --- = {} [] / . .. /dev/null
    --help -o --check-passes --mlir-timing num-warps=4 num-warps=x""".split()


class Commands(Passes):
    """`# command: ...`, then the file."""

    name = "commands"
    seconds = 60.0

    def make(self, rng: random.Random) -> str:
        command = rng.choice(COMMANDS).replace("PASS", rng.choice(self.passes))
        while "WORD" in command:
            command = command.replace("WORD", rng.choice(WORDS), 1)
        seed = rng.choice(self.seeds)
        text = make_input(rng, self.material) if rng.random() < 0.5 else mutate(rng, seed, None)
        return f"# command: {command}\n{text}"

    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()

    def check(self, text: str) -> str:
        head, text = text.split("\n", 1)
        command = head.removeprefix("# command: ").split()
        name = "k.ttgir" if "ttg.num-warps" in text else "k.ttir" if command[0] == "tt-compile" else "k.mlir"
        Path(self.folder.name, name).write_text(text, errors="surrogatepass")
        arguments = [word.replace("FILE", name).replace("OUT", "out") for word in command[1:]]
        environment = {**os.environ, "TRITON_CACHE_DIR": self.folder.name, "TMPDIR": self.folder.name}
        program = shutil.which(command[0], path=f"{Path(sys.executable).parent}:{os.environ['PATH']}") or command[0]
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        done = subprocess.run([program, *arguments], cwd=self.folder.name, env=environment, capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, errors="replace", check=False)  # fmt: skip
        said = done.stderr + done.stdout
        if done.returncode not in (0, 1, 2):
            found = re.findall(r"(?:Assertion .*|LLVM ERROR.*|UNREACHABLE.*)$", said, re.MULTILINE)
            return f"{command[0]} exits with {done.returncode}: {found[-1] if found else ''}"
        leak = re.search(r"Traceback \(most recent[\s\S]*|internal error.*", done.stderr)
        if leak and "in run_script\n" not in leak[0]:  # the trace of a script that is none is the script's
            return f"{command[0]} leaks {leak[0].strip().splitlines()[-1][:200]}"
        if done.returncode and not said.strip():
            return f"{command[0]} says nothing and exits with {done.returncode}"
        return REFUSED if done.returncode else ACCEPTED
