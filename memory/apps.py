from django.apps import AppConfig
from django.db.backends.signals import connection_created


class MemoryConfig(AppConfig):
    name = "memory"

    def ready(self) -> None:
        from memory.core import tracing

        connection_created.connect(tracing.watch, dispatch_uid="memory.core.tracing")
