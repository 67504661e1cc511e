"""Bundles in one file: recorded, compiled for several GPUs, and launched without the compiler."""

import json
import struct
import threading
import zipfile

import pytest
from launched_kernels import Tensor, add, applied, copy_blocks, double, fill, numbers, scaled

import ttkit
from ttkit import knobs
from ttkit.aot.bundle_builder import build, write_bundle
from ttkit.aot.launch_list import LaunchList
from ttkit.compiler.compilation import Compilation
from ttkit.language import float16
from ttkit.runtime import bundle_answers
from ttkit.runtime.bundle import INDEX, Bundle, BundleError
from ttkit.runtime.tensor_descriptor import TensorDescriptor
from ttkit.runtime.variants import assumptions, generalized, with_assumptions

KERNELS = (add, applied, copy_blocks, fill, numbers, scaled)
ALIGNED, ODD = Tensor(), Tensor(address=4100)


def forget_kernels():
    for kernel in KERNELS:
        kernel.device_caches.clear()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A bundle for sm_80 and sm_90: of `add` two variants and the general one, of others one each."""
    launches = LaunchList()
    launches.add_call(add, ALIGNED, ALIGNED, ALIGNED, 64, BLOCK=64)
    launches.add_call(add, ALIGNED, ODD, ODD, 5, BLOCK=64)
    launches.add(add, "*fp32, *fp32, *fp32, i32, 64")
    launches.add_call(scaled, Tensor("torch.int32"), 1)
    launches.add(scaled, "*i32:16, i32")
    launches.add_call(applied, Tensor("torch.float16"), double, float16, 3)
    launches.add_call(fill, Tensor("torch.int32"), 5, True, (1, (2, 16)))
    path = tmp_path_factory.mktemp("made") / "bundle.ttkit"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(path.parent / "cache"))
        built = build([launches], [80, 90], jobs=2)
    assert built.failures == [] and len(launches) == 7
    write_bundle(path, built)
    return path


@pytest.fixture
def no_compiler(gpu, monkeypatch, tmp_path):
    """Compilations fail; nothing is known yet."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(Compilation, "run", forbidden)
    yield from _fresh(gpu)


