import dataclasses
import os
import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from service import __version__, cli
from service.settings import Settings


class ProcessReplaced(Exception):
    """Stands for the moment from which this process would be another."""


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that this process would have become."""
    commands: list[list[str]] = []

    def execv(program: str, command: list[str]) -> None:
        commands.append(command)
        raise ProcessReplaced

    monkeypatch.setattr(os, "execv", execv)
    return commands


@pytest.mark.parametrize("arguments", [[], ["serve"]])
def test_the_command_becomes_gunicorn_with_our_configuration(executed: list[list[str]], arguments: list[str]) -> None:
    with suppress(ProcessReplaced):
        cli.main(arguments)

    [command] = executed
    assert command[:4] == [sys.executable, "-m", "gunicorn", "--config"]
    assert Path(command[4]).read_text().count("service.wsgi:app") == 1


def test_an_installed_package_brings_its_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "cli.py"))
    (tmp_path / "gunicorn.conf.py").touch()

    assert cli.gunicorn_configuration() == tmp_path / "gunicorn.conf.py"


def test_help_lists_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        cli.main(["--help"])
    assert "DATA_DIR" in capsys.readouterr().out


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"pis-yedili {__version__}\n"


def test_a_wrong_setting_is_one_line_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], executed: list[list[str]]
) -> None:
    monkeypatch.setenv("PORT", "http")

    with pytest.raises(SystemExit, match=r"^2$"):
        cli.main([])
    assert capsys.readouterr().err == "pis-yedili: wrong setting: PORT: Not a valid integer.\n"
    assert not executed


def test_the_help_names_every_setting() -> None:
    told = set(re.findall("[A-Z_]+", cli.SETTINGS_HELP))
    missing = {field.name.upper() for field in dataclasses.fields(Settings)} - told
    assert not missing
