"""Pictures of layouts as a page: the facts, and the drawing, in which pointing at a cell shows all of its colour."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from ttkit.layout.drawing.picture import Picture
from ttkit.layout.drawing.svg import svg

_FOLDER = Path(__file__).parent


def html(title: str, sections: Sequence[tuple[str, Sequence[tuple[str, str]], Sequence[Picture]]]) -> str:
    """A page that stands alone.  sections: heading, facts (name, value) and pictures of each layout."""
    body = []
    for heading, lines, pictures in sections:
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>\n" for name, value in lines)
        body.append(f"<h2>{escape(heading)}</h2>\n<table>\n{rows}</table>\n")
        body += (f"<p>{svg(picture, titled=False)}</p>\n" for picture in pictures)
    style, script = ((_FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>\n{style}</style></head>\n<body>\n{''.join(body)}<script>\n{script}</script>\n</body>\n</html>\n"
    )
