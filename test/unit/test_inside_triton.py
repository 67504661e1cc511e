"""Passes of ttkit in Triton's compilations, with a Triton of few lines; the real one: test/oracle/inside_triton.py."""

import sys

import fake_triton
import pytest
from mlir import ir

import ttkit
from ttkit import inside_triton

TEXT = """
module {
  tt.func public @kernel(%p: !tt.ptr<i32>, %n: i32) {
    %c = arith.constant 1 : i32
    %s = arith.addi %n, %c : i32
    tt.store %p, %s : !tt.ptr<i32>
    tt.return
  }
}
"""
PASSES = ["tritongpu-one", "tritongpu-two", "tritongpu-one", "tritongpu-two"]


@pytest.fixture(autouse=True, params=[True, False], ids=["asks", "does not ask"])
def triton(request, monkeypatch):
    yield fake_triton.install(monkeypatch, request.param)
    inside_triton.reset()


def places(change, *arguments, **options):
    """After how many of Triton's passes a change had its place, and the passes that Triton ran."""
    counts = []
    context_of = {}

    def count(op):
        counts.append(len(context_of["ran"]))

    original = fake_triton.Module.__init__

    def noticing(self, text, context):
        original(self, text, context)
        context_of["ran"] = context.ran

    fake_triton.Module.__init__ = noticing
    try:
        with change(*arguments, count, **options):
            module, _ = fake_triton.compile(TEXT)
    finally:
        fake_triton.Module.__init__ = original
    return counts, module.ran


@pytest.mark.parametrize(
    "change, where, options, expected",
    [
        ("insert_before", "tritongpu-one", {}, [0, 2]),
        ("insert_after", "tritongpu-one", {}, [1, 3]),
        ("insert_before", "tritongpu-two", {}, [1, 3]),
        ("insert_before", "tritongpu-two", {"occurrence": "last"}, [3]),
        ("insert_after", "tritongpu-two", {"occurrence": 1}, [2]),
        ("insert_before", "tritongpu-one", {"stage": "ttgir"}, [2]),
        ("insert_before", "ttir", {}, [0]),
        ("insert_after", "ttkit-ttir", {}, [1]),
        ("insert_before", "ttgir", {}, [1]),
        ("insert_after", "ttgir", {"kernel": "kernel"}, [4]),
        ("insert_after", "ttgir", {"kernel": "another"}, []),
    ],
)
def test_places(change, where, options, expected):
    assert places(getattr(inside_triton, change), where, **options) == (expected, PASSES)


def test_replaced_passes_do_not_run():
    counts, ran = places(inside_triton.replace, "tritongpu-two")
    assert counts == [1, 2] and ran == ["tritongpu-one", "tritongpu-one"]
    with pytest.raises(ValueError, match="a stage can't be replaced, its passes can; found ttir"):
        inside_triton.replace("ttir", "cse")


def test_what_a_pass_makes_is_what_triton_goes_on_with():
    with inside_triton.insert_before("ttgir", "canonicalize,symbol-dce"), inside_triton.insert_after("ttgir", rename):
        module, metadata = fake_triton.compile(TEXT)
    assert "test.sum" in module.text and type(module) is fake_triton.Module
    assert metadata["lines"] > 0


def rename(op):
    op.attributes["test.sum"] = ir.UnitAttr.get(op.context)


def test_a_module_that_stays_is_not_read_again():
    made = fake_triton.compile(TEXT)[0]
    with inside_triton.insert_before("ttgir", lambda op: None):
        assert fake_triton.compile(TEXT)[0].text == made.text == TEXT


def test_a_pass_that_triton_does_not_run():
    with (
        inside_triton.insert_before("tritongpu-on", "cse"),
        pytest.raises(ValueError, match=r"Triton runs no pass 'tritongpu-on'.*did you mean 'tritongpu-one'"),
    ):
        fake_triton.compile(TEXT)


