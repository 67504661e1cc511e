"""Messages of the language server protocol as bytes: a header with their length, then JSON."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

Message = dict[str, Any]
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


class Wire:
    """One side of a conversation over two file descriptors.

    Args:
        read, write: the descriptors.
    """

    def __init__(self, read: int, write: int) -> None:
        self.read, self.write = read, write
        self._received = b""

    def send(self, message: Message) -> None:
        """Writes a message.

        Raises:
            BrokenPipeError: nobody reads any more.
        """
        body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
        left = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        while left:
            left = left[os.write(self.write, left) :]

    def receive(self) -> list[Message] | None:
        """The messages that have come, after one read that may wait; None if the other side has ended."""
        part = os.read(self.read, 1 << 16)
        self._received += part
        return list(self._complete()) if part else None

    def _complete(self) -> Iterator[Message]:
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            length = _LENGTH.search(self._received[:end])
            start = end + 4
            stop = start + int(length[1]) if length else start
            if len(self._received) < stop:
                return
            body, self._received = self._received[start:stop], self._received[stop:]
            if body:
                yield json.loads(body)
