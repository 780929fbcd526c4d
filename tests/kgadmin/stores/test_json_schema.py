from typing import Literal

from pydantic import BaseModel, Field

from kgadmin.stores.json_schema import strict


class Item(BaseModel):
    title: str = Field(max_length=20)
    kind: Literal["a", "b"] = "a"


class Items(BaseModel):
    items: list[Item] = Field(max_length=3)


def test_bounds_that_endpoints_refuse_are_left_out_and_the_others_stay() -> None:
    schema = strict(Items.model_json_schema())
    assert schema["properties"]["items"]["maxItems"] == 3
    assert schema["$defs"]["Item"]["properties"] == {
        "title": {"type": "string"},
        "kind": {"enum": ["a", "b"], "type": "string"},
    }
