import pytest
from django.test import Client

from kgadmin.accounts.models import User


@pytest.fixture
def admin_client(admin: User) -> Client:
    client = Client()
    client.force_login(admin)
    return client
