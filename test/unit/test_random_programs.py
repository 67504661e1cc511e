"""Random programs compute the same before and after each correct pass; broken passes are found."""

import collections

import pytest

import ttkit
from ttkit.interpreter.check import compare, may_change, tolerance_of
from ttkit.interpreter.decode import decode_module
from ttkit.interpreter.generated_inputs import run
from ttkit.interpreter.random_programs import random_program

PASSES = (
    "triton-combine",
    "triton-reorder-broadcast",
    "canonicalize",
    "cse",
    "loop-invariant-code-motion",
    "sccp",
)
PROGRAMS = 2000
CHUNK = 100
SIZE = 10

changed: collections.Counter = collections.Counter()


def outcome(module, program):
    decoded = decode_module(module)
    function = decoded.public_function()
    result = run(decoded, function, program.inputs())
    assert result.error is None, f"seed {program.seed}, size {program.size}: {result.error}"
    return function, result


@pytest.fixture(scope="module")
def context():
    return ttkit.Context()


@pytest.mark.parametrize("first", range(0, PROGRAMS, CHUNK))
def test_correct_passes_change_nothing(first, context):
    for seed in range(first, first + CHUNK):
        name = PASSES[seed % len(PASSES)]
        program = random_program(seed, SIZE)
        module = ttkit.parse(program.text, context)
        function, before = outcome(module, program)
        text = str(module)
        ttkit.run_passes(module, name)
        if str(module) == text:
            continue
        changed[name] += 1
        other, after = outcome(module, program)
        tolerance = tolerance_of(function, other) if may_change(name) else 0.0
        difference = compare(before, after, tolerance)
        assert not difference, f"random_program(seed={seed}, size={SIZE}), {name}: {difference}"


def test_each_pass_had_something_to_do():
    if sum(changed.values()) == 0:
        pytest.skip("runs after the programs")
    assert min(changed[name] for name in PASSES) >= PROGRAMS // len(PASSES) // 10, changed


def test_programs_are_the_same_for_the_same_seed():
    assert random_program(5).text == random_program(5).text
    assert random_program(5).text != random_program(6).text


@pytest.mark.parametrize("size", [0, 1, 100])
def test_programs_of_any_size_are_valid(size, context):
    for seed in range(5):
        program = random_program(seed, size)
        outcome(ttkit.parse(program.text, context), program)
