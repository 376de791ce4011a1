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

# Longest value of a fact, as on the profile page.
_LONGEST_VALUE = 500


class ClaimForm(forms.Form):
    """The form to correct a fact or memory below an answer."""

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
        """Return the value; a birthday must be a date."""
        value = str(self.cleaned_data["value"])
        is_day = isinstance(self.claim, ProfileFact) and self.claim.slot == "birthday"
        if is_day and not find_stated_times(value, now()):
            raise forms.ValidationError("Enter a date, such as 3 May 1990.")
        return value


class SnoozeForm(forms.Form):
    """The day to which a plan is snoozed."""

    until = forms.DateField(
        error_messages={
            "required": "Pick a day.",
            "invalid": "Enter the date as YYYY-MM-DD, such as 2027-03-31.",
        }
    )

    def clean_until(self) -> date:
        """Return the day; it must be in the future, within the limit."""
        day: date = self.cleaned_data["until"]
        if day < localdate():
            raise forms.ValidationError("That day has passed. Pick today or a later day.")
        if day > localdate() + AHEAD:
            raise forms.ValidationError("That is too far ahead. Pick a day within a year.")
        return day


class RawText(forms.CharField):
    """A text field without validation of characters, which is left to `messages.fit`."""

    default_validators: list[Any] = []  # noqa: RUF012 - Django's own signature

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, strip=False, **kwargs)
        # CharField rejects NUL with its own message; ours says what to do.
        self.validators = []


# Bounds of the pasted texts that the page sends; static/js/app.js has the same.
PASTES = 200
PASTED_CHARS = 40_000


class Pasted(forms.CharField):
    """The pasted texts that the page recorded, as a JSON list; invalid input counts as none."""

    def __init__(self) -> None:
        super().__init__(required=False, strip=False, widget=forms.HiddenInput)
        self.validators = []

    def clean(self, value: Any) -> tuple[str, ...]:
        """Return the pasted texts, at most `PASTES` of them and `PASTED_CHARS` characters in
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
    """The form to send a message. A text that cannot be sent is returned corrected if possible."""

    content = RawText(label="Write to Throughline", widget=forms.Textarea)
    client_key = forms.CharField(required=False, max_length=80, widget=forms.HiddenInput)
    pasted = Pasted()
    # For new conversations only; existing ones have a menu.
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
    """The form to edit a message. `up_to` is the last message number that the user was shown."""

    content = RawText(label="Say it differently", widget=forms.Textarea(attrs={"rows": 4}))
    client_key = forms.CharField(required=False, max_length=80, widget=forms.HiddenInput)
    pasted = Pasted()
    up_to = forms.IntegerField(widget=forms.HiddenInput)

    clean_content = MessageForm.clean_content


class TakeBackForm(forms.Form):
    """The form to choose what to delete with messages: the checked items among those shown.
    `answers`: answers elsewhere that quote the messages.
    """

    shown = forms.TypedMultipleChoiceField(coerce=UUID, required=False)
    take = forms.TypedMultipleChoiceField(coerce=UUID, required=False)
    answers = forms.TypedMultipleChoiceField(coerce=UUID, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.valid_value = as_id  # type: ignore[attr-defined]

    def takes(self, key: UUID) -> bool:
        """Return whether an item is to be deleted: it was checked; or it was not shown, and any
        shown item was checked or none was shown.
        """
        shown, take = self.cleaned_data["shown"], self.cleaned_data["take"]
        return key in take or (key not in shown and bool(take or not shown))

    def takes_answer(self, key: UUID) -> bool:
        """Return whether an answer that quotes the messages is to be deleted."""
        return key in self.cleaned_data["answers"]


class TitleForm(forms.Form):
    """The form for a new name of a conversation."""

    title = forms.CharField(
        max_length=120, label="Title", error_messages={"required": "Give it a name."}
    )


class ForgetEverythingForm(forms.Form):
    """The form with the confirmation phrase for erasing everything."""

    confirm = RawText(
        label="Type these words", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def clean_confirm(self) -> str:
        """Return the phrase; any other text is an error that says what to type."""
        typed = str(self.cleaned_data["confirm"])
        if not is_meant(typed):
            raise forms.ValidationError(f"Nothing was forgotten. To confirm, type {CONFIRMATION}.")
        return typed


class PrivacyForm(forms.Form):
    """The privacy setting of a conversation."""

    privacy = forms.ChoiceField(choices=Conversation.Privacy.choices, required=False)


def fresh(*, private: bool = False, content: str = "") -> MessageForm:
    """Return an empty message form with a new key, so that sending it twice makes one message."""
    initial = {"client_key": uuid4().hex, "private": private, "content": content}
    return MessageForm(initial=initial)
