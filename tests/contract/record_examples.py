"""Records the examples of the contract: `python -m tests.contract.record_examples`.

Plays the scenario and writes what was sent and answered to `service/api/examples.json`. A test plays it again and
demands the same to the last byte.
"""

from __future__ import annotations

import json
from pathlib import Path
from string import Template
from typing import Any, Final

import yaml
from werkzeug.test import TestResponse

from service.api.contract import Operation
from service.api.routes import OPERATIONS
from tests.contract.scenario import PROBLEMS, SCENARIO
from tests.contract.stage import STEP_MS, Stage, stage
from tests.contract.steps import Legal, PlayOn, Step

PATH: Final = Path(__file__).parents[2] / "service" / "api" / "examples.json"
_BY_NAME: Final = {operation.name: operation for operation in OPERATIONS}


class Recorder:
    """Plays the scenario and keeps what it has seen.

    Attributes:
        answers: every answer, each with the name of its operation.
        examples: what is shown of them.
    """

    def __init__(self, on: Stage) -> None:
        """Begin with an empty memory.

        Args:
            on: the service.
        """
        self._stage = on
        self._memory: dict[str, str] = {"long": "x" * 20_000}
        self.answers: list[tuple[str, TestResponse]] = []
        self.examples: dict[str, Any] = {operation.name: {} for operation in OPERATIONS}
        self.examples["problems"] = {}
        self.examples["webhooks"] = {}

    def play(self) -> None:
        """Play everything."""
        for step in SCENARIO:
            self._play_on(step) if isinstance(step, PlayOn) else self._record(step)
        for step in PROBLEMS:
            response = self._send(step)
            value = _value(response)
            assert (response.status_code, value["code"]) == (step.status, step.name), (step, value)
            self.examples["problems"][step.name] = {"summary": step.summary, "value": value}
        for body in self._stage.told():
            summary = f"For seat {body['data']['seat']}" if "seat" in body["data"] else "For the application"
            self.examples["webhooks"].setdefault(body["type"], {"summary": summary, "value": body})

    def text(self) -> str:
        """Give the examples as they stand in the file."""
        return json.dumps(self.examples, ensure_ascii=False, indent=1) + "\n"

    def _record(self, step: Step) -> None:
        response = self._send(step)
        assert response.status_code == step.status, (step, response.text)
        recorded = self.examples[step.operation]
        if step.body is not None and response.status_code < 300:
            body = self._body(step)
            value = json.loads(body) if isinstance(body, str) else body
            recorded.setdefault("requests", {})[step.name] = {"summary": step.summary, "value": value}
        if response.status_code not in (204, 304):
            by_status = recorded.setdefault("responses", {}).setdefault(str(response.status_code), {})
            example = by_status[step.name] = {"summary": step.summary, "value": _value(response)}
            if response.status_code >= 400:
                self.examples["problems"].setdefault(example["value"]["code"], example)
        for name, pointer in step.remember.items():
            found: Any = response.headers if pointer[0] == "headers" else response.json
            for part in pointer[1:] if pointer[0] == "headers" else pointer:
                found = found[part]
            self._memory[name] = str(found)
        if step.after is not None:
            self._look(step.after)

    def _send(self, step: Step) -> TestResponse:
        self._stage.now_ms += STEP_MS
        operation = _BY_NAME[step.operation]
        headers = {name: self._filled(value) for name, value in step.headers.items()}
        if step.who is not None:
            headers["Authorization"] = f"Bearer {self._memory.get(step.who) or self._filled(step.who)}"
        body = self._body(step)
        data: Any = body if body is None or isinstance(body, str) else json.dumps(body)
        if data is not None:
            headers.setdefault("Content-Type", "application/json")
        client = self._stage.client(step.app)
        response = client.open(
            self._path(operation, step), method=operation.method, data=data, headers=headers, buffered=True
        )
        self.answers.append((step.operation, response))
        return response

    def _path(self, operation: Operation, step: Step) -> str:
        path = operation.path
        for name, value in step.path.items():
            path = path.replace(f"{{{name}}}", self._filled(value))
        return path + self._filled(step.query)

    def _body(self, step: Step) -> Any:
        body = step.body
        if isinstance(body, Legal):
            return body.choose(json.loads(self._memory["moves"]))
        if isinstance(body, str):
            return self._filled(body)
        return None if body is None else json.loads(self._filled(json.dumps(body)))

    def _filled(self, text: str) -> str:
        return Template(text).substitute(self._memory)

    def _look(self, match: str) -> None:
        """Remember who is on turn in a match, what they may do, and its version."""
        client, path = self._stage.client("plain"), f"/v1/matches/{self._memory[match]}"
        view = client.get(path).json
        assert view is not None
        self._memory["version"] = str(view["version"])
        if view["status"] != "playing":
            return
        seat = view["deal"]["turn_seat"]
        self._memory["turn"] = self._memory[f"{match} {seat}"]
        self._memory["waiting"] = self._memory.get(f"{match} {(seat + 1) % view['seats']}", "")
        moves = client.get(f"{path}/legal-moves", headers={"Authorization": f"Bearer {self._memory['turn']}"}).json
        assert moves is not None
        self._memory["moves"] = json.dumps(moves["moves"])

    def _play_on(self, step: PlayOn) -> None:
        """Make legal moves, without recording them, until one can be made that the next step needs."""
        client, path = self._stage.client("plain"), f"/v1/matches/{self._memory[step.match]}"
        self._look(step.match)
        for _ in range(500):
            view = client.get(path).json
            assert view is not None
            moves = json.loads(self._memory["moves"])
            if step.until(view, moves):
                return
            headers = {"Authorization": f"Bearer {self._memory['turn']}"}
            assert client.post(f"{path}/moves", json=moves[0], headers=headers).status_code == 200
            self._look(step.match)
        raise AssertionError(f"this never comes: {step}")


def _value(response: TestResponse) -> Any:
    """Give what is shown of an answer: JSON, the whole text, or the first lines of a long one."""
    text = response.text
    if response.mimetype == "text/event-stream":
        return text
    if response.mimetype == "text/plain":
        return "".join(text.splitlines(keepends=True)[:5])
    if response.mimetype in ("text/html", "text/javascript"):
        return text.partition("\n")[0]
    value = yaml.load(text, yaml.CSafeLoader) if response.mimetype == "application/yaml" else json.loads(text)
    if "chains" in value:
        return {"chains": value["chains"][:1]}
    return {"openapi": value["openapi"]} if "openapi" in value else value


def recorded(on: Stage) -> Recorder:
    """Play the scenario."""
    recorder = Recorder(on)
    recorder.play()
    return recorder


if __name__ == "__main__":
    with stage() as on:
        PATH.write_text(recorded(on).text(), "utf-8")
