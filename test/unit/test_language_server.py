"""tt-lsp as editors meet it, through a client library."""

import asyncio
import os
import subprocess
import sys
import textwrap

import pytest

from ttkit.language_server import analysis, operation_docs, run_lines
from ttkit.language_server.wire import Wire

lsp = pytest.importorskip("lsprotocol.types")
client_module = pytest.importorskip("pygls.lsp.client")

KERNEL = """\
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#thin = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%p: !tt.ptr<f32>, %n: i32) {
    %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %limit = tt.splat %n : i32 -> tensor<512xi32, #blocked>
    %mask = arith.cmpi slt, %range, %limit : tensor<512xi32, #blocked>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %x = tt.load %base, %mask : tensor<512x!tt.ptr<f32>, #blocked>
    %y = ttg.convert_layout %x : tensor<512xf32, #blocked> -> tensor<512xf32, #thin>
    tt.return
  }
}
"""


class Session:
    """An editor with tt-lsp and one file."""

    def __init__(self, path):
        self.path, self.uri = path, path.as_uri()
        self.published = []
        self.changed = asyncio.Event()

    async def __aenter__(self):
        self.client = client_module.LanguageClient("tests", "1")

        @self.client.feature("textDocument/publishDiagnostics")
        def publish(parameters):
            self.published.append(parameters)
            self.changed.set()

        await self.client.start_io(sys.executable, "-m", "ttkit.drivers.lsp")
        parameters = lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), process_id=os.getpid())
        self.initialized = await self.client.initialize_async(parameters)
        self.client.initialized(lsp.InitializedParams())
        return self

    async def __aexit__(self, *_):
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def open(self, text):
        document = lsp.TextDocumentItem(uri=self.uri, language_id="mlir", version=1, text=text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=document))

    def change(self, text, version):
        document = lsp.VersionedTextDocumentIdentifier(uri=self.uri, version=version)
        whole = lsp.TextDocumentContentChangeWholeDocument(text=text)
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(text_document=document, content_changes=[whole])
        )

    async def diagnostics(self, wanted):
        """The messages published last, once `wanted` is among them; or none at all, for None."""
        for _ in range(40):
            messages = [one.message for one in self.published[-1].diagnostics] if self.published else ["nothing yet"]
            if not messages if wanted is None else any(wanted in message for message in messages):
                return self.published[-1].diagnostics
            self.changed.clear()
            try:
                await asyncio.wait_for(self.changed.wait(), 2)
            except asyncio.TimeoutError:
                continue
        raise AssertionError(f"{wanted!r} is not in {messages}")

    def at(self, text, mark, offset=0):
        """A position: that of the first `mark` in a text."""
        start = text.index(mark) + offset
        line = text.count("\n", 0, start)
        return {
            "text_document": lsp.TextDocumentIdentifier(uri=self.uri),
            "position": lsp.Position(line=line, character=start - (text.rfind("\n", 0, start) + 1)),
        }

    async def hover(self, text, mark, offset=0):
        found = await self.client.text_document_hover_async(lsp.HoverParams(**self.at(text, mark, offset)))
        return found.contents.value if found else ""


def session(path, work):
    async def run():
        async with Session(path) as editor:
            await work(editor)

    asyncio.run(asyncio.wait_for(run(), 120))


