"""Every operation that a kernel may hold has a meaning, or a reason why not; the page that says so is up to date."""

from pathlib import Path

import numpy as np
import pytest
from building import operations_of
from tiles import run_text

import ttkit
from ttkit.interpreter import NotInterpretable
from ttkit.interpreter.machine import STRUCTURED
from ttkit.interpreter.ops.registry import BRANCHES, HANDLERS, WITHOUT_MEANING, load_handlers

ROOT = Path(__file__).resolve().parents[2]
DIALECTS = {
    **{name: f"ttkit.dialects._{name}_ops" for name in ("tt", "ttg", "ttng")},
    **{name: f"ttkit.dialects._{name}_ops" for name in ("arith", "math", "scf", "cf", "ub")},
}
load_handlers(lowered=True)
MEANINGS = {*HANDLERS, *STRUCTURED, *BRANCHES}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_operation_has_a_meaning_or_a_reason(dialect):
    names = operations_of(DIALECTS[dialect])
    assert len(names) > 1
    with ttkit.Context() as context:
        assert all(context.is_registered_operation(name) for name in names)
    without = {name for name in names if name not in MEANINGS}
    reasons = {name for name in WITHOUT_MEANING if name.startswith(f"{dialect}.")}
    advice = (
        "give a meaning, @interprets(name) in python/ttkit/interpreter/ops/<family>.py, or a reason in its registry.py"
    )
    assert without == reasons, f"{sorted(without ^ reasons)}: {advice}"


def test_no_reason_for_what_has_a_meaning():
    assert not MEANINGS & set(WITHOUT_MEANING)
    assert all(WITHOUT_MEANING.values())


@pytest.mark.parametrize("name", sorted({*HANDLERS, *STRUCTURED}))
def test_meanings_are_described(name):
    assert (HANDLERS.get(name) or STRUCTURED[name]).__doc__


def test_operation_without_a_meaning():
    text = 'tt.func public @kernel() {\n"test.unknown"() : () -> ()\ntt.return\n}'
    with ttkit.Context() as context:
        context.allow_unregistered_dialects = True
        with pytest.raises(NotInterpretable, match=r"test.unknown: this operation has no meaning"):
            ttkit.interpret(ttkit.parse(text), 1, [])


SWITCHES = """
tt.func public @kernel(%out: !tt.ptr<i32>) {
  %pid = tt.get_program_id x : i32
  %index = arith.index_cast %pid : i32 to index
  %p = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  %a = scf.index_switch %index -> i32
  case 1 {
    %c = arith.constant 10 : i32
    scf.yield %c : i32
  }
  case 2 {
    %c = arith.constant 20 : i32
    scf.yield %c : i32
  }
  default {
    %c = scf.execute_region -> i32 {
      %d = arith.constant 30 : i32
      scf.yield %d : i32
    }
    scf.yield %c : i32
  }
  cf.switch %pid : i32, [default: ^bb1(%a : i32), 0: ^bb2, 2: ^bb1(%pid : i32)]
^bb1(%x: i32):
  tt.store %p, %x : !tt.ptr<i32>
  cf.br ^bb2
^bb2:
  %true = arith.constant true
  cf.assert %true, "never"
  tt.return
}"""


def test_switches():
    out = np.full(4, -1, np.int32)
    run_text(SWITCHES, 4, [out])
    np.testing.assert_array_equal(out, [-1, 10, 2, 30])
