"""Filters for what is said."""

from django import template

from kgadmin.markdown import as_html

register = template.Library()
register.filter("markdown", as_html)
