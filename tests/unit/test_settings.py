from pathlib import Path

import pytest

from service.app_keys import AppKey
from service.settings import WEEK_SECONDS, Settings, SettingsError


def test_without_variables_the_service_listens_locally_and_keeps_its_own_store() -> None:
    settings = Settings.from_env({"XDG_STATE_HOME": "/state"})

    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, 2)
    assert settings.redis_url is None
    assert settings.appendfsync == "everysec"
    assert settings.match_ttl_seconds == WEEK_SECONDS == 604_800
    assert settings.api_keys == ()
    assert settings.store_timeout_seconds == 3.0
    assert settings.metrics


def test_every_variable_is_read() -> None:
    settings = Settings.from_env(
        {
            "REDIS_URL": "redis://store:6379/0",
            "DATA_DIR": "/data",
            "HOST": "::1",
            "PORT": "9000",
            "WORKERS": "4",
            "MATCH_TTL_SECONDS": "60",
            "APPENDFSYNC": "always",
            "API_KEYS": " shop:one, shop:two,,",
            "CORS_ORIGINS": "https://play.example.org, http://localhost:5173",
            "STORE_TIMEOUT_SECONDS": "0.5",
            "MAX_STREAMS": "7",
            "TRUSTED_PROXIES": "2",
            "BOT_CPU_PERCENT": "5",
            "BOT_SEARCH_MS": "20",
            "BOT_PAUSE_MS": "0",
            "METRICS": "off",
            "WEBHOOKS_PROCESSES": "3",
            "WEBHOOKS_TIMEOUT_SECONDS": "2.5",
            "WEBHOOKS_RETRY_SECONDS": "1, 2.5,60",
            "WEBHOOKS_ALLOW_PRIVATE": "on",
        }
    )

    assert settings == Settings(
        redis_url="redis://store:6379/0",
        data_dir=Path("/data"),
        host="::1",
        port=9000,
        workers=4,
        match_ttl_seconds=60,
        appendfsync="always",
        api_keys=(AppKey("shop", "one"), AppKey("shop", "two")),
        cors_origins=("https://play.example.org", "http://localhost:5173"),
        store_timeout_seconds=0.5,
        max_streams=7,
        trusted_proxies=2,
        bot_cpu_percent=5,
        bot_search_ms=20,
        bot_pause_ms=0,
        metrics=False,
        webhooks_processes=3,
        webhooks_timeout_seconds=2.5,
        webhooks_retry_seconds=(1.0, 2.5, 60.0),
        webhooks_allow_private=True,
    )


def test_the_environment_of_the_process_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "9001")

    assert Settings.from_env().port == 9001


def test_an_empty_variable_counts_as_not_set() -> None:
    settings = Settings.from_env({"REDIS_URL": "", "PORT": " ", "API_KEYS": ""})

    assert (settings.redis_url, settings.port, settings.api_keys) == (None, 8000, ())


