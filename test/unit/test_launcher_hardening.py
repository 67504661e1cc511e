"""The native launcher, given what ttkit never gives it: an error of Python's, and the process goes on."""

import gc
import subprocess
import sys
import weakref

import pytest
from launched_kernels import Tensor, add, copy_blocks

import ttkit
from ttkit.notices import NOTICES
from ttkit.runtime import TensorDescriptor, native

pytestmark = pytest.mark.skipif(native.extension() is None, reason="the launcher was not built")

BOX = (0, 2, 6, False, (64, 32))


class Anything:
    """What can be held, and hold."""


def dispatcher():
    return native.extension().Dispatcher((("x", 0),), lambda *call: "missed")


def enter(made, key=bytes(8), plan=(128, 0, 1), attributes=(), codes="P", maps=(), device=0, allocate=None):
    caches, kernels, cache, kernel = {}, {}, {}, Anything()
    made.add(key, kernel, 0, plan, attributes, codes, maps, device, allocate, (caches, 0, cache, kernels, 0))
    return kernel


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"codes": "TP", "maps": ()}, "tensor maps are not as many"),
        ({"codes": "P", "maps": (BOX,)}, "tensor maps are not as many"),
        ({"codes": "T", "maps": ((*BOX[:4], (1,) * 6),)}, "1 to 5 dimensions"),
        ({"codes": "T", "maps": ((*BOX[:4], ()),)}, "1 to 5 dimensions"),
        ({"codes": "PZ"}, "unknown code"),
        ({"plan": (128, 0, 0)}, "at least one CTA"),
        ({"key": bytes(9)}, "words of 8 bytes"),
        ({"attributes": ((1, 1, 1, 1),) * 5}, "too many launch attributes"),
    ],
)
def test_entries_are_checked(wrong, message) -> None:
    made = dispatcher()
    with pytest.raises(ValueError, match=message):
        enter(made, **wrong)
    assert made.count() == 0
    enter(made)
    assert made.count() == 1


@pytest.mark.parametrize("wrong", [{"maps": (3,)}, {"attributes": (3,)}, {"maps": 3}, {"codes": 3}, {"plan": 3}])
def test_entries_of_wrong_types(wrong) -> None:
    with pytest.raises(TypeError):
        enter(dispatcher(), **wrong)


@pytest.mark.parametrize("wrong", [([3],), ([(3, 4)],), (3,), ([], [3]), ([({},)],)])
def test_guards_are_checked(wrong) -> None:
    with pytest.raises(TypeError):
        dispatcher().set_guards(*wrong)


@pytest.mark.parametrize("wrong", [(3,), ((3,),), ((("x", "y"),),), ((("x",),),)])
def test_parameters_are_checked(wrong) -> None:
    with pytest.raises(TypeError):
        native.extension().Dispatcher(*wrong, None)


def test_cycles_are_collected() -> None:
    """Whatever refers back to the dispatcher, by any of the references that it has."""
    places = ("kernel", "device", "allocate", "guard", "key", "default", "miss")
    for place in places:
        back = Anything()
        found = native.extension().Dispatcher(
            (("x", 0, back if place == "default" else 0),), back if place == "miss" else len
        )
        found.set_guards([({}, "key", back)] if place == "guard" else [])
        caches = {"key": back}
        found.add(
            bytes(8),
            back if place == "kernel" else 0,
            0,
            (128, 0, 1),
            (),
            "P",
            (),
            back if place == "device" else 0,
            back if place == "allocate" else None,
            (caches, back if place == "key" else 0, {}, {}, (back,) if place == "key" else 0),
        )
        del caches
        back.dispatcher = found
        gone = weakref.ref(back)
        del back, found
        gc.collect()
        assert gone() is None, place


def test_memory_that_runs_out_is_an_error_of_python() -> None:
    program = """
import resource
from ttkit.runtime import native
made = native.extension().Dispatcher((("x", 0),), len)
key = bytes(1 << 29)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 28), resource.RLIM_INFINITY))
try:
    made.add(key, 0, 0, (128, 0, 1), (), "P", (), 0, None, ({}, 0, {}, {}, 0))
except MemoryError:
    print("MemoryError", made.count())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "MemoryError 0\n", done.stderr


def descriptor():
    return TensorDescriptor(Tensor("torch.float16", 4096), [1000, 512], [512, 1], [64, 32])


@pytest.mark.parametrize("attribute", ["block_shape", "shape", "strides"])
@pytest.mark.parametrize("value", [5, [1] * 9, [], ["a", "b"], [1 << 70, 1]])
def test_descriptors_that_are_none(gpu, attribute, value) -> None:
    """Their attributes are read again at each launch."""
    for _ in range(2):
        copy_blocks[(16, 16)](descriptor(), descriptor(), ROWS=64, COLUMNS=32)
    wrong, launches = descriptor(), len(gpu.launches)
    object.__setattr__(wrong, attribute, value)
    with pytest.raises(Exception) as raised:
        copy_blocks[(16, 16)](wrong, descriptor(), ROWS=64, COLUMNS=32)
    assert not isinstance(raised.value, SystemError) and len(gpu.launches) == launches
    copy_blocks[(16, 16)](descriptor(), descriptor(), ROWS=64, COLUMNS=32)
    assert len(gpu.launches) == launches + 1


def test_arguments_that_change_while_they_are_read(gpu) -> None:
    class Clears(Tensor):
        def data_ptr(self):
            named.clear()
            gc.collect()
            return super().data_ptr()

    for _ in range(3):
        named = {"y": Tensor(), "out": Tensor(), "n": 1 << 30, "BLOCK": 16}
        names = list(add.arg_names)
        arguments = dict(zip(names[1:4], (Tensor(), Tensor(), 48)))
        named = {**arguments, "BLOCK": 16}
        add.launches.launch((1,), (Clears(),), named)
    assert len(gpu.launches) == 3


def test_without_a_global_lock(monkeypatch, capsys) -> None:
    """It isn't thread-safe without the lock: it is left out, which is said once."""
    monkeypatch.setattr(native.sysconfig, "get_config_var", lambda name: name == "Py_GIL_DISABLED")
    NOTICES.forget()
    for _ in range(2):
        native.extension.cache_clear()
        assert native.extension() is None
    native.extension.cache_clear()
    said = capsys.readouterr().err
    assert said.count("free-threaded") == 1 and "slower" in said
    NOTICES.forget()
    assert ttkit
