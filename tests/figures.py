"""Reading the figures of the service."""

from __future__ import annotations

from service.counting import Counting
from tests.client import Client


def read_figures(text: str) -> dict[str, float]:
    """Give each figure by its name without the prefix, with its labels as they stand there."""
    figures = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, _, value = line.rpartition(" ")
            figures[name.removeprefix("pis_yedili_")] = float(value)
    return figures


def figures_of(counting: Counting) -> dict[str, float]:
    """Give the figures of this process."""
    text = counting.text()
    assert text is not None, "it counts"
    return read_figures(text.decode())


def grown(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """Give by how much each figure has grown, of those that have."""
    return {name: value - before.get(name, 0) for name, value in after.items() if value != before.get(name, 0)}


def followers(client: Client, kind: str) -> float:
    """Ask a service how many streams or polls, by their kind, it holds at this moment."""
    return read_figures(client.get("/metrics").body.decode())[f'followers{{kind="{kind}"}}']
