"""All launches that were noted, and what is made of them."""

from __future__ import annotations

from pathlib import Path

import ttkit.visualize.picture as picture
from ttkit.visualize.access_page import framed, page
from ttkit.visualize.recording import LaunchRecord


class Record:
    """All launches that were noted."""

    def __init__(self) -> None:
        self.launches: list[LaunchRecord] = []

    def page(self) -> str:
        """A page that shows them, which stands alone."""
        return page(self.launches)

    def write(self, path: str | Path) -> None:
        """Writes the page."""
        Path(path).write_text(self.page(), encoding="utf-8")

    def svg(self, tensor: str, colour: str = "program", launch: int = -1) -> str:
        """A tensor with the elements in the colour of who touches them, see `picture.svg`."""
        return picture.svg(self.launches[launch], tensor, colour)

    def _repr_html_(self) -> str:
        return framed(self.page())
