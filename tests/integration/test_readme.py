"""What README.md and the introduction tell people to type does what they say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from service.api.introduction import introduction
from service.engine.clauses import CLAUSES
from service.settings import Settings
from tests.client import ROOT, Client, Service, unmeasured

README = (ROOT / "README.md").read_text("utf-8")
MARK = "<!-- executed by tests/integration/test_readme.py -->\n"
EXAMPLE_ADDRESS = "http://127.0.0.1:8000"

needs = {name: pytest.mark.skipif(not shutil.which(name), reason=f"{name} is not here") for name in ("curl", "jq")}


def shell(script: str, service: Service, folder: Path) -> str:
    """Run a script as a person would paste it, against the running service, and give what it prints."""
    assert EXAMPLE_ADDRESS in script
    script = script.replace(EXAMPLE_ADDRESS, f"http://127.0.0.1:{service.port}")
    done = subprocess.run(
        ["/bin/sh", "-eu", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=160,
        env={**unmeasured(), "no_proxy": "127.0.0.1", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@needs["curl"]
def test_the_first_match_of_the_readme_is_played_to_its_end(service: Service, tmp_path: Path) -> None:
    [script] = re.findall(re.escape(MARK) + r"```sh\n(.*?)```", README, re.DOTALL)
    ayse, bora, *moves, result = shell(script, service, tmp_path).splitlines()
    assert len(json.loads(ayse)) == len(json.loads(bora)) == 3
    assert moves
    assert all(re.fullmatch(r'seat [01]: \{"type": .*\}', move) for move in moves)
    assert json.loads(result)["reason"] in ("went_out", "stock_out")


@needs["curl"]
@needs["jq"]
def test_the_first_steps_of_the_introduction_work(service: Service, client: Client, tmp_path: Path) -> None:
    steps = re.search(r"## First steps\n(.*?)\n## ", introduction(), re.DOTALL)
    assert steps
    printed = shell("".join(re.findall(r"```sh\n(.*?)```", steps[1], re.DOTALL)), service, tmp_path)
    created = json.loads((tmp_path / "created.json").read_text())
    assert client.get(f"/v1/matches/{created['match']['id']}").expect(200)["version"] > created["match"]["version"]
    assert "event: snapshot" in printed
    assert '"type":"match_created"' in printed
    assert "application/problem" not in printed
    assert '"code"' not in printed


def as_written(value: Any) -> str:
    """Write the value of a setting as an operator does."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(map(as_written, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def test_the_readme_tells_every_setting_with_its_default() -> None:
    told: dict[str, str] = {}
    for names, values in re.findall(r"^\| (`[A-Z_`, ]+`) \|([^|]*)\|", README, re.MULTILINE):
        told |= zip(re.findall(r"\w+", names), values.strip().split(", "), strict=True)
    settings = Settings.from_env({"DATA_DIR": "/x"})
    assert told.keys() == {name.upper() for name in Settings.__slots__}
    for name, default in told.items():
        value = getattr(settings, name.lower())
        if name == "DATA_DIR":
            assert default == "the user's state folder"
        else:
            assert default == ("" if value in (None, ()) else f"`{as_written(value)}`")


def test_the_readme_names_only_make_targets_and_files_that_exist() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"`make ([a-z-]+)", README)) <= set(targets)
    for path in re.findall(r"`((?:service|deploy|tests)/[\w./]*)`", README):
        assert (ROOT / path).exists(), path


def test_the_house_rule_of_the_readme_takes_the_next_clause() -> None:
    assert f"R{len(CLAUSES) + 1}" in README
