"""schemathesis against the running service: all phases, all checks, no failure."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from urllib.request import urlopen

import pytest

from service.api.routes import OPERATIONS
from tests.client import ROOT, Service, serving


def run(service: Service, folder: Path, *more: str) -> Counter[str]:
    """Run schemathesis, with options that say how much it tries, and count the successes of each operation."""
    report = folder / "report.ndjson"
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "--config-file=schemathesis.toml",
        "run",
        f"http://127.0.0.1:{service.port}/openapi.yaml",
        "--checks=all",
        "--phases=examples,coverage,fuzzing,stateful",
        "--generation-database=none",
        "--no-color",
        f"--report-ndjson-path={report}",
        *more,
    ]
    for _ in range(8):  # each worker makes the contract when it is first asked for, which takes a busy machine long
        with urlopen(f"http://127.0.0.1:{service.port}/openapi.yaml", timeout=60) as contract:
            contract.read()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout[-20_000:] + ended.stderr
    return successes(report)


def successes(report: Path) -> Counter[str]:
    """Count the answers of 2xx in a report, by method and path."""
    counted: Counter[str] = Counter()
    for line in report.read_text("utf-8").splitlines():
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
        for number, case in recorder.get("cases", {}).items():
            response = recorder["interactions"].get(number, {}).get("response") or {}
            if 200 <= response.get("status_code", 0) < 300:
                counted[f"{case['value']['method']} {case['value']['path']}"] += 1
    return counted


def never_answered(succeeded: Counter[str]) -> set[str]:
    """Name the operations that it never got a success from."""
    return {operation.name for operation in OPERATIONS if not succeeded[f"{operation.method} {operation.path}"]}


def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, TRUSTED_PROXIES="1") as service:
        succeeded = run(service, tmp_path, "--max-examples=6", "--seed=7")

    assert len(never_answered(succeeded)) <= 8, "so few examples do not get everywhere"


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_schemathesis_finds_nothing_in_ten_minutes(tmp_path: Path) -> None:
    with serving(tmp_path, TRUSTED_PROXIES="1") as service:
        succeeded = run(service, tmp_path, "--max-time=600")

    # It reads the contract for itself, and has no app key.
    assert never_answered(succeeded) == {"getContractYaml", "reissueToken"}
