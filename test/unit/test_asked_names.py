"""Names in settings that nothing had."""

import os

from ttkit import knobs
from ttkit.knobs.asked_names import AskedNames
from ttkit.language import versions
from ttkit.notices import NOTICES


def test_only_names_that_were_never_found_are_said(capsys):
    names = AskedNames()
    assert not names.is_one_of("DUMP", "add", ["sub", "mul"])
    assert not names.is_one_of("DUMP", "ad", ["sub"])
    assert names.is_one_of("DUMP", "add", ["add"])
    assert not names.is_one_of("DUMP", "add", ["sub"])
    names.report()
    assert capsys.readouterr().err == "ttkit: DUMP: no kernel is called 'ad'; found sub\n"
    names.report()
    assert capsys.readouterr().err == ""  # once


def test_many_names_are_cut(capsys):
    names = AskedNames()
    names.is_one_of("DUMP", "x", [f"kernel{number}" for number in range(20)])
    names.report()
    assert capsys.readouterr().err.rstrip().endswith("kernel7 and 12 more")


def test_a_forked_process_reports_what_it_saw_itself(capfd):
    names = AskedNames()
    names.is_one_of("DUMP", "x", ["parent"])
    if (child := os.fork()) == 0:
        names.report()
        names.is_one_of("DUMP", "x", ["child"])
        names.report()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert capfd.readouterr().err == "ttkit: DUMP: no kernel is called 'x'; found child\n"


def test_words_that_a_variable_does_not_know_are_said(monkeypatch, capsys):
    NOTICES.forget()
    monkeypatch.setenv("USE_IR_LOC", "ttgr")
    monkeypatch.setenv("MLIR_ENABLE_DIAGNOSTICS", "remarks, operation")
    knobs.say_what_is_ignored()
    assert capsys.readouterr().err.splitlines() == [
        "ttkit: USE_IR_LOC: 'ttgr' is ignored: it is none of ttir, ttgir; did you mean 'ttgir' or 'ttir'?",
        "ttkit: MLIR_ENABLE_DIAGNOSTICS: 'operation' is ignored: it is none of warnings, remarks, operations, "
        "stacktraces; did you mean 'operations'?",
    ]


def test_a_package_of_no_such_name_is_said(monkeypatch, capsys):
    class Function:
        module = "model.layers"

    names = AskedNames()
    monkeypatch.setattr(versions, "ASKED_NAMES", names)
    monkeypatch.setenv("TTKIT_TRITON_VERSION", "3.6,modl=3.8,numpy=3.7")
    assert versions.of_kernel(Function()) == (3, 6)
    names.report()
    assert capsys.readouterr().err == (
        "ttkit: TTKIT_TRITON_VERSION: no package is called 'modl'; found model; did you mean 'model'?\n"
    )
