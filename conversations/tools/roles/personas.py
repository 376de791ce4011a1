"""Tools that list personas and propose one to the user, who must confirm it."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from conversations.models import LearningOutcome, Message
from conversations.tools import visibility
from conversations.tools.tool import Arguments, NotThere, Result, Tool, ToolContext
from conversations.tools.visibility import count_in_words
from memory.core.persistence_gate import RecordKind
from personas import membership
from personas.models import Persona, UserPersona

Standing = UserPersona.Standing
DISCOVER = "update_user_persona_profile_in_db"
_NEXT = {
    Standing.CONFIRMED: "They are a member. user_persona_profile can be written.",
    Standing.GUESSED: (
        "They are asked beneath your answer, and it counts once they say yes. Until then"
        " user_persona_profile cannot be written. Do not press them."
    ),
    Standing.DECLINED: "They said no before. Do not ask again; they can choose it on their page.",
    Standing.LEFT: "They have left it. Do not ask again; they can choose it again on their page.",
}
Handle = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]


class KnownPersona(BaseModel):
    """One persona, and the user's relation to it; '' if it was never proposed."""

    handle: str
    industry: str
    role: str
    description: str
    typical_kpis: list[str]
    standing: str
    confidence: float | None
    last_confirmed: datetime | None


class KnownPersonas(Result):
    """The personas that a user can belong to."""

    personas: list[KnownPersona]

    def in_words(self) -> str:
        """Return the result in words: '4 roles', 'nothing found'."""
        return count_in_words(len(self.personas), "role")


class NoArguments(Arguments):
    """No arguments."""


def list_personas(context: ToolContext, _: NoArguments) -> KnownPersonas:
    """Return the personas, ordered by handle; two queries."""
    rows = UserPersona.objects.filter(user_id=context.user_id)
    links = {standing.persona_id: standing for standing in rows}
    return KnownPersonas(
        personas=[
            _as_known(persona, links.get(persona.pk))
            for persona in membership.personas().order_by("handle")
        ]
    )


def _as_known(persona: Persona, link: UserPersona | None) -> KnownPersona:
    return KnownPersona(
        handle=persona.handle,
        industry=persona.industry,
        role=persona.role,
        description=persona.description,
        typical_kpis=persona.typical_kpis,
        standing=link.standing if link else "",
        confidence=link.confidence if link else None,
        last_confirmed=link.last_confirmed if link else None,
    )


class WhichPersona(Arguments):
    """The persona that the user seems to belong to."""

    persona_handle: Handle = Field(description="Handle of a persona, from list_available_personas.")
    confidence_score: float = Field(
        1.0, ge=0, le=1, description="How sure you are that it fits, 0 to 1."
    )


class Association(Result):
    """The user's relation to a persona now, and what the model should do."""

    persona_handle: str
    standing: str
    note: str

    def in_words(self) -> str:
        """Return the result in words: 'you are asked', 'you work in it'."""
        return {
            Standing.CONFIRMED: "you work in this role",
            Standing.GUESSED: "you are asked first",
            Standing.DECLINED: "you said no to it before",
            Standing.LEFT: "you left it",
        }[Standing(self.standing)]


def associate(context: ToolContext, wanted: WhichPersona) -> Association:
    """Propose a persona to the user; membership begins when the user confirms it."""
    visibility.refuse_where_nothing_is_kept(context, RecordKind.ROLE)
    persona = membership.personas().filter(handle=wanted.persona_handle).first()
    if persona is None:
        raise NotThere(
            f"There is no persona {wanted.persona_handle!a}. See list_available_personas."
        )
    standing = _record_guess(context, persona, wanted.confidence_score)
    return Association(
        persona_handle=persona.handle, standing=standing, note=_NEXT[Standing(standing)]
    )


def _record_guess(context: ToolContext, persona: Persona, confidence: float) -> str:
    guess = membership.guess(context.user_id, persona, confidence, UserPersona.Origin.MODEL)
    if guess is not None:
        _ask(context, persona)
        return guess.standing
    link = UserPersona.objects.get(user_id=context.user_id, persona=persona)
    if link.standing == Standing.CONFIRMED:
        # The confidence stays as the user confirmed it; a model does not change it.
        membership.confirm(context.user_id, persona, confidence=link.confidence, origin=link.origin)
    return link.standing


def _ask(context: ToolContext, persona: Persona) -> None:
    """Add a card that asks about the persona to the current message, once."""
    rows = Message.objects.for_user(context.user_id)
    question = rows.filter(pk=context.message_id).first() if context.message_id else None
    if question is not None:
        LearningOutcome.objects.get_or_create(
            user_id=context.user_id,
            message=question,
            kind=LearningOutcome.Kind.ROLE,
            slot=persona.handle,
        )


TOOLS = (
    Tool(
        name="list_available_personas",
        purpose="List all professional personas (industry and role), and the person's "
        "standing in each: guessed, confirmed, declined, left or none.",
        arguments=NoArguments,
        run=list_personas,
    ),
    Tool(
        name=DISCOVER,
        purpose="Propose the persona that fits what the person said about their work. They are "
        "asked before it counts. It is needed before anything is written to "
        "user_persona_profile.",
        arguments=WhichPersona,
        run=associate,
    ),
)
