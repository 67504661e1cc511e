"""Messages of the language server protocol as bytes: a header with their length, then JSON."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator
from typing import Any

from ttkit.json_shapes import check

Message = dict[str, Any]
_MESSAGE = {"id?": (int, str, None), "method?": str, "params?": (dict, None)}
_NO_REQUEST = -32600
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
        """The messages that have come, after one read that may wait; None if the other side has ended.

        What is not a message is answered with an error.
        """
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
            value = None
            try:
                value = json.loads(body, parse_float=_finite, parse_constant=_finite)
                check(value, _MESSAGE, "the message")
            except (ValueError, RecursionError) as error:
                self.refuse(value, _NO_REQUEST, str(error))
            else:
                yield value

    def refuse(self, message: Any, code: int, reason: str) -> None:
        """Answers with an error, by the number of what has one."""
        number = message.get("id") if isinstance(message, dict) else None
        self.send({"id": number, "error": {"code": code, "message": reason}})


def _finite(text: str) -> float:
    """A number as JSON has them; Python reads more, which MLIR's server does not."""
    if not math.isfinite(found := float(text)):
        raise ValueError(f"{text} is no number of JSON")
    return found
