"""The list of the interface's sentences has what a page shows."""

import re
from html import unescape

import pytest
from django.test import Client

from tests.sentences import sentences


@pytest.mark.django_db
def test_every_text_of_a_page_is_in_the_list(client: Client) -> None:
    page = client.get("/nowhere/").content.decode()
    body = page[page.index("<body") :]
    texts = {" ".join(unescape(text).split()) for text in re.findall(r">([^<>]*[A-Za-z]{3}[^<>]*)<", body)}
    listed = "\n".join(sentences("templates"))
    assert [text for text in texts if text not in listed] == []
    assert "Page not found" in texts
