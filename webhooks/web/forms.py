"""The forms of webhooks."""

from django import forms

from webhooks import addresses
from webhooks.models import URL_LENGTH, Event, WebhookEndpoint


class EndpointForm(forms.Form):
    """An endpoint to register or to change. Looks the host up: validate it outside of a block."""

    url = forms.CharField(
        label="Address",
        max_length=URL_LENGTH,
        help_text="Where to send events, such as https://example.org/hooks.",
        widget=forms.URLInput,
        error_messages={"required": "Enter the address to send events to."},
    )
    name = forms.CharField(
        label="What is it for? (optional)",
        max_length=WebhookEndpoint.NAME_LENGTH,
        required=False,
    )
    events = forms.MultipleChoiceField(
        label="Send when",
        choices=Event.choices,
        initial=[Event.ADDED, Event.CHANGED, Event.REMOVED],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one."},
    )

    def clean_url(self) -> str:
        """The address, if it may be called."""
        try:
            return addresses.check(self.cleaned_data["url"])
        except addresses.UnfitUrl as unfit:
            raise forms.ValidationError(str(unfit)) from None
