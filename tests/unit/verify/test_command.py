"""The command `pis-yedili-verify`: what it says and with which status it ends."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from service.verify.__main__ import main
from tests.client import ROOT, unmeasured
from tests.proofs import Json, golden_proof, golden_proofs, sealed

Captured = pytest.CaptureFixture[str]


def ended(*words: str | Path) -> int:
    """Run the command in this process and give its status."""
    with pytest.raises(SystemExit) as end:
        main([str(word) for word in words])
    assert isinstance(end.value.code, int)
    return end.value.code


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content))
    return path


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    return written(tmp_path / "fair.json", golden_proof("classic", 2))


@pytest.fixture
def unfair(tmp_path: Path) -> Path:
    proof = golden_proof("classic", 1)
    proof["pack"][:2] = proof["pack"][1::-1]
    return written(tmp_path / "unfair.json", proof)


def test_a_proof_that_holds_ends_with_0_and_a_line_for_each_check(fair: Path, capsys: Captured) -> None:
    assert ended(fair) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "deal 2 of match classic"
    checks = "shape derivation rules commitment first_dealer pack hands_dealt moves reshuffles hands result digest"
    assert lines[1:13] == [f"  ✓ {check.replace('_', ' ')}" for check in checks.split()]
    assert lines[-1] == "FAIR"


def test_a_proof_that_does_not_hold_ends_with_1_and_its_first_fault(unfair: Path, capsys: Captured) -> None:
    assert ended(unfair) == 1
    out = capsys.readouterr().out
    pack = golden_proof("classic", 1)["pack"]
    assert "  ✗ pack, at /pack/0: The seeds give another card in this place.\n" in out
    assert f'      expected "{pack[0]}"\n      found    "{pack[1]}"\n' in out
    assert "✗ " not in out.partition("✗")[2]
    assert out.endswith("\nNOT FAIR\n")


def test_an_illegal_move_is_told_with_its_number_its_words_and_its_clause(tmp_path: Path, capsys: Captured) -> None:
    proof = golden_proof("classic", 1)
    proof["moves"][0] = {"seat": proof["moves"][0]["seat"], "by": "player", "type": "pass"}
    assert ended(written(tmp_path / "proof.json", sealed(proof))) == 1
    says = "You cannot pass: open with a club, or draw until you hold one. (R4)"
    assert f"  ✗ moves, at /moves/0: Move 1, by seat {proof['moves'][0]['seat']}, is against the rules: {says}" in (
        capsys.readouterr().out
    )


def test_all_proofs_of_a_match_are_checked_together_from_whatever_files(tmp_path: Path, capsys: Captured) -> None:
    first, *others = map(json.loads, golden_proofs("two-seats"))
    assert ended(written(tmp_path / "1.json", first), written(tmp_path / "others.json", others)) == 0
    assert "deals 1, 2, 3, 4 of match two-seats together\n  ✓ one match\n" in capsys.readouterr().out


def test_the_standard_input_is_read(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(golden_proofs("oyunes")[0].encode())))
    assert ended("-") == 0
    assert capsys.readouterr().out.startswith("deal 1 of match oyunes\n")


def test_quiet_says_nothing_of_what_holds(fair: Path, unfair: Path, capsys: Captured) -> None:
    assert ended("--quiet", fair) == 0
    assert capsys.readouterr().out == ""
    assert ended("--quiet", fair, unfair) == 1
    out = capsys.readouterr().out
    assert out.startswith("deal 1 of match classic\n  ✗ pack, at /pack/0")
    assert "✓" not in out


def test_machines_get_json(fair: Path, unfair: Path, capsys: Captured) -> None:
    assert ended("--json", fair, unfair) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["fair"] is False
    good, bad = answer["verdicts"]
    assert (good["failure"], good["passed"][-1]) == (None, "digest")
    assert (bad["failure"]["check"], bad["failure"]["pointer"]) == ("pack", "/pack/0")
    assert bad["failure"]["expected"].startswith('"')


class TestNotes:
    """What was noted before the match is looked for in the proof."""

    def test_a_commitment_that_was_noted_is_found_again(self, fair: Path, capsys: Captured) -> None:
        assert ended("--commitment", golden_proof("classic")["commitment"].upper(), fair) == 0
        out = capsys.readouterr().out
        assert "  ✓ notes\n" in out
        assert "The commitment was not compared" not in out

    def test_another_commitment_is_not_fair(self, fair: Path, capsys: Captured) -> None:
        assert ended("--commitment", 64 * "0", fair) == 1
        assert "✗ notes, at /commitment: This is not the commitment that was noted" in capsys.readouterr().out

    def test_client_seeds_are_found_again_at_their_seats(self, fair: Path, capsys: Captured) -> None:
        assert ended("--client-seed", "1=salt", "--client-seed", "3=şeker 7", fair) == 0
        assert "--client-seed" not in capsys.readouterr().out
        assert ended("--client-seed", "0=salt", fair) == 1
        assert "✗ notes, at /client_seeds/0" in capsys.readouterr().out
        assert ended("--client-seed", "4=salt", fair) == 1
        assert "There is no seat 4." in capsys.readouterr().out

    def test_what_was_not_compared_is_said(self, fair: Path, tmp_path: Path, capsys: Captured) -> None:
        assert ended(fair) == 0
        out = capsys.readouterr().out
        assert "Not shown: The commitment was not compared with one that was noted before the match" in out
        assert "Not shown: No client seed was compared" in out
        assert ended(written(tmp_path / "no-seeds.json", golden_proof("reshuffles", 1))) == 0
        assert "Not shown: No player gave a client seed" in capsys.readouterr().out

    @pytest.mark.parametrize(
        "words",
        [
            ["--commitment", "abc"],
            ["--client-seed", "salt"],
            ["--client-seed", "x=salt"],
            ["--client-seed", "1=salt", "--client-seed", "01=other"],
            [],
        ],
    )
    def test_a_wrong_argument_ends_with_2(self, words: Sequence[str], fair: Path, capsys: Captured) -> None:
        assert ended(*words, *([fair] if words else [])) == 2
        assert "usage: pis-yedili-verify" in capsys.readouterr().err


class TestUnreadable:
    """What is no proof at all ends with 2 and one line."""

    @pytest.mark.parametrize(
        "content,says",
        [
            (b"{", "is not JSON"),
            (b'{"number": NaN}', "NaN is no number"),
            (b'{"number": 1, "number": 2}', "'number' stands twice"),
            (b'{"name": "\xff"}', "is not JSON"),
            (b"[" * 100_000, "is not JSON"),
            (b'{"a": ' + b"[" * 500 + b"]" * 500 + b"}", "is nested too deep"),
            (b"7", "holds no proof"),
            (b"[]", "holds no proof"),
            (b"[7]", "holds no proof"),
        ],
    )
    def test_content_that_is_no_proof(self, content: bytes, says: str, tmp_path: Path, capsys: Captured) -> None:
        path = tmp_path / "proof.json"
        path.write_bytes(content)
        assert ended(path) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert says in said.err

    def test_a_name_that_stands_twice_is_found_at_once_among_very_many(self, tmp_path: Path, capsys: Captured) -> None:
        path = tmp_path / "proof.json"
        path.write_text("{" + "".join(f'"{name}":1,' for name in range(200_000)) + '"199999":1}')
        assert ended(path) == 2
        assert "'199999' stands twice" in capsys.readouterr().err

    @pytest.mark.parametrize(
        "address,says",
        [
            ("http://[::1/v1/matches/m", "is not an address"),
            ("http://127.0.0.1:abc/v1/matches/m", "does not answer"),
            ("http://127.0.0.1:99999/v1/matches/m", "does not answer"),
            ("http://a..b/v1/matches/m", "does not answer"),
            ("http:///v1/matches/m", "does not answer"),
            ("http://u:p@127.0.0.1/v1/matches/m", "does not answer"),
            ("http://127.0.0.1:1/ö/v1/matches/m", "does not answer"),
            ("http://127.0.0.1:1/v1/matches/a b", "does not answer"),
            (f"HTTP://127.0.0.1/v1/matches/m/deals/{5000 * '9'}", "is not the address of a match"),
            ("file:///v1/matches/m", "cannot be read"),
            ("a\0b", "cannot be read"),
            ("\udcff", "\\udcff cannot be read"),
        ],
    )
    def test_a_place_that_is_none(self, address: str, says: str, capsys: Captured) -> None:
        assert ended(address) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert says in said.err

    def test_a_file_that_is_not_there(self, tmp_path: Path, capsys: Captured) -> None:
        assert ended(tmp_path / "none.json") == 2
        assert "none.json cannot be read: No such file or directory." in capsys.readouterr().err


def test_json_that_is_no_proof_is_not_fair(tmp_path: Path, capsys: Captured) -> None:
    assert ended(written(tmp_path / "else.json", {"title": "else"})) == 1
    assert "  ✗ shape, at /" in capsys.readouterr().out


class TestOutput:
    """What strangers wrote is shown, and does nothing; and what cannot be written is not kept quiet."""

    @pytest.mark.parametrize("text", ["\x1b[2J\x1b[HFAIR", "m\nFAIR", "\x9b2J", "\u202eRIAF", "\ud800", "\u2028"])
    @pytest.mark.parametrize("member", ["match_id", "derivation", "\x1b[2J"])
    def test_the_text_of_a_document_is_escaped(self, text: str, member: str, tmp_path: Path, capsys: Captured) -> None:
        path = written(tmp_path / "proof.json", {**golden_proof("classic"), member: text})
        for words in ([], ["--json"]):
            assert ended(*words, path) == 1
            out = capsys.readouterr().out
            assert "FAIR" not in out.removesuffix("NOT FAIR\n").splitlines()
            assert all(char.isprintable() or char == "\n" for char in out)

    @pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
    def test_what_the_encoding_lacks_is_escaped(self, encoding: str, fair: Path) -> None:
        done = run(fair, PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"  \\u2713 pack\n" in done.stdout

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this machine has no device that is always full")
    @pytest.mark.parametrize("words", [[], ["--json"]])
    def test_a_full_disk_ends_with_2(self, words: list[str], fair: Path) -> None:
        with Path("/dev/full").open("wb") as full:
            done = run(*words, fair, stdout=full)
        assert (done.returncode, done.stderr) == (2, b"The outcome cannot be written: No space left on device.\n")

    def test_a_reader_who_has_gone_ends_with_2(self, fair: Path) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        done = run(fair, stdout=writer)
        os.close(writer)
        assert (done.returncode, done.stderr) == (2, b"The outcome cannot be written: Broken pipe.\n")


def run(*words: str | Path, stdout: Any = subprocess.PIPE, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    command = [sys.executable, "-m", "service.verify", *words]
    pipe = subprocess.PIPE
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, stdout=stdout, stderr=pipe)


def test_the_installed_command_needs_nothing_but_the_package(fair: Path, tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("pis-yedili-verify")
    done = subprocess.run([command, "--quiet", fair], cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_nothing_of_the_service_is_loaded_to_verify() -> None:
    program = "import sys, service.verify.__main__; print(*[name for name in sys.modules if name in sys.argv])"
    kept_out = ["flask", "redis", "gunicorn", "gevent", "service.record", "service.proof", "service.view"]
    done = subprocess.run(
        [sys.executable, "-c", program, *kept_out],
        cwd=ROOT,
        env=unmeasured(),  # to measure coverage loads gevent
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "\n"


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_r22_another_process_deals_the_same_cards(hash_seed: str) -> None:
    program = "import json; from tests.vectors import recorded; print(json.dumps(recorded()['proofs']))"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    first: Json = json.loads(done.stdout)[0]
    assert first == golden_proof("classic", 1)


def test_help_tells_the_checks_and_the_status(capsys: Captured) -> None:
    assert ended("--help") == 0
    out: Any = capsys.readouterr().out
    assert "hands dealt" in out
    assert "exit status" in out
