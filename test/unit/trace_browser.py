"""A page of a trace in headless Chromium."""

from __future__ import annotations

import functools
import html
import json
import re
import shutil
import subprocess
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)
needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed: apt-get install chromium")

# Runs in the page when it is there.  What the script gives becomes JSON in the element that `asked` reads.
_HARNESS = """<script>
const until = async (is, what) => {
  for (let round = 0; round < 200; round++) {
    const found = is();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error("waited in vain: " + (what || is));
};
const all = (selector) => [...document.querySelectorAll(selector)];
const errors = [];
window.addEventListener("error", (event) => errors.push(event.message));
window.addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
(async () => {
  let found;
  try {
    await until(() => document.documentElement.dataset.ready, "the page");
    found = await (async () => { SCRIPT })();
  } catch (error) { errors.push(String(error)); }
  const answer = document.createElement("pre");
  answer.id = "answer";
  answer.textContent = JSON.stringify({ found, errors });
  document.body.append(answer);
})();
</script></body>"""


def asked(page: Path, script: str, width: int = 1280, address: str = "", flags: tuple[str, ...] = ()) -> Any:
    """What the body of an async function of JavaScript returns in the page.  Fails on errors in the page."""
    copy = page.with_suffix(".asked.html")
    copy.write_text(asking(page.read_text(encoding="utf-8"), script), encoding="utf-8")
    return answer_of(f"{copy.as_uri()}{address}", page.parent / "profile", width, flags)


def asking(page: str, script: str) -> str:
    """The text of a page that runs a script and keeps what it returns for `answer_of`."""
    return page.replace("</body>", _HARNESS.replace("SCRIPT", script))


def answer_of(address: str, profile: Path, width: int = 1280, flags: tuple[str, ...] = ()) -> Any:
    """What the script of a page returned.  Fails on errors in the page."""
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900", *flags]
    command += [f"--user-data-dir={profile}", "--virtual-time-budget=20000", "--dump-dom"]
    for _ in range(2):  # the page's clock runs on while a busy machine draws nothing: then it waits in vain once
        done = subprocess.run([*command, address], capture_output=True, text=True, timeout=120, check=False)
        found = re.search(r'<pre id="answer">(.*?)</pre>', done.stdout, re.DOTALL)
        assert found, done.stderr[-2000:]
        answer = json.loads(html.unescape(found[1]))
        if not any("waited in vain" in error for error in answer["errors"]):
            break
    assert not answer["errors"], answer["errors"]
    return answer.get("found")


_FRAME = """<!DOCTYPE html><html><body style="margin: 0">
<iframe id="narrow" src="PAGE" style="width: WIDTHpx; height: 900px; border: 0"></iframe><script>
const frame = document.getElementById("narrow");
const look = () => {
  const found = frame.contentDocument.getElementById("answer");
  if (found) document.body.append(found.cloneNode(true)); else setTimeout(look, 20);
};
look();
</script></body></html>"""


def asked_in_frame(page: Path, script: str, width: int, flags: tuple[str, ...] = ()) -> Any:
    """As `asked`, in a frame of a width: headless Chromium has no window below some 500 pixels."""
    (page.parent / "inside.html").write_text(asking(page.read_text(encoding="utf-8"), script), encoding="utf-8")
    (page.parent / "frame.html").write_text(_FRAME.replace("PAGE", "inside.html").replace("WIDTH", str(width)))
    handler = functools.partial(_Quiet, directory=str(page.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_port}/frame.html"
            return answer_of(address, page.parent / "profile", flags=flags)
        finally:
            server.shutdown()
            thread.join()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass
