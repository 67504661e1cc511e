"""Between an editor, MLIR's language server and our analysis."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

from ttkit.json_shapes import check
from ttkit.language_server.wire import Message, Wire

_LSP_ERROR = 1
_WRONG_PARAMETERS, _INTERNAL_ERROR = -32602, -32603
_PLACE = {"line": int, "character": int}
_PARAMETERS: dict[str, Any] = {
    "textDocument/didOpen": {"textDocument": {"uri": str, "text": str, "version?": int}},
    "textDocument/didChange": {
        "textDocument": {"uri": str, "version?": (int, None)},
        "contentChanges": [{"text": str}],
    },
    "textDocument/hover": {"textDocument": {"uri": str}, "position": _PLACE},
    "textDocument/inlayHint": {"textDocument": {"uri": str}, "range": {"start": _PLACE, "end": _PLACE}},
}
"""Shapes of what the relay reads; all else is for MLIR's server."""
_ABOUT = {"textDocument?": {"uri?": str}}


class Process:
    """A process that speaks the protocol on its standard input and output.

    Args:
        command: how it starts.
    """

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self.start()

    def start(self) -> None:
        """Starts the server, with pipes to and from it."""
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None and self._process.stdout is not None
        self.wire = Wire(self._process.stdout.fileno(), self._process.stdin.fileno())

    def end(self) -> int:
        """Ends it, if it runs still; gives its exit code."""
        if self._process.poll() is None:
            self._process.terminate()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        return self._process.wait()


@dataclass
class Document:
    """A file as the editor has it.

    opened: the parameters with which the editor opened it.
    mlir, ours: diagnostics of both servers.
    withheld: whether MLIR's server does not have it, since it died of it.
    """

    uri: str
    text: str
    version: int
    opened: dict[str, Any]
    mlir: list[Any] = field(default_factory=list)
    ours: list[Any] = field(default_factory=list)
    withheld: bool = False


