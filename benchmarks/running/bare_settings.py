"""The settings of the site without its own applications: Django and the packages it stands on."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS as ALL

OWN = {"accounts", "personas", "memory", "ledger", "conversations", "config"}
INSTALLED_APPS = [name for name in ALL if name not in OWN]
# Ours is in an application of the site.
AUTH_USER_MODEL = "auth.User"
