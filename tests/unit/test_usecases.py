"""The verbs of the service over a real store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.dealings import NewPlayer
from service.engine.match import commitment
from service.errors import UnknownFormat
from service.identity import Caller
from service.lobby import Search
from service.record import FORMAT
from service.store.base import Stored
from service.store.redis import RedisStore
from service.usecases import UseCases
from service.writing import COMMIT_ATTEMPTS
from tests.conftest import TTL_SECONDS, now_ms
from tests.tables import BusyStore, Table, commit, contents, numbered_entropy, refusal


def finish(table: Table) -> Table:
    while table.record.status == "playing":
        table.play_on()
    return table


def test_a_creator_sits_at_seat_0_and_is_the_host(usecases: UseCases) -> None:
    table = Table(usecases, 3)
    assert table.made.seat == 0
    assert table.made.match["you"] == {
        "seat": 0,
        "is_host": True,
        "client_seed": None,
        "hand": [],
        "legal_moves": [],
    }
    assert [event["type"] for event in table.events()] == ["match_created", "player_joined"]
    assert table.made.join_code is None


def test_a_creator_who_does_not_play_is_a_host_without_a_seat(usecases: UseCases) -> None:
    table = Table(usecases, 2, creator_name=None)
    assert table.made.seat is None
    assert (table.made.match["you"]["seat"], table.made.match["you"]["hand"]) == (None, None)
    assert table.made.match["host_seat"] is None
    table.fill()
    assert table.start().match["you"]["hand"] is None
    assert refusal(lambda: table.visit(table.host_token, "player")).code == "not_your_seat"


def test_the_application_that_created_a_match_is_kept_and_shown_to_nobody(usecases: UseCases) -> None:
    table = Table(usecases, 2, app="a-shop").fill()
    table.start()
    assert table.record.app == "a-shop"
    views = [usecases.view(table.visit(token)) for token in (None, *table.tokens.values())]
    assert "a-shop" not in str([table.made, views, table.events(table.host_token), usecases.lobby(Search(), None, 10)])


def test_a_private_match_is_joined_with_the_code_that_only_its_creator_was_told(usecases: UseCases) -> None:
    table = Table(usecases, 2, visibility="private")
    assert table.made.join_code is not None
    assert refusal(table.join).code == "join_code_wrong"
    joined = table.join(join_code=table.made.join_code.lower())
    assert joined.join_code is None
    assert table.made.join_code not in str([joined.match, table.events(table.host_token)])


def test_impossible_rules_are_refused_with_a_pointer_to_each_option(usecases: UseCases) -> None:
    refused = refusal(lambda: Table(usecases, 5, rules={"hand_size": 13, "decks": 1}))
    assert refused.code == "invalid_rules"
    assert [error["pointer"] for error in refused.errors] == ["/rules/hand_size", "/rules/decks"]


def test_the_version_is_always_the_number_of_the_last_event(usecases: UseCases) -> None:
    table = Table(usecases, 3)
    seen = []

    def look() -> None:
        view = usecases.view(table.visit())
        events = table.events()
        assert view["version"] == usecases.version(table.match_id) == events[-1]["seq"] == len(events)
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        seen.append(view["version"])

    look()
    table.join()
    look()
    table.leave(1)
    look()
    table.fill()
    look()
    table.start()
    for _ in range(30):
        look()
        table.play_on()
    assert seen == sorted(set(seen))


def test_an_answer_holds_the_events_that_the_write_caused_and_the_view_after_them(usecases: UseCases) -> None:
    table = Table(usecases).fill()
    before = usecases.version(table.match_id)
    answered = table.start()
    assert [event["seq"] for event in answered.events] == [before + 1, before + 2, before + 3]
    assert answered.events[-1]["seq"] == answered.match["version"]
    assert answered.match == usecases.view(table.visit(table.host_token))
    assert not answered.replayed


def test_the_last_join_starts_a_match_that_starts_by_itself(usecases: UseCases) -> None:
    table = Table(usecases, auto_start=True)
    joined = table.join()
    assert joined.match["status"] == "playing"
    assert len(joined.match["you"]["hand"]) == 7
    assert refusal(table.start).code == "match_already_started"


def test_a_host_who_leaves_hands_the_match_on_and_is_a_stranger(usecases: UseCases) -> None:
    table = Table(usecases, 3)
    table.join(2)
    left = table.leave(0)
    assert left.match["host_seat"] == 2
    assert left.match["you"] is None
    assert [event["type"] for event in left.events] == ["player_left", "host_changed"]
    assert refusal(lambda: table.visit(table.host_token)).code == "token_invalid"
    assert table.visit(table.tokens[2], "host").caller == Caller(2, True)


def test_the_host_frees_any_seat_and_a_player_only_their_own(usecases: UseCases) -> None:
    table = Table(usecases, 4)
    table.join()
    table.join()
    assert refusal(lambda: table.leave(1, table.tokens[2])).code == "not_your_seat"
    assert table.leave(1, table.host_token).match["you"]["is_host"]
    assert refusal(lambda: table.visit(table.tokens[1])).code == "token_invalid"
    table.leave(2)
    assert table.record.free_seats == (1, 2, 3)


def test_a_match_that_everybody_left_is_abandoned_for_good(usecases: UseCases) -> None:
    table = Table(usecases)
    left = table.leave(0)
    assert left.match["status"] == "abandoned"
    assert left.match["players"] == []
    assert refusal(table.join).code == "match_finished"
    assert refusal(lambda: table.visit(table.host_token, "host")).code == "token_invalid"


def test_who_asks_is_checked_before_what_they_ask(usecases: UseCases) -> None:
    table, other = Table(usecases).fill(), Table(usecases)
    assert refusal(lambda: usecases.find("unknown")).code == "match_not_found"
    assert table.visit(None).caller.is_stranger
    for access in ("member", "player", "host"):
        assert refusal(lambda access=access: table.visit(None, access)).code == "token_required"  # type: ignore[misc]
    for access in ("anyone", "member", "player", "host"):
        for token, code in (("nonsense", "token_invalid"), (other.host_token, "not_your_match")):
            visit = refusal(lambda access=access, token=token: table.visit(token, access))  # type: ignore[misc]
            assert visit.code == code
    assert refusal(lambda: table.visit(table.tokens[1], "host")).code == "host_only"
    assert table.visit(table.tokens[1], "player").caller == Caller(1, False)


def test_a_refused_move_changes_nothing(usecases: UseCases, database: Any) -> None:
    table = Table(usecases).fill()
    table.start()
    before = contents(database)
    deal = usecases.view(table.visit())["deal"]
    on_turn = deal["turn_seat"]
    assert refusal(lambda: table.move(1 - on_turn, "draw")).code == "not_your_turn"
    refused = refusal(lambda: table.move(on_turn, "pass"))
    assert (refused.code, refused.rule) == ("illegal_move", "R4")
    assert refusal(lambda: table.move(on_turn, "pass", if_version=1)).code == "version_mismatch"
    assert contents(database) == before


def test_a_move_at_the_version_that_was_seen_counts(usecases: UseCases) -> None:
    table = Table(usecases).fill()
    version = table.start().match["version"]
    seat = usecases.view(table.visit())["deal"]["turn_seat"]
    mover = table.visit(table.tokens[seat], "player")
    move = usecases.legal_moves(mover)[0]
    answered = table.move(seat, move.get("card", "draw"), if_version=version)
    assert answered.match["version"] > version
    assert answered.match["you"]["seat"] == seat


def test_the_log_is_read_in_pieces_that_fit_together(usecases: UseCases) -> None:
    table = Table(usecases, 4).fill()
    table.start()
    for _ in range(20):
        table.play_on()
    whole = table.events(table.host_token)
    for limit in (1, 2, 3, 7):
        pieces, after = [], 0
        while True:
            events, following = usecases.events(table.visit(table.host_token), after, limit)
            if not events:
                assert following == after == whole[-1]["seq"]
                break
            assert len(events) <= limit
            pieces += events
            after = following
        assert pieces == whole


def test_a_deal_is_shown_when_it_is_over_with_the_proof_of_its_shuffle(usecases: UseCases) -> None:
    table = Table(usecases, rules={"deals": 2}).fill()
    assert refusal(lambda: usecases.finished_deal(table.visit(), 1)).code == "deal_not_found"
    table.start()
    for number, code in ((0, "deal_not_found"), (1, "deal_unfinished"), (2, "deal_not_found")):
        assert refusal(lambda number=number: usecases.finished_deal(table.visit(), number)).code == code  # type: ignore[misc]
    while not usecases.view(table.visit())["results"]:
        table.play_on()
    assert refusal(lambda: usecases.finished_deal(table.visit(), 2)).code == "deal_unfinished"
    finish(table)
    assert refusal(lambda: usecases.finished_deal(table.visit(), 3)).code == "deal_not_found"
    ends = [event for event in table.events() if event["type"] == "deal_ended"]
    view = usecases.view(table.visit())
    for number, end in enumerate(ends, 1):
        shown = usecases.finished_deal(table.visit(), number)
        assert shown["hands"] == end["hands"]
        assert {name: shown[name] for name in view["results"][number - 1]} == view["results"][number - 1]
        seed = bytes.fromhex(shown["seed"])
        assert commitment(seed, table.record.rules) != shown["seed_commitment"]
    assert view["commitment"] == usecases.finished_deal(table.visit(), 1)["seed_commitment"]
    assert (
        usecases.finished_deal(table.visit(), 1)["seed"] == usecases.finished_deal(table.visit(), 2)["seed_commitment"]
    )


def test_a_match_that_expires_while_its_deal_is_looked_up_is_not_found(usecases: UseCases, database: Any) -> None:
    table = finish(Table(usecases, rules={"deals": 1}, auto_start=True).fill())
    found = table.visit()
    database.delete(f"py:{{{table.match_id}}}", f"py:{{{table.match_id}}}:log")
    assert refusal(lambda: usecases.finished_deal(found, 1)).code == "match_not_found"


def test_every_change_renews_the_expiry_and_the_view_tells_it(usecases: UseCases, database: Any) -> None:
    times = iter(range(1_000, 100_000, 1_000))
    clocked = UseCases(usecases._store, ttl_seconds=60, clock=lambda: next(times), entropy=numbered_entropy(3))
    table = Table(clocked)
    assert table.made.match["expires_at"] == "1970-01-01T00:01:01.000Z"
    assert table.join().match["expires_at"] == "1970-01-01T00:01:02.000Z"
    assert table.record.created_ms == 1_000
    assert database.pttl(f"py:{{{table.match_id}}}") > (TTL_SECONDS - 5) * 1000


def test_a_match_that_has_expired_is_not_found(usecases: UseCases, database: Any) -> None:
    table = Table(usecases)
    visit = table.visit(table.host_token, "host")
    database.delete(f"py:{{{table.match_id}}}", f"py:{{{table.match_id}}}:log")
    assert refusal(lambda: table.record).code == "match_not_found"
    assert usecases.version(table.match_id) == 0
    assert refusal(lambda: usecases.join(visit, NewPlayer("Late"))).code == "match_not_found"


def test_a_match_in_another_format_is_refused(usecases: UseCases, store: RedisStore) -> None:
    store.commit("later", commit(0, 1, b'{"format": %d}' % (FORMAT + 1)))
    with pytest.raises(UnknownFormat):
        usecases.find("later")


def test_a_write_that_lost_a_race_is_decided_anew(store: RedisStore) -> None:
    rivals: list[Callable[[], object]] = []
    busy = BusyStore(store, lambda match_id: rivals.pop()() if rivals else None)
    usecases = UseCases(busy, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(1))
    table = Table(usecases, 3)
    rivals.append(lambda: table.join(1))
    assert table.join().seat == 2
    rivals.append(lambda: table.leave(1))
    assert refusal(table.start).code == "seats_free"
    table.fill()
    rivals.append(table.start)
    assert refusal(table.start).code == "match_already_started"


def test_a_player_who_was_removed_meanwhile_cannot_finish_a_write(store: RedisStore) -> None:
    rivals: list[Callable[[], object]] = []
    busy = BusyStore(store, lambda match_id: rivals.pop()() if rivals else None)
    usecases = UseCases(busy, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(1))
    table = Table(usecases, 3)
    table.join(1)
    rivals.append(lambda: table.leave(0))
    assert refusal(lambda: table.leave(1, table.host_token)).code == "token_invalid"


def test_after_some_lost_races_it_is_a_conflict(store: RedisStore) -> None:
    table = Table(UseCases(store, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(1)))
    busy = BusyStore(store, lambda match_id: table.set_client_seed(0, "again"))
    losing = UseCases(busy, ttl_seconds=TTL_SECONDS, clock=now_ms, entropy=numbered_entropy(2))
    version = store.version(table.match_id)
    refused = refusal(lambda: losing.join(table.visit(), NewPlayer("Loser")))
    assert refused.code == "conflict"
    assert busy.commits == COMMIT_ATTEMPTS
    assert store.version(table.match_id) == version + COMMIT_ATTEMPTS


def test_who_reads_beyond_the_log_goes_on_at_its_end(usecases: UseCases) -> None:
    table = Table(usecases, 2)
    assert usecases.events(table.visit(), 2_147_483_647, 10) == ([], table.record.version)


def test_the_state_in_the_store_holds_no_token_and_the_log_no_secret(usecases: UseCases, store: RedisStore) -> None:
    table = Table(usecases, visibility="private").fill()
    table.start()
    state = store.load(table.match_id).stored
    assert isinstance(state, Stored)
    log = b"".join(entry.data for entry in store.entries(table.match_id, 0, 99))
    for token in table.tokens.values():
        assert token.encode() not in state.state + log
    assert table.made.join_code is not None
    for secret in (table.record.last_seed.hex(), table.record.host_token_hash, table.made.join_code):
        assert secret.encode() not in log


def test_a_sign_of_life_is_asked_of_the_store(usecases: UseCases) -> None:
    usecases.ping()
