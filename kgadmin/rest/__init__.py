"""What the routers of all features have in common: doors, errors, pages of a list, kinds of fields."""
