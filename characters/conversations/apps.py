from django.apps import AppConfig


class ConversationsConfig(AppConfig):
    name = "characters.conversations"
    label = "conversations"
