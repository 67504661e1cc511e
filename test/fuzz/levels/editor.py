"""Messages of an editor, damaged or about damaged files, to tt-lsp: it must answer all requests, and stay alive."""

from __future__ import annotations

import json
import os
import random
import re
import selectors
import subprocess
import sys
import tempfile
import time
from typing import Any

from fuzz.ir_changes import mutate
from fuzz.level import ACCEPTED, REFUSED
from fuzz.levels.ir import Passes
from fuzz.levels.records import changed
from ttkit.language_server.wire import Wire

SECONDS = 60.0
"""In which all requests are answered."""
REQUESTS = """hover inlayHint definition references completion documentSymbol codeAction prepareRename
    semanticTokens/full nothing""".split()
RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 40, "character": 0}}


class Editor(Passes):
    """A message a line, as JSON; `raw ` and a literal of bytes for what is no message."""

    name = "editor"
    share = 0.5
    seconds = 90.0

    def make(self, rng: random.Random) -> str:
        text = mutate(rng, rng.choice(self.seeds), None) if rng.random() < 0.8 else rng.choice(self.seeds)
        uri = rng.choice(("file:///k.mlir", "file:///l.mlir", "untitled:k", "x"))
        about = {"textDocument": {"uri": uri, "version": 2}}
        opened = {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}}
        messages: list[Any] = [{"method": "textDocument/didOpen", "params": opened}]
        lines = text.split("\n")
        for number in range(rng.choice((2, 4, 8))):
            line = rng.randrange(len(lines) + 1)
            column = rng.randrange(len(lines[line]) + 2 if line < len(lines) else 3)
            asked = {**about, "position": {"line": line, "character": column}, "range": RANGE, "context": {}}
            messages.append({"id": number, "method": f"textDocument/{rng.choice(REQUESTS)}", "params": asked})
        changes = {**about, "contentChanges": [{"text": mutate(rng, text, None)}]}
        messages.insert(rng.randrange(1, len(messages)), {"method": "textDocument/didChange", "params": changes})
        for method in ("didSave", "didClose"):
            messages.append({"method": f"textDocument/{method}", "params": about})
        told = [json.dumps({"jsonrpc": "2.0", **message}) for message in messages]
        for _ in range(rng.choice((0, 1, 1, 3))):
            at = rng.randrange(len(told))
            if rng.random() < 0.7 and told[at].startswith("{"):
                told[at] = json.dumps(changed(rng, json.loads(told[at])))
            else:
                body = rng.choice(
                    (b"", b"{", b"null", b"[]", b'{"id": 7}', b"\xff", b"[" * 5000, told[at][:-1].encode())
                )
                head = rng.choice((b"Content-Length: %d\r\nX: y", b"content-length:%d", b"X: %d")) % len(body)
                told.insert(at, f"raw {head + bytes([13, 10, 13, 10]) + body!r}")
        return "\n".join(told) + "\n"

    def start(self) -> None:
        super().start()
        self.open()

    def open(self) -> None:
        """Begins a session."""
        self.said = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 -- lives as long as the session
        command = [sys.executable, "-m", "ttkit.drivers.lsp"]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said)
        assert self.server.stdin is not None and self.server.stdout is not None
        self.wire = Wire(self.server.stdout.fileno(), self.server.stdin.fileno())
        self.asked = 0
        self.wire.send({"id": "first", "method": "initialize", "params": {"capabilities": {}}})
        self.wire.send({"method": "initialized", "params": {}})

    def check(self, text: str) -> str:
        if self.server.poll() is not None:
            self.open()
        os.truncate(self.said.fileno(), 0)
        waits = set()
        try:
            for line in text.splitlines():
                waits |= self.send(line)
            self.asked += 1
            last = f"last {self.asked}"
            about = {"textDocument": {"uri": "file:///none"}, "position": RANGE["start"]}
            self.wire.send({"id": last, "method": "textDocument/hover", "params": about})
            waits.add(last)
            left, refused = self.answered(waits)
        except BrokenPipeError:
            left, refused = waits, False
            self.server.wait()
        self.said.seek(0)
        said = self.said.read()
        if leak := re.search(r"^(?:\w+\.)*\w+(?:Error|Exception)\b.*|^tt-lsp: .*", said, re.MULTILINE):
            return f"tt-lsp leaks {leak[0][:200]}"
        if self.server.poll() is not None:
            return f"tt-lsp ends with {self.server.returncode}"
        return f"tt-lsp does not answer {sorted(map(str, left))[0]}" if left else REFUSED if refused else ACCEPTED

    def send(self, line: str) -> set[Any]:
        """Sends a message; what has to be answered."""
        if line.startswith("raw "):
            os.write(self.wire.write, eval(line[4:]))
            return set()
        try:
            message = json.loads(line, parse_constant=refused)
        except ValueError:
            message = None
        body = line.encode()
        os.write(self.wire.write, b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        is_request = isinstance(message, dict) and isinstance(message.get("method"), str)
        number = message.get("id") if is_request else None  # numbers of the protocol have 31 bits
        return {number} if isinstance(number, str) or (type(number) is int and abs(number) < 1 << 31) else set()

    def answered(self, waits: set[Any]) -> tuple[set[Any], bool]:
        """What is not answered in time, and whether there was an error."""
        waits, refused, end = set(waits), False, time.monotonic() + SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(self.wire.read, selectors.EVENT_READ)
            while waits and selector.select(max(end - time.monotonic(), 0)):
                messages = self.wire.receive()
                for message in messages or ():
                    refused |= "error" in message
                    if type(message.get("id")) in (int, str):
                        waits.discard(message["id"])
                if messages is None:
                    self.server.wait()
                    break
        return waits, refused


def refused(text: str) -> None:
    """Infinity and NaN, which Python's JSON has and the protocol's has not."""
    raise ValueError(text)
