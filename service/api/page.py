"""The contract and texts beside it as pages: HTML without scripts, made once."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from ..engine.rules import OPTIONS, PRESETS
from .advice import ADVICE
from .problems import KINDS

_SCHEMAS: Final = "#/components/schemas/"
_CLAUSE: Final = re.compile(r"\bR[1-9][0-9]*\b")
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


class Page(NamedTuple):
    """A page and the policy that it is shown under.

    Attributes:
        html: the page.
        policy: its `Content-Security-Policy`, which allows its own style sheet and nothing else.
    """

    html: str
    policy: str


def render(contract: Mapping[str, Any]) -> Page:
    """Make the page of an OpenAPI document."""
    introduction = _MARKDOWN.parse(contract["info"]["description"])
    return _page(
        "docs.html",
        contract=contract,
        introduction=_html(introduction),
        contents=_contents(introduction),
        operations=list(_operations(contract)),
        options=OPTIONS.values(),
        presets=PRESETS,
        kinds=KINDS,
        advice=ADVICE,
        resolve=lambda node: _resolved(contract, node),
    )


def render_text(text: str) -> Page:
    """Make the page of a text of Markdown; its first heading is the title, and clauses are linked to the contract."""
    opening, title, closing, *rest = _MARKDOWN.parse(text)
    assert (opening.tag, closing.tag) == ("h1", "h1")
    return _page("text.html", title=title.content, contents=_contents(rest), text=_html(rest, clauses_at="/docs"))


def _page(template: str, **values: Any) -> Page:
    environment = Environment(
        loader=PackageLoader("service.api"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(markdown=markdown, inline=inline, kind=kind, members=members, needs=needs, pretty=pretty)
    style = environment.get_template("docs.css").render()
    html = environment.get_template(template).render(style=Markup(style), **values)  # noqa: S704  # our own style sheet
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return Page(html, policy)


def markdown(text: str) -> Markup:
    """Show a text of Markdown."""
    return _html(_MARKDOWN.parse(text))


def inline(text: str) -> Markup:
    """Show a line of Markdown."""
    return _with_clauses(_MARKDOWN.renderInline(text))


def _html(tokens: list[Token], clauses_at: str = "") -> Markup:
    """Show Markdown: headings can be linked to, and wide tables scroll by themselves."""
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            token.attrSet("id", _anchor(following.content))
        if token.type == "fence":
            token.attrSet("tabindex", "0")
    html = str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))
    html = re.sub(r"<pre><code([^>]*) tabindex=\"0\"", r'<pre tabindex="0"><code\1', html)
    html = html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    return _with_clauses(html, clauses_at)


def _with_clauses(html: str, place: str = "") -> Markup:
    """Link every clause that is named in running text to its own text, which stands on the page at `place`."""
    parts = re.split(r"(<h[1-6].*?</h[1-6]>|<pre.*?</pre>|<[^>]*>)", html, flags=re.DOTALL)
    link = rf'<a href="{place}#\g<0>">\g<0></a>'
    linked = [part if part.startswith("<") else _CLAUSE.sub(link, part) for part in parts]
    return Markup("".join(linked))  # noqa: S704  # its text is escaped by the renderer


def _anchor(heading: str) -> str:
    clause = _CLAUSE.match(heading)
    return clause[0] if clause else re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


class Heading(NamedTuple):
    """A heading of the introduction, for the table of contents."""

    level: int
    anchor: str
    title: Markup


def _contents(tokens: list[Token]) -> list[Heading]:
    return [
        Heading(int(token.tag[1]), _anchor(following.content), Markup(_MARKDOWN.renderInline(following.content)))  # noqa: S704  # escaped there
        for token, following in pairwise(tokens)
        if token.type == "heading_open"
    ]


def _operations(contract: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for path, methods in contract["paths"].items():
        shared = methods.get("parameters", [])
        for method, operation in methods.items():
            if method != "parameters":
                parameters = [_resolved(contract, parameter) for parameter in [*shared, *operation["parameters"]]]
                yield {**operation, "method": method.upper(), "path": path, "parameters": parameters}


def _resolved(contract: Mapping[str, Any], node: Mapping[str, Any]) -> Any:
    """Follow a reference within the document."""
    if "$ref" not in node:
        return node
    found: Any = contract
    for step in node["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def kind(schema: Mapping[str, Any]) -> Markup:
    """Tell what values a schema allows, with links to the schemas that it names."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_SCHEMAS)
        return Markup('<a href="#schema-{0}">{0}</a>').format(name)
    if "allOf" in schema:
        return Markup(" and ").join(map(kind, schema["allOf"]))
    if "oneOf" in schema:
        return Markup(" or ").join(map(kind, schema["oneOf"]))
    if "const" in schema:
        return Markup("<code>{}</code>").format(json.dumps(schema["const"]))
    if "enum" in schema:
        return Markup(" or ").join(Markup("<code>{}</code>").format(json.dumps(value)) for value in schema["enum"])
    types = schema.get("type", "any value")
    types = types if isinstance(types, list) else [types]
    return Markup(" or ").join(_type(name, schema) for name in types) + _bounds(schema)


def _type(name: str, schema: Mapping[str, Any]) -> str:
    return Markup("list of ") + kind(schema["items"]) if name == "array" else name


def _bounds(schema: Mapping[str, Any]) -> str:
    low = schema.get("minimum", schema.get("minLength"))
    high = schema.get("maximum", schema.get("maxLength"))
    unit = " characters" if "maxLength" in schema else ""
    if low is not None and high is not None:
        return f", {low} to {high}{unit}"
    return "" if low is None else f", at least {low}{unit}"


def needs(security: Sequence[Mapping[str, Any]]) -> str:
    """Tell what a caller must show."""
    if any("app_key" in one for one in security):
        return "Needs an app key where keys are set."
    if not security:
        return "Needs no token."
    return "A token is optional." if {} in security else "Needs a token."


def members(schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """List the members of an object's schema."""
    required = schema.get("required", ())
    for name, member in schema.get("properties", {}).items():
        yield {"name": name, "schema": member, "required": name in required}


def pretty(value: Any) -> str:
    """Write an example: text as it is, anything else as JSON, small lists and objects on one line."""
    return value if isinstance(value, str) else _pretty(value, "")


def _pretty(value: Any, indent: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= 88 or not isinstance(value, dict | list) or not value:
        return flat
    deeper = indent + "  "
    if isinstance(value, list):
        lines = [_pretty(item, deeper) for item in value]
    else:
        lines = [f"{json.dumps(name, ensure_ascii=False)}: {_pretty(item, deeper)}" for name, item in value.items()]
    opening, closing = "[]" if isinstance(value, list) else "{}"
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(lines) + f"\n{indent}{closing}"
