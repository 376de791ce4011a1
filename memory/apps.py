from django.apps import AppConfig
from django.db.backends.signals import connection_created


class MemoryConfig(AppConfig):
    name = "memory"

    def ready(self) -> None:
        from allauth.account.signals import user_signed_up

        from memory.core import tracing
        from memory.facts import arrival

        connection_created.connect(tracing.watch, dispatch_uid="memory.core.tracing")
        user_signed_up.connect(arrival.record_sign_up_choices, dispatch_uid="memory.facts.arrival")
