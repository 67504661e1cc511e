"""ttkit.pipelines: passes put into, left out of and exchanged in the pipelines of kernels that are compiled."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pytest
from mlir import ir

import ttkit
import ttkit.language as tl
from ttkit import pipelines
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.sources import IRSource
from ttkit.inspection import collect
from ttkit.options import CompileOptions
from ttkit.passes import stages
from ttkit.passes.changes import with_changes
from ttkit.passes.infra import option
from ttkit.passes.infra.given import given_passes
from ttkit.passes.infra.pipeline_options import split
from ttkit.passes.reorder_instructions import ReorderInstructions
from ttkit.passes.stages import STAGES, pipeline_text
from ttkit.runtime.async_compile import AsyncCompileMode
from ttkit.target import GPUTarget

OPTIONS = CompileOptions.for_capability(90)
COALESCE = "tritongpu-coalesce{by-stride=true count-masks=true scans=true}"


def stage_passes(stage, options=OPTIONS, kernel=None):
    """The passes of a stage for a kernel, as it would be compiled now."""
    return stages.stage_passes(stage, with_changes(options, kernel))


def unchanged(stage):
    return [step.text for step in stages.steps(stage, OPTIONS)]


@pytest.fixture(autouse=True)
def no_changes():
    yield
    pipelines.reset()
    RUNS.clear()


class Nothing(ttkit.Pass):
    """Do nothing."""

    name = "live-nothing"

    def run(self, op):
        pass


@dataclass(frozen=True)
class Repeat(ttkit.Pass):
    """Have options."""

    name = "live-repeat"
    times: int = option(1, "how often")
    words: str = option("", "what")
    sizes: tuple[int, ...] = option((), "several")

    def run(self, op):
        pass


class Counter(ttkit.Pass):
    """Count runs."""

    name = "live-counter"

    def __init__(self):
        self.runs = []

    def run(self, op):
        self.runs.append(op.name)


RUNS = []


def look(module):
    RUNS.append(module.name)


@ttkit.jit
def double(x, out, N: tl.constexpr):
    index = tl.arange(0, N)
    tl.store(out + index, tl.load(x + index) * 2)


@ttkit.jit
def triple(x, out, N: tl.constexpr):
    index = tl.arange(0, N)
    tl.store(out + index, tl.load(x + index) * 3)


def source(kernel=double):
    return ttkit.ASTSource(kernel, {"x": "*fp32", "out": "*fp32", "N": "constexpr"}, {"N": 128})


def compiled(kernel=double, **options):
    return ttkit.compile(source(kernel), target=GPUTarget("cuda", 90, 32), options=options)


# --- lists ------------------------------------------------------------------------------------------------------------


def test_without_changes_a_stage_is_what_its_file_says():
    for name in STAGES:
        assert stage_passes(name) == unchanged(name)
    assert pipelines.identity("any") == ""


def test_insertions_surround_a_pass():
    pipelines.insert_before("tritongpu-coalesce", "cse")
    pipelines.insert_after("tritongpu-coalesce", "sccp,symbol-dce")
    passes = stage_passes("ttkit-ttgir")
    place = passes.index(COALESCE)
    assert passes[place - 1 : place + 3] == ["cse", COALESCE, "sccp", "symbol-dce"]


@pytest.mark.parametrize(
    "occurrence, left", [("all", []), ("first", [1, 2]), ("last", [0, 1]), (2, [0, 2]), (-2, [0, 2])]
)
def test_occurrences(occurrence, left):
    before = [n for n, name in enumerate(unchanged("ttkit-ttgir")) if name == "canonicalize"]
    assert len(before) > 2
    expected = {"all": 0, "first": len(before) - 1, "last": len(before) - 1}.get(occurrence, len(before) - 1)
    pipelines.replace("canonicalize", "sccp", occurrence=occurrence, stage="ttkit-ttgir")
    after = stage_passes("ttkit-ttgir")
    assert after.count("canonicalize") == expected
    index = {"all": 0, "first": 0, "last": -1, 2: 1, -2: -2}[occurrence]
    assert after[before[index]] == "sccp"
    assert stage_passes("ttkit-ttir").count("canonicalize") == 1


def test_a_stage_has_a_beginning_and_an_end():
    pipelines.insert_before("ttkit-ttgir", Nothing)
    pipelines.insert_after("ttkit-ttgir", "cse")
    passes = stage_passes("ttkit-ttgir")
    assert (passes[0], passes[-1]) == ("live-nothing", "cse")
    pipelines.replace("ttkit-ttir", ["cse", Nothing()])
    assert stage_passes("ttkit-ttir") == ["cse", "live-nothing"]


def test_changes_see_what_earlier_ones_left():
    pipelines.insert_before("tritongpu-coalesce", Nothing)
    pipelines.insert_after(Nothing, "sccp")
    pipelines.skip("tritongpu-coalesce")
    passes = stage_passes("ttkit-ttgir")
    place = passes.index("live-nothing")
    assert passes[place + 1] == "sccp"
    assert COALESCE not in passes


def test_handles_take_changes_back():
    handle = pipelines.skip("cse")
    assert "cse" not in stage_passes("ttkit-ttir")
    handle.remove()
    handle.remove()
    assert "cse" in stage_passes("ttkit-ttir")


def test_blocks_end_with_their_changes_also_after_an_error():
    with pytest.raises(KeyError), pipelines.skip("cse"):
        assert "cse" not in stage_passes("ttkit-ttir")
        raise KeyError
    assert "cse" in stage_passes("ttkit-ttir")


def test_blocks_nest():
    with pipelines.skip("cse") as outer:
        with pipelines.Plan().skip("symbol-dce").here():
            assert not {"cse", "symbol-dce"} & set(stage_passes("ttkit-ttir"))
            outer.remove()
            assert "cse" in stage_passes("ttkit-ttir")
        assert "symbol-dce" in stage_passes("ttkit-ttir")


def test_changes_hold_in_all_threads_or_in_one():
    with ThreadPoolExecutor(1) as pool:

        def elsewhere():
            return "cse" in pool.submit(stage_passes, "ttkit-ttir").result()

        with pipelines.skip("cse"):
            assert not elsewhere()
        plan = pipelines.Plan().skip("cse")
        assert elsewhere()
        with plan.here():
            assert elsewhere()
            assert "cse" not in stage_passes("ttkit-ttir")
            with plan.here(kernel="double"):
                assert "cse" not in stage_passes("ttkit-ttir")
        assert "cse" in stage_passes("ttkit-ttir")


def test_threads_change_at_the_same_time():
    def change(number):
        for _ in range(30):
            plan = pipelines.Plan().insert_after("ttkit-ttir", f"{'sccp,' * number}sccp")
            with plan.here():
                assert stage_passes("ttkit-ttir").count("sccp") == number + 1
            with pipelines.insert_after("ttkit-ttir", "cse"):
                assert stage_passes("ttkit-ttir").count("cse") > 1
        return number

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(change, range(4))) == [0, 1, 2, 3]
    assert stage_passes("ttkit-ttir") == unchanged("ttkit-ttir")


def test_changes_of_one_kernel():
    pipelines.skip("cse", kernel=ttkit.autotune([ttkit.Config({})], key=[])(double))
    pipelines.skip("symbol-dce", kernel="triple")
    with pytest.raises(TypeError, match="a jitted function or its name; found 3"):
        pipelines.skip("cse", kernel=3)
    assert "cse" not in stage_passes("ttkit-ttir", kernel="double")
    assert "cse" in stage_passes("ttkit-ttir", kernel="triple")
    assert "symbol-dce" not in stage_passes("ttkit-ttir", kernel="triple")
    assert pipelines.identity("double") != pipelines.identity("triple") != pipelines.identity("other") == ""


def test_tt_opts_stages_are_changed_too():
    with pipelines.skip("triton-combine"):
        assert "triton-combine" not in pipeline_text("ttkit-ttir", "capability=80")


# --- what can be a pass -----------------------------------------------------------------------------------------------


def test_instances_spell_their_options():
    assert given_passes(Repeat()).text == "live-repeat"
    assert given_passes(Repeat(times=3, sizes=(1, 2))).text == "live-repeat{times=3 sizes=1,2}"
    text = given_passes(Repeat(words="two words")).text
    assert text == 'live-repeat{words="two words"}'
    assert given_passes(text).text == text


def test_instances_with_state_are_used_as_they_are():
    counter = Counter()
    other = Counter()
    first, second = given_passes(counter).text, given_passes(other).text
    assert first != second
    with ttkit.Context():
        module = ttkit.parse("module {}")
        ttkit.run_passes(module, f"{first},{first},{second}")
    assert (counter.runs, other.runs) == (["builtin.module"] * 2, ["builtin.module"])


def test_functions():
    seen = []

    def look_at_it(module):
        """Look."""
        seen.append(module.name)

    given = given_passes(look_at_it)
    assert given.text == "look-at-it"
    assert given_passes(look_at_it).text == "look-at-it"
    with ttkit.Context():
        ttkit.run_passes(ttkit.parse("module {}"), given.text)
    assert seen == ["builtin.module"]
    assert given_passes(lambda module: None).text.startswith("lambda")


def test_classes_of_one_name_are_told_apart():
    def make():
        return type("Same", (ttkit.Pass,), {"name": "live-same", "run": lambda self, op: None})

    first, second = make(), make()
    texts = [given_passes(cls).text for cls in (first, second, first)]
    assert texts == ["live-same", "live-same-2", "live-same"]


def test_files_are_read_again_when_they_change(tmp_path):
    path = tmp_path / "live_from_file.py"
    text = "import ttkit\nclass A(ttkit.Pass):\n    name = 'live-from-file'\n    def run(self, op): print({!r})\n"
    path.write_text(text.format("one"))
    given = given_passes(path)
    assert given.text == given_passes(str(path)).text == "live-from-file"
    before = pipelines.Plan().insert_after("cse", path).identity
    assert pipelines.Plan().insert_after("cse", path).identity == before
    path.write_text(text.format("two"))
    assert given_passes(path).text == "live-from-file-2"
    assert pipelines.Plan().insert_after("cse", path).identity != before


def test_text_is_split_between_passes():
    assert split("a, b{c=1 d=2,3},tt.func(e,f{g=1}) ,h") == ["a", "b{c=1 d=2,3}", "tt.func(e,f{g=1})", "h"]


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda: pipelines.skip("tritongpu-coalesc"), "no pass 'tritongpu-coalesc'.*did you mean 'tritongpu-coalesce'"),
        (lambda: pipelines.skip("coalesce"), "did you mean 'tritongpu-coalesce'"),
        (lambda: pipelines.skip("canonicalise"), "did you mean 'canonicalize'"),
        (lambda: pipelines.skip("cse", stage="ttgir"), "no stage 'ttgir'; did you mean 'ttkit-ttgir'"),
        (lambda: pipelines.skip("tritongpu-coalesce", stage="ttkit-llir"), "it is in ttkit-ttgir"),
        (lambda: pipelines.insert_after("cse", "canonicalze"), "'canonicalze' is not a pipeline"),
        (
            lambda: pipelines.insert_after("cse", "triton-combin"),
            "no pass 'triton-combin'; did you mean 'triton-combine'",
        ),
        (lambda: pipelines.insert_after("cse", "canonicalize{foo=1}"), "pass 'canonicalize' has no option 'foo'"),
        (lambda: pipelines.skip("cse", occurrence=0), "occurrence must be 'all'"),
        (lambda: pipelines.skip("cse", occurrence="second"), "occurrence must be 'all'"),
    ],
)
def test_mistakes_are_found_where_they_are_made(change, message):
    with pytest.raises(ValueError, match=message):
        change()
    assert stage_passes("ttkit-ttgir") == unchanged("ttkit-ttgir")


@pytest.mark.parametrize("what", [3, ttkit.Pass, int, None])
def test_what_is_no_pass(what):
    with pytest.raises(TypeError):
        pipelines.insert_after("cse", what if what is not None else object())


def test_a_pass_that_this_target_has_not(monkeypatch):
    older = ["triton-licm", "sccp"]
    monkeypatch.setitem(STAGES, "ttkit-ttir", lambda options: older if options.target.capability < 90 else ["sccp"])
    pipelines.insert_after("triton-licm", "symbol-dce", stage="ttkit-ttir")
    assert stage_passes("ttkit-ttir", CompileOptions.for_capability(80)) == ["triton-licm", "symbol-dce", "sccp"]
    with pytest.raises(ValueError, match="for sm_90 there is no pass 'triton-licm' in ttkit-ttir"):
        stage_passes("ttkit-ttir", CompileOptions.for_capability(90))


def test_too_late_an_occurrence():
    pipelines.skip("cse", occurrence=9)
    with pytest.raises(ValueError, match="no occurrence 9"):
        stage_passes("ttkit-ttir")


# --- compilation ------------------------------------------------------------------------------------------------------


def test_a_pass_changes_a_live_kernel_and_its_key(own_cache):
    plain = compiled()
    with pipelines.insert_before("tritongpu-reorder-instructions", look):
        changed = compiled()
        again = compiled()
    assert len(RUNS) == 1
    assert plain.hash != changed.hash == again.hash
    assert compiled().hash == plain.hash
    assert len(RUNS) == 1


def spoil(module):
    """Makes a module invalid: a range gets another end than its type has elements."""
    (numbers,) = collect(module, ["tt.make_range"])
    numbers.attributes["end"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32, module.context), 3)
    RUNS.append("spoiled")


def test_ir_is_verified_after_each_pass_where_a_user_has_one(own_cache):
    pipelines.insert_before("tritongpu-coalesce", spoil)
    pipelines.insert_after("tritongpu-coalesce", look)
    with pytest.raises(ir.MLIRError):
        compiled()
    assert RUNS == ["spoiled"]


def test_ir_is_verified_at_the_end_of_stages_that_nobody_has_changed(own_cache, monkeypatch):
    monkeypatch.setattr(ReorderInstructions, "run", lambda self, module: spoil(module))
    with pytest.raises(ir.MLIRError):
        compiled()
    assert RUNS == ["spoiled"]


def test_a_plan_is_an_option_of_a_kernel(own_cache):
    plan = pipelines.Plan().insert_after("ttkit-ttgir", look)
    changed, plain = compiled(pipeline=plan), compiled()
    assert changed.hash != plain.hash
    assert RUNS == ["builtin.module"]
    assert compiled(pipeline=plan).hash == changed.hash
    assert RUNS == ["builtin.module"]


def test_only_the_named_kernel_is_changed(own_cache):
    with pipelines.insert_after("ttkit-ttgir", look, kernel=double):
        compiled(triple)
        assert RUNS == []
        compiled(double)
    assert RUNS == ["builtin.module"]


def test_kernels_that_threads_compile_are_changed_as_in_the_callers_block(own_cache, monkeypatch):
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm90")
    x = np.zeros(128, np.float32)
    with ThreadPoolExecutor(1) as pool, pipelines.Plan().insert_after("ttkit-ttgir", look).here():
        with AsyncCompileMode(pool):
            double.warmup(x, x, grid=(1,), N=128)
        assert RUNS == ["builtin.module"]
    double.warmup(x, x, grid=(1,), N=128)
    assert len(RUNS) == 1


def test_launches_find_the_kernel_of_the_pipeline_in_force(own_cache, monkeypatch):
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm90")
    x = np.zeros(128, np.float32)

    def warm_up(**options):
        return triple.warmup(x, x, grid=(1,), N=128, **options).hash

    plain = warm_up()
    plan = pipelines.Plan().skip("cse", stage="ttkit-ttir")
    with plan.here():
        assert warm_up() != plain
        with pipelines.skip("triton-licm"):
            both = warm_up()
    assert warm_up() == plain
    assert warm_up(pipeline=plan) != plain
    with pipelines.skip("triton-licm"):
        assert len({plain, both, warm_up()}) == 3
        assert warm_up(pipeline=plan) == both  # the same changes in the same order


def test_dumps_show_passes_of_users(own_cache, monkeypatch, capfd):
    monkeypatch.setenv("MLIR_ENABLE_DUMP", "1")
    with pipelines.insert_before("tritongpu-reorder-instructions", Repeat(3)):
        compiled()
        compiled()
    assert capfd.readouterr().err.count("IR Dump Before Repeat (live-repeat)") == 2


def test_files_of_ir_are_compiled_with_changes():
    with ttkit.Context() as context:
        text = str(source().make_ir(GPUTarget("cuda", 90, 32), context=context))
    with pipelines.insert_before("ttkit-llir", look, kernel="double"):
        options = with_changes(OPTIONS, "double")
        Compilation(IRSource("double.ttir", 90, text), GPUTarget("cuda", 90, 32), options, until="llir").run()
    assert RUNS == ["builtin.module"]


def test_pipeline_files(tmp_path):
    path = tmp_path / "changes.py"
    path.write_text("from ttkit import pipelines\npipelines.skip('cse', stage='ttkit-ttir')\n")
    pipelines.load(str(path))
    assert "cse" not in stage_passes("ttkit-ttir")


# --- identities -------------------------------------------------------------------------------------------------------


def test_identities_of_passes_cover_options_and_captured_values():
    def function(value):
        return lambda module: value

    def identity(what):
        return pipelines.Plan().insert_after("cse", what).identity

    assert identity(Repeat(2)) == identity(Repeat(2)) != identity(Repeat(3))
    assert identity(function(1)) != identity(function(2))
    assert identity("cse") != identity("sccp")
    counter = Counter()
    before = identity(counter)
    counter.runs.append("more")
    assert identity(counter) != before
    both = pipelines.Plan().skip("cse").skip("sccp"), pipelines.Plan().skip("sccp").skip("cse")
    assert both[0].identity != both[1].identity
    assert both[0] == pipelines.Plan().skip("cse").skip("sccp")


def test_identities_cover_the_modules_that_a_pass_uses(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    helper = tmp_path / "live_helper_module.py"
    user = tmp_path / "live_user_module.py"
    helper.write_text("def help():\n    return 1\n")
    user.write_text("from live_helper_module import help\ndef change(module):\n    help()\n")
    import live_user_module

    before = pipelines.Plan().insert_after("cse", live_user_module.change).identity
    for name in ("live_helper_module", "live_user_module"):
        del sys.modules[name]
    helper.write_text("def help():\n    return 'other'\n")
    import live_user_module as edited

    assert pipelines.Plan().insert_after("cse", edited.change).identity != before
    for name in ("live_helper_module", "live_user_module"):
        del sys.modules[name]


def test_code_without_a_file_has_an_identity():
    def made(body):
        scope = {}
        exec(f"def typed(module):\n    return {body}\n", scope)
        return pipelines.Plan().insert_after("cse", scope["typed"]).identity

    assert made("1") == made("1") != made("2")


@dataclass
class Mutable(ttkit.Pass):
    """Have a field that no pipeline spells."""

    name = "live-mutable"
    seen: dict = field(default_factory=dict)

    def run(self, op):
        self.seen[op.name] = 1


def test_fields_that_are_no_options():
    mutable = Mutable()
    with ttkit.Context():
        ttkit.run_passes(ttkit.parse("module {}"), given_passes(mutable).text)
    assert mutable.seen == {"builtin.module": 1}


def test_places_of_a_pass_that_stands_several_times():
    with pipelines.insert_after("remove-last-conversions", Nothing):
        passes = stage_passes("ttkit-ttgir")
    place = passes.index("live-nothing")
    assert passes[place - 1] == "tritongpu-remove-layout-conversions"
    assert passes[place + 1] == "tritongpu-reduce-data-duplication"
    assert passes.count("live-nothing") == 1
