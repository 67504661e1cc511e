"""Tasks that tests of executors run in other processes."""

import os
import signal
import sys
import time

from ttkit.executors.isolated import ProcessSpoiled


def double(number):
    return 2 * number


def process(_):
    return os.getpid()


def variable(name):
    return os.environ.get(name)


def gpus_for(seconds):
    """The GPUs that a process sees, which it keeps for so long."""
    time.sleep(seconds)
    return os.environ.get("CUDA_VISIBLE_DEVICES")


def sleep(seconds):
    time.sleep(seconds)
    return seconds


def mixed(task):
    """Does what its task says: ("die", ...), ("hang", ...), or returns it."""
    kind = task[0]
    if kind == "die":
        print("out of luck", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "die once" and not os.path.exists(task[1]):
        open(task[1], "w").close()
        os._exit(3)
    if kind == "stop once" and not os.path.exists(task[1]):
        open(task[1], "w").close()
        os.kill(os.getpid(), signal.SIGSTOP)
    while kind == "hang":
        pass
    if kind == "fail":
        raise ValueError("no such luck")
    if kind == "spoil":
        raise ProcessSpoiled("the GPU's context is gone")
    print("what a task prints is no answer")
    return task


def kill_worker(path):
    """Ends the executor's own process, the first time."""
    if not os.path.exists(path):
        open(path, "w").close()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)
    return "done"