class Relay:
    """A session with an editor.

    Args:
        editor: its wire.
        native: the command of MLIR's server.
        analysis: the command of ours.
    """

    def __init__(self, editor: Wire, native: list[str], analysis: list[str]) -> None:
        self.editor = editor
        self.native, self.analysis = Process(native), Process(analysis)
        self.documents: dict[str, Document] = {}
        self.pending: dict[Any, tuple[str, dict[str, Any]]] = {}
        self.asked: dict[int, tuple[str, Any, Any]] = {}
        self.questions = 0
        self.initialize: Message | None = None
        self.initialize_again: Any = None
        self.last = ""
        self.is_ending = False

    def run(self) -> int:
        """Carries messages until the editor ends; gives the exit code."""
        while True:
            with selectors.DefaultSelector() as selector:
                for name, wire in (
                    ("editor", self.editor),
                    ("native", self.native.wire),
                    ("analysis", self.analysis.wire),
                ):
                    selector.register(wire.read, selectors.EVENT_READ, (name, wire))
                ready = [key.data for key, _ in selector.select()]
            for name, wire in ready:
                messages = wire.receive()
                if messages is None:
                    if name == "editor" or self.is_ending:
                        return self._end()
                    self._restart(name)
                for message in messages or ():
                    if name == "editor" and message.get("method") == "exit":
                        return self._end()
                    getattr(self, f"_from_{name}")(message)

    def _end(self) -> int:
        self.native.end()
        self.analysis.end()
        return 0 if self.is_ending else 1

    # --- From the editor ---------------------------------------------------------------------------------------------
    def _from_editor(self, message: Message) -> None:
        method, params = message.get("method", ""), message.get("params") or {}
        try:
            check(params, _PARAMETERS.get(method, _ABOUT), "params")
        except ValueError as error:
            self._refuse(message, str(error))
            return
        uri = params.get("textDocument", {}).get("uri", "")
        document = self.documents.get(uri)
        self.is_ending |= method == "shutdown"
        if method == "initialize":
            self.initialize = message
        elif method == "textDocument/didOpen":
            opened = params["textDocument"]
            document = self.documents[uri] = Document(uri, opened["text"], opened.get("version", 0), opened)
            self._ask("diagnose", document)
        elif method == "textDocument/didClose":
            self.documents.pop(uri, None)
        elif document is not None and method == "textDocument/didChange":
            document.text = next((change["text"] for change in reversed(params["contentChanges"])), document.text)
            document.version = params["textDocument"].get("version", 0)
            if document.withheld:
                self._open(document)
                return
        elif document is not None and method == "textDocument/didSave":
            self._ask("diagnose", document)
        elif document is not None and method == "textDocument/inlayHint" and "id" in message:
            self._ask("hints", document, message["id"], params["range"])
            return
        if document is not None and document.withheld:
            if "id" in message:
                self._answer(message["id"], method, params, None)
            return
        if "id" in message and method:
            self.pending[message["id"]] = method, params
        self._to_native(message, uri)

    def _refuse(self, message: Message, reason: str) -> None:
        """Says what is wrong with a message: in the answer to a request, else in the editor's log."""
        if "id" in message:
            self.editor.refuse(message, _WRONG_PARAMETERS, reason)
        else:
            told = {"type": _LSP_ERROR, "message": f"{message.get('method', 'a message without a method')}: {reason}"}
            self.editor.send({"method": "window/logMessage", "params": told})

    def _open(self, document: Document) -> None:
        document.withheld, document.mlir = False, []
        opened = {**document.opened, "text": document.text, "version": document.version}
        self._to_native({"method": "textDocument/didOpen", "params": {"textDocument": opened}}, document.uri)

    def _to_native(self, message: Message, uri: str) -> None:
        self.last = uri or self.last
        try:
            self.native.wire.send(message)
        except BrokenPipeError:
            self._restart("native")

    # --- From MLIR's server ------------------------------------------------------------------------------------------
    def _from_native(self, message: Message) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            document = self.documents.get(message["params"]["uri"])
            if document is not None:
                document.mlir = message["params"]["diagnostics"]
                self._publish(document)
            return
        if "method" in message or "id" not in message:
            self.editor.send(message)
            return
        if message["id"] == self.initialize_again and self.initialize_again is not None:
            self.initialize_again = None
            return
        method, params = self.pending.pop(message["id"], ("", {}))
        if "error" in message:
            self.editor.send(message)
        else:
            self._answer(message["id"], method, params, message.get("result"))

    def _answer(self, number: Any, method: str, params: dict[str, Any], result: Any) -> None:
        """Answers a request of the editor; what MLIR's server says of it comes first."""
        if method == "initialize":
            result["capabilities"]["inlayHintProvider"] = True
            result["serverInfo"] = {"name": "tt-lsp"}
        document = self.documents.get(params.get("textDocument", {}).get("uri", ""))
        if method == "textDocument/hover" and document is not None:
            self._ask("hover", document, number, params["position"], result)
        else:
            self.editor.send({"id": number, "result": result})

    def _publish(self, document: Document) -> None:
        params = {"uri": document.uri, "version": document.version, "diagnostics": document.mlir + document.ours}
        self.editor.send({"method": "textDocument/publishDiagnostics", "params": params})

    # --- Our analysis ------------------------------------------------------------------------------------------------
    def _ask(self, what: str, document: Document, number: Any = None, place: Any = None, result: Any = None) -> None:
        self.questions += 1
        self.asked[self.questions] = what, (document.uri if number is None else number), result
        params = {"uri": document.uri, "text": document.text, "place": place}
        try:
            self.analysis.wire.send({"id": self.questions, "method": what, "params": params})
        except BrokenPipeError:
            self._restart("analysis")

    def _from_analysis(self, message: Message) -> None:
        what, about, result = self.asked.pop(message["id"], ("", None, None))
        found = message["result"]
        if what == "diagnose" and about in self.documents:
            self.documents[about].ours = found
            self._publish(self.documents[about])
        elif what == "hints":
            self.editor.send({"id": about, "result": found})
        elif what == "hover":
            self.editor.send({"id": about, "result": merged_hover(result, found)})

    # --- When one of them dies ---------------------------------------------------------------------------------------
    def _restart(self, name: str) -> None:
        if name == "analysis":
            self.analysis.end()
            self.analysis.start()
            asked, self.asked = self.asked, {}
            for what, about, result in asked.values():
                if what != "diagnose":
                    self.editor.send({"id": about, "result": result if what == "hover" else []})
            return
        code = self.native.end()
        self.native.start()
        pending, self.pending = self.pending, {}
        for number in pending:
            error = {"code": _INTERNAL_ERROR, "message": "the parser crashed on this file"}
            self.editor.send({"id": number, "error": error})
        if self.initialize is not None:
            self.initialize_again = self.initialize.get("id")
            self.native.wire.send(self.initialize)
            self.native.wire.send({"method": "initialized", "params": {}})
        for document in self.documents.values():
            if document.uri == self.last:
                how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
                document.withheld, document.mlir = True, [at_start(f"MLIR's parser crashed on this file ({how})")]
                self._publish(document)
            elif not document.withheld:
                self._open(document)


def at_start(message: str) -> dict[str, Any]:
    """An error on the first line."""
    place = {"line": 0, "character": 0}
    return {"range": {"start": place, "end": place}, "severity": _LSP_ERROR, "source": "ttkit", "message": message}


def merged_hover(mlir: Any, sections: list[str]) -> Any:
    """The text that MLIR's server shows, and our sections below it; null if there is neither."""
    if not sections:
        return mlir
    if mlir is None:
        return {"contents": {"kind": "markdown", "value": "\n\n---\n\n".join(sections)}}
    value = "\n\n---\n\n".join([*sections, mlir["contents"]["value"]])
    return {**mlir, "contents": {"kind": "markdown", "value": value}}


def serve() -> int:
    """A session on standard input and output; gives the exit code."""
    python = [sys.executable, "-m"]
    native = [*python, "ttkit.drivers.lsp", "--native", "--log=error"]
    analysis = [*python, "ttkit.language_server.analysis"]
    # Nobody but the protocol may write to the editor.
    out = os.dup(1)
    os.dup2(2, 1)
    try:
        return Relay(Wire(0, out), native, analysis).run()
    except BrokenPipeError:
        return 1


__all__ = ["Relay", "merged_hover", "serve"]
