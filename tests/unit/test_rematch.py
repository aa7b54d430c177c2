"""The same table once more: who is awaited, for how long, and who deals (R2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.clocks import Clock
from service.dealings import BotOrder, NewMatch, NewPlayer
from service.errors import StoreUnavailable
from service.lobby import Search
from service.record import AWAITED_MS, decode_record, encode_record
from service.rematching import MOST_TRIES
from service.store.redis import RedisStore
from service.ticker import Ticker
from service.usecases import UseCases
from service.verify import verify
from service.webhooks.hook import Webhook
from tests.conftest import TTL_SECONDS
from tests.tables import NOW_MS, BusyStore, Table, numbered_entropy, once, refusal

SHORT = {"deals": 1, "hand_size": 3}


class Server:
    """A server on a store, whose clock can be set."""

    def __init__(self, store: Any) -> None:
        self.now_ms = NOW_MS
        self.usecases = UseCases(store, ttl_seconds=TTL_SECONDS, clock=self.time, entropy=numbered_entropy(11))
        self.ticker = Ticker(store, self.usecases, clock=self.time, timeout_seconds=3)

    def time(self) -> int:
        return self.now_ms

    def tick(self, later_ms: int) -> None:
        """Let time pass, and do what is due."""
        self.now_ms += later_ms
        for future in self.ticker.tick():
            future.result()

    def played(self, seats: int = 2, **order: Any) -> Table:
        """Play a short match, in which every human has a token."""
        plain: dict[str, Any] = {"rules": SHORT, "auto_start": True, "visibility": "private"}
        return Table(self.usecases, seats, **plain | order).fill().play_out()


@pytest.fixture
def node(store: RedisStore) -> Server:
    """A server on an empty store."""
    return Server(store)


def types(table: Table) -> list[str]:
    return [event["type"] for event in table.events()]


def test_r2_four_seats_with_a_bot_and_an_absent_player_play_again(node: Server) -> None:
    before = node.played(4, bots=[BotOrder("easy", 2)])
    last_dealer = before.record.match.deal.dealer  # type: ignore[union-attr]  # it was played
    offer = before.rematch(0, client_seed="salt")
    assert (offer.seat, offer.match["status"], offer.match["host_seat"]) == (0, "waiting", 0)
    assert offer.match["awaited"] == [{"seat": 1, "name": "Somebody"}, {"seat": 3, "name": "Somebody"}]
    invitation = before.usecases.view(before.visit(before.tokens[1]))["rematch"]
    assert invitation == {"match_id": offer.match["id"]}
    table = before.following(1)
    assert [player["seat"] for player in table.usecases.view(table.visit())["players"]] == [0, 1, 2]
    node.tick(AWAITED_MS - 1)
    assert table.record.status == "waiting"
    node.tick(1)
    view = table.usecases.view(table.visit())
    assert (view["status"], view["deal"]["dealer_seat"]) == ("playing", (last_dealer + 1) % 4)
    assert [player["played_by"] for player in view["players"]] == ["player", "player", "bot", "bot"]
    assert view["players"][3]["kind"] == "human"
    assert "awaited" not in view
    late = before.rematch(3)
    assert late.match["players"][3]["played_by"] == "player"
    assert late.match["you"]["seat"] == 3
    table.tokens |= {0: offer.token, 3: late.token}
    proof = json.loads(json.dumps(table.play_out().usecases.finished_deal(table.visit(), 1)))
    assert proof["first_dealer"] == view["first_dealer"] == proof["dealer_seat"]
    assert proof["client_seeds"] == ["salt", "", "", ""]
    assert verify(proof).fair


def test_when_all_have_come_it_starts_at_once(node: Server) -> None:
    table = node.played(3).following(2, 0, 1)
    assert (table.record.status, table.record.host_seat, table.record.due_ms) == ("playing", 2, None)
    assert types(table)[:6] == [
        *("match_created", "player_joined", "host_changed", "player_joined", "player_joined", "match_started"),
    ]
    created = table.events()[0]
    assert (created["first_dealer"], len(created["awaited"])) == (table.record.first_dealer, 3)


def test_all_but_the_cards_is_as_it_was(node: Server) -> None:
    before = node.played(
        2,
        clock=Clock(60, 10, 0),
        spectators="hidden",
        app="league",
        webhook=Webhook("https://app.example/hook", "whsec_c2VjcmV0"),
        metadata={"league": "1"},
        creator_metadata={"elo": "1200"},
    )
    offer = before.rematch(1)
    record, old = before.usecases.find(offer.match["id"]).record, before.record
    same = (
        "name",
        "visibility",
        "seats",
        "auto_start",
        "preset",
        "rules",
        "clock",
        "spectators",
        "metadata",
        "app",
        "webhook",
    )
    assert [getattr(record, name) for name in same] == [getattr(old, name) for name in same]
    assert [player.metadata for player in record.awaited] == [{"elo": "1200"}]
    assert record.commitment != old.commitment
    assert offer.join_code == record.join_code != old.join_code
    assert before.rematch(0).join_code is None
    assert decode_record(record.match_id, record.version, encode_record(record)) == record


def test_strangers_see_no_invitation_and_take_no_seat_that_is_kept(node: Server) -> None:
    before = node.played(3, visibility="public")
    table = before.following(1)
    assert "rematch" not in before.usecases.view(before.visit())
    assert "match_id" not in before.events()[-1]
    assert before.events(before.tokens[0])[-1]["match_id"] == table.match_id
    [entry], _ = table.usecases.lobby(Search("waiting"), None, 10)
    assert (entry["id"], entry["free_seats"]) == (table.match_id, [])
    assert refusal(lambda: table.usecases.join(table.visit(), NewPlayer("Stranger"))).code == "match_full"
    assert refusal(table.start).code == "seats_free"
    order = NewMatch(3, {}, "Quick", "public", True, "Stranger", clock=table.record.clock)
    assert table.usecases.quick_match(order, NewPlayer("Stranger")).match["id"] != table.match_id


def test_a_repeat_with_the_same_key_gets_the_same_token_and_any_other_is_refused(node: Server) -> None:
    before = node.played()
    first = before.rematch(0, once=once())
    again = before.rematch(0, once=once())
    assert (again.token, again.seat, again.replayed) == (first.token, 0, True)
    assert refusal(lambda: before.rematch(0)).code == "seat_taken"
    assert refusal(lambda: before.rematch(0, once=once(body="another"))).code == "idempotency_key_reused"


def test_two_first_requests_at_once_make_one_rematch(store: RedisStore) -> None:
    others: list[Any] = []

    def meanwhile(match_id: str) -> None:
        if armed and not others:
            others.append(None)
            others[0] = rival.rematch(1)

    armed = False
    busy, calm = Server(BusyStore(store, meanwhile)), Server(store)
    before = busy.played()
    rival = Table.__new__(Table)
    vars(rival).update(vars(before) | {"usecases": calm.usecases})
    armed = True
    assert before.rematch(0).match["id"] == others[0].match["id"]
    assert types(before).count("rematch_offered") == 1


def test_a_failure_between_the_two_matches_leaves_no_second_rematch(store: RedisStore) -> None:
    commits: list[str] = []

    def fail_once(match_id: str) -> None:
        commits.append(match_id)
        if len(commits) == fails_at:
            raise StoreUnavailable("It died.")

    fails_at = 0
    before = Server(BusyStore(store, fail_once)).played()
    fails_at = len(commits) + 2
    with pytest.raises(StoreUnavailable):
        before.rematch(0)
    assert commits[-2:] == [commits[-2], before.match_id]
    assert before.rematch(1).match["id"] == commits[fails_at - 2]


def test_a_rematch_to_which_nobody_came_is_given_up_and_another_can_be_asked_for(node: Server) -> None:
    before = node.played()
    table = before.following(0)
    table.leave(0)
    assert table.record.status == "abandoned"
    second = before.following(1)
    assert second.match_id != table.match_id
    second.usecases.leave(second.visit(second.tokens[1], "member"), 1)
    node.tick(AWAITED_MS)
    third = before.following(1, 0)
    assert third.record.status == "playing"
    assert types(before)[-3:] == ["rematch_offered"] * 3


def test_the_seat_of_who_leaves_while_others_are_awaited_stays_theirs(node: Server) -> None:
    before = node.played(3)
    table = before.following(0, 1)
    table.leave(0)
    assert table.record.host_seat == 1
    assert [player["seat"] for player in table.usecases.view(table.visit())["awaited"]] == [2, 0]
    assert before.rematch(0).seat == 0
    assert before.rematch(2).match["status"] == "playing"


def test_the_host_need_not_wait(node: Server) -> None:
    before = node.played(3)
    table = before.following(1)
    table.usecases.start(table.visit(table.host_token, "host"), "hard")
    assert table.record.status == "playing"
    absent = [event["seat"] for event in table.events() if event.get("reason") == "absent"]
    assert absent == [0, 2]


def test_a_match_that_its_host_starts_goes_on_waiting_for_the_host_alone(node: Server) -> None:
    before = Table(node.usecases, 3, rules=SHORT).fill()
    before.start()
    table = before.play_out().following(0)
    node.tick(AWAITED_MS)
    assert (table.record.status, table.record.is_full) == ("waiting", True)
    assert before.rematch(1, client_seed="tuz").match["you"]["client_seed"] == "tuz"
    table.leave(0)
    assert table.record.host_seat == 1


def test_only_a_match_that_was_played_and_is_over_has_a_rematch(node: Server) -> None:
    waiting = Table(node.usecases)
    assert refusal(lambda: waiting.rematch(0)).code == "match_not_started"
    waiting.fill().start()
    assert refusal(lambda: waiting.rematch(0)).code == "match_unfinished"
    for seat in (0, 1):
        waiting.leave(seat)
    node.usecases.delete(waiting.visit(waiting.tokens[1], "host"))
    assert waiting.rematch(1).seat == 1
    over = node.played()
    table = over.following(0)
    node.tick(AWAITED_MS)
    table.tokens[1] = over.rematch(1).token
    table.play_out()
    assert refusal(lambda: over.rematch(1)).code == "match_finished"
    assert table.rematch(1).match["first_dealer"] == (table.record.first_dealer or 0) + 1 & 1


def test_a_rematch_that_is_given_up_again_and_again_is_none(node: Server) -> None:
    before = node.played()
    for _ in range(MOST_TRIES):
        before.following(0).leave(0)
    assert refusal(lambda: before.rematch(0)).code == "match_finished"
    assert types(before).count("rematch_offered") == MOST_TRIES
