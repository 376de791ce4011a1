"""Admin of the profile classifiers: their figures, and which one is active."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from accounts.staff_admin import FixedRows
from ledger.models import ProfileClassifier
from ledger.promotion import promotion_policy


@admin.register(ProfileClassifier)
class ProfileClassifierAdmin(FixedRows):
    """Trained classifiers of what belongs in a profile, with their figures; one may be active."""

    list_display = ("version", "trained_at", "learned_from", "classifier", "heuristic", "decides")
    list_display_links = None
    ordering = ("-version",)
    actions = ("switch_on", "switch_off")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.changelist_view)
        return [path("", view, name="ledger_profileclassifier_changelist")]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"title": "What belongs in a profile"})

    @admin.display(description="Learned from")
    def learned_from(self, classifier: ProfileClassifier) -> str:
        counts = classifier.figures["learned"]
        summary = f"{counts['decisions']} decisions by {counts['people']} people"
        return f"{summary}, from a file" if classifier.figures.get("from_a_file") else summary

    @admin.display(description="Precision, recall, F1")
    def classifier(self, classifier: ProfileClassifier) -> str:
        return _figures(classifier, "classifier")

    @admin.display(description="Heuristic, for comparison")
    def heuristic(self, classifier: ProfileClassifier) -> str:
        return _figures(classifier, "heuristic")

    @admin.display(description="Decides", boolean=True, ordering="switched_on")
    def decides(self, classifier: ProfileClassifier) -> bool:
        return classifier.switched_on

    @admin.action(description="Let this version decide", permissions=["change"])
    def switch_on(self, request: HttpRequest, queryset: "QuerySet[ProfileClassifier]") -> None:
        if len(chosen := list(queryset[:2])) != 1:
            messages.warning(request, "Choose just one version.")
            return
        promotion_policy.switch_on(chosen[0])
        self.log_change(request, chosen[0], "Switched on.")
        messages.success(request, f"Version {chosen[0].version} decides from now on.")

    @admin.action(description="Let the heuristic decide", permissions=["change"])
    def switch_off(self, request: HttpRequest, queryset: "QuerySet[ProfileClassifier]") -> None:
        decided = promotion_policy.in_force()
        promotion_policy.switch_off()
        if decided is not None:
            self.log_change(request, decided, "Switched off.")
        messages.success(request, "The heuristic decides from now on.")


def _figures(classifier: ProfileClassifier, judge: str) -> str:
    row = classifier.figures[judge]
    return f"{row['precision']:.3f}, {row['recall']:.3f}, {row['f1']:.3f}"
