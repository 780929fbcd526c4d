"""Read files into sections of text. Plain code: no Django, so that a child process starts quickly."""
