"""The rules alone, without a server: whole deals of random moves, all legal moves asked for before each.

Beside the engine stand OpenSpiel's `crazy_eights` and RLCard's `uno`, driven from Python like it. Each runs in a
process of its own and prints its moves a second of CPU time.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

from ..results import FETCHED, Effort, Results

PROGRAMS: Final = Path(__file__).parent
PACKAGES: Final = ("open_spiel==2.0.2", "rlcard==1.2.0", "numpy==2.4.6")
INSTALL_SECONDS: Final = 300


def run(folder: Path, effort: Effort, results: Results) -> None:
    """Measure each engine in turn."""
    programs = {"engine": (sys.executable, PROGRAMS / "ours.py")}
    if effort.with_peers and (python := _install(FETCHED / "engines", results)):
        programs["OpenSpiel crazy_eights"] = (python, PROGRAMS / "openspiel_deals.py")
        programs["RLCard uno"] = (python, PROGRAMS / "rlcard_deals.py")
    for _ in range(effort.rounds):
        for name, (python, program) in programs.items():
            command = [python, str(program), str(effort.seconds)]
            printed = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": "."})
            results.add(f"{name}, moves a second", float(printed.stdout))


def _install(folder: Path, results: Results) -> str | None:
    """Install the other engines, unless they are there, and give their Python."""
    python = folder / "bin" / "python"
    if (folder / "installed").exists():
        return str(python)
    venv.create(folder, with_pip=True, clear=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", *PACKAGES]
    try:
        subprocess.run(pip, capture_output=True, text=True, check=True, timeout=INSTALL_SECONDS)
    except subprocess.SubprocessError as error:
        results.note(f"Left out: OpenSpiel and RLCard cannot be installed here: {error}")
        return None
    (folder / "installed").touch()
    return str(python)