@pytest.mark.parametrize(
    "name,value",
    [
        ("PORT", "http"),
        ("PORT", "65536"),
        ("PORT", "1.5"),
        ("WORKERS", "0"),
        ("MATCH_TTL_SECONDS", "0"),
        ("MATCH_TTL_SECONDS", "-1"),
        ("APPENDFSYNC", "sometimes"),
        ("STORE_TIMEOUT_SECONDS", "0"),
        ("STORE_TIMEOUT_SECONDS", "nan"),
        ("STORE_TIMEOUT_SECONDS", "inf"),
        ("REDIS_URL", "http://store"),
        ("REDIS_URL", "redis://store:abc"),
        ("REDIS_URL", "redis://store:65536"),
        ("REDIS_URL", "redis://[::1"),
        ("REDIS_URL", "redis://store:6379/abc"),
        ("REDIS_URL", "redis://store/1/2"),
        ("REDIS_URL", "unix:///run/store?db=abc"),
        ("REDIS_URL", "redis+sentinel://one,two:26379"),
        ("REDIS_URL", "redis+cluster://one:port"),
        ("CORS_ORIGINS", "*"),
        ("CORS_ORIGINS", "https://play.example.org/"),
        ("CORS_ORIGINS", "play.example.org"),
        ("METRICS", "true"),
        ("API_KEYS", ","),
        ("API_KEYS", " "),
        ("API_KEYS", " , ,"),
        ("API_KEYS", "shop:"),
        ("WEBHOOKS_RETRY_SECONDS", "soon"),
        ("WEBHOOKS_RETRY_SECONDS", "5,-1"),
        ("WEBHOOKS_RETRY_SECONDS", "1e9"),
        ("WEBHOOKS_TIMEOUT_SECONDS", "0"),
        ("BOT_SEARCH_MS", "4"),
        ("BOT_SEARCH_MS", "201"),
        ("WEBHOOKS_PROCESSES", "-1"),
        ("WEBHOOKS_ALLOW_PRIVATE", "perhaps"),
        ("API_KEYS", "shop:one,club:one"),
    ],
)
def test_a_wrong_value_is_refused_in_one_line_that_names_the_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=rf"^{name}: .+") as refusal:
        Settings.from_env({name: value})
    assert "\n" not in str(refusal.value)


def test_all_wrong_variables_are_named_at_once() -> None:
    with pytest.raises(SettingsError, match=r"^PORT: .+; WORKERS: .+"):
        Settings.from_env({"PORT": "x", "WORKERS": "y"})


def test_a_refused_store_address_is_not_repeated_since_it_may_hold_a_password() -> None:
    for url in (
        "http://:secret@store",
        "redis://:secret@store:port",
        "redis://:secret@store/one",
        "redis+cluster://:secret@store/one",
    ):
        with pytest.raises(SettingsError) as refusal:
            Settings.from_env({"REDIS_URL": url})
        assert "secret" not in str(refusal.value)


def test_a_refused_app_key_is_not_repeated() -> None:
    with pytest.raises(SettingsError, match="Entry 2") as refusal:
        Settings.from_env({"API_KEYS": "shop:one,shop:a secret"})
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "url,shown",
    [
        ("redis://store:6379/0", "redis://store:6379/0"),
        ("rediss://user:secret@store/1?password=secret", "rediss://store/1"),
        ("unix://:secret@/run/store.sock?db=2&password=secret", "unix:///run/store.sock?db=2"),
        ("redis+sentinel://:secret@a,[::1]:2/x/1?sentinel_password=secret", "redis+sentinel://a,[::1]:2/x/1"),
        ("redis+cluster://user:secret@a:7000,b", "redis+cluster://a:7000,b"),
    ],
)
def test_the_place_of_the_store_is_shown_without_its_password(url: str, shown: str) -> None:
    assert Settings.from_env({"REDIS_URL": url}).store_place == shown


@pytest.mark.parametrize(
    "platform,state_home,expected",
    [
        ("linux", "/state", "/state/pis-yedili"),
        ("linux", "", "/home/ayse/.local/state/pis-yedili"),
        ("linux", "relative", "/home/ayse/.local/state/pis-yedili"),
        ("darwin", "", "/home/ayse/Library/Application Support/pis-yedili"),
    ],
)
def test_data_go_where_the_system_keeps_state(
    monkeypatch: pytest.MonkeyPatch, platform: str, state_home: str, expected: str
) -> None:
    monkeypatch.setenv("HOME", "/home/ayse")
    monkeypatch.setattr("sys.platform", platform)

    assert Settings.from_env({"XDG_STATE_HOME": state_home}).data_dir == Path(expected)


def test_a_home_folder_that_is_not_known_is_a_wrong_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", unknown)

    with pytest.raises(SettingsError, match=r"^DATA_DIR: "):
        Settings.from_env({})


def test_a_relative_data_folder_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)

    assert Settings.from_env({"DATA_DIR": "data"}).data_dir == tmp_path / "data"
