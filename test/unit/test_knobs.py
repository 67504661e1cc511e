"""Every knob, by assignment and by its environment variable."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ttkit import knobs
from ttkit.compat.internal_testing import _fresh_knobs_impl
from ttkit.knobs import variables
from ttkit.notices import NOTICES
from ttkit.options import CompileOptions

DOCS = Path(__file__).resolve().parents[2] / "docs"
ALL = [
    pytest.param(group, name, id=f"{group_name}.{name}")
    for group_name, group in knobs.GROUPS.items()
    for name in group.knob_descriptors
]


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    """No variable is set, and none stays set."""
    kept = dict(os.environ)
    for group in knobs.GROUPS.values():
        for knob in group.knob_descriptors.values():
            monkeypatch.delenv(knob.key, raising=False)
    yield
    for group in knobs.GROUPS.values():
        group.reset()
    os.environ.clear()
    os.environ.update(kept)


def example(knob):
    """A text for the variable, and what the knob then is."""
    cases = {
        variables.Flag: ("yes", True),
        variables.OptionalFlag: ("yes", True),
        variables.CompilerFlag: ("on", True),
        variables.FlagOrText: ("kernel", "kernel"),
        variables.Words: ("a, b", ("a", "b")),
        variables.Number: ("12", 12),
    }
    return cases.get(type(knob), ("text", "text"))


@pytest.mark.parametrize("group, name", ALL)
def test_a_knob_follows_its_variable(group, name, monkeypatch, tmp_path):
    knob = group.knob_descriptors[name]
    if isinstance(knob, variables.ClassName):
        base = knob.base
        module = "ttkit.cache.manager" if base == "CacheManager" else "ttkit.cache.remote"
        monkeypatch.setenv(knob.key, f"{module}:{base}")
        assert getattr(group, name).__name__ == base
        monkeypatch.setenv(knob.key, "os.path:join")
        with pytest.raises((RuntimeError, AttributeError)):
            getattr(group, name)
        return
    if isinstance(knob, knobs.cuda_programs.Tool):
        program = f"#!{sys.executable}\nprint('Cuda compilation tools, release 12.8, V12.8.1')\n"
        path = tmp_path / "tool"
        path.write_text(program)
        path.chmod(0o755)
        monkeypatch.setenv(knob.key, str(path))
        found = getattr(group, name)
        assert (found.path, found.version) == (str(path), "12.8")
        return
    text, value = example(knob)
    monkeypatch.setenv(knob.key, text)
    assert getattr(group, name) == value
    monkeypatch.delenv(knob.key)
    if not callable(knob.default):
        assert getattr(group, name) == knob.default


@pytest.mark.parametrize("group, name", ALL)
def test_every_knob_says_what_it_does(group, name):
    knob = group.knob_descriptors[name]
    assert knob.help or knob.status
    assert knob.said <= bool(knob.status)


def test_assignment_writes_the_environment():
    knobs.cache.dir = "/somewhere"
    assert os.environ["TRITON_CACHE_DIR"] == "/somewhere"
    knobs.compilation.always_compile = True
    assert os.environ["TRITON_ALWAYS_COMPILE"] == "1" and knobs.compilation.always_compile
    knobs.compilation.always_compile = False
    assert os.environ["TRITON_ALWAYS_COMPILE"] == "0"
    knobs.redis.port = 17
    assert os.environ["TRITON_REDIS_PORT"] == "17"
    knobs.language.fp32_default = None
    assert "TRITON_F32_DEFAULT" not in os.environ


def test_assignment_can_leave_the_environment_alone(monkeypatch):
    monkeypatch.setattr(knobs, "propagate_env", False)
    knobs.cache.dir = "/somewhere"
    assert knobs.cache.dir == "/somewhere" and "TRITON_CACHE_DIR" not in os.environ


def test_env_goes_back_to_the_environment(monkeypatch):
    knobs.autotuning.print = True
    knobs.autotuning.print = knobs.env
    assert knobs.autotuning.print  # the variable that assignment wrote
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "0")
    assert not knobs.autotuning.print
    knobs.autotuning.print = True
    del knobs.autotuning.print
    monkeypatch.setenv("TRITON_PRINT_AUTOTUNING", "0")
    assert not knobs.autotuning.print


def test_folders_are_under_home(monkeypatch):
    monkeypatch.setenv("TRITON_HOME", "/base")
    assert knobs.cache.dir == "/base/.triton/cache"
    assert knobs.cache.dump_dir == "/base/.triton/dump"
    assert knobs.cache.override_dir == "/base/.triton/override"


def test_true_words(monkeypatch):
    for text in ("1", "y", "on", "YES", "True"):
        monkeypatch.setenv("TRITON_DEBUG", text)
        assert knobs.runtime.debug is True
    for text in ("0", "no", "off", "2", ""):
        monkeypatch.setenv("TRITON_DEBUG", text)
        assert knobs.runtime.debug is False
    monkeypatch.setenv("MLIR_ENABLE_TIMING", "yes")  # a word that the compiler's variables don't know
    assert not knobs.inspection.pass_timing


def test_a_dump_may_name_a_kernel(monkeypatch):
    for text, value in (("1", True), ("off", False), ("", False), ("add", "add")):
        monkeypatch.setenv("MLIR_ENABLE_DUMP", text)
        assert knobs.inspection.dump_passes == value
    assert knobs.shows_compilation("add") and not knobs.shows_compilation("sub")


def test_numbers_must_be_numbers(monkeypatch):
    monkeypatch.setenv("TRITON_REDIS_PORT", "many")
    with pytest.raises(RuntimeError, match="Unable to use TRITON_REDIS_PORT=many: expected int"):
        _ = knobs.redis.port


def test_classes_are_module_and_name(monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_MANAGER", "nothing")
    with pytest.raises(RuntimeError, match="MODULE:CLASS"):
        _ = knobs.cache.manager_class
    monkeypatch.setenv("TRITON_CACHE_MANAGER", "collections:OrderedDict")
    with pytest.raises(RuntimeError, match="not of type 'CacheManager'"):
        _ = knobs.cache.manager_class


def test_a_missing_tool_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr("ttkit.cuda_toolkit.toolkit_file", lambda *_: None)
    monkeypatch.setenv("TRITON_NVDISASM_PATH", str(tmp_path / "missing"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="pip install nvidia-cuda-nvdisasm, or set TRITON_NVDISASM_PATH"):
        _ = knobs.nvidia.nvdisasm
    assert knobs.nvidia.knobs["nvdisasm"] is None


def test_knobs_of_other_programs(monkeypatch):
    """Classes by Triton's names, of which programs make groups of their own."""

    class Own(knobs.base_knobs):
        choice = knobs.env_opt_bool("OWN_CHOICE")
        size = knobs.env_int("OWN_SIZE", 3)
        program = knobs.env_nvidia_tool("nvlink")

    own = Own()
    assert (own.choice, own.size, Own.__dict__["size"].get()) == (None, 3, 3)
    for word, value in {"on": True, "Yes": True, "0": False, "": False}.items():
        monkeypatch.setenv("OWN_CHOICE", word)
        assert own.choice is knobs.getenv_bool("OWN_CHOICE", None) is value
    own.choice = None
    assert "OWN_CHOICE" not in os.environ and own.choice is None
    assert (Own.__dict__["program"].key, Own.__dict__["program"].binary) == ("TRITON_NVLINK_PATH", "nvlink")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("ttkit.knobs.cuda_programs.toolkit_file", lambda *parts: None)
    with pytest.raises(RuntimeError, match="Cannot find nvlink"):
        _ = own.program


