"""Shared parts of all features' routers and views: authentication, errors, pages of lists, kinds of fields."""