def test_what_an_editor_asks(tmp_path):
    async def work(editor):
        abilities = editor.initialized.capabilities
        assert editor.initialized.server_info.name == "tt-lsp"
        assert abilities.hover_provider
        assert abilities.definition_provider
        assert abilities.references_provider
        assert abilities.completion_provider
        assert abilities.inlay_hint_provider
        editor.open(KERNEL)
        await editor.diagnostics(None)

        # The description of an operation comes from its td file.
        text = await editor.hover(KERNEL, "tt.load")
        assert "### `tt.load`" in text
        assert "mask[i] ? *ptr[i] : other[i]" in text
        assert "generic comparison" in await editor.hover(KERNEL, "arith.cmpi")
        # A value has a type, with the names of the file, and a layout, as a picture.
        text = await editor.hover(KERNEL, "%x =")
        assert "%x : tensor<512xf32, #blocked>" in text
        assert "T0:0" in text
        assert "convert_layout to %y" in text
        text = await editor.hover(KERNEL, "#thin>", 1)
        assert "sizePerThread = [1]" in text
        assert "T1:0" in text

        place = editor.at(KERNEL, "%x : tensor")
        found = await editor.client.text_document_definition_async(lsp.DefinitionParams(**place))
        assert [one.range.start.line for one in found] == [8]
        context = lsp.ReferenceContext(include_declaration=True)
        found = await editor.client.text_document_references_async(lsp.ReferenceParams(**place, context=context))
        assert sorted({one.range.start.line for one in found}) == [8, 9]

        everything = lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=20, character=0))
        parameters = lsp.InlayHintParams(text_document=place["text_document"], range=everything)
        hints = await editor.client.text_document_inlay_hint_async(parameters)
        shown = {(hint.position.line, hint.label) for hint in hints}
        assert (6, ": tensor<512xi1, #blocked>") in shown
        assert (8, ": tensor<512xf32, #blocked>") in shown
        assert any(line == 9 and "shared memory" in label for line, label in shown)
        assert not [label for line, label in shown if line in (4, 5, 7)]

        text = KERNEL.replace("    tt.return", "    tt.\n    tt.return")
        editor.change(text, 2)
        await editor.diagnostics("not found for custom op")
        found = await editor.client.text_document_completion_async(
            lsp.CompletionParams(**editor.at(text, "    tt.\n", 7))
        )
        items = found.items if hasattr(found, "items") else found
        assert {"load", "store", "reduce"} <= {one.label.removeprefix("tt.") for one in items}

        editor.change(KERNEL.replace("%y = ttg", "%y = ttg.x"), 3)
        await editor.diagnostics("unknown")
        editor.change(KERNEL, 4)
        await editor.diagnostics(None)

    session(tmp_path / "kernel.ttgir", work)


def test_what_passes_in_python_say_is_shown_where_it_belongs(tmp_path):
    (tmp_path / "picky.py").write_text(
        textwrap.dedent(
            """
            from ttkit.passes.infra import Pass, PassError, collect, remark

            class Picky(Pass):
                '''Refuses loads, and remarks on stores.'''
                name = "picky"
                anchor = None

                def run(self, op):
                    for store in collect(op, ["tt.store"]):
                        remark(store, "a store is here")
                    for load in collect(op, ["tt.load"]):
                        raise PassError(load, "no loads, please")
            """
        )
    )
    path = tmp_path / "test.mlir"
    text = textwrap.dedent(
        """\
        // RUN: tt-opt %s --load-pass=%S/picky.py \\
        // RUN:   --picky | FileCheck %s
        tt.func @f(%p: !tt.ptr<f32>) {
          %x = tt.load %p : !tt.ptr<f32>
          tt.store %p, %x : !tt.ptr<f32>
          tt.return
        }
        """
    )
    path.write_text(text)

    async def work(editor):
        editor.open(text)
        found = await editor.diagnostics("no loads, please")
        assert {(one.source, one.range.start.line) for one in found} >= {("tt-opt", 3)}
        # What is not saved yet is not what the passes ran on.
        editor.change(text + "// more\n", 2)

    session(path, work)


def test_a_parser_that_dies_costs_one_answer(tmp_path, monkeypatch):
    """MLIR's server is killed while it has the file: it starts again, with the file once that has changed."""
    import signal

    async def work(editor):
        editor.open(KERNEL)
        await editor.diagnostics(None)
        relay = editor.client._server.pid
        children = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(relay)], capture_output=True, text=True)
        native = next(line for line in children.stdout.splitlines() if "--native" in line)
        os.kill(int(native.split()[0]), signal.SIGSEGV)
        await editor.diagnostics("MLIR's parser crashed on this file (SIGSEGV)")
        assert "### `tt.load`" in await editor.hover(KERNEL, "tt.load")
        editor.change(KERNEL, 2)
        await editor.diagnostics(None)
        assert "%p" in await editor.hover(KERNEL, "%p:")

    session(tmp_path / "kernel.ttgir", work)


