"""Who may import whom; `lint-imports` knows the whole of it, these look without its eyes."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SERVICE = ROOT / "service"
DECIDING = (
    "autoplay",
    "changes",
    "clocks",
    "codes",
    "counting",
    "dealings",
    "export",
    "finished",
    "following",
    "gate",
    "idempotency",
    "identity",
    "journal",
    "leaving",
    "lobby",
    "looking",
    "mint",
    "presence",
    "proof",
    "quick",
    "reception",
    "rematch",
    "rematching",
    "record",
    "seating",
    "shorthand",
    "streaming",
    "thinking",
    "ticker",
    "timeouts",
    "tokens",
    "usecases",
    "view",
    "webhooks/addresses",
    "webhooks/hook",
    "webhooks/messages",
    "writing",
)


@cache
def imported(path: Path) -> set[str]:
    """Give the full names of the modules that a file imports."""
    package = path.relative_to(ROOT).parent.parts
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            names |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return names


def importers(module: str) -> set[str]:
    """Give the files of the service that import a module or something in it."""
    return {
        str(path.relative_to(SERVICE))
        for path in SERVICE.rglob("*.py")
        if any(name == module or name.startswith(f"{module}.") for name in imported(path))
    }


def test_the_declared_walls_stand() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    ended = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True)

    assert ended.returncode == 0, ended.stdout
    assert " 0 broken" in ended.stdout


def test_the_engine_imports_the_standard_library_and_itself() -> None:
    for path in (SERVICE / "engine").glob("*.py"):
        for name in imported(path):
            assert name.startswith("service.engine") or name.split(".")[0] in sys.stdlib_module_names, (path, name)


@pytest.mark.parametrize("module", DECIDING)
def test_what_decides_knows_neither_http_nor_redis(module: str) -> None:
    forbidden = ("flask", "werkzeug", "redis", "service.api", "service.app", "service.store.redis")
    found = imported(SERVICE / f"{module}.py")

    assert not [name for name in found if any(f"{name}.".startswith(f"{wall}.") for wall in forbidden)]


def test_only_the_composition_root_imports_the_api() -> None:
    assert {path for path in importers("service.api") if not path.startswith("api/")} == {"app.py"}


def test_only_the_store_speaks_to_redis() -> None:
    speakers = {"asking", "cluster", "link", "sentinel", "shared", "slots", "wakes"}
    assert importers("redis") == {f"store/{name}.py" for name in speakers}


def test_only_the_api_and_the_composition_root_know_flask() -> None:
    assert {path for path in importers("flask") if not path.startswith("api/")} == {"app.py"}


@pytest.mark.parametrize(
    "module,kept_out",
    [
        ("service.engine.match", ["flask", "redis", "orjson", "marshmallow", "gunicorn", "service.view"]),
        ("service.usecases", ["flask", "redis", "gunicorn", "marshmallow", "service.api", "service.store.redis"]),
    ],
)
def test_what_is_loaded_brings_nothing_from_beyond_its_wall(module: str, kept_out: list[str]) -> None:
    program = f"import sys, {module}; print(*[name for name in {kept_out!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert loaded.stdout.strip() == ""
