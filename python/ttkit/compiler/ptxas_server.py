"""ptxas that is ready before there is a kernel: a process that forks for each one.

ptxas takes 4 of its 11 ms for a small kernel to get ready.  A server does so once, for each program with its arguments:
`launcher/ptxas_server` is loaded into ptxas, and makes it wait where it would read its input.  For each folder that it
is told, it forks a process, which reads `kernel.ptx` there, and writes `kernel.cubin` and `log`.

The new processes are this process's own: it waits for them, and their CPU time counts as that of its children.  A
server ends when this process does.  Where one can't be had, `run` says so, and ptxas is started as any program.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence

import ttkit.locks as locks
from ttkit.installation import folders

INPUT, OUTPUT, LOG = "kernel.ptx", "kernel.cubin", "log"
_LIBRARY = os.path.join("_native", "ttkit_ptxas.so")
_SERVES = "TTKIT_PTXAS_SERVES"
_PRELOAD = "LD_PRELOAD"
_ELF = b"\x7fELF"
_NUMBER = 4  # bytes of a process's number
_MOST_SERVERS = 4
_LONGEST_PATH = 4095

_SERVERS: dict[tuple[str, ...], _Server | None] = {}
_lock = locks.lock()


def run(
    program: str, arguments: Sequence[str], folder: str, environment: Callable[[], Mapping[str, str]]
) -> int | None:
    """Runs ptxas in a folder.

    Args:
        arguments: all but those for input and output.
        folder: has INPUT, and gets OUTPUT and LOG.
        environment: gives that of the server, when it starts.

    Returns:
        Its exit code, negative for the number of a signal; None if there is no server, and nothing was run.
    """
    with _lock:
        server = _server_for((program, *arguments), environment)
        process = None if server is None else server.begin(folder)
    return None if process is None else os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def start(program: str, arguments: Sequence[str], environment: Callable[[], Mapping[str, str]]) -> None:
    """Starts the server that `run` with the same arguments will ask, unless it runs.

    Raises:
        OSError: the program can't be started.
    """
    with _lock:
        _server_for((program, *arguments), environment)


def _server_for(command: tuple[str, ...], environment: Callable[[], Mapping[str, str]]) -> _Server | None:
    """The server of a program with its arguments, which starts when first asked for; None if there can be none."""
    if command not in _SERVERS:
        library = preloaded_library()
        can_serve = library is not None and len(_SERVERS) < _MOST_SERVERS and _is_native(command[0])
        _SERVERS[command] = _Server(command, library, environment()) if library and can_serve else None
    server = _SERVERS[command]
    if server is not None and not server.is_running:
        server = _SERVERS[command] = None
    return server


@functools.cache
def preloaded_library() -> str | None:
    """The path of the library that makes ptxas a server; None where none was built."""
    if not sys.platform.startswith("linux"):
        return None
    return next((path for folder in folders() if os.path.exists(path := os.path.join(folder, _LIBRARY))), None)


@functools.cache
def _is_native(program: str) -> bool:
    """Whether a program is compiled.  A script would start ptxas itself, which this process could not wait for."""
    try:
        with open(program, "rb") as file:
            return file.read(len(_ELF)) == _ELF
    except OSError:
        return False


class _Server:
    """A process of ptxas that forks for each folder."""

    def __init__(self, command: Sequence[str], library: str, environment: Mapping[str, str]) -> None:
        users = environment.get(_PRELOAD)
        variables = {**environment, _SERVES: "1", _PRELOAD: f"{library}:{users}" if users else library}
        asked, self._requests = os.pipe()
        self._answers, answered = os.pipe()
        actions = [
            (os.POSIX_SPAWN_DUP2, asked, 0),
            (os.POSIX_SPAWN_DUP2, answered, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        try:
            arguments = [*command, INPUT, "-o", OUTPUT]
            self._process = os.posix_spawn(command[0], arguments, variables, file_actions=actions)
        except OSError:
            self.close()
            raise
        finally:
            os.close(asked)
            os.close(answered)
        self.is_running = True

    def begin(self, folder: str) -> int | None:
        """The number of a process that begins in a folder; None if the server has ended."""
        path = os.fsencode(folder)
        answer = b""
        if len(path) <= _LONGEST_PATH:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._requests, path)
                answer = os.read(self._answers, _NUMBER)
        number = int.from_bytes(answer, sys.byteorder, signed=True)
        if number > 0:
            return number
        self.end()
        return None

    def close(self) -> None:
        """Closes this side's pipes, on which the server ends."""
        self.is_running = False
        os.close(self._requests)
        os.close(self._answers)

    def end(self) -> None:
        """Ends the server, and waits for it."""
        if self.is_running:
            self.close()
            with contextlib.suppress(ChildProcessError):  # somebody else has waited for it
                if os.waitpid(self._process, os.WNOHANG)[0] == 0:
                    os.kill(self._process, signal.SIGTERM)  # a process may hold copies of the pipes
                    os.waitpid(self._process, 0)


def end_all() -> None:
    """Ends all servers; others start when they are needed."""
    with _lock:
        for server in _SERVERS.values():
            if server is not None:
                server.end()
        _SERVERS.clear()


def _forget() -> None:
    """In a forked child: the servers are its parent's."""
    for server in _SERVERS.values():
        if server is not None and server.is_running:
            server.close()
    _SERVERS.clear()


atexit.register(end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
