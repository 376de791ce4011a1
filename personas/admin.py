from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.staff_admin import CohortAdmin
from personas import membership
from personas.models import Persona, PersonaProposal, UserPersona


class Lines(forms.CharField):
    """A list of short texts, one a line."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.Textarea({"rows": 5, "cols": 80}), required=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in str(value or "").splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(data) != (initial or []))


class PersonaForm(forms.ModelForm):  # type: ignore[type-arg]
    typical_kpis = Lines(help_text="What people in this role measure, one per line.")
    typical_motivations = Lines(help_text="What they want to achieve, one per line.")
    quintessential_queries = Lines(help_text="Questions they typically ask, one per line.")
    industry_cues = Lines(help_text="Words that identify the industry, one per line.")
    role_cues = Lines(help_text="Words that identify the role, one per line.")
    terms = Lines(
        help_text="Technical terms of the field, one per line. Shared lessons may contain them, so "
        "never enter the name of a person, a place or a company."
    )
    subjects = Lines(
        help_text=(
            "Subjects they ask about, one per line: the name, a colon, and words that identify "
            "it. Lessons use these names."
        )
    )


@admin.register(Persona)
class PersonaAdmin(CohortAdmin):
    """The personas: their names, and the words by which they are recognised."""

    form = PersonaForm
    list_display = ("title", "handle", "industry", "role", "members", "in_use")
    search_fields = ("title", "handle", "industry", "role")
    search_help_text = "Title, industry or role"
    ordering = ("title",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        # The handle is used in the label of the shared block, and in lessons of members.
        return ("handle", "industry", "role") if obj else ()

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Persona]":
        confirmed = Q(members__standing=UserPersona.Standing.CONFIRMED)
        rows: QuerySet[Persona] = super().get_queryset(request)
        return rows.annotate(confirmed=Count("members", filter=confirmed))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        membership.recognisable.cache_clear()

    @admin.display(description="Members", ordering="confirmed")
    def members(self, persona: Any) -> int:
        return int(persona.confirmed)

    @admin.display(description="In use", boolean=True, ordering="retired")
    def in_use(self, persona: Persona) -> bool:
        return not persona.retired


class ProposalForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean(self) -> Any:
        given = super().clean() or {}
        standing = given.get("standing")
        if standing == PersonaProposal.Standing.ADDED and not given.get("persona"):
            self.add_error("persona", "Choose the persona that was created from it.")
        if standing == PersonaProposal.Standing.DECLINED and not given.get("answer"):
            self.add_error("answer", "Say why. The person who proposed it will read this.")
        return given


@admin.register(PersonaProposal)
class PersonaProposalAdmin(CohortAdmin):
    """Personas that users asked for. Who proposed one is not shown."""

    form = ProposalForm
    list_display = ("of", "description", "standing", "proposed_at")
    list_filter = ("standing",)
    ordering = ("-standing", "-proposed_at")
    readonly_fields = ("industry", "role", "description", "proposed_at", "as_a_persona")
    fields = (*readonly_fields, "standing", "persona", "answer")

    @admin.display(description="Proposed")
    def of(self, proposal: PersonaProposal) -> str:
        return f"{proposal.industry}, {proposal.role}"

    @admin.display(description="Create a persona from it")
    def as_a_persona(self, proposal: PersonaProposal) -> SafeString:
        told = {
            "industry": proposal.industry,
            "role": proposal.role,
            "title": f"{proposal.industry}, {proposal.role.lower()}",
            "handle": _handle(f"{proposal.industry} {proposal.role}"),
            "description": proposal.description,
        }
        address = f"{reverse('admin:personas_persona_add')}?{urlencode(told)}"
        return format_html('<a href="{}">Create it from this, then choose it here</a>', address)


def _handle(words: str) -> str:
    plain = "".join(letter if letter.isalnum() and letter.isascii() else " " for letter in words)
    return "_".join(plain.lower().split())
