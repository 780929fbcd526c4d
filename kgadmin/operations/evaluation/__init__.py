"""`manage.py evaluate`: the turn's own stages over rows of labelled data, and the predictions that they make.

Nothing is read from the installation but its embedding model: the material beside the rows is the whole world.
"""