def test_what_is_no_pass():
    with pytest.raises(TypeError, match="a pass is"):
        inside_triton.insert_before("tritongpu-one", 3)
    with pytest.raises(ValueError, match=r"there is no stage 'ttgr'.*Stages are ttir, ttgir, llir"):
        inside_triton.insert_before("tritongpu-one", "cse", stage="ttgr")
    with pytest.raises(TypeError, match="name of a pass or stage"):
        inside_triton.insert_before(3, "cse")
    assert inside_triton.IN_FORCE == []


def test_failures_are_raised():
    class Fails(ttkit.Pass):
        """Fail"""

        name = "fails"

        def run(self, op):
            raise ttkit.PassError(op, "not today")

    with inside_triton.insert_before("ttgir", Fails), pytest.raises(Exception, match="not today"):
        fake_triton.compile(TEXT)
    with (
        inside_triton.insert_before("ttgir", "cse"),
        pytest.raises(ValueError, match="ttkit can't read Triton's module"),
    ):
        fake_triton.compile(TEXT.replace("arith.addi", "new.operation"))


# --- the hook, and the key --------------------------------------------------------------------------------------------


def test_the_hook_is_there_while_it_is_needed(triton):
    assert triton.knobs.runtime.add_stages_inspection_hook is None
    first = inside_triton.insert_before("ttgir", "cse")
    second = inside_triton.insert_before("ttgir", "cse")
    first.remove()
    first.remove()
    assert triton.knobs.runtime.add_stages_inspection_hook is not None
    second.remove()
    assert triton.knobs.runtime.add_stages_inspection_hook is None


def test_another_hook_stays(triton):
    called = []

    def other(*arguments):
        called.append(len(arguments))
        return ("other", "hash") if not arguments else None

    triton.knobs.runtime.add_stages_inspection_hook = other
    with inside_triton.insert_before("ttgir", "cse"):
        fake_triton.compile(TEXT)
        assert triton.knobs.runtime.add_stages_inspection_hook()[0].startswith("other")
    assert called == [5, 0] and triton.knobs.runtime.add_stages_inspection_hook is other


def keys():
    """What joins Triton's keys, of the disk and of kernels in memory."""
    triton = sys.modules["triton"]
    hook = triton.knobs.runtime.add_stages_inspection_hook
    asked = triton.compiler.compiler.compile.__code__.co_names
    if "add_stages_inspection_hook" in asked:
        return hook() if hook else ("", "")
    return triton.runtime.cache.triton_key(), triton.runtime.jit.compute_cache_key({}, [], {})


def test_each_change_joins_the_key():
    plain = keys()
    with inside_triton.insert_before("ttgir", "cse"):
        one = keys()
    with inside_triton.insert_before("ttgir", "canonicalize"):
        two = keys()
    with inside_triton.insert_before("ttgir", "cse"):
        again = keys()
    with inside_triton.insert_after("ttgir", "cse"):
        behind = keys()
    assert again == one and keys() == plain
    for first, second in ((plain, one), (one, two), (one, behind)):
        assert first[0] != second[0] and first[1] != second[1]


# --- looking ----------------------------------------------------------------------------------------------------------


def test_trace():
    with inside_triton.trace() as steps:
        fake_triton.compile(TEXT, breaks=("tritongpu-two",))
    assert [step.place.name for step in steps] == PASSES
    assert [step.place.stage for step in steps] == ["ttir", "ttgir", "ttgir", "ttgir"]
    assert [step.changed for step in steps] == [False, True, False, False]
    assert repr(steps[1]) == "<Step of kernel: ttgir, tritongpu-two, changed>" and "subi" in steps[1].after


def test_check_names_the_pass():
    with inside_triton.check() as report:
        fake_triton.compile(TEXT)
    assert report.checked == [] and report.skipped == []
    with (
        inside_triton.check(),
        pytest.raises(ttkit.PassChangedResult, match="pass 'tritongpu-two' changes what @kernel"),
    ):
        fake_triton.compile(TEXT, breaks=("tritongpu-two",))


def test_without_triton(monkeypatch):
    monkeypatch.setitem(sys.modules, "triton", None)
    with pytest.raises(ImportError):
        inside_triton.insert_before("ttgir", "cse")
