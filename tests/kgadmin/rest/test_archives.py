"""Archives as other programs write them."""

import pytest

from kgadmin.rest import archives

FLAGGED, UNFLAGGED = b"\x14\x00\x00\x08", b"\x14\x00\x00\x00"
"""Version and flags of an entry, with and without the flag of UTF-8."""


@pytest.mark.parametrize(
    ("written", "name"), [("Käfer/海.md", "Käfer/海.md"), ("Kxfer.md", "Käfer.md")], ids=["UTF-8", "cp437"]
)
def test_a_name_is_read_whether_or_not_the_archive_says_that_it_is_in_utf_8(written: str, name: str) -> None:
    content = archives.write({written: b"# Reef"}).replace(FLAGGED, UNFLAGGED).replace(b"Kx", b"K\x84")
    assert archives.read(content) == {name: b"# Reef"}
