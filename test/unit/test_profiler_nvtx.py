"""NVTX ranges as scopes: a library that marks some is stood in for by the table of functions that NVTX gives it."""

import ctypes
import json
import os
import threading
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_size_t, c_uint16, c_uint32, c_uint64, c_void_p

import pytest

import ttkit.profiler as proton
from ttkit.profiler import contexts, sessions
from ttkit.runtime import driver, native

PATH = "NVTX_INJECTION64_PATH"
CORE, CORE2 = 1, 5
FUNCTIONS_OF = CFUNCTYPE(c_int, c_int, POINTER(c_void_p), POINTER(c_uint32))


class ExportTable(Structure):
    _fields_ = [("size", c_size_t), ("functions_of", FUNCTIONS_OF)]


class Attributes(Structure):
    _fields_ = [
        ("version", c_uint16),
        ("size", c_uint16),
        ("colors", c_uint32 * 5),
        ("payload", c_uint64),
        ("kind", c_int),
        ("message", c_void_p),
    ]


class Library:
    """Functions of NVTX in a library that marks its first range now."""

    def __init__(self):
        self.places = {module: (c_void_p * 16)() for module in (CORE, CORE2)}
        self.tables = {
            module: (c_void_p * 16)(*(ctypes.addressof(places) + 8 * number for number in range(16)))
            for module, places in self.places.items()
        }
        self.table = ExportTable(ctypes.sizeof(ExportTable), FUNCTIONS_OF(self.functions_of))
        self.exported = CFUNCTYPE(c_void_p, c_uint32)(lambda number: ctypes.addressof(self.table) * (number == 1))
        assert ctypes.CDLL(os.environ[PATH]).InitializeInjectionNvtx2(self.exported) == 1

    def functions_of(self, module, functions, count):
        functions[0], count[0] = ctypes.addressof(self.tables[module]), 16
        return 1

    def call(self, module, number, result, *arguments):
        """Calls a function: its arguments are ctypes' values."""
        function = CFUNCTYPE(result, *map(type, arguments))(self.places[module][number])
        return function(*arguments)

    def push(self, name):
        return self.call(CORE, 9, c_int, c_char_p(name.encode()))

    def pop(self):
        return self.call(CORE, 11, c_int)

    def push_with(self, kind, message, domain=None):
        """Begins a range by attributes, in a domain if there is one."""
        given = ctypes.pointer(Attributes(3, 48, kind=kind, message=message))
        if domain is None:
            return self.call(CORE, 8, c_int, ctypes.cast(given, c_void_p))
        return self.call(CORE2, 4, c_int, c_void_p(domain), ctypes.cast(given, c_void_p))


@pytest.fixture(autouse=True)
def counting(tmp_path, monkeypatch):
    if native.extension() is None:
        pytest.skip("the launcher was not built")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TTKIT_DEVICE", "sm_90")
    monkeypatch.delenv(PATH, raising=False)
    driver.reset_active()
    yield
    proton.finalize()
    native.extension().watch_ranges(0, 0)
    contexts.thread.scopes.clear()
    monkeypatch.delenv("TTKIT_DEVICE")
    driver.reset_active()


def names(content):
    """{name: what is in it}."""
    return {child["frame"]["name"]: names(child) for child in content["children"]}


def measured(number):
    return names(proton.data.get(number)[0])


def test_ranges_are_scopes():
    number = proton.start("ranges")
    nvtx = Library()
    assert (nvtx.push("outer"), nvtx.push("inner"), nvtx.pop(), nvtx.pop(), nvtx.pop()) == (0, 1, 1, 0, -1)
    with proton.scope("mine"):
        nvtx.push("in mine")
        nvtx.pop()
    assert measured(number) == {"outer": {"inner": {}}, "mine": {"in mine": {}}}


def test_texts_of_all_kinds_and_domains():
    number = proton.start("ranges")
    nvtx = Library()
    text = "größer als \u20ac \U0001f600"
    wide, narrow = ctypes.create_unicode_buffer(text), ctypes.create_string_buffer(b"narrow")
    nvtx.push_with(1, ctypes.addressof(narrow))
    nvtx.push_with(2, ctypes.addressof(wide))
    domain, of_library = (nvtx.call(CORE2, 12, c_void_p, c_char_p(name)) for name in (b"NVTX", b"NCCL"))
    assert domain == nvtx.call(CORE2, 12, c_void_p, c_char_p(b"NVTX")) != of_library
    registered = nvtx.call(CORE2, 10, c_void_p, c_void_p(domain), c_char_p(b"registered"))
    nvtx.push_with(3, registered, domain)
    nvtx.push_with(1, ctypes.addressof(narrow), of_library)
    assert nvtx.call(CORE2, 5, c_int, c_void_p(of_library)) == 0
    assert nvtx.call(CORE2, 5, c_int, c_void_p(domain)) == 2
    nvtx.pop(), nvtx.pop()
    assert measured(number) == {"narrow": {text: {"registered": {}}}}


def test_ranges_and_scopes_may_cross():
    number = proton.start("ranges")
    nvtx = Library()
    nvtx.push("range")
    proton.enter_scope("scope")
    nvtx.pop()
    proton.exit_scope("scope")
    with proton.scope("after"):
        pass
    assert measured(number) == {"range": {"scope": {}}, "after": {}}


def test_ranges_that_began_or_end_without_a_session():
    nvtx = None
    for turn in range(2):
        number = proton.start(f"ranges{turn}")
        nvtx = nvtx or Library()
        nvtx.pop()
        nvtx.push("left open")
        assert measured(number) == {"left open": {}}
        proton.finalize()
        assert nvtx.push("not seen") == 1 and nvtx.pop() == 1
        nvtx.pop()
    assert not contexts.thread.scopes


def test_threads_have_their_own_ranges():
    number = proton.start("ranges")
    nvtx = Library()

    def run():
        nvtx.push("thread")
        nvtx.pop()

    nvtx.push("main")
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    nvtx.pop()
    assert measured(number) == {"main": {}, "thread": {}}


def test_the_variable_is_there_while_a_session_lasts(monkeypatch):
    first, second = proton.start("first"), proton.start("second")
    assert os.environ[PATH] == native.extension().__file__
    proton.finalize(first)
    assert PATH in os.environ
    proton.finalize(second)
    assert PATH not in os.environ
    monkeypatch.setenv(PATH, "another.so")
    proton.start("third")
    assert os.environ[PATH] == "another.so"
    proton.finalize()
    assert os.environ[PATH] == "another.so"


def test_ranges_may_be_left_alone(monkeypatch):
    proton.start("listening")
    nvtx = Library()
    proton.finalize()
    monkeypatch.setenv("TRITON_ENABLE_NVTX", "0")
    number = proton.start("ranges")
    assert PATH not in os.environ
    nvtx.push("not a scope")
    nvtx.pop()
    assert measured(number) == {}


def test_files_have_them(tmp_path):
    proton.start("ranges")
    nvtx = Library()
    nvtx.push("in the file")
    nvtx.pop()
    proton.finalize()
    assert names(json.loads((tmp_path / "ranges.hatchet").read_text())[0]) == {"in the file": {}}
    assert not sessions.SESSIONS
