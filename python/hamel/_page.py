"""Pages of HTML: the report, and the animation cut out of it; inline in a notebook as a frame of its own."""
from __future__ import annotations

import html
import os
import re
from typing import TYPE_CHECKING, Any, Union

from . import _library as c
from ._library import lib
from .errors import UsageError

if TYPE_CHECKING:
    from ._run import RunOptions
    from .model import Model


class Page:
    """A page of HTML in one text, which needs no other file; a notebook shows it in a frame."""

    def __init__(self, text: str, height: int = 700) -> None:
        self.html = text
        self.height = height

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as out:
            out.write(self.html)

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" style="width:100%;height:{self.height}px;'
                'border:0"></iframe>')

    def __repr__(self) -> str:
        return f"<hamel.Page, {len(self.html)} characters of HTML>"


def animation(model: "Model", options: "RunOptions", height: int) -> Page:
    """The report's page with nothing but its animation."""
    form = options.form
    if form is None:
        form = model.derive().id
    whole = model._ask(lib.hamel_model_report, form.encode(), options.native(), c.HTML)
    if '<div id="animation">' not in whole:
        raise UsageError("there is nothing to animate: the model has no run, or its run has one moment only")
    body = '<section id="motion"><div id="animation"></div></section>'
    page = re.sub(r"(?s)<header>.*?</main>", lambda _: f"<main>{body}</main>", whole, count=1)
    data = re.compile(r'(?s)(<script type="application/json" id="hamel-data">)(.*?)(</script>)')
    return Page(data.sub(lambda m: m[1] + _without_steady(m[2]) + m[3], page, count=1), height)


def _without_steady(document: str) -> str:
    import json
    data: dict[str, Any] = json.loads(document)
    data["steady"] = None
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
