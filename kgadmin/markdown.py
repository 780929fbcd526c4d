"""Render Markdown as HTML that is safe to show: no raw HTML, no images, nothing loaded from elsewhere."""

from functools import cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

TAGS = set("p br em strong code pre blockquote ul ol li a hr h3 h4 h5 h6".split())


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "breaks": True})


def as_html(text: str) -> SafeString:
    """Return `text` as sanitised HTML; its headings rank below the page's own."""
    html = _parser().render(text).replace("<h1>", "<h3>").replace("</h1>", "</h3>")
    html = html.replace("<h2>", "<h3>").replace("</h2>", "</h3>")
    clean = nh3.clean(html, tags=TAGS, attributes={"a": {"href"}}, url_schemes={"http", "https", "mailto"})
    return mark_safe(clean)  # noqa: S308  nh3 has just cleaned it
