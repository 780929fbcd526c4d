from django.apps import AppConfig


class TalkConfig(AppConfig):
    name = "characters.talk"
    label = "talk"
