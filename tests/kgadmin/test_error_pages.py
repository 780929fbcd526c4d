"""Pages that say what happened and what to do, standing alone."""

from django.template.loader import render_to_string


def test_an_error_page_needs_no_context() -> None:
    for template in ("403.html", "404.html", "500.html", "503.html"):
        page = render_to_string(template)
        assert "<h1>" in page, template
        assert 'href="/"' in page or 'href="/health/"' in page, template
