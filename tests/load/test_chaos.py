"""The fault tests in short; `make chaos` runs them long."""

from pathlib import Path

import pytest

from service.metrics import Metrics
from tests.figures import figures_of

from . import kills, leaks, leavers, proxy, races, stopped, streams, thinking
from .races import Attempt
from .thinking import Case

# What the coverage of these would show is covered elsewhere, and measuring it doubles their time.
pytestmark = pytest.mark.no_cover


def test_killed_workers_and_stores_lose_and_double_no_acknowledged_move(tmp_path: Path) -> None:
    verdict = kills.run(tmp_path, worker_kills=5, store_kills=3, matches=4)
    assert verdict.is_kept(), verdict


def test_moves_sent_several_times_on_a_bad_network_count_once(tmp_path: Path) -> None:
    outcome = proxy.run(tmp_path, moves=120, tables=4)
    assert outcome.requests > outcome.moves
    assert outcome.is_kept(), outcome


def test_of_racing_moves_one_counts_a_turn(tmp_path: Path) -> None:
    outcome = races.run(tmp_path, turns=20, clients=16)
    assert outcome.is_kept(), outcome


def test_cut_streams_resume_without_gap_or_repeat(tmp_path: Path) -> None:
    outcome = streams.run_cuts(tmp_path, cuts=80, readers=4)
    assert outcome.is_kept(), outcome


def test_one_move_reaches_every_stream_of_a_worker_and_the_cap_holds(tmp_path: Path) -> None:
    crowd = streams.run_crowd(tmp_path, streams=100)
    assert crowd.is_kept(), crowd


def test_nothing_that_leaves_the_service_holds_a_secret(tmp_path: Path) -> None:
    outcome = leaks.run(tmp_path, matches=1, deals=1)
    assert outcome.is_kept(), outcome


def test_a_store_that_stands_still_is_answered_by_bounded_refusals_and_recovers(tmp_path: Path) -> None:
    # The bound is that of the default, which is longer: a busy machine may be late.
    outcome = stopped.run(tmp_path, seconds=2, clients=6, timeout_seconds=2)
    assert outcome.is_kept(), outcome


@pytest.mark.slow
def test_tables_keep_going_while_players_come_and_go_and_workers_die(tmp_path: Path) -> None:
    outcome = leavers.run(tmp_path, matches=4, kills=1, deals=1)
    assert outcome.is_kept(), outcome
    assert outcome.moves["bot"] > 0


@pytest.mark.slow
def test_hard_bots_search_while_others_play(tmp_path: Path) -> None:
    outcome = thinking.run(tmp_path, seconds=5)
    assert all(case.searches for case in outcome.cases), outcome  # how long they take, a busy machine decides
    assert outcome.cases[-1].moves > 0


@pytest.mark.parametrize(
    "searches_ms,connections,longest_wait_ms,is_kept",
    [
        ([0.1, 40, 75], 0, 51, True),
        ([40, 76], 0, 51, False),
        ([40, 76], 0, 76, True),  # the machine stood still
        ([40, 76], 16, 51, True),  # players left it no time
        ([0.1], 0, 51, False),  # nothing was searched
    ],
)
def test_a_search_that_takes_too_long_is_found(
    searches_ms: list[float], connections: int, longest_wait_ms: float, is_kept: bool
) -> None:
    metrics = Metrics()
    for milliseconds in searches_ms:
        metrics.chosen("hard", searched_seconds=milliseconds / 1000)
    case = Case(1, connections, waits_ms=[50.1, longest_wait_ms])
    thinking.take_in(case, figures_of(metrics))
    assert case.is_kept() is is_kept, case


WON = Attempt(began=1.0, ended=2.0, saw=5, status=200, code="", version=6)


@pytest.mark.parametrize(
    "history,found",
    [
        ([WON, Attempt(1.0, 3.0, 5, 409, "version_mismatch", 6)], 0),
        ([WON, Attempt(0.1, 0.9, 5, 409, "version_mismatch", 6)], 1),  # it was told of a version not yet made
        ([WON, Attempt(3.0, 4.0, 4, 409, "version_mismatch", 5)], 2),  # nobody made 5, and it was left before
        ([WON, Attempt(1.0, 2.0, 5, 200, "", 7)], 1),  # two moves from one version
        ([WON, Attempt(0.1, 0.9, 6, 200, "", 7)], 1),  # the second ended before the first began
    ],
)
def test_the_checker_of_histories_finds_what_cannot_be(history: list[Attempt], found: int) -> None:
    assert races.violations(history) == found
