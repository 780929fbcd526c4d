"""The project: what is known, and the engines it is kept in."""
