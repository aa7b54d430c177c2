"""What is told on the terminal, where the text of a stranger must not pass for the command's own."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


class Unwritable(Exception):
    """The outcome could not be written; the text tells the reader why, in one line."""


def printable(text: str) -> str:
    """Escape what a terminal would obey or not show: control characters, ends of lines, marks of direction."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def allow_any_text() -> None:
    """Let the standard streams escape what their encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(lines: Iterable[str]) -> None:
    """Write lines on the standard output.

    Raises:
        Unwritable: they did not all arrive.
    """
    try:
        for line in lines:
            print(printable(line))
        print(end="", flush=True)
    except OSError as error:
        with Path(os.devnull).open("w") as nowhere:  # else Python would complain at its end, with a status of its own
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        raise Unwritable(f"The outcome cannot be written: {error.strerror}.") from error


def complain(line: str) -> None:
    """Write a line on the standard error; where that cannot be, the status must do."""
    with suppress(OSError):
        print(printable(line), file=sys.stderr)
