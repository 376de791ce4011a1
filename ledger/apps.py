from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "ledger"

    def ready(self) -> None:
        """Hear of what people do to facts by hand: it settles what was open, and it decides."""
        from ledger import decisions, following
        from memory.signals import (
            fact_ended_by_hand,
            fact_judged_by_hand,
            fact_refined,
            slot_closed,
        )

        fact_ended_by_hand.connect(
            following.follow_the_hand, dispatch_uid="ledger.following.follow_the_hand"
        )
        fact_refined.connect(
            following.follow_the_finer, dispatch_uid="ledger.following.follow_the_finer"
        )
        slot_closed.connect(
            following.follow_the_closing, dispatch_uid="ledger.following.follow_the_closing"
        )
        fact_judged_by_hand.connect(
            decisions.follow_the_hand, dispatch_uid="ledger.decisions.follow_the_hand"
        )
