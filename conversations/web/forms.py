"""The forms of conversations."""

import json
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.timezone import localdate, now

from conversations.deletion.erase_all import CONFIRMATION, is_meant
from conversations.messages import UnfitText, fit
from conversations.models import Conversation
from conversations.search.search_parameters import as_id
from conversations.tools.plans import AHEAD
from memory.language.dates.time_expressions import find_stated_times
from memory.models import CONTENT_LENGTH, Memory, ProfileFact

# How long the value of a fact may be, as on the profile's own page.
_LONGEST_VALUE = 500


class ClaimForm(forms.Form):
    """What a fact or a note says, to be corrected under an answer."""

    def __init__(self, claim: ProfileFact | Memory, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.claim = claim
        is_note = isinstance(claim, Memory)
        longest = CONTENT_LENGTH if is_note else _LONGEST_VALUE
        self.fields["value"] = forms.CharField(
            label="I noted",
            max_length=longest,
            widget=forms.Textarea({"rows": 2}) if is_note else forms.TextInput(),
            error_messages={
                "required": "Write what I should remember, or press “Remove”.",
                "max_length": f"That is too long. Say it in {longest} characters or fewer.",
            },
        )

    def clean_value(self) -> str:
        """Check that a birthday is a day."""
        value = str(self.cleaned_data["value"])
        is_day = isinstance(self.claim, ProfileFact) and self.claim.slot == "birthday"
        if is_day and not find_stated_times(value, now()):
            raise forms.ValidationError("Enter a date, such as 3 May 1990.")
        return value


class SnoozeForm(forms.Form):
    """The day that a plan is put off to."""

    until = forms.DateField(
        error_messages={
            "required": "Pick a day.",
            "invalid": "Enter the date as YYYY-MM-DD, such as 2027-03-31.",
        }
    )

    def clean_until(self) -> date:
        """Check that the day lies ahead, and not too far."""
        day: date = self.cleaned_data["until"]
        if day < localdate():
            raise forms.ValidationError("That day has passed. Pick today or a later day.")
        if day > localdate() + AHEAD:
            raise forms.ValidationError("That is too far ahead. Pick a day within a year.")
        return day


class RawText(forms.CharField):
    """A text field that leaves judging its characters to `messages.fit`, which can mend them."""

    default_validators: list[Any] = []  # noqa: RUF012 - Django's own signature

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, strip=False, **kwargs)
        # CharField refuses a NUL with words of its own; ours say what to do.
        self.validators = []


# What the page may tell about pastes; static/js/app.js keeps the same bounds.
PASTES = 200
PASTED_CHARS = 40_000


class Pasted(forms.CharField):
    """What the page saw being pasted, as a JSON list; whatever it cannot be is nothing pasted."""

    def __init__(self) -> None:
        super().__init__(required=False, strip=False, widget=forms.HiddenInput)
        self.validators = []

    def clean(self, value: Any) -> tuple[str, ...]:
        """Return the pasted strings, at most `PASTES` of them and `PASTED_CHARS` characters in
        total.
        """
        try:
            texts = json.loads(value or "[]")
        except (ValueError, TypeError, RecursionError):
            return ()
        kept: list[str] = []
        for text in texts if isinstance(texts, list) else ():
            fits = isinstance(text, str) and text.strip() and len(kept) < PASTES
            if fits and sum(map(len, kept)) + len(text) <= PASTED_CHARS:
                kept.append(text)
        return tuple(kept)


class MessageForm(forms.Form):
    """The composer. A refused text comes back mended where that is possible, never lost."""

    content = RawText(label="Write to Throughline", widget=forms.Textarea)
    client_key = forms.CharField(required=False, max_length=80, widget=forms.HiddenInput)
    pasted = Pasted()
    # Of a new conversation only; one that exists has its own menu.
    private = forms.BooleanField(label="Keep this conversation private", required=False)
    temporary = forms.BooleanField(label="Temporary", required=False)

    def clean_content(self) -> str:
        """Return the text as it will be stored."""
        text = str(self.cleaned_data["content"])
        try:
            return fit(text)
        except UnfitText as unfit:
            self.data = {**self.data.dict(), "content": unfit.mended}  # type: ignore[attr-defined]
            raise forms.ValidationError(unfit.words) from None


class RewordForm(forms.Form):
    """A rewording of a message. `up_to` is the last number that its owner was shown."""

    content = RawText(label="Say it differently", widget=forms.Textarea(attrs={"rows": 4}))
    client_key = forms.CharField(required=False, max_length=80, widget=forms.HiddenInput)
    pasted = Pasted()
    up_to = forms.IntegerField(widget=forms.HiddenInput)

    clean_content = MessageForm.clean_content


class TakeBackForm(forms.Form):
    """The choice of what is deleted with the messages: of the lines shown, the checked ones.

    `answers` are those elsewhere that quoted it.
    """

    shown = forms.TypedMultipleChoiceField(coerce=UUID, required=False)
    take = forms.TypedMultipleChoiceField(coerce=UUID, required=False)
    answers = forms.TypedMultipleChoiceField(coerce=UUID, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.valid_value = as_id  # type: ignore[attr-defined]

    def takes(self, key: UUID) -> bool:
        """Return whether it goes; later notes go too, unless a check is left."""
        shown, take = self.cleaned_data["shown"], self.cleaned_data["take"]
        return key in take or (key not in shown and bool(take or not shown))

    def takes_answer(self, key: UUID) -> bool:
        """Return whether an answer that quoted it goes."""
        return key in self.cleaned_data["answers"]


class TitleForm(forms.Form):
    """A new name for a conversation."""

    title = forms.CharField(
        max_length=120, label="Title", error_messages={"required": "Give it a name."}
    )


class ForgetEverythingForm(forms.Form):
    """The words that say it is meant; others come back with what to type."""

    confirm = RawText(
        label="Type these words", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def clean_confirm(self) -> str:
        """Check that the confirmation words were typed."""
        typed = str(self.cleaned_data["confirm"])
        if not is_meant(typed):
            raise forms.ValidationError(f"Nothing was forgotten. To confirm, type {CONFIRMATION}.")
        return typed


class PrivacyForm(forms.Form):
    """How private a conversation is."""

    privacy = forms.ChoiceField(choices=Conversation.Privacy.choices, required=False)


def fresh(*, private: bool = False, content: str = "") -> MessageForm:
    """Return a composer with a new key, so that sending it twice makes one message."""
    initial = {"client_key": uuid4().hex, "private": private, "content": content}
    return MessageForm(initial=initial)
