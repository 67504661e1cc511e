"""test/data/ir holds every operation, layout, type, enumeration value and attribute that Triton 3.6 can write.

What ttkit has and the corpus lacks is listed below with the reason; an entry that the corpus does hold is an error too,
so the list stays true.
"""

import re
from pathlib import Path

import pytest
from building import operations_of

import ttkit

FILES = sorted((Path(__file__).parents[1] / "data" / "ir").glob("*.tt*ir"))
TEXT = "\n".join(path.read_text() for path in FILES)

LATER = "an operation of a later Triton"
LAST_PASSES = "made by the last passes before the conversion to LLVM"
LOWERING = "made by the conversion to LLVM, after which no ttg module is left to look at"
ONE_PASS = "lives and dies within one pass"

OPERATIONS_NOT_SEEN = {
    "tt.approx_divf": LATER,
    "tt.grid_dependency_launch_dependents": LATER,
    "tt.grid_dependency_wait": LATER,
    "tt.atomic_load": LATER,
    "tt.atomic_poll": LATER,
    "tt.atomic_store": LATER,
    "ttg.barrier": LATER,
    "ttg.inline_asm": LATER,
    "ttg.local_atomic_scatter_rmw": LATER,
    "ttg.local_barrier": LOWERING,
    "ttg.local_gather": LATER,
    "ttg.local_scatter": LATER,
    "ttg.mask": ONE_PASS,
    "ttg.mask.return": ONE_PASS,
    "ttg.predicate_stage": ONE_PASS,
    "ttg.prefetch": LAST_PASSES,
    "ttg.warp_id": LATER,
    "ttng.arrive_barrier_named": LAST_PASSES,
    "ttng.async_shared_store": LATER,
    "ttng.clc_get_program_id": LATER,
    "ttng.clc_is_canceled": LATER,
    "ttng.clc_load_result": LATER,
    "ttng.clc_try_cancel": LATER,
    "ttng.clc_try_cancel_sync": LATER,
    "ttng.cluster_arrive": LOWERING,
    "ttng.cluster_barrier": LOWERING,
    "ttng.cluster_wait": LOWERING,
    "ttng.fence_mbarrier_init_release_cluster": LATER,
    "ttng.packed_arith": LATER,
    "ttng.tmem_wait": LOWERING,
    "ttng.wait_barrier_named": LAST_PASSES,
}
WORDS_TEXT = """
    #ttg.blocked #ttg.slice #ttg.dot_op #ttg.nvidia_mma #ttg.amd_mfma #ttg.amd_wmma #ttg.linear #ttg.swizzled_shared
    #ttg.nvmma_shared #ttg.padded_shared #ttg.shared_linear #ttg.shared_memory #ttng.tensor_memory
    #ttng.tensor_memory_encoding #ttng.tensor_memory_scales_encoding CGALayout fp4Padded transposed kWidth
    !tt.ptr !tt.tensordesc !ttg.memdesc !ttg.async.token mutable
    tt.divisibility tt.contiguity tt.constancy tt.num_stages tt.loop_unroll_factor tt.flatten tt.warp_specialize
    tt.disallow_acc_multi_buffer tt.scheduled_max_stage tt.latency tt.self_latency ttg.partition
    ttg.warp_specialize.tag ttg.num-warps ttg.num-ctas
    ttg.threads-per-warp ttg.target ttg.shared ttg.total-num-warps ttg.maxnreg ttg.tensor_memory_size
    ttg.global_scratch_memory_size ttg.global_scratch_memory_alignment loop.stage loop.cluster allocation.offset
"""
# A phrase in which * stands for each of the words after the bar.
PHRASES_TEXT = """
    x* | i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2
    cacheModifier = * | ca cg wb cs wt cv
    evictionPolicy = * | evict_first evict_last
    padding = * : i32 | 1 2
    inputPrecision = * | tf32 tf32x3 bf16x3 bf16x6
    rounding = * | rtz rtne
    tt.atomic_rmw *, | and or xor add fadd max min umax umin exch
    *, gpu, | relaxed release acq_rel
    , *, % | gpu cta sys
    tt.descriptor_reduce *, | add min max and or xor
    lhs = * | e4m3 e5m2 e2m1 bf16 fp16
"""


@pytest.fixture(scope="module", autouse=True)
def context():
    with ttkit.Context() as context:
        yield context


def operation_names(dialect: str) -> set[str]:
    return {name for name in operations_of(f"ttkit.dialects.{dialect}") if name.startswith(f"{dialect}.")}


def operations_seen() -> set[str]:
    seen = set()
    for path in FILES:
        text = ttkit.parse(path.read_text()).operation.get_asm(print_generic_op_form=True)
        seen.update(re.findall(r'(?:^|= )\s*"([\w.]+)"\(', text, re.MULTILINE))
    return seen


def test_every_operation_is_in_the_corpus():
    known = set().union(*map(operation_names, ("tt", "ttg", "ttng")))
    seen = operations_seen()
    missing = sorted(known - seen - set(OPERATIONS_NOT_SEEN))
    assert not missing, f"no kernel in test/data/ir has {missing}: add one, or say in OPERATIONS_NOT_SEEN above why not"
    surplus = sorted(set(OPERATIONS_NOT_SEEN) & seen)
    assert not surplus, f"test/data/ir does have {surplus}: take them out of OPERATIONS_NOT_SEEN"


@pytest.mark.parametrize("word", WORDS_TEXT.split())
def test_word_is_in_the_corpus(word):
    assert re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", TEXT)


def phrases():
    for line in PHRASES_TEXT.strip().splitlines():
        form, words = line.strip().split(" | ")
        yield from (form.replace("*", word) for word in words.split())


@pytest.mark.parametrize("phrase", list(phrases()))
def test_phrase_is_in_the_corpus(phrase):
    assert phrase in TEXT