DAMAGED = {
    "{": (None, "Expecting property name"),
    "null": (None, "must be an object"),
    '{"id": 1, "method": 5}': (1, "must be a text"),
    '{"id": 2, "method": "textDocument/definition", "params": {"line": 1e999}}': (None, "no number of JSON"),
    '{"id": 3, "method": "textDocument/hover", "params": {ABOUT, "position": {"line": 0}}}': (3, "'character'"),
    '{"id": 4, "method": "textDocument/inlayHint", "params": {ABOUT}}': (4, "has no 'range'"),
    '{"id": 5, "method": "textDocument/hover", "params": [1]}': (5, "must be an object"),
    '{"method": "textDocument/didOpen", "params": {ABOUT}}': ("log", "has no 'text'"),
    '{"method": "textDocument/didChange", "params": {ABOUT, "contentChanges": null}}': ("log", "must be a list"),
}


def test_damaged_messages_are_answered_with_errors():
    command = [sys.executable, "-m", "ttkit.drivers.lsp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        wire = Wire(server.stdout.fileno(), server.stdin.fileno())
        wire.send({"id": "first", "method": "initialize", "params": {"capabilities": {}}})
        wire.send({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///k.mlir", "text": ""}}})
        for text in DAMAGED:
            text = text.replace("ABOUT", '"textDocument": {"uri": "file:///k.mlir"}')
            os.write(server.stdin.fileno(), b"Content-Length: %d\r\n\r\n%s" % (len(text), text.encode()))
        empty = {"textDocument": {"uri": "file:///k.mlir"}, "contentChanges": []}
        wire.send({"method": "textDocument/didChange", "params": empty})
        wire.send({"id": "last", "method": "shutdown"})
        found = []
        while not any(message.get("id") == "last" for message in found):
            found += wire.receive()
        wire.send({"method": "exit"})
        while wire.receive() is not None:  # until it has ended: it may be writing
            pass
    assert server.returncode == 0
    errors = [(message["id"], message["error"]["message"]) for message in found if "error" in message]
    errors += [
        ("log", message["params"]["message"]) for message in found if message.get("method") == "window/logMessage"
    ]
    assert len(errors) == len(DAMAGED)
    for number, words in DAMAGED.values():
        assert any(number == of and words in said for of, said in errors), (number, words, errors)


def test_words_and_parts():
    text = "%a = tt.load %b#1\n// -----\n#x = 1\n^bb0:"
    assert analysis.word_at(text, 0, 7) == "tt.load"
    assert analysis.word_at(text, 0, 14) == "%b#1"
    assert analysis.word_at(text, 0, 4) == ""
    assert analysis.word_at(text, 9, 0) == ""
    assert analysis.part_at(text, 0) == ("%a = tt.load %b#1\n", 0)
    assert analysis.part_at(text, 2) == ("#x = 1\n^bb0:", 2)


def test_hints_of_a_split_file_are_where_they_belong():
    one = "tt.func @f(%a: i32) {\n  %c = arith.cmpi eq, %a, %a : i32\n  tt.return\n}\n"
    text = f"{one}// -----\nnot IR\n// -----\n{one}"
    everything = {"start": {"line": 0}, "end": {"line": 100}}
    found = analysis.hints("", text, everything)
    assert [(hint["position"], hint["label"]) for hint in found] == [
        ({"line": 1, "character": 4}, ": i1"),
        ({"line": 8, "character": 4}, ": i1"),
    ]


@pytest.mark.parametrize(
    "name", ["tt.load", "ttg.convert_layout", "ttng.warp_group_dot", "scf.for", "triton_gpu.convert_layout"]
)
def test_operations_have_a_page(name):
    assert len(operation_docs.documentation(name)) > 100


def test_what_is_no_operation_has_none():
    assert operation_docs.documentation("tt.nothing") == ""
    assert operation_docs.documentation("no_dialect.x") == ""
    assert operation_docs.documentation("os.path") == ""


def test_run_lines():
    lines = ("tt-opt %s --a | FileCheck %s", "not tt-opt %s --b", "tt-opt %s -verify-diagnostics", "echo %s")
    text = "".join(f"// RUN: {line}\n" for line in lines)
    assert run_lines.commands(text, "/x/y.mlir") == [["/x/y.mlir", "--a"]]


def test_the_command_line():
    def run(*arguments):
        command = [sys.executable, "-m", "ttkit.drivers.lsp", *arguments]
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    assert run("--help").stdout.startswith("tt-lsp: the language server")
    assert run("--unknown").returncode == 2
    ended = run()  # the editor is gone at once
    assert (ended.returncode, ended.stdout) == (1, "")
