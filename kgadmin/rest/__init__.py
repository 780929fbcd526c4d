"""Shared parts of all features' routers and views: actions, errors, pages of lists, kinds of fields, tags."""
