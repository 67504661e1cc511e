"""What somebody who writes a pass is told: names, pipelines, patterns that don't end, snapshots and ledgers."""

import re

import pytest
from mlir import ir

import ttkit
from ttkit import pipelines
from ttkit.dialects import arith
from ttkit.passes.infra import MATCHED, Pass, apply_greedily
from ttkit.passes.infra.bridge import register_pass
from ttkit.passes.infra.pipeline_options import brackets_complaint
from ttkit.pipelines.snapshots import Snapshot, Snapshots

TEXT = "func.func @f(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32 return %0 : i32 }"


@pytest.mark.parametrize(
    "name, such",
    [("Add Twice", "such as 'add-twice'"), ("x/y", "such as 'x-y'"), ("", "'.'"), (3, "'.'"), ("é", "'.'")],
)
def test_a_name_that_no_pipeline_can_spell(name, such):
    cls = type("Named", (Pass,), {"name": name, "run": lambda self, op: None})
    with pytest.raises(ValueError, match=rf"a pass can't be named {re.escape(repr(name))}: .*{re.escape(such)}$"):
        register_pass(cls)


@pytest.mark.parametrize(
    "pipeline, said",
    [
        ("builtin.module(cse", "the pipeline 'builtin.module(cse' lacks ')' at its end"),
        ("builtin.module(tt.func(cse)", "lacks ')' at its end"),
        ("builtin.module(cse))", "a ')' that closes nothing"),
        ("builtin.module(cse{a=1)", "a ')' where '}' is missing"),
        ("builtin.module(canonicalize{max-iterations=1", "lacks '})' at its end"),
    ],
)
def test_brackets_of_a_pipeline(pipeline, said, context):
    with pytest.raises(ValueError, match=re.escape(said)):
        ttkit.run_passes(ttkit.parse(TEXT, context), pipeline)


def test_brackets_in_texts_are_none():
    assert not brackets_complaint("builtin.module(p{a=\")\" b='}('},any(cse))")


def test_patterns_that_do_not_end_are_named(context):
    def again(op, rewriter):
        """Matches for ever."""
        return MATCHED

    with pytest.raises(RuntimeError, match=r"did not converge.*; the last was again, for arith.addi$"):
        apply_greedily(ttkit.parse(TEXT, context).operation, {arith.AddIOp: again})


def test_an_error_about_a_module_has_no_note_of_it(context):
    class Raises(Pass):
        """Raises."""

        name = "test-raises-on-module"

        def run(self, op: ir.Operation) -> None:
            raise KeyError("x")

    register_pass(Raises)
    said = []
    with context:
        handler = context.attach_diagnostic_handler(
            lambda one: bool(said.append((one.message, len(one.notes)))) or True
        )
        with pytest.raises(KeyError):
            ttkit.run_passes(ttkit.parse(TEXT, context), "test-raises-on-module")
        handler.detach()
    assert [notes for text, notes in said if "test-raises-on-module" in text] in ([], [0])


def test_snapshots_before_a_pass_and_ledgers_of_no_kernel():
    def snapshot(name, text):
        return Snapshot("k", "ttir", name, text)

    found = Snapshots([snapshot("(input)", "0"), snapshot("a", "1"), snapshot("b", "2"), snapshot("a", "3")])
    assert (
        found.before("b").text == "1" and found.before("a").text == "0" and found.before("a", occurrence=-1).text == "2"
    )
    with pytest.raises(LookupError, match="pass 'c' did not run; these did: "):
        found.before("c")
    with pipelines.ledgers() as kept, pytest.raises(KeyError, match=r"no kernel 'axpi' was compiled .* none"):
        kept["axpi"]
