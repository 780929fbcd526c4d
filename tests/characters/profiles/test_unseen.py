"""How pages show hidden characters."""

from django.template import Context, Template

BOX = '<span class="hidden-character" title="U+200B zero width space">U+200B</span>'


def rendered(text: str, filters: str = "shown") -> str:
    return Template(f"{{% load unseen %}}{{{{ text|{filters} }}}}").render(Context({"text": text}))


def test_a_hidden_character_is_named_and_the_rest_is_escaped_once() -> None:
    assert rendered("R&B\u200b <b>") == f"R&amp;B{BOX} &lt;b&gt;"
    assert rendered("a\n\nb\u200b", "shown|linebreaks") == f"<p>a</p>\n\n<p>b{BOX}</p>"


def test_of_many_in_a_row_some_are_named_and_all_counted() -> None:
    text = rendered("a" + "\u200b" * 1000)
    assert text.count("U+200B zero") == 6
    assert "and 994 more</span>" in text


def test_a_text_says_whether_it_hides_something() -> None:
    assert (rendered("a", "hides"), rendered("a\u2060", "hides")) == ("False", "True")