@pytest.fixture
def compiler(gpu, monkeypatch, tmp_path):
    """Nothing is known yet."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    yield from _fresh(gpu)


def _fresh(gpu):
    told = []
    forget_kernels()
    bundle_answers._COUNTS.clear()
    with knobs.runtime.scope():
        knobs.runtime.bundle_miss_hook.add(told.append)
        yield told
    bundle_answers.unload_bundles()
    forget_kernels()


def forbidden(*_):
    raise AssertionError("a compilation")


def launch_all():
    add[(1,)](ALIGNED, ALIGNED, ALIGNED, 64, BLOCK=64)
    add[(1,)](ALIGNED, ODD, ODD, 5, BLOCK=64)
    scaled[(1,)](Tensor("torch.int32"), 1)
    applied[(1,)](Tensor("torch.float16"), double, float16, 3)
    fill[(1,)](Tensor("torch.int32"), 5, True, (1, (2, 16)))


@pytest.mark.parametrize("capability", [80, 86, 90])
def test_launches_are_answered_without_a_compilation(made, no_compiler, gpu, capability):
    gpu.limits(capability=capability)
    bundle = ttkit.load_bundle(made)
    assert bundle.described() == "7 kernels for sm_80, sm_90"
    for _ in range(100):
        launch_all()
    assert len(gpu.launches) == 500 and gpu.loads <= 5
    assert bundle_answers.counts() == {"found": 5} and no_compiler == []


def test_the_variable_names_a_bundle(made, no_compiler, gpu, monkeypatch):
    monkeypatch.setenv("TTKIT_BUNDLE", str(made))
    launch_all()
    assert bundle_answers.counts() == {"found": 5}


# --- policies ---------------------------------------------------------------------------------------------------------


def launch_another():
    """`add` with arguments of which only the general variant is right."""
    return add[(1,)](ODD, ALIGNED, ALIGNED, 1, BLOCK=64)


def test_policy_error(made, no_compiler, gpu):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "error"
    with pytest.raises(BundleError, match=r"kernel add\(x: \*fp32.* is needed for sm_90.*TTKIT_BUNDLE_MISS=error says"):
        launch_another()
    (miss,) = no_compiler
    assert miss.kernel.startswith("add(x: *fp32, ") and miss.target == "sm_90" and miss.outcome == "error"
    assert "has 7 kernels for sm_80, sm_90, but not it: it has a variant with x: *fp32 divisible by 16" in miss.reason
    assert miss.reason.endswith(" (here *fp32), n: i32 divisible by 16 (here 1)")
    assert bundle_answers.counts() == {"error": 1} and gpu.launches == []


def test_policy_compile(made, compiler, gpu):
    ttkit.load_bundle(made)
    kernel = launch_another()
    assert kernel.src.signature["n"] == "constexpr" and len(gpu.launches) == 1
    assert bundle_answers.counts() == {"compile": 1} and compiler[0].outcome == "compile"


def test_policy_general(made, no_compiler, gpu):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "general"
    gpu.expect(8, 8, 8, 4)
    for _ in range(2):
        kernel = launch_another()
    assert kernel.src.signature["n"] == "i32" and not any(kernel.src.attrs.values())
    assert {launch.arguments for launch in gpu.launches} == {struct.pack("<QQQi", 4100, 4096, 4096, 1)}
    assert bundle_answers.counts() == {"general": 1} and no_compiler[0].outcome == "general"


def test_the_nearest_variant_assumes_most(made, no_compiler, gpu):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "general"
    kernel = add[(1,)](ALIGNED, ODD, ODD, 32, BLOCK=64)  # x divisible by 16 is known of one, and n not
    assert {path: items for path, items in kernel.src.attrs.items() if items} == {(0,): [["tt.divisibility", 16]]}
    kernel = add[(1,)](ODD, ODD, ODD, 5, BLOCK=64)
    assert not any(kernel.src.attrs.values()) and bundle_answers.counts() == {"general": 1, "found": 1}


@pytest.mark.parametrize("options", [{"BLOCK": 128}, {"BLOCK": 64, "num_warps": 8}])
def test_nothing_is_general_enough(made, no_compiler, gpu, options):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "general"
    with pytest.raises(BundleError, match=r"No variant is general enough.*it has a variant with (BLOCK: 64|num_warps)"):
        add[(1,)](ALIGNED, ALIGNED, ALIGNED, 64, **options)


def test_policy_background(made, compiler, gpu):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "background"
    with bundle_answers._AT_ONCE:  # the compilation waits
        first = launch_another()
        assert launch_another() is first and first.src.signature["n"] == "i32"
        assert bundle_answers.counts() == {"background": 1}
    wait()
    second = launch_another()
    assert second.src.signature["n"] == "constexpr" and launch_another() is second
    gpu.expect(8, 8, 8)
    launch_another()
    assert gpu.launches[-1].arguments == struct.pack("<QQQ", 4100, 4096, 4096)
    assert bundle_answers.counts() == {"background": 1, "compiled": 1} and len(compiler) == 1


def test_background_without_a_general_variant_compiles(made, compiler, gpu):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "background"
    add[(1,)](ALIGNED, ALIGNED, ALIGNED, 64, BLOCK=128)
    assert bundle_answers.counts() == {"compile": 1} and compiler[0].outcome == "compile"


def test_a_compilation_in_the_background_fails(made, no_compiler, gpu, capsys):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "background"
    launch_another()
    wait()
    assert bundle_answers.counts() == {"background": 1, "failed": 1} and launch_another().src.signature["n"] == "i32"
    assert "can't be compiled in the background, and a more general one stays: a compilation" in capsys.readouterr().err


def wait():
    for thread in threading.enumerate():
        if thread.name == "ttkit-bundle":
            thread.join()


def test_an_unknown_policy(made, no_compiler, gpu):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "generl"
    with pytest.raises(BundleError, match=r"TTKIT_BUNDLE_MISS is 'generl'; use one of compile, error, general, backg"):
        launch_another()


def test_compile_keeps_its_parameters(made, no_compiler, gpu):
    """Who calls `ttkit.compile` launches by itself: a variant with another parameter would read it wrong."""
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "general"
    types = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    target = ttkit.GPUTarget("cuda", 90, 32)
    attributes = {(1,): [["tt.divisibility", 16]]}
    assert ttkit.compile(ttkit.ASTSource(add, types, {"BLOCK": 64}, attributes), target).src.attrs == {(1,): []}
    with pytest.raises(BundleError, match="No variant is general enough"):
        ttkit.compile(ttkit.ASTSource(add, {**types, "n": "constexpr"}, {"BLOCK": 64, "n": 1}), target)


def test_assumptions_in_tuples():
    """The integers that are 1 within a tuple become parameters, and keep their place."""
    types = {"out": "*i32", "value": "i32", "flag": "u1", "offsets": ("constexpr", ("i32", "i32")), "scale": "fp16"}
    source = ttkit.ASTSource(fill, types, {(3, 0): 1}, {(3, 1, 1): [["tt.divisibility", 16]], (1,): []})
    assert assumptions(source) == ["3.0 = 1", "3.1.1: tt.divisibility 16"]
    general = generalized(source)
    assert general.signature["offsets"] == ("i32", ("i32", "i32")) and general.constants == {}
    assert assumptions(general) == [] and assumptions(with_assumptions(source, ["3.0 = 1"])) == ["3.0 = 1"]
    one = ttkit.ASTSource(scaled, {"out": "*i32", "n": "i32", "do_not": "constexpr"}, {"do_not": 1})
    assert assumptions(one) == [] and generalized(one).constants == {(2,): 1}


# --- what is no answer ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("launch", "reason"),
    [
        (lambda: copy_blocks.warmup(*2 * [DESCRIPTOR], 8, 8, grid=(1,)), "it has no kernel of this name"),
        (
            lambda: scaled[(1,)](Tensor("torch.int64"), 1),
            r"it has a variant with out: \*i32 divisible by 16 \(here \*i64",
        ),
    ],
)
def test_reasons(made, no_compiler, gpu, launch, reason):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "error"
    with pytest.raises(BundleError, match=reason):
        launch()


DESCRIPTOR = TensorDescriptor(Tensor("torch.float32"), [64, 64], [64, 1], [8, 8])


def test_another_gpu(made, no_compiler, gpu):
    gpu.limits(capability=120)
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "error"
    with pytest.raises(BundleError, match=r"is needed for sm_120.*it has it for sm_80, sm_90 only"):
        launch_all()


def test_another_source(made, no_compiler, gpu):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "error"
    before = add.src
    try:
        add._unsafe_update_src(before.replace("+ tl.load(y", "- tl.load(y"))
        with pytest.raises(BundleError, match="it was built from another source of it"):
            launch_all()
    finally:
        add._unsafe_update_src(before)
    add[(1,)](ALIGNED, ALIGNED, ALIGNED, 64, BLOCK=64)
    assert bundle_answers.counts() == {"error": 1, "found": 1}


def rewritten(made, path, change):
    """The bundle with other files: `change` of {name: contents}."""
    with zipfile.ZipFile(made) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    change(contents)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    return path


def index(contents, **changes):
    contents[INDEX] = json.dumps(json.loads(contents[INDEX]) | changes).encode()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda contents: contents.pop(INDEX), "is not a bundle of ttkit: There is no item named 'bundle.json'"),
        (lambda contents: index(contents, kernels=3), "is not a bundle of ttkit: it.kernels must be an object"),
        (lambda contents: index(contents, variants={"a": {}}), "is not a bundle of ttkit: it.variants.a has no 'name'"),
        (lambda contents: index(contents, ttkit="0.0.9"), r"was made by ttkit 0.0.9: export it again with"),
        (lambda contents: index(contents, format=1), r"was made by ttkit .*: export it again with"),
    ],
)
def test_a_damaged_index_is_no_bundle(made, tmp_path, change, message):
    with pytest.raises(BundleError, match=message):
        Bundle(rewritten(made, tmp_path / "b.ttkit", change))


@pytest.mark.parametrize("size", [0, 10, 5000, -40])
def test_a_truncated_file_is_no_bundle(made, tmp_path, size):
    (tmp_path / "b.ttkit").write_bytes(made.read_bytes()[:size])
    with pytest.raises(BundleError, match=r"b.ttkit is not a bundle of ttkit"):
        Bundle(tmp_path / "b.ttkit")


def test_no_file(tmp_path):
    with pytest.raises(BundleError, match=r"there is no bundle .*missing.ttkit"):
        ttkit.load_bundle(tmp_path / "missing.ttkit")


def without(contents, suffix):
    for name in [name for name in contents if name.startswith("add-") and name.endswith(suffix)]:
        del contents[name]


def changed(contents, suffix, before, after):
    for name in [name for name in contents if name.startswith("add-") and name.endswith(suffix)]:
        assert before in contents[name]
        contents[name] = contents[name].replace(before, after, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda contents: without(contents, ".cubin"), "There is no item named"),
        (lambda contents: without(contents, ".json"), "There is no item named"),
        (lambda contents: changed(contents, ".cubin", b"\x7fELF", b"\x7fFLE"), "its files are not those that were"),
        (lambda contents: changed(contents, ".json", b'"num_warps": 4', b'"num_warps": 8'), "its files are not those"),
        (lambda contents: changed(contents, ".json", b'"num_warps": 4', b'"num_warps": 0'), "must be an integer"),
        (lambda contents: index(contents, digests={}), "its files are not those that were written"),
    ],
)
def test_a_damaged_kernel_is_named(made, no_compiler, gpu, tmp_path, change, message):
    ttkit.load_bundle(rewritten(made, tmp_path / "b.ttkit", change))
    with pytest.raises(BundleError, match=rf"kernel add-\w+-sm_90 of .*b.ttkit is damaged: .*{message}"):
        add[(1,)](ALIGNED, ALIGNED, ALIGNED, 64, BLOCK=64)
    assert gpu.launches == []


def test_damaged_bytes_within_the_file(made, no_compiler, gpu, tmp_path):
    data = bytearray(made.read_bytes())
    with zipfile.ZipFile(made) as archive:
        for item in archive.infolist():
            if item.filename.startswith("add-") and item.filename.endswith("cubin"):
                data[item.header_offset + 200] ^= 255
    (tmp_path / "b.ttkit").write_bytes(data)
    ttkit.load_bundle(tmp_path / "b.ttkit")
    with pytest.raises(BundleError, match="is damaged"):
        add[(1,)](ALIGNED, ALIGNED, ALIGNED, 64, BLOCK=64)


def test_an_unknown_policy_is_refused_before_a_miss(made, no_compiler, gpu):
    ttkit.load_bundle(made)
    knobs.runtime.bundle_miss = "eror"
    with pytest.raises(BundleError, match=r"TTKIT_BUNDLE_MISS is 'eror'; .*did you mean 'error'"):
        launch_all()
