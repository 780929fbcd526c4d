"""Texts that an embedder may stumble over."""

ODD = [
    "",
    " ",
    "\x00",
    "\n\t spaces around it \n",
    "🐙🌊",
    "👩‍👩‍👧‍👦 zero\u200bwidth",
    "x" * 100_000,
    "word " * 5_000,
    "私はサンゴ礁が好きです。",
    "Я люблю море",
    "مرحبا بالعالم",
    "נסיכה",
    "ΑΝΘΡΩΠΟΣ",
    "ﬁne Straße İstanbul",
    "e\u0301 and é",
]
