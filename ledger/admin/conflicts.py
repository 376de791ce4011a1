"""Admin of conflicts: staff settle one or several for users who asked for help."""

from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import now

from accounts.database.isolation import acting_as_staff
from accounts.staff_admin import FixedRows
from ledger.admin.form import REASON_LENGTH, DeskForm
from ledger.conflicts import staff_review
from ledger.conflicts.resolution import AlreadySettled, Answer, SidesChanged, UnfitAnswer
from ledger.conflicts.staff_review import HelpNotAsked, ReviewedEntry
from ledger.models import Contradiction, Resolution
from memory.slots import SLOTS

Method = Resolution.Method
Status = Contradiction.Status
OLD_AFTER = timedelta(days=14)
BY_THE_RULE = "Settled by a rule: I was more certain of this one, and you said it more recently."


class StateFilter(admin.SimpleListFilter):
    """Filter by state; by default the open conflicts."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("open", "Open"),
            ("asked", "Asked for help"),
            ("old", f"Older than {OLD_AFTER.days} days"),
            ("settled", "Settled"),
        ]

    def value(self) -> str:
        return super().value() or "open"

    def choices(self, changelist: Any) -> Any:
        # Drop Django's first choice 'All'.
        return list(super().choices(changelist))[1:]

    def queryset(
        self, request: HttpRequest, queryset: "QuerySet[Contradiction]"
    ) -> "QuerySet[Contradiction]":
        waiting = queryset.filter(status=Status.OPEN)
        return {
            "asked": waiting.filter(help_asked_at__isnull=False),
            "old": waiting.filter(opened_at__lt=now() - OLD_AFTER),
            "settled": queryset.exclude(status=Status.OPEN),
        }.get(self.value(), waiting)


class SlotFilter(admin.SimpleListFilter):
    """Filter by slot."""

    title = "slot"
    parameter_name = "slot"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(slot.key, slot.label) for slot in SLOTS.values() if not slot.sensitive]

    def queryset(
        self, request: HttpRequest, queryset: "QuerySet[Contradiction]"
    ) -> "QuerySet[Contradiction]":
        return queryset.filter(slot=self.value()) if self.value() in SLOTS else queryset


@admin.register(Contradiction)
class ContradictionAdmin(FixedRows):
    """All conflicts, without their values until the user asks for help."""

    list_display = ("person", "slot_label", "had", "said", "support", "age", "state")
    list_filter = (StateFilter, SlotFilter)
    search_fields = ("user__email",)
    search_help_text = "Person or slot"
    list_select_related = ("user",)
    list_per_page = list_max_show_all = staff_review.MOST
    show_full_result_count = False
    show_facets = admin.ShowFacets.ALWAYS
    ordering = ("-opened_at", "-pk")
    actions = ("settle_by_rule", "dismiss")

    # Permissions

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        # Filtering by a column in the URL would reveal values.
        return lookup in (StateFilter.parameter_name, SlotFilter.parameter_name)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("", wrap(self.changelist_view), name="ledger_contradiction_changelist"),
            path("<path:object_id>/", wrap(self.change_view), name="ledger_contradiction_change"),
        ]

    # The list

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        if request.method == "POST":
            return self._do_to_many(request)
        with acting_as_staff():
            response = super().changelist_view(request, {"title": "Conflicts"})
            if not isinstance(response, TemplateResponse) or not response.context_data:
                return response
            shown = response.context_data["cl"]
            shown.result_list = list(shown.result_list)
            response.context_data["filters"] = _filters(shown)
        # Read values after the admin's own transaction, each user's in one of their own.
        values = staff_review.values_of(shown.result_list, request.user)  # type: ignore[arg-type]
        for entry in shown.result_list:
            entry.values = values.get(entry.pk)
        with acting_as_staff():
            return response.render()

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[Any, bool]:
        matches, several = super().get_search_results(request, queryset, search_term)
        term = search_term.strip().casefold()
        named = [s.key for s in SLOTS.values() if term and term in f"{s.label} {s.noun}".casefold()]
        return matches | queryset.filter(slot__in=named), several

    @admin.display(description="Person", ordering="user__email")
    def person(self, entry: Contradiction) -> str:
        return entry.user.email

    @admin.display(description="Slot", ordering="slot")
    def slot_label(self, entry: Contradiction) -> str:
        return entry.kind.label

    @admin.display(description="Had")
    def had(self, entry: Any) -> SafeString:
        return _value(entry, 0)

    @admin.display(description="Said")
    def said(self, entry: Any) -> SafeString:
        return _value(entry, 1)

    @admin.display(description="Support")
    def support(self, entry: Contradiction) -> str:
        return f"{entry.old_support} : {entry.new_support}"

    @admin.display(description="Age", ordering="-opened_at")
    def age(self, entry: Contradiction) -> str:
        hours = int((now() - entry.opened_at) / timedelta(hours=1))
        return f"{hours} h" if hours < 24 else f"{hours // 24} d"

    @admin.display(description="State")
    def state(self, entry: Contradiction) -> SafeString:
        if staff_review.waits_for_staff(entry):
            return _marked("desk-tag is-asked", "Asked for help")
        label = {Status.OPEN: "Open", Status.DISMISSED: "Not asked again"}.get(
            Status(entry.status), Status(entry.status).label.capitalize()
        )
        return _marked("desk-tag", label)

    # Bulk actions

    def _do_to_many(self, request: HttpRequest) -> HttpResponse:
        back = HttpResponseRedirect(request.get_full_path())
        wanted = request.POST.get("action", "")
        if wanted and wanted not in self.get_actions(request):
            raise PermissionDenied
        keys = _keys(request.POST.getlist(ACTION_CHECKBOX_NAME))
        if not wanted or not keys:
            messages.warning(request, "Select some rows and choose what to do with them.")
            return back
        answer: HttpResponse | None = getattr(self, wanted)(request, keys)
        return answer or back

    @admin.action(
        description="Settle by the rule, unless it’s too close to call", permissions=["change"]
    )
    def settle_by_rule(self, request: HttpRequest, keys: list[UUID]) -> None:
        self._settle_each(request, keys, Method.TRUST, BY_THE_RULE)

    @admin.action(description="Dismiss, with a reason", permissions=["change"])
    def dismiss(self, request: HttpRequest, keys: list[UUID]) -> HttpResponse | None:
        reason = " ".join(request.POST.get("reason", "").split())
        asked = "reason" in request.POST
        if reason and len(reason) <= REASON_LENGTH:
            self._settle_each(request, keys, Method.DISMISS, reason)
            return None
        error = f"Write a reason of at most {REASON_LENGTH} characters." if asked else ""
        context = {
            **self.admin_site.each_context(request),
            "title": "Dismiss",
            "opts": self.opts,
            "entries": [
                entry for entry in staff_review.chosen(keys) if staff_review.waits_for_staff(entry)
            ],
            "reason": reason,
            "error": error,
        }
        template = "admin/ledger/contradiction/dismiss.html"
        return TemplateResponse(request, template, context, status=422 if error else 200)

    def _settle_each(
        self, request: HttpRequest, keys: list[UUID], method: Method, reason: str
    ) -> None:
        tally = staff_review.settle_each(keys, Answer(method), staff=request.user, reason=reason)  # type: ignore[arg-type]
        for entry in tally.done:
            self._log(request, entry, method)
        for count, result, level in (
            (
                len(tally.done),
                "dismissed" if method == Method.DISMISS else "settled",
                messages.SUCCESS,
            ),
            (tally.too_close, "too close to call", messages.WARNING),
            (tally.settled_before, "already settled", messages.WARNING),
            (tally.not_asked, "not asked for help", messages.WARNING),
        ):
            if count:
                messages.add_message(request, level, f"{count} {result}.")

    # The page of one conflict

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show both values, the log and the form, if the user asked for help."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        opened = self._opened(request, object_id)
        if request.method != "POST":
            return self._page(request, opened, DeskForm(opened))
        if not self.has_change_permission(request):
            raise PermissionDenied
        return self._settle(request, opened)

    def _opened(self, request: HttpRequest, object_id: str) -> ReviewedEntry:
        for key in _keys([object_id]):
            with suppress(Contradiction.DoesNotExist):
                return staff_review.open_entry(key, request.user)  # type: ignore[arg-type]
        raise Http404

    def _settle(self, request: HttpRequest, opened: ReviewedEntry) -> HttpResponse:
        entry, form = opened.entry, DeskForm(opened, request.POST)
        if not form.is_valid():
            return self._page(request, opened, form, status=422)
        sides = (request.POST.get("old", ""), request.POST.get("new", ""))
        arguments = {"staff": request.user, "reason": form.cleaned_data["reason"], "sides": sides}
        try:
            resolution = staff_review.settle(entry, form.answer(), **arguments)
        except UnfitAnswer as unfit:
            form.add_error(unfit.field, str(unfit))
            return self._page(request, opened, form, status=422)
        except (AlreadySettled, SidesChanged, HelpNotAsked) as changed:
            as_it_is = self._opened(request, str(entry.pk))
            form.ways = DeskForm(as_it_is).ways
            return self._page(request, as_it_is, form, error=str(changed), status=409)
        self._log(request, entry, Method(resolution.method))
        messages.success(request, f"Settled. {form.name} will see who settled it, and your reason.")
        return redirect("admin:ledger_contradiction_changelist")

    def _log(self, request: HttpRequest, entry: Contradiction, method: Method) -> None:
        # Log the method but not the value, since other staff read the admin's log.
        self.log_change(request, entry, f"Settled: {method.label}.")

    def _page(
        self,
        request: HttpRequest,
        opened: ReviewedEntry,
        form: DeskForm,
        *,
        error: str = "",
        status: int = 200,
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": opened.entry.kind.label,
            "opts": self.opts,
            "opened": opened,
            "entry": opened.entry,
            "form": form,
            "error": error,
            "name": form.name,
            "formula": " + ".join(f"{weight:g} {of}" for of, weight in _weights().items()),
            "may_settle": opened.may_settle and self.has_change_permission(request),
        }
        template = "admin/ledger/contradiction/change_form.html"
        return TemplateResponse(request, template, context, status=status)


def _filters(shown: Any) -> dict[str, list[dict[str, Any]]]:
    """Return the choices of each filter; of slots only those with conflicts."""
    choices = {spec.parameter_name: list(spec.choices(shown)) for spec in shown.filter_specs}
    choices["slot"] = [
        choice
        for choice in choices["slot"]
        if choice["selected"] or not choice["display"].endswith("(0)")
    ]
    return choices


def _weights() -> dict[str, float]:
    return settings.MEMORY["settle_weights"]  # type: ignore[no-any-return]


def _value(entry: Any, side: int) -> SafeString:
    if entry.values is None:
        return _marked("desk-hidden", "hidden")
    return _marked("desk-value", entry.values[side])


def _marked(kind: str, words: str) -> SafeString:
    return format_html('<span class="{}">{}</span>', kind, words)


def _keys(words: list[str]) -> list[UUID]:
    """Return the UUIDs among these strings."""
    keys = []
    for word in words[: staff_review.MOST]:
        with suppress(ValueError):
            keys.append(UUID(word))
    return keys
