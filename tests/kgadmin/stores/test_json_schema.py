from typing import Literal

from pydantic import BaseModel, Field

from kgadmin.stores.json_schema import strict


class Item(BaseModel):
    title: str = Field(max_length=20)
    kind: Literal["a", "b"] = "a"


class Items(BaseModel):
    items: list[Item] = Field(max_length=3)


def test_every_property_is_required_and_no_other_one_allowed() -> None:
    schema = strict(Items.model_json_schema())
    item = schema["$defs"]["Item"]
    assert (schema["required"], schema["additionalProperties"]) == (["items"], False)
    assert (item["required"], item["additionalProperties"]) == (["title", "kind"], False)


def test_bounds_that_endpoints_refuse_are_left_out_and_the_others_stay() -> None:
    schema = strict(Items.model_json_schema())
    assert schema["properties"]["items"]["maxItems"] == 3
    assert schema["$defs"]["Item"]["properties"] == {
        "title": {"type": "string"},
        "kind": {"enum": ["a", "b"], "type": "string"},
    }
