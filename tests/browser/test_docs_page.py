"""The page at /docs in a real browser: it works without scripts and without the world outside."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from service.api.problems import KINDS
from service.api.routes import OPERATIONS
from service.engine.clauses import CLAUSES
from service.engine.rules import OPTIONS
from tests.client import Client, Service

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "no Chromium: install it, or name it in CHROMIUM"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


class Seen:
    """A page that was opened, and what happened on the way."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.hosts: set[str | None] = set()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).hostname))
        page.goto(url, wait_until="networkidle")

    def evaluate(self, script: str) -> object:
        return self.page.evaluate(script)


@pytest.fixture(params=[(PHONE, "light"), (PHONE, "dark"), (DESKTOP, "light"), (DESKTOP, "dark")], ids=str)
def seen(request: pytest.FixtureRequest, browser: Browser, service: Service) -> Iterator[Seen]:
    viewport, scheme = request.param
    page = browser.new_page(viewport=viewport, color_scheme=scheme)
    yield Seen(page, f"http://127.0.0.1:{service.port}/docs")
    page.close()


def test_nothing_is_complained_about_and_nothing_is_fetched_from_elsewhere(seen: Seen) -> None:
    assert seen.complaints == []
    assert seen.hosts <= {"127.0.0.1", None}
    assert seen.evaluate("document.scripts.length") == 0


def test_links_within_the_page_lead_somewhere_and_no_target_stands_there_twice(seen: Seen) -> None:
    lost = "[...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.hash.slice(1))"
    assert seen.evaluate(f"{lost}.filter(id => !document.getElementById(id))") == []
    ids = "[...document.querySelectorAll('[id]')].map(node => node.id)"
    assert seen.evaluate(f"{ids}.filter((id, place, all) => all.indexOf(id) != place)") == []


def test_nothing_sticks_out_to_the_side(seen: Seen) -> None:
    assert seen.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_text_stands_out_from_its_background(seen: Seen) -> None:
    colour, background = (
        seen.evaluate(f"getComputedStyle(document.body).{name}") for name in ("color", "backgroundColor")
    )
    assert _contrast(str(colour), str(background)) >= 7


def _contrast(*colours: str) -> float:
    """The contrast of two colours as the Web Content Accessibility Guidelines define it."""
    darker, lighter = sorted(map(_luminance, colours))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_everything_that_can_be_named_has_its_place(seen: Seen) -> None:
    wanted = [*KINDS, *CLAUSES, *(f"option-{name}" for name in OPTIONS), *(operation.name for operation in OPERATIONS)]
    ids = seen.evaluate("[...document.querySelectorAll('[id]')].map(node => node.id)")
    assert isinstance(ids, list)
    assert set(wanted) <= set(ids)


def test_headings_go_down_step_by_step(seen: Seen) -> None:
    levels = seen.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5')].map(node => +node.tagName[1])")
    assert isinstance(levels, list)
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_the_policy_of_the_page_allows_no_script(client: Client) -> None:
    policy = client.get("/docs").headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "script-src" not in policy
