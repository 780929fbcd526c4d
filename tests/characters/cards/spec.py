"""What the specifications demand of a card, as models: malfoyslastname's V1 and V2, kwaroran's V3 and its lorebook.

Fields that a specification doesn't know are allowed, as both say; values are allowed as strictly as they are typed.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow")


Number = int | float


class EntryV2(Strict):
    keys: list[str]
    content: str
    extensions: dict[str, Any]
    enabled: bool
    insertion_order: Number
    case_sensitive: bool | None = None
    name: str | None = None
    priority: Number | None = None
    id: int | str | None = None
    comment: str | None = None
    selective: bool | None = None
    secondary_keys: list[str] | None = None
    constant: bool | None = None
    position: Literal["before_char", "after_char"] | None = None


class EntryV3(EntryV2):
    use_regex: bool


class Book(Strict):
    name: str | None = None
    description: str | None = None
    scan_depth: Number | None = None
    token_budget: Number | None = None
    recursive_scanning: bool | None = None
    extensions: dict[str, Any]


class BookV2(Book):
    entries: list[EntryV2]


class BookV3(Book):
    entries: list[EntryV3]


class CardV1(Strict):
    name: str
    description: str
    personality: str
    scenario: str
    first_mes: str
    mes_example: str


class DataV2(CardV1):
    creator_notes: str
    system_prompt: str
    post_history_instructions: str
    alternate_greetings: list[str]
    character_book: BookV2 | None = None
    tags: list[str]
    creator: str
    character_version: str
    extensions: dict[str, Any]


class CardV2(Strict):
    spec: Literal["chara_card_v2"]
    spec_version: Literal["2.0"]
    data: DataV2


class Asset(Strict):
    type: str
    uri: str
    name: str
    ext: Annotated[str, Field(pattern=r"^[a-z0-9]*$")]


class DataV3(DataV2):
    character_book: BookV3 | None = None  # type: ignore[assignment]  # a superset of version 2's
    assets: list[Asset] | None = None
    nickname: str | None = None
    creator_notes_multilingual: dict[str, str] | None = None
    source: list[str] | None = None
    group_only_greetings: list[str]
    creation_date: Number | None = None
    modification_date: Number | None = None

    @model_validator(mode="after")
    def has_one_main_icon(self) -> "DataV3":
        icons = [asset for asset in self.assets or [] if asset.type == "icon"]
        if len(icons) > 1 and sum(asset.name == "main" for asset in icons) != 1:
            raise ValueError("of several icons one must be main")
        return self


class CardV3(Strict):
    spec: Literal["chara_card_v3"]
    spec_version: Literal["3.0"]
    data: DataV3


class LorebookV3(Strict):
    spec: Literal["lorebook_v3"]
    data: BookV3
