"""Tasks on executors: what becomes of them where workers die, hang, fail, or were never there."""

import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from ttkit.executors import ExecutorError, isolated, named_executor
from ttkit.executors.isolated import FailedElsewhere, answer, portable
from ttkit.executors.named import executor_of
from ttkit.executors.tasks import each_answer, on_one_worker, width_of
from ttkit.notices import NOTICES

MIXED = "executor_tasks:mixed"
TASKS = [("value", 1), ("die",), ("hang",), ("fail",), ("spoil",), ("value", 2)]


@pytest.fixture(scope="module")
def threads():
    with ThreadPoolExecutor(3) as executor:
        yield executor


def answers(executor, function, tasks, **given):
    return dict(each_answer(executor, function, tasks, **given))


def check_mixed(found):
    """Each task costs itself alone."""
    assert sorted(found) == list(range(len(TASKS)))
    assert found[0].value == ("value", 1) and found[5].value == ("value", 2)
    assert found[1].ended == "SIGKILL: out of luck" and found[1].error is None
    assert found[2].late and not found[2].ended
    assert isinstance(found[3].error, ValueError) and str(found[3].error) == "no such luck"
    assert "context is gone" in str(found[4].error)
    assert all(":" in one.worker for one in found.values())


# --- Python's executors -----------------------------------------------------------------------------------------------


def test_each_task_costs_itself_alone(threads):
    check_mixed(answers(threads, MIXED, TASKS, seconds=3))


def test_a_process_pool(tmp_path):
    with ProcessPoolExecutor(2) as executor:
        check_mixed(answers(executor, MIXED, TASKS, seconds=3))


def test_a_task_whose_process_dies_is_tried_again(threads, tmp_path):
    found = answers(threads, MIXED, [("die once", str(tmp_path / "died"))])
    assert found[0].value[0] == "die once"


def test_a_task_whose_process_stands_still_is_tried_again(threads, tmp_path):
    """One that computes for too long is not."""
    found = answers(threads, MIXED, [("stop once", str(tmp_path / "stopped")), ("hang",)], seconds=2)
    assert found[0].value[0] == "stop once" and not found[0].late
    assert found[1].late and found[1].seconds < 3.5


def test_a_pool_that_breaks_is_replaced(tmp_path, capsys):
    NOTICES.forget()
    with ProcessPoolExecutor(2) as executor:
        found = answers(executor, "executor_tasks:kill_worker", [str(tmp_path / "killed")] * 6, seconds=20)
    assert [found[number].value for number in range(6)] == ["done"] * 6
    assert "the executor ended (BrokenProcessPool: " in capsys.readouterr().err


def test_processes_are_used_again_and_run_at_once(threads):
    first = {one.value for one in answers(threads, "executor_tasks:process", range(6)).values()}
    assert os.getpid() not in first and len(first) <= 3
    began = time.monotonic()
    answers(threads, "executor_tasks:sleep", [0.4] * 3)
    assert time.monotonic() - began < 1.1


def test_tasks_on_one_worker(threads):
    found = on_one_worker(threads, "executor_tasks:process", range(4))
    assert len({one.value for one in found}) == 1
    check_mixed(dict(enumerate(on_one_worker(threads, MIXED, TASKS, seconds=3))))


