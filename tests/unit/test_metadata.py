"""What an app notes beside matches and players: kept and shown as it is, and nowhere a trace of none."""

from __future__ import annotations

from service import changes
from service.dealings import NewPlayer
from service.record import decode_record, encode_record
from service.usecases import UseCases
from service.view import lobby_entry, match_view, outline
from tests.conftest import TTL_SECONDS
from tests.tables import NOW_MS, Table, caller, record

NOTED = {"lobby": "İstanbul 🂡", "elo ": ""}


def test_metadata_is_shown_in_the_view_beside_players_and_in_the_log(usecases: UseCases) -> None:
    table = Table(usecases, metadata=NOTED, creator_metadata={"elo": "1200"})
    table.join(metadata={"elo": "900"})
    view = usecases.view(table.visit())
    assert view["metadata"] == NOTED
    assert [player["metadata"] for player in view["players"]] == [{"elo": "1200"}, {"elo": "900"}]
    shown = [(event["type"], event["metadata"]) for event in table.events() if "metadata" in event]
    assert shown == [
        ("match_created", NOTED),
        ("player_joined", {"elo": "1200"}),
        ("player_joined", {"elo": "900"}),
    ]


def test_where_nothing_is_noted_nothing_is_told_or_shown() -> None:
    change = changes.joined(record(0), NewPlayer("Somebody"), "py_match_new", NOW_MS)
    assert decode_record("match", change.record.version, encode_record(change.record)) == change.record
    assert "metadata" not in str(match_view(change.record, caller(0), TTL_SECONDS))
    assert "metadata" not in str(change.journal.events)


def test_what_is_noted_is_read_as_it_was_written() -> None:
    noted = record(0, 1, metadata=NOTED)
    noted = noted.with_player(noted.player(1)._replace(metadata={"a": "b"}))
    assert decode_record("match", noted.version, encode_record(noted)) == noted


def test_the_lobby_shows_it_unless_the_match_is_closed() -> None:
    assert lobby_entry(record(0, metadata=NOTED), TTL_SECONDS)["metadata"] == NOTED
    closed = record(0, metadata=NOTED, spectators="none")
    assert "metadata" not in lobby_entry(closed, TTL_SECONDS)
    assert "metadata" not in outline(closed)
