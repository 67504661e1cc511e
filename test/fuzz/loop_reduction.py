"""Kernels with loops made smaller: statements, expressions, runs and arguments are left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from ttkit.reduce import python_source
from ttkit.reduce.python_source import PythonSource
from ttkit.reduce.reducer import Job, Reply

Edit = Callable[[list[str]], None]


def comments(text: str) -> tuple[list[str], str]:
    """The lines that say how the kernel is launched, and the kernel."""
    lines = text.splitlines()
    head = [line for line in lines if line.startswith("#")]
    return head, "\n".join(line for line in lines if not line.startswith("#")) + "\n"


def launches(head: list[str]) -> list[Edit]:
    """One target, no lowered run, fewer warps and stages, and fewer runs."""

    def change(old: str, new: str) -> Edit:
        def edit(lines: list[str]) -> None:
            if "target" not in lines[0] or "target" not in new:
                lines[0] = re.sub(old, new, lines[0])

        return edit

    def remove(line: str) -> Edit:
        return lambda lines: lines.remove(line) if line in lines else None

    found = [change("lowered=1", "lowered=0")] * ("lowered=1" in head[0])
    if "target" not in head[0]:
        found += [change("$", f" target={target}") for target in (80, 90)]
    found += [remove(line) for line in head if re.match(r"# n=", line)]
    found += [change("num_warps=8", "num_warps=4")] * ("num_warps=8" in head[0])
    return found


class LoopKernel(PythonSource):
    """A kernel with the comments above it, as `loop_texts.py` reads them."""

    kinds = (
        launches,
        python_source.statements,
        python_source.nested_blocks,
        python_source.expressions,
        python_source.arguments,
        python_source.statements,
        launches,
    )

    def candidate(self, job: Job) -> Reply:
        """The kernel with some edits made, without arguments that it no longer uses."""
        head, code = comments(job.text)
        if self.kinds[job.kind] is launches:
            found = launches(head)
            for edit in found[job.start : job.stop]:
                edit(head)
            return Reply(len(found), "\n".join([*head, code]) if job.stop else None, self.size(head, code))
        reply = super().candidate(replace(job, text=code))
        if reply.candidate is None:
            return reply
        head, code = without_unused(head, reply.candidate)
        return Reply(reply.places, "\n".join([*head, code]), self.size(head, code))

    def normalized(self, text: str) -> tuple[str, int]:
        head, code = comments(text)
        code = ast.unparse(ast.parse(code)) + "\n"
        return "\n".join([*head, code]), self.size(head, code)

    @staticmethod
    def size(head: list[str], code: str) -> int:
        return len(head) + sum(1 for _ in ast.walk(ast.parse(code)))


def without_unused(head: list[str], code: str) -> tuple[list[str], str]:
    """Comments and kernel without the parameters that the kernel doesn't use."""
    tree = ast.parse(code)
    (kernel,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "kernel")
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    definitions = (ast.FunctionDef, ast.ClassDef)
    tree.body = [node for node in tree.body if not isinstance(node, definitions) or node.name in used | {"kernel"}]
    kernel.args.args = [one for one in kernel.args.args if one.arg in used]
    kept = []
    for line in head:
        name = re.match(r"# (\w+):", line)
        if name is None or name.group(1) in used:
            kept.append(line)
    return kept, ast.unparse(tree) + "\n"
