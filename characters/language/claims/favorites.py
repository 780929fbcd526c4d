"""The table of how somebody names a favourite."""

from characters.domain.lexicon import worded

_ADJECTIVES = r"(?:(?:all-time|absolute|own|personal|very|current|number one|one|true) )*"
_KIND = (
    r"(?P<kind>(?: (?!is\b|are\b|was\b|has\b|have\b|would\b|will\b|remains\b|might\b|may\b|about\b|when\b|if\b|and\b"
    r"|but\b|so\b|because\b|since\b|for\b|that\b|to\b|who\b|second\b|other\b|third\b)[\w-]+){0,5}?)"
)
IS = worded(
    rf"my {_ADJECTIVES}favou?rite(?! of\b){_KIND}(?P<about> about [^,;:]{{2,60}}?)?\s*"
    r"(?:(?:'s|is|are|has (?:always|long) been|has to be|will always be|remains|have always been)(?![\w'-])|[:=–—]"
    r"|\s-)"
)
BEHIND = worded(
    rf"(?P<what>[^,;:\x01]{{2,80}}?),? (?:(?:is|are|has always been|remains|have always been"
    rf"|will always be)(?: (?:still|definitely|easily|by far|probably|perhaps"
    rf"|always))?) my {_ADJECTIVES}favou?rite(?! of\b){_KIND}\s*(?=[.,;:!–—]|$|\s(?:because|since|if|by|though|and"
    rf"|but|so|for|-)\b)"
)
LEAST = worded(rf"my least favou?rite(?! of\b){_KIND}\s*(?:'s|is|are|has always been)(?![\w'-])")
ONE_OF = worded(
    rf"(?:one|some) of my {_ADJECTIVES}favou?rite(?! of\b){_KIND}\s*(?:is|are|has always been)(?![\w'-])"
    rf"|(?P<what>[^,;:\x01]{{2,80}}?) (?:is|are|has always been) (?:one|some"
    rf"|among) (?:of )?my {_ADJECTIVES}favou?rites?\b"
)
"""A favourite beside others is no FAVORITE."""
ASKED = worded(rf"(?:(?:and|as for|so|oh) )?(?:my|the|your)?\s*{_ADJECTIVES}favou?rite(?! of\b){_KIND}\s*$")
"""A question of her own, which the next sentence answers."""
