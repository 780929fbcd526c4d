from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "characters.review"
    label = "review"
