"""Fills a template into one page: texts cleaned and escaped, style and script inside; nothing else may run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reports.words import clean

TEMPLATES = Path(__file__).parent / "templates"


def part(name: str) -> str:
    """A file of the templates' folder as text."""
    return (TEMPLATES / name).read_text("utf-8")


def digest(content: str) -> str:
    """What a content security policy names a style or script by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")


def filled(template: str, styles: Sequence[str], scripts: Sequence[str], **values: Any) -> str:
    """The page of a template, with the style sheets and scripts of these names."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: clean(value) if type(value) is str else value,
    )
    css, script = ("\n".join(part(f"{n}.{kind}") for n in names) for kind, names in (("css", styles), ("js", scripts)))
    return environment.get_template(template).render(
        **values, css=css, script=script, style_hash=digest(css), script_hash=digest(script)
    )
