"""Requests to `ttkit explore`, damaged: each is answered, and none gets a thing that has not the token and the host."""

from __future__ import annotations

import json
import random
import re
import socket
import sys
import threading
from typing import Any

from fuzz.damage import Material, make_input
from fuzz.level import ACCEPTED, LEAKS, REFUSED, Level, leak
from fuzz.levels.arguments import TTIR
from fuzz.levels.records import changed
from ttkit.explorer import Server, Workbench
from ttkit.explorer.workbench import WorkFailed
from ttkit.explorer.worker import Interpretation, Passes, done
from ttkit.tracing.records import KernelRecord
from ttkit.workers import Died, Workers

HEAD = "{method} /TOKEN/{work} HTTP/1.1\nHost: 127.0.0.1:PORT\n"
HEADERS = """Origin: http://127.0.0.1:PORT|Origin: null|Sec-Fetch-Site: same-origin|Sec-Fetch-Site: cross-site|X: y|X|
|Transfer-Encoding: chunked|Connection: keep-alive| folded|:|Host: localhost:PORT|Host: x|Expect: 100-continue|
|Content-Length: ²|Content-Length: 5|Content-Length: -1|Content-Length: 99999999999|Content-Length: 0x10""".split("|")
OF_PYTHON = re.compile(
    r"object (?:is|has|of type|cannot)|out of range$|^'\w*'$|^\w+Error$|int\(\)|not supported between"
)
"""What Python says of its own values."""


class Bench(Workbench):
    """A workbench whose workers are forked, which takes milliseconds."""

    workers = Workers(1, lambda work, _: done(work), timeout=20.0)

    def _run(self, work: Passes | Interpretation) -> Any:
        reply = self.workers.one(work)
        if isinstance(reply, Died):
            raise WorkFailed(f"the process ended with {reply.how}: {reply.errors}")
        if isinstance(reply, KernelRecord):
            reply.files.pop("cubin", None)  # the page has it disassembled, which takes longer than all else
        return reply


class Recorded(Server):
    """Keeps what `Server` says nothing of."""

    error: BaseException | None = None

    def handle_error(self, request: Any, client_address: Any) -> None:
        self.error = sys.exc_info()[1]


class Explorer(Level):
    """The head and, behind an empty line, the body; TOKEN, PORT and LENGTH stand for the server's and the body's."""

    name = "explorer"
    share = 0.5
    seconds = 60.0

    def prepare(self) -> None:
        self.bench = Bench("k.mlir", [])
        self.bench.add_file(TTIR, "k")
        self.bench.workers.end()
        place = {"kernel": 0, "stage": 1, "pass": 2, "side": "after"}
        rest = self.bench.rest(0, 1, 2, "after")
        self.bodies = {
            "rest": place,
            "run": {**place, "text": None, "pipeline": rest, "check": False},
            "interpret": {**place, "text": TTIR, "grid": "1", "arguments": "p=ones:f32:64 n=3"},
        }
        self.material = Material.gather(
            [self.request("GET", "", ""), *map(self.post, self.bodies, self.bodies.values())]
        )

    def request(self, method: str, work: str, more: str, body: str = "") -> str:
        return HEAD.format(method=method, work=work) + more + "\n" + body

    def post(self, work: str, body: Any) -> str:
        return self.request("POST", work, "Content-Type: application/json\nContent-Length: LENGTH\n", json.dumps(body))

    def make(self, rng: random.Random) -> str:
        how = rng.random()
        if how < 0.4:
            return make_input(rng, self.material)
        work = rng.choice(list(self.bodies))
        text = self.post(work, changed(rng, json.loads(json.dumps(self.bodies[work]))))
        if how < 0.6:
            lines = text.split("\n")
            lines.insert(rng.randrange(1, len(lines) - 1), rng.choice(HEADERS).strip("\n"))
            text = "\n".join(lines)
        elif how < 0.65:
            text = text.partition("\n\n")[0] + "\n\n" + rng.choice(("[" * 5000, '{"side":' * 5000, "1" * 5000, "{", ""))
        return text

    def start(self) -> None:
        self.server = Recorded(Bench("k.mlir", []))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def check(self, text: str) -> str:
        self.server.bench.kernels[:] = self.bench.kernels
        status, body = self.ask(text)
        head = text.partition("\n\n")[0]
        if status != 200:
            return REFUSED if status or not head.split("\n")[0].strip() else self.silence()
        if not is_allowed(head):
            return "answers who has not the token, or is another site"
        if body.startswith(b"{"):
            error = json.loads(body).get("error", "")
            if LEAKS.search(error) or OF_PYTHON.search(error):
                return f"answers with a text of Python's: {error[-200:]}"
            if self.ask(self.request("GET", "", ""))[0] != 200:
                return self.silence()
        return ACCEPTED

    def silence(self) -> str:
        """Why there was no answer."""
        error, self.server.error = self.server.error, None
        return leak(error) if error else "no answer"

    def ask(self, text: str) -> tuple[int, bytes]:
        """The status and the body of an answer; 0 if there is none, 1 if it has no status, as of HTTP/0.9."""
        head, _, body = text.partition("\n\n")
        sent = body.encode(errors="surrogatepass")
        values = {"TOKEN": self.server.token, "PORT": str(self.server.server_port), "LENGTH": str(len(sent))}
        for name, value in values.items():
            head = head.replace(name, value)
        with socket.create_connection(("127.0.0.1", self.server.server_port), timeout=self.seconds) as connection:
            try:
                told = head.replace("\n", "\r\n").encode("latin-1", errors="replace")
                connection.sendall(told + b"\r\n\r\n" + sent)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it has answered already
            answer = b""
            while part := receive(connection):
                answer += part
        found = re.match(rb"(?:HTTP/1\.0 100 .*\r\n\r\n)?HTTP/1\.0 (\d{3}) ", answer)
        return (int(found[1]) if found else min(len(answer), 1)), answer.rpartition(b"\r\n\r\n")[2]


def receive(connection: socket.socket) -> bytes:
    """More of an answer; nothing once the server has closed, which it does with what it has not read."""
    try:
        return connection.recv(1 << 16)
    except ConnectionResetError:
        return b""


def is_allowed(head: str) -> bool:
    """Whether a request has the token, this server's name, and no other origin."""
    ours = r"(?:127\.0\.0\.1|localhost):PORT\s*$"
    origin = re.search(r"^Origin:(.*)", head, re.IGNORECASE | re.MULTILINE)
    return bool(
        re.search(r"\s/*TOKEN/", head.split("\n")[0])
        and re.search(rf"^Host:\s*{ours}", head, re.IGNORECASE | re.MULTILINE)
        and (origin is None or re.match(rf"\s*http://{ours}", origin[1]))
    )
