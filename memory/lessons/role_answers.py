"""Applying a user's answer to whether they have a role, from the page or a conversation."""

from typing import Literal, get_args
from uuid import UUID

from memory.lessons import contribution
from personas import membership
from personas.models import Persona, UserPersona

# Yes with or without sharing lessons; no; left the role; still has it.
RoleAnswer = Literal["share", "quiet", "no", "leave", "stay"]


def known_role_answer(answer: str) -> RoleAnswer | None:
    """Return the submitted answer if it is a RoleAnswer, else None."""
    return next((option for option in get_args(RoleAnswer) if option == answer), None)


def take_role_answer(user_id: UUID, persona: Persona, answer: RoleAnswer) -> str:
    """Apply an answer and return the reply. Must run in the user's transaction."""
    match answer:
        case "share" | "quiet":
            membership.confirm(user_id, persona)
            if answer == "quiet":
                contribution.opt_out(user_id)
            else:
                contribution.opt_in(user_id)
            return f"Got it, your role is {persona}."
        case "no":
            membership.decline(user_id, persona)
            return "OK, I won’t ask again."
        case "leave":
            many = contribution.leave(user_id, persona)
            lost_support = (
                f" You no longer support {many} lesson{'s' if many > 1 else ''}." if many else ""
            )
            return f"You left {persona}.{lost_support}"
        case "stay":
            return _confirm_role(user_id, persona)


def _confirm_role(user_id: UUID, persona: Persona) -> str:
    """Confirm an existing membership with its confidence; does nothing without one."""
    mine = UserPersona.confirmed(user_id).filter(persona=persona).first()
    if mine is None:
        return "All right."
    membership.confirm(user_id, persona, confidence=mine.confidence, origin=mine.origin)
    return f"Got it, your role is still {persona}."
