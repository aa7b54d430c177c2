"""The page on fair cards, and the verifier beside it, in a real browser (R22)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.test_docs_page import DESKTOP, PHONE, Seen, browser
from tests.client import Service
from tests.vectors import PATH as VECTORS

__all__ = ["browser"]

pytestmark = pytest.mark.browser

CHECK_VECTORS = Path(__file__).parents[1] / "unit" / "verify" / "check_vectors.mjs"


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_page_is_complete_by_itself(viewport: dict[str, int], browser: Browser, service: Service) -> None:
    page = browser.new_page(viewport=viewport)  # type: ignore[arg-type]  # a dictionary of its form
    seen = Seen(page, f"http://127.0.0.1:{service.port}/docs/fairness")
    assert seen.complaints == []
    assert seen.evaluate("document.scripts.length") == 0
    assert seen.evaluate("document.documentElement.scrollWidth <= innerWidth")
    links = seen.evaluate("[...document.querySelectorAll('a[href]')].map(link => link.href)")
    assert isinstance(links, list)
    for link in {link for link in links if "127.0.0.1" in link}:
        answer = page.request.get(link)
        assert answer.ok
        assert "#" not in link or f'id="{link.partition("#")[2]}"' in answer.text(), link
    page.close()


def test_the_verifier_passes_the_published_vectors_in_a_browser(browser: Browser, service: Service) -> None:
    page: Page = browser.new_page()
    page.route("**/check_vectors.mjs", lambda route: route.fulfill(path=CHECK_VECTORS, content_type="text/javascript"))
    page.goto(f"http://127.0.0.1:{service.port}/docs/fairness/vectors.json")
    differences = page.evaluate("""async () => {
        const { default: differences } = await import("/check_vectors.mjs");
        const vectors = await (await fetch("/docs/fairness/vectors.json")).json();
        return differences(await import("/docs/fairness/verify.mjs"), vectors);
    }""")
    assert differences == []
    changed = json.loads(VECTORS.read_text("utf-8"))["proofs"][0]
    changed["pack"][:2] = changed["pack"][1::-1]
    verdict = page.evaluate('async (proof) => (await import("/docs/fairness/verify.mjs")).verify(proof)', changed)
    assert (verdict["failure"]["check"], verdict["failure"]["pointer"]) == ("pack", "/pack/0")
    page.close()
