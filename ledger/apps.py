from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "ledger"

    def ready(self) -> None:
        """Hear of facts that their owner ended by hand, to settle what was open about them."""
        from ledger.resolution import follow_the_hand
        from memory.signals import fact_ended_by_hand

        fact_ended_by_hand.connect(follow_the_hand, dispatch_uid="ledger.follow_the_hand")
