"""The command `pis-yedili-verify`, also `python -m service.verify`: were the cards fair?"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, NoReturn

from .checks import CHECKS, Known, verify
from .reading import Source, Unreadable, read
from .saying import Unwritable, allow_any_text, complain, say
from .together import verify_together
from .verdict import Verdict

FAIR, NOT_FAIR, TROUBLE = 0, 1, 2
_ABOUT: Final = f"""\
Checks the proofs of finished deals: {", ".join(CHECKS)}; and, of several deals of one match, that they belong together.
Needs no service and no network, unless an address is given.
"""
_STATUS: Final = """\
exit status: 0 everything holds; 1 something does not; 2 a proof could not be read, an argument is wrong, or the
outcome could not be written.
"""


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run the command.

    Args:
        words: the arguments; those of the process if None.

    Raises:
        SystemExit: always, with 0 if everything holds, 1 if not, and 2, after one line, if a proof cannot be read or
            the outcome not be written.
    """
    allow_any_text()
    arguments = _arguments(words)
    known = Known(arguments.commitment, dict(arguments.client_seed))
    try:
        verdicts = list(_judged([read(place) for place in arguments.place], known))
        fair = all(verdict.fair for verdict in verdicts)
        if arguments.json:
            say([json.dumps({"fair": fair, "verdicts": [_members(verdict) for verdict in verdicts]})])
        else:
            say(_lines(verdicts, quiet=arguments.quiet))
    except (Unreadable, Unwritable) as trouble:
        complain(str(trouble))
        sys.exit(TROUBLE)
    sys.exit(FAIR if fair else NOT_FAIR)


def _judged(sources: Sequence[Source], known: Known) -> Iterator[Verdict]:
    """Check each proof, and then those of each match together."""
    by_match: dict[str, list[dict[str, Any]]] = {}
    for document in (document for source in sources for document in source.documents):
        verdict = verify(document, known)
        yield verdict
        if verdict.fair:
            by_match.setdefault(document["match_id"], []).append(document)
    views = {source.view["id"]: source.view for source in sources if source.view}
    for match_id, proofs in by_match.items():
        if len(proofs) > 1 or match_id in views:
            yield verify_together(proofs, views.get(match_id))


def _lines(verdicts: Sequence[Verdict], *, quiet: bool) -> Iterator[str]:
    for verdict in verdicts:
        if quiet and verdict.fair:
            continue
        yield verdict.subject
        yield from () if quiet else (f"  ✓ {name}" for name in verdict.passed)
        if failure := verdict.failure:
            yield f"  ✗ {failure.check}, at {failure.pointer or 'the whole document'}: {failure.detail}"
            yield from (f"      expected {failure.expected}" for _ in [0] if failure.expected is not None)
            yield from (f"      found    {failure.found}" for _ in [0] if failure.found is not None)
    if quiet:
        return
    for sentence in dict.fromkeys(sentence for verdict in verdicts for sentence in verdict.not_anchored):
        yield f"Not shown: {sentence}"
    yield "FAIR" if all(verdict.fair for verdict in verdicts) else "NOT FAIR"


def _members(verdict: Verdict) -> dict[str, Any]:
    return {**verdict._asdict(), "failure": verdict.failure and verdict.failure._asdict()}


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="pis-yedili-verify", description=_ABOUT, epilog=_STATUS)
    parser.add_argument(
        "place",
        nargs="+",
        metavar="FILE|URL",
        help="a proof, or a list of them, as GET /v1/matches/ID/deals/NUMBER gives it, or an exported match, as GET "
        "/v1/matches/ID/export gives it; - for the standard input; or "
        "the address of a match (all its finished deals) or of a deal at a running service",
    )
    parser.add_argument("--commitment", type=_commitment, metavar="HEX", help="as you noted it before the match")
    parser.add_argument(
        "--client-seed",
        type=_client_seed,
        action="append",
        default=[],
        metavar="SEAT=TEXT",
        help="what you gave; may be repeated, for other seats",
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON for machines")
    parser.add_argument("--quiet", action="store_true", help="print only what does not hold")
    arguments = parser.parse_args(words)
    seats = [seat for seat, _ in arguments.client_seed]
    if len(set(seats)) < len(seats):
        parser.error("argument --client-seed: each seat has one client seed, and may be named once")
    return arguments


def _commitment(text: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise argparse.ArgumentTypeError("a commitment has 64 hexadecimal digits")
    return text.lower()


def _client_seed(text: str) -> tuple[int, str]:
    seat, equals, client_seed = text.partition("=")
    if not equals or not re.fullmatch(r"[0-9]{1,2}", seat):
        raise argparse.ArgumentTypeError("give the number of a seat, =, and its client seed")
    return int(seat), client_seed


if __name__ == "__main__":
    main()
