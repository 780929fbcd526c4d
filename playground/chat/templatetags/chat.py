"""Filters for what is said."""

from django import template

from playground.chat.markdown import as_html

register = template.Library()
register.filter("markdown", as_html)
