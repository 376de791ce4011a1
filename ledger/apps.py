from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "ledger"

    def ready(self) -> None:
        """Connect the receivers for changes that users make to facts by hand."""
        from accounts.signals import connect_late
        from memory.core.signals import (
            fact_ended_by_hand,
            fact_judged_by_hand,
            fact_refined,
            slot_closed,
        )

        connect_late(fact_ended_by_hand, "ledger.conflicts.side_changes.settle_after_manual_change")
        connect_late(fact_refined, "ledger.conflicts.side_changes.repoint_after_refinement")
        connect_late(slot_closed, "ledger.conflicts.side_changes.settle_closed_slot")
        connect_late(fact_judged_by_hand, "ledger.decisions.record_manual_decision")
