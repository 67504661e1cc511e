"""Which commit of a repository made an expression false."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

_EVALUATE = """
import builtins, importlib, sys

class Modules(dict):
    def __missing__(self, name):
        if hasattr(builtins, name):
            raise KeyError(name)
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            raise KeyError(name) from None

sys.path.insert(0, ".")
sys.exit(0 if eval(sys.argv[1], {}, Modules()) else 3)
"""
_FALSE = 3


class CommitError(Exception):
    """The repository, a commit or the expression can't be used."""


@dataclass(frozen=True)
class Commit:
    """The first commit on which the expression is false.

    name: its hash.
    summary: the hash, shortened, and the first line of its message.
    tried: commits on which the expression was evaluated.
    """

    name: str
    summary: str
    tried: int


@dataclass
class Search:
    """expression: of Python, true on good commits, evaluated in a checkout of each, its working directory; names
        of modules import them.

    repository: its folder.
    setup: a shell command that is run in each checkout first: a build.
    say: told of each commit that was tried.
    python: that evaluates.
    """

    expression: str
    repository: str = "."
    setup: str = ""
    say: Callable[[str], None] = print
    python: str = sys.executable

    def run(self, good: str, bad: str) -> Commit:
        """Bisects the first parents between two commits.

        Raises:
            CommitError: the expression is not true on the good commit and false on the bad one, or can't be evaluated.
        """
        names = [
            self._git("rev-parse", good),
            *self._git("rev-list", "--reverse", "--first-parent", f"{good}..{bad}").split(),
        ]
        if len(names) < 2:
            raise CommitError(f"there is no commit after {good} on the way to {bad}")
        with tempfile.TemporaryDirectory() as folder:
            self._checkout = os.path.join(folder, "checkout")
            self._git("worktree", "add", "--detach", "--quiet", self._checkout, names[0])
            try:
                return self._search(names)
            finally:
                self._git("worktree", "remove", "--force", self._checkout)

    def _search(self, names: list[str]) -> Commit:
        tried = 2
        if not self._is_good(names[0]):
            raise CommitError(f"the expression is false on {self._summary(names[0])}, which should be good")
        if self._is_good(names[-1]):
            raise CommitError(f"the expression is true on {self._summary(names[-1])}, which should be bad")
        right, wrong = 0, len(names) - 1
        while wrong - right > 1:
            middle = (right + wrong) // 2
            tried += 1
            if self._is_good(names[middle]):
                right = middle
            else:
                wrong = middle
        return Commit(names[wrong], self._summary(names[wrong]), tried)

    def _is_good(self, name: str) -> bool:
        subprocess.run(["git", "-C", self._checkout, "checkout", "--quiet", "--detach", name], check=True)
        if self.setup:
            ended = subprocess.run(self.setup, shell=True, cwd=self._checkout, capture_output=True, text=True)
            if ended.returncode:
                raise CommitError(f"'{self.setup}' fails on {self._summary(name)}: {ended.stderr.strip()[-500:]}")
        # Not what this process imports: the checkout's own modules come first.
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [self.python, "-c", _EVALUATE, self.expression]
        ended = subprocess.run(command, cwd=self._checkout, env=environment, capture_output=True, text=True)
        if ended.returncode not in (0, _FALSE):
            last = (ended.stderr.strip() or "no message").splitlines()[-1]
            raise CommitError(f"the expression can't be evaluated on {self._summary(name)}: {last}")
        self.say(f"{'good' if ended.returncode == 0 else 'bad '}  {self._summary(name)}")
        return ended.returncode == 0

    def _summary(self, name: str) -> str:
        return self._git("log", "-1", "--format=%h %s", name)

    def _git(self, *arguments: str) -> str:
        ended = subprocess.run(["git", "-C", self.repository, *arguments], capture_output=True, text=True)
        if ended.returncode:
            raise CommitError(f"git {arguments[0]}: {ended.stderr.strip()}")
        return ended.stdout.strip()