def test_variables_as_text(monkeypatch):
    texts = [knobs.toenv(value) for value in (None, True, False, "x", 3, 1.5, [])]
    assert texts == [(None,), ("1",), ("0",), ("x",), ("3",), None, None]
    knobs.setenv("OWN_NAME", "x")
    monkeypatch.setattr(knobs, "propagate_env", False)
    knobs.setenv("OWN_NAME", None)
    assert knobs.getenv("OWN_NAME") == "x" and knobs.getenv("OWN_OTHER") is None
    monkeypatch.setattr(knobs, "propagate_env", True)
    knobs.setenv("OWN_NAME", None)
    assert "OWN_NAME" not in os.environ


def test_types_of_hooks():
    names = "BuildImpl CompilationListener InitHandleHook JITHook LaunchHook PipelineStagesHook".split()
    assert all(getattr(knobs, name)._is_protocol for name in names)
    assert "specialization_data" in knobs.JITHookCompileInfo.__annotations__ and knobs.KernelAttr


def test_scope_restores_everything(monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", "/before")
    with knobs.cache.scope():
        knobs.cache.dir = "/inside"
        knobs.cache.dump_dir = "/dump"
    assert knobs.cache.dir == "/before" and os.environ["TRITON_CACHE_DIR"] == "/before"
    assert "TRITON_DUMP_DIR" not in os.environ
    with pytest.raises(ZeroDivisionError), knobs.runtime.scope():
        knobs.runtime.jit_cache_hook = lambda **_: True
        raise ZeroDivisionError
    assert knobs.runtime.jit_cache_hook is None


def test_scope_restores_chains_of_hooks():
    knobs.runtime.launch_enter_hook.add(print)
    with knobs.runtime.scope():
        knobs.runtime.launch_enter_hook.remove(print)
        knobs.runtime.launch_enter_hook.add(len)
    assert knobs.runtime.launch_enter_hook.calls == [print]
    knobs.runtime.launch_enter_hook.remove(print)


def test_fresh_knobs(monkeypatch):
    """As fixtures of tests of Triton kernels have them."""
    monkeypatch.setenv("TRITON_DEBUG", "1")
    monkeypatch.setenv("TRITON_CACHE_DIR", "here")
    fresh, reset = _fresh_knobs_impl(skipped_attr={"cache"})
    knobs.compilation.override = True
    assert fresh() is knobs and not knobs.runtime.debug and not knobs.compilation.override
    assert knobs.cache.dir == "here" and "TRITON_DEBUG" not in os.environ
    knobs.runtime.interpret = True
    reset()
    assert knobs.runtime.debug and knobs.compilation.override and not knobs.runtime.interpret
    assert os.environ["TRITON_DEBUG"] == "1" and "TRITON_INTERPRET" not in os.environ
    knobs.compilation.reset()


def test_copies_do_not_share_values():
    knobs.nvidia.ptxas_options = "-v"
    copied = knobs.nvidia.copy()
    copied.ptxas_options = "--other"
    assert knobs.nvidia.ptxas_options == "-v"
    assert knobs.nvidia.reset() is knobs.nvidia
    assert knobs.nvidia.ptxas_options == "--other"  # what both wrote to the environment last


def test_knobs_lists_values():
    values = knobs.compilation.knobs
    assert values["always_compile"] is False and set(values) == set(knobs.compilation.knob_descriptors)


def test_refresh_forgets_what_triton_reads_once(monkeypatch):
    knobs.runtime.debug = True
    monkeypatch.setenv("TRITON_DEBUG", "0")
    assert knobs.runtime.debug
    knobs.refresh_knobs()
    assert not knobs.runtime.debug


def test_hooks_are_called_in_order():
    called = []
    chain = knobs.HookChain()
    backwards = knobs.HookChain(reversed=True)
    first, second = (lambda value: called.append(("first", value))), (lambda value: called.append(("second", value)))
    for hooks in (chain, backwards):
        hooks.add(first)
        hooks.add(second)
        hooks.add(first)
        hooks(1)
    assert [name for name, _ in called] == ["first", "second", "second", "first"]
    chain.remove(first)
    chain.remove(first)
    assert list(chain) == [second] and chain
    assert not knobs.HookChain()


def test_variables_of_the_key(monkeypatch):
    assert knobs.cache_invalidating_variables() == {}
    monkeypatch.setenv("DISABLE_LLVM_OPT", "ON")
    monkeypatch.setenv("USE_IR_LOC", "ttir")
    monkeypatch.setenv("TRITON_REPRODUCER_PATH", "x")
    monkeypatch.setenv("TRITON_DISABLE_LINE_INFO", "0")
    expected = {"DISABLE_LLVM_OPT": "true", "USE_IR_LOC": "ttir", "TRITON_DISABLE_LINE_INFO": "false"}
    assert knobs.cache_invalidating_variables() == expected


def test_what_is_ignored_is_said_once(monkeypatch, capsys):
    NOTICES.forget()
    monkeypatch.setenv("LLVM_PASS_PLUGIN_PATH", "/plugin.so")
    monkeypatch.setenv("AMDGCN_USE_BUFFER_OPS", "1")
    monkeypatch.setenv("CC", "gcc")
    for _ in range(2):
        knobs.say_what_is_ignored()
    told = capsys.readouterr().err.splitlines()
    assert sorted(line.partition(":")[2].split(" is ignored")[0] for line in told) == [
        " AMDGCN_USE_BUFFER_OPS",
        " LLVM_PASS_PLUGIN_PATH",
    ]


def test_options_without_effect_are_said_once(capsys):
    NOTICES.forget()
    for _ in range(2):
        made = CompileOptions.parse({"waves_per_eu": 2, "instrumentation_mode": "consan"}, 90)
    assert made.debug and not CompileOptions.parse({"instrumentation_mode": "proton"}, 90).debug
    assert capsys.readouterr().err.splitlines() == [
        "ttkit: option waves_per_eu is ignored: it belongs to other compilers or GPUs",
        "ttkit: instrumentation_mode 'consan' is ignored: use `ttkit sanitize tsan` to find races",
    ]


def test_compile_times():
    times = knobs.CompileTimes(1, [("ttir", 2), ("ttgir", 3)], 4)
    assert (times.total_lowering, times.total) == (5, 10)


def test_the_import_is_light():
    code = "import sys; before = set(sys.modules); import ttkit.knobs; print(*sorted(set(sys.modules) - before))"
    command = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert not {"typing", "re", "pathlib", "dataclasses", "subprocess", "mlir"} & set(done.stdout.split()), done.stdout


def test_the_page_is_up_to_date(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    from knob_page import knob_page

    page = knob_page()
    assert (DOCS / "knobs.md").read_text() == page, "run `make docs`"
    for group, name in (param.values for param in ALL):
        assert f"`{group.knob_descriptors[name].key}`" in page


def test_misspelt_flags_and_names_are_said_once(monkeypatch, capsys):
    NOTICES.forget()
    monkeypatch.setenv("TTKIT_PLAN", "foo")
    monkeypatch.setenv("MLIR_ENABLE_TIMING", "yess")
    monkeypatch.setenv("TTKIT_CHEK_PASSES", "1")
    monkeypatch.setenv("TTKIT_ISOLATE", "Off")
    monkeypatch.setenv("TRITON_ALWAYS_COMPIL", "1")
    monkeypatch.setenv("TRITON_OF_OTHERS", "1")
    for _ in range(2):
        knobs.say_what_is_ignored()
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 4, told
    assert any("TRITON_ALWAYS_COMPIL is not a variable of ttkit; did you mean 'TRITON_ALWAYS" in line for line in told)
    assert any("TTKIT_PLAN: 'foo' counts as off: set it to 1 or 0" in line for line in told)
    assert any("MLIR_ENABLE_TIMING: 'yess' counts as off" in line for line in told)
    assert any(
        "TTKIT_CHEK_PASSES is not a variable of ttkit; did you mean 'TTKIT_CHECK_PASSES'?" in line for line in told
    )


@pytest.mark.parametrize("given", ["nowhere", "", "text"])
def test_a_program_that_does_not_run_is_passed_over_and_told(given, tmp_path, monkeypatch, capsys):
    """Triton takes the next one, too, and says nothing."""
    (tmp_path / "text").write_text("no program")
    NOTICES.forget()
    usual = knobs.nvidia.ptxas_path(90)
    monkeypatch.setenv("TRITON_PTXAS_PATH", str(tmp_path / given))
    assert knobs.nvidia.ptxas_path(90) == usual == knobs.nvidia.ptxas.path
    told = f"ttkit: TRITON_PTXAS_PATH: {tmp_path / given} is not a program that runs; {usual} is used\n"
    assert capsys.readouterr().err == told
