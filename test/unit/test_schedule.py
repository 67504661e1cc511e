"""Schedules of loops: clusters, dependencies, and the attributes that hold them."""

import pytest
from mlir import ir

import ttkit
from ttkit.inspection import collect
from ttkit.passes.infra import PassError
from ttkit.passes.infra.loops import body_of, body_operations
from ttkit.passes.infra.nesting import nested_operands
from ttkit.passes.pipelining.pipelinable_loops import can_be_scheduled, is_outer_loop
from ttkit.passes.pipelining.schedule import Clusters, Schedule, remove_schedule

LOOP = """
tt.func @sum(%p: !tt.ptr<f32>, %n: i32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %p, %k = %c0) -> (f32, !tt.ptr<f32>, i32) : i32 {
    %x = tt.load %q : !tt.ptr<f32>
    %y = arith.addf %acc, %x : f32
    %next = tt.addptr %q, %k : !tt.ptr<f32>, i32
    %j = arith.addi %k, %c1 : i32
    scf.if %c {
      %z = arith.addf %y, %x : f32
      tt.store %next, %z : !tt.ptr<f32>
    }
    scf.yield %y, %next, %j : f32, !tt.ptr<f32>, i32
  }
  tt.return %r#0 : f32
}
"""


@pytest.fixture
def loop(context):
    module = ttkit.parse(LOOP)
    (found,) = collect(module.operation, ["scf.for"])
    yield found


def named(loop: ir.Operation) -> dict[str, ir.Operation]:
    return {op.name.split(".")[1]: op for op in body_operations(loop)}


def test_clusters_stay_the_same_when_others_come_before_them():
    clusters = Clusters()
    last = clusters.add_last()
    first = clusters.add_first()
    middle = clusters.add_before(last)
    assert [cluster.index for cluster in (first, middle, last)] == [0, 1, 2]
    assert list(clusters) == [first, middle, last]
    assert clusters[1] is middle


def test_what_nested_operations_use_comes_first(loop):
    ops = named(loop)
    found = nested_operands(ops["if"])
    inside = list(ops["if"].regions[0].blocks[0].operations)
    (stored,) = [op for op in inside if op.operation.name == "tt.store"]
    assert found == [ops["addf"].result, ops["load"].result, stored.operands[0], ops["if"].operands[0]]


def test_dependencies_within_an_iteration(loop):
    ops, schedule = named(loop), Schedule(1)
    cluster = schedule.clusters.add_last()
    assert schedule.insert_dependencies(ops["if"], 0, cluster)
    assert [scheduled.op for scheduled in schedule.in_order(loop)] == [ops["load"], ops["addf"], ops["addptr"]]
    assert not schedule.insert_dependencies(ops["if"], 0, cluster)


def test_dependencies_through_what_the_loop_carries(loop):
    ops, schedule = named(loop), Schedule(1)
    cluster = schedule.clusters.add_last()
    assert not schedule.insert_dependencies(ops["load"], 0, cluster)
    assert schedule.insert_dependencies(ops["load"], 0, cluster, through_arguments=True)
    assert [scheduled.op for scheduled in schedule.in_order(loop)] == [ops["addptr"], ops["addi"]]


def test_the_earlier_of_two_places(loop):
    ops, schedule = named(loop), Schedule()
    first, last = schedule.clusters.add_last(), schedule.clusters.add_last()
    assert schedule.insert_if_earlier(ops["load"], 1, last)
    assert schedule.num_stages == 2
    assert not schedule.insert_if_earlier(ops["load"], 1, last)
    assert not schedule.insert_if_earlier(ops["load"], 2, first)
    assert schedule.insert_if_earlier(ops["load"], 1, first)
    assert schedule.insert_if_earlier(ops["load"], 0, last)
    assert schedule[ops["load"]][1:] == (0, last)
    assert not schedule.insert_if_absent(ops["load"], 0, first)


def test_splitting_a_cluster(loop):
    schedule, ops = Schedule(1), body_operations(loop)
    cluster = schedule.clusters.add_last()
    for op in ops:
        schedule.insert(op, 0, cluster)
    assert schedule.split_cluster_before(ops[2], loop) is cluster
    assert [schedule[op].cluster.index for op in ops] == [0, 0, 1, 1, 1]
    assert schedule.split_cluster_before(ops[0], loop).index == 0


def test_a_schedule_reads_back_from_its_attributes(loop):
    schedule, ops = Schedule(3), body_operations(loop)
    clusters = [schedule.clusters.add_last() for _ in range(3)]
    for number, op in enumerate(ops[:4]):
        schedule.insert(op, number % 3, clusters[2 - number % 2])
    assert Schedule.read(loop) is None
    schedule.write(loop)
    assert "loop.cluster = 2 : i32, loop.stage = 0 : i32" in str(ops[0])
    assert "tt.scheduled_max_stage = 2 : i32" in str(loop)
    read = Schedule.read(loop)
    assert read.num_stages == 3
    assert [(s.op, s.stage, s.cluster.index) for s in read.in_order(loop)] == [
        (ops[1], 1, 0),
        (ops[3], 0, 0),
        (ops[0], 0, 1),
        (ops[2], 2, 1),
    ]
    assert [s.cluster.index for s in Schedule.read(loop, normalize=False).in_order(loop)] == [1, 1, 2, 2]
    Schedule(1).write(loop)
    assert "tt.scheduled_max_stage = 2 : i32" in str(loop)
    remove_schedule(loop)
    assert "loop." not in str(loop)
    assert Schedule.read(loop) is None


def test_a_stage_above_the_highest_is_read_but_none_that_no_loop_has(loop):
    schedule, ops = Schedule(3), body_operations(loop)
    schedule.insert(ops[0], 2, schedule.clusters.add_last())
    schedule.write(loop)
    i32 = ir.IntegerType.get_signless(32)
    loop.attributes["tt.scheduled_max_stage"] = ir.IntegerAttr.get(i32, 1)
    assert Schedule.read(loop)[ops[0]].stage == 2
    ops[0].attributes["loop.stage"] = ir.IntegerAttr.get(i32, 129)
    with pytest.raises(PassError, match=r"found loop\.stage = 129; use a stage from 0 to 128"):
        Schedule.read(loop)


def test_which_loops_can_be_scheduled(loop):
    assert can_be_scheduled(loop)
    assert not is_outer_loop(loop)
    assert body_of(loop).arguments[0].owner == body_of(loop)
