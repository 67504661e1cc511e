"""The stream of events about passes: what subscribers are told, and that each run keeps its own."""

from dataclasses import dataclass

import pytest
from mlir import ir
from mlir.passmanager import PassManager

import ttkit
from ttkit.passes.infra import Pass, bridge, option
from ttkit.passes.infra.events import ModuleAfterEach, PassSubscriber

MODULE = """
func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  return %0 : i32
}
"""


class Everything(PassSubscriber):
    def __init__(self):
        self.told = []

    def note(self, event):
        self.told.append(event)

    before = after = failed = note


@dataclass(frozen=True)
class Complaint(Pass):
    """Raise."""

    name = "test-complaint"
    number: int = option(0, "what it says")

    def run(self, op):
        raise RuntimeError(f"complaint {self.number}")


class Nested(Pass):
    """Run a pipeline inside of a pass, and count."""

    name = "test-nested"
    statistics = {"runs": "how often"}

    def run(self, op):
        self.count("runs")
        ttkit.run_passes(op, "canonicalize")
        with pytest.raises(RuntimeError, match="complaint 5"):
            ttkit.run_passes(op, "test-complaint{number=5}")
        self.count("runs")


@pytest.fixture(scope="module", autouse=True)
def registered():
    bridge.register_pass(Complaint)
    bridge.register_pass(Nested)


def run(pipeline, *subscribers, **named):
    with ttkit.Context():
        module = ttkit.parse(MODULE)
        ttkit.run_passes(module, pipeline, subscribers=subscribers, **named)
        return str(module)


def test_what_is_told_of_a_pass():
    one = Everything()
    run("func.func(canonicalize{max-iterations=3}),cse", one, kernel="f", stage="ttir")
    assert [(e.kind, e.pass_name) for e in one.told] == [
        ("before", "canonicalize"),
        ("after", "canonicalize"),
        ("before", "cse"),
        ("after", "cse"),
    ]
    first, second, *_ = one.told
    assert first.class_name == "CanonicalizerPass" or first.class_name == "Canonicalizer"
    assert first.arguments.startswith("canonicalize{") and "max-iterations=3" in first.arguments
    assert first.seconds == 0.0 < second.seconds
    assert first.changed is None and second.changed is None and first.depth == 0
    assert (first.run.kernel, first.run.stage) == ("f", "ttir") and first.run is second.run


def test_the_ir_is_there_on_demand_and_only_then():
    class Look(PassSubscriber):
        def __init__(self):
            self.texts, self.events = [], []

        def after(self, event):
            assert event.operation.name == "func.func" and event.module.name == "builtin.module"
            self.texts.append(event.text())
            assert "loc(" in event.text(locations=True) and "loc(" not in event.text()
            self.events.append(event)

    look = Look()
    run("func.func(canonicalize)", look)
    assert "arith.addi" not in look.texts[0]
    with pytest.raises(ValueError, match="ask for it during the event"):
        look.events[0].operation  # noqa: B018


def test_changes_are_found_for_who_asks():
    class Changes(PassSubscriber):
        finds_changes = True

        def __init__(self):
            self.changed = []

        def after(self, event):
            self.changed.append(event.changed)

    changes = Changes()
    run("cse,canonicalize,canonicalize", changes)
    assert changes.changed == [False, True, False]


def test_passes_inside_of_passes_are_for_who_asks():
    class Inner(Everything):
        nested = True

    module = "func.func private @g() {\n  return\n}\nfunc.func @f() {\n  call @g() : () -> ()\n  return\n}"
    plain, inner = Everything(), Inner()
    with ttkit.Context():
        ttkit.run_passes(ttkit.parse(module), "inline", subscribers=[plain, inner])
    assert {event.pass_name for event in plain.told} == {"inline"}
    assert {(event.pass_name, event.depth) for event in inner.told} == {("inline", 0), ("canonicalize", 1)}


def test_failures():
    one = Everything()
    with pytest.raises(RuntimeError, match="complaint 3"):
        run("test-complaint{number=3},cse", one)
    assert [(e.kind, e.pass_name) for e in one.told] == [("before", "test-complaint"), ("failed", "test-complaint")]
    assert [str(error) for error in one.told[0].run.errors] == ["complaint 3"]


def test_what_a_subscriber_raises_comes_at_the_end_and_ends_its_subscription():
    class Broken(Everything):
        def after(self, event):
            super().note(event)
            raise KeyError("mine")

    broken, fine = Broken(), Everything()
    with pytest.raises(KeyError, match="mine"):
        run("cse,canonicalize", broken, fine)
    assert len(broken.told) == 2 and len(fine.told) == 4


def test_a_run_inside_of_a_run_has_its_own_errors():
    with ttkit.Context():
        one = Everything()
        ttkit.run_passes(ttkit.parse(MODULE), "test-nested", subscribers=[one])
    assert [event.pass_name for event in one.told] == ["test-nested"] * 2 and not one.told[0].run.errors


def test_pass_managers_of_others_run_passes_too():
    with ttkit.Context() as context:
        module = ttkit.parse(MODULE)
        with pytest.raises(ir.MLIRError, match=r"pass 'test-complaint' raised RuntimeError: complaint 0"):
            PassManager.parse("builtin.module(test-complaint)", context).run(module.operation)


def test_contexts_are_let_go():
    class Names(ModuleAfterEach):
        def __init__(self):
            super().__init__()
            self.names = []

        def see(self, pass_name, event):
            self.names.append((pass_name, event.module.name))

    before = ir.Context._get_live_count()
    for _ in range(3):
        names = Names()
        run("triton-combine,cse", names)
        assert [name for name, _ in names.names] == ["(input)", "triton-combine", "cse"]
    ttkit.Context()  # lets go of what those before it kept
    assert ir.Context._get_live_count() <= before
