"""Random programs compute the same before and after each correct pass; broken passes are found."""

import collections

import pytest
from mlir import ir
from sweeps import every

import ttkit
from ttkit.interpreter.check.check_passes import compare, may_change, tolerance_of
from ttkit.interpreter.check.generated_inputs import run
from ttkit.interpreter.check.random_programs import random_program
from ttkit.interpreter.decode import decode_module
from ttkit.passes.infra import collect

PASSES = (
    "triton-combine",
    "triton-reorder-broadcast",
    "triton-licm",
    "triton-loop-aware-cse",
    "triton-loop-unroll",
    "canonicalize",
    "cse",
    "loop-invariant-code-motion",
    "sccp",
)
PROGRAMS = 2000
CHUNK = 100
SIZE = 10
BLOCK_PROGRAMS = 150
BLOCK_CHUNK = 25

TRIES = 40


def outcome(module, program):
    decoded = decode_module(module)
    function = decoded.public_function()
    result = run(decoded, function, program.inputs())
    assert result.error is None, f"seed {program.seed}, size {program.size}: {result.error}"
    return function, result


def ask_for_unrolling(module):
    with module.context:
        for number, loop in enumerate(collect(module.operation, ["scf.for"])):
            factor = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 2 + number % 3)
            loop.attributes["tt.loop_unroll_factor"] = factor


@pytest.fixture(scope="module")
def context():
    return ttkit.Context()


@pytest.mark.parametrize("first", every(PROGRAMS // CHUNK, range(0, PROGRAMS, CHUNK)))
def test_correct_passes_change_nothing(first, context):
    for seed in range(first, first + CHUNK):
        name = PASSES[seed % len(PASSES)]
        program = random_program(seed, SIZE)
        module = ttkit.parse(program.text, context)
        if name == "triton-loop-unroll":
            ask_for_unrolling(module)
        function, before = outcome(module, program)
        text = str(module)
        ttkit.run_passes(module, name)
        if str(module) == text:
            continue
        other, after = outcome(module, program)
        tolerance = tolerance_of(function, other) if may_change(name) else 0.0
        difference = compare(before, after, tolerance)
        assert not difference, f"random_program(seed={seed}, size={SIZE}), {name}: {difference}"


def test_each_pass_has_something_to_do(context):
    changed: collections.Counter = collections.Counter()
    for seed in range(CHUNK):
        module = ttkit.parse(random_program(seed, SIZE).text, context)
        name = PASSES[seed % len(PASSES)]
        if name == "triton-loop-unroll":
            ask_for_unrolling(module)
        text = str(module)
        ttkit.run_passes(module, name)
        changed[name] += str(module) != text
    assert min(changed[name] for name in PASSES) >= CHUNK // len(PASSES) // 10, changed


@pytest.mark.parametrize("first", every(BLOCK_PROGRAMS, range(0, BLOCK_PROGRAMS, BLOCK_CHUNK)))
@pytest.mark.parametrize(
    ("blocks", "name", "gone"),
    [
        ("pointers", "triton-rewrite-tensor-pointer", ("tt.make_tensor_ptr", "tt.advance", "!tt.ptr<tensor")),
        ("descriptors", "triton-rewrite-tensor-descriptor-to-pointer", ("tt.descriptor", "tensordesc")),
    ],
)
def test_block_accesses_become_pointers(blocks, name, gone, first, context):
    for seed in range(first, first + BLOCK_CHUNK):
        program = random_program(seed, SIZE, blocks)
        module = ttkit.parse(program.text, context)
        _, before = outcome(module, program)
        ttkit.run_passes(module, name)
        text = str(module)
        assert not [item for item in gone if item in text], f"random_program(seed={seed}, size={SIZE}, {blocks=})"
        difference = compare(before, outcome(module, program)[1], 0.0)
        assert not difference, f"random_program(seed={seed}, size={SIZE}, {blocks=}): {difference}"


def test_programs_are_the_same_for_the_same_seed():
    assert random_program(5).text == random_program(5).text
    assert random_program(5).text != random_program(6).text


@pytest.mark.parametrize("size", [0, 1, 100])
def test_programs_of_any_size_are_valid(size, context):
    for seed in range(5):
        program = random_program(seed, size)
        outcome(ttkit.parse(program.text, context), program)


@pytest.mark.sweep
def test_each_broken_pass_is_named(broken_passes, context):
    """In a pipeline with correct ones around it, on some program with something for it to break."""
    for name in broken_passes[0]:
        if "round-trip" in name:
            continue
        for seed in range(TRIES):
            module = ttkit.parse(random_program(seed, 2 * SIZE).text, context)
            try:
                ttkit.check_passes(module, f"canonicalize,{name},cse", runs=1)
            except ttkit.PassChangedResult as error:
                assert error.pass_name == name, f"seed {seed}: {error}"
                break
        else:
            pytest.fail(f"{name} was not found in {TRIES} programs")
