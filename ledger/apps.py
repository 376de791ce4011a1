from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "ledger"

    def ready(self) -> None:
        """Hear of what people do to facts by hand: it settles what was open, and it decides."""
        from accounts.signals import connect_late
        from memory.core import fact_ended_by_hand, fact_judged_by_hand, fact_refined, slot_closed

        connect_late(fact_ended_by_hand, "ledger.conflicts.side_changes.follow_the_hand")
        connect_late(fact_refined, "ledger.conflicts.side_changes.follow_the_finer")
        connect_late(slot_closed, "ledger.conflicts.side_changes.follow_the_closing")
        connect_late(fact_judged_by_hand, "ledger.decisions.follow_the_hand")