def test_processes_end_when_they_have_nothing_to_do(monkeypatch):
    process = isolated.IsolatedProcess({})
    start = "from ttkit.executors import isolated; isolated._IDLE_SECONDS = isolated._LOOK = 0.2; isolated.serve()"
    with subprocess.Popen([sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as idle:
        assert idle.wait(60) == 0
    assert process.ask("executor_tasks:variable", "TTKIT_AUTOTUNING_STORE", 60) == (None, None)
    process.end()


class Silent(Executor):
    """Workers that take tasks and never answer, but for every third."""

    width = 3

    def __init__(self):
        self.count = 0

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        future.set_running_or_notify_cancel()
        self.count += 1
        if self.count % 3 == 0:
            future.set_result(fn(*args, **kwargs))
        return future


def test_workers_that_never_answer():
    found = answers(Silent(), "executor_tasks:double", range(6), seconds=0.05, grace=0.3)
    assert sorted(found) == list(range(6))
    assert found[2].value == 4 and found[0].late and found[1].late
    assert any(one.ended == "no worker of the executor answers" for one in found.values())


class Refusing(Executor):
    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        future.set_exception(ConnectionError("the worker is gone"))
        return future


def test_a_worker_that_goes_away_twice():
    found = answers(Refusing(), "executor_tasks:double", [1, 2])
    assert [one.ended for one in found.values()] == ["ConnectionError: the worker is gone"] * 2
    assert [one.ended for one in on_one_worker(Refusing(), "executor_tasks:double", [1])] == [found[0].ended]


def test_leaving_early_cancels_what_waits(threads):
    iterator = each_answer(threads, "executor_tasks:sleep", [0.01] * 50)
    next(iterator)
    iterator.close()


def test_errors_that_can_not_be_pickled():
    class Local(Exception):
        pass

    found = portable(Local("odd"))
    assert isinstance(found, FailedElsewhere) and (found.kind, str(found)) == ("Local", "odd")
    assert isinstance(portable(KeyError("x")), KeyError)
    assert isinstance(answer("executor_tasks:missing", None, 5).error, AttributeError)


# --- by name ----------------------------------------------------------------------------------------------------------


def test_named_executors(tmp_path, monkeypatch):
    assert width_of(named_executor("processes:3")) == 3
    assert named_executor("processes:3") is named_executor("processes:3")
    (tmp_path / "of_a_module.py").write_text(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "made = ThreadPoolExecutor(2)\ndef make():\n    return made\nNUMBER = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    made = named_executor("of_a_module:made")
    assert named_executor("of_a_module:make") is made and executor_of(made) is made
    assert executor_of("") is None and executor_of(None) is None
    for text, told in {
        "processes:x": "'x' is not a number",
        "processes:0": "0 processes run nothing",
        "gpus:": "'' is not a number",
        "many": "write processes:N",
        "no_such_module:a": "ModuleNotFoundError",
        "of_a_module:NUMBER": "TypeError",
    }.items():
        with pytest.raises(ExecutorError, match=told):
            named_executor(text)
    with pytest.raises(TypeError, match="has a method submit"):
        executor_of(3)


def test_a_process_for_each_gpu():
    executor = named_executor("gpus:0,5")
    assert width_of(executor) == 2
    barrier = threading.Barrier(2)
    both = [
        executor.submit(lambda: (barrier.wait(), answer("executor_tasks:variable", "CUDA_VISIBLE_DEVICES", 60)))
        for _ in "ab"
    ]
    assert {future.result()[1].value for future in both} == {"0", "5"}


# --- MPI, Dask and Ray, and executors that others make ----------------------------------------------------------------

UNDER_MPI = """
from test_executors import MIXED, TASKS, answers, check_mixed

from ttkit.executors import named_executor
from ttkit.executors.tasks import width_of

if __name__ == "__main__":
    with named_executor("mpi4py.futures:MPIPoolExecutor") as executor:
        assert width_of(executor) == 2
        check_mixed(answers(executor, MIXED, TASKS, seconds=3))
    print("all is well")
"""


def test_mpi(tmp_path):
    """The first of three processes gives the two others work."""
    pytest.importorskip("mpi4py", reason="mpi4py is not installed")
    start = shutil.which("mpiexec") or shutil.which("mpiexec", path=os.path.dirname(sys.executable))
    if start is None:
        pytest.skip("there is no mpiexec")
    (tmp_path / "given.py").write_text(UNDER_MPI)
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # Open MPI's, in containers
    path = os.pathsep.join([os.path.dirname(__file__), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [start, "-n", "3", sys.executable, "-m", "mpi4py.futures", "given.py"]
    environment = {**os.environ, **as_root, "PYTHONPATH": path}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0 and "all is well" in run.stdout, run.stdout + run.stderr


def test_dask(tmp_path):
    """Workers are told where the tasks of tests are."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: ttkit[dask]")
    from ttkit.executors import dask_executor

    (tmp_path / "path.py").write_text(f"import sys\nsys.path.insert(0, {os.path.dirname(__file__)!r})\n")
    where = {
        "preload": [str(tmp_path / "path.py")],
        "n_workers": 2,
        "threads_per_worker": 1,
        "dashboard_address": None,
        "host": "127.0.0.1",
        "resources": {"GPU": 1},
    }
    with (
        distributed.LocalCluster(**where) as cluster,
        distributed.Client(cluster) as client,
    ):
        by_address = dask_executor(cluster.scheduler_address)
        assert width_of(dask_executor(client)) == width_of(by_address) == 2
        by_address._client.close()
        executor = dask_executor(client, resources={"GPU": 1})
        assert width_of(executor) == 2
        check_mixed(answers(executor, MIXED, TASKS, seconds=3))
        found = answers(executor, "executor_tasks:kill_worker", [str(tmp_path / "killed")] * 4, seconds=30)
        assert [found[number].value for number in range(4)] == ["done"] * 4


def test_ray(tmp_path, monkeypatch):
    ray = pytest.importorskip("ray", reason="Ray is not installed: ttkit[ray]")
    from ttkit.executors import RayExecutor

    monkeypatch.setenv("PYTHONPATH", os.path.dirname(__file__))
    ray.init(num_cpus=2, num_gpus=2, log_to_driver=False, include_dashboard=False, configure_logging=False)
    try:
        executor = RayExecutor()
        assert width_of(executor) == 2
        check_mixed(answers(executor, MIXED, TASKS, seconds=3))
        found = answers(executor, "executor_tasks:kill_worker", [str(tmp_path / "killed")] * 4, seconds=30)
        assert [found[number].value for number in range(4)] == ["done"] * 4
        executor.shutdown(cancel_futures=True)
        with_gpu = RayExecutor(num_gpus=1)
        assert width_of(with_gpu) == 2
        assert len({with_gpu.submit(os.getpid).result() for _ in range(4)}) <= 2  # not a process for each task
        for _ in range(2):  # each of two at once has a GPU of its own, also in processes that have had another one
            found = answers(with_gpu, "executor_tasks:gpus_for", [2.0] * 2)
            assert {one.value for one in found.values()} == {"0", "1"}
    finally:
        ray.shutdown()
