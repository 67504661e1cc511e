"""Answers requests, a JSON object a line each way, in a child process that is forked anew when a request ends it.

What both sides of compare.py have in common; the Python of the other side has no ttkit.  What was imported before
`serve` is there in every child, so that an input that ends the process costs milliseconds.
"""

import json
import mmap
import os
import signal
import sys
import tempfile

LIMIT = 20  # seconds of CPU time of one request


def serve(answer, limit=LIMIT):
    """Answers each line of standard input with `answer(request, printed)`, both dictionaries, on standard output.

    `printed()` is what was printed since the request came, by C++ too.  A request that ends its process is answered
    {"died": text}.
    """
    answers = os.dup(1)
    file = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 (open to the end)
    os.dup2(file.fileno(), 1)
    os.dup2(file.fileno(), 2)

    def printed():
        file.seek(0)
        return file.read()

    is_asked = mmap.mmap(-1, 1)  # shared: a child may also end when it has answered, as what it made is freed
    while True:
        child = os.fork()
        if child == 0:
            _answer_lines(answer, answers, limit, file, printed, is_asked)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status) == 0:
            return
        if not is_asked[0]:
            continue
        is_asked[0] = 0
        text = f"the process ended with {status}"
        if os.WIFSIGNALED(status):
            text = f"the process ended with {signal.Signals(os.WTERMSIG(status)).name}"
            if os.WTERMSIG(status) == signal.SIGPROF:
                text = f"no answer after {limit} s"
        _write(answers, {"died": f"{printed()}{text}"})


def _answer_lines(answer, answers, limit, file, printed, is_asked):
    """Until standard input ends; does not return."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for line in iter(sys.stdin.readline, ""):
        is_asked[0] = 1
        file.seek(0)
        file.truncate()
        signal.setitimer(signal.ITIMER_PROF, limit)
        made = answer(json.loads(line), printed)
        signal.setitimer(signal.ITIMER_PROF, 0)
        is_asked[0] = 0
        _write(answers, made)
    os._exit(0)


def _write(file, answer):
    data = json.dumps(answer).encode() + b"\n"
    while data:
        data = data[os.write(file, data) :]
