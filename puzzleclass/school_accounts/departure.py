"""The way to a school's provider."""

import logging
from datetime import timedelta

from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.visitors import address_of
from puzzleclass.outbound.sealed import Unopenable
from puzzleclass.outbound.sessions import OutboundError
from puzzleclass.school_accounts import arrival
from puzzleclass.school_accounts.arrival import TEST
from puzzleclass.school_accounts.models import SignInProvider
from puzzleclass.school_accounts.openid import SchoolAdapter, Unproven
from solvers.message import Message

logger = logging.getLogger(__name__)

MAX_BEGUN = 2000
"""The most sign-ins that one address, which a whole school may share, can begin in `PERIOD`."""

PERIOD = timedelta(minutes=10)


def begin(
    request: HttpRequest, provider: SignInProvider, process: str, **kept: object
) -> HttpResponse:
    """Show a page that leads to the provider.

    It is a page and no redirect, because the content security policy lets forms lead to our own
    pages only.
    """
    state = {"process": process, **kept}
    if not spend(f"school accounts from {address_of(request)}", MAX_BEGUN, PERIOD):
        many = Message("Too many people are signing in at once. Wait a moment.")
        return arrival.say_failed(request, provider.pk, many, state, status=429)
    try:
        asked = SchoolAdapter(request, provider.app_id).get_provider()
        address = asked.begin(request, process, **kept)
    except (OAuth2Error, OutboundError) as error:
        message = Message("The provider does not answer. Try again later, or use card or PIN.")
        logger.warning("Provider %s does not answer: %s", provider.pk, error)
        if process == TEST and isinstance(error, Unproven):
            message = error.message
        return arrival.say_failed(request, provider.pk, message, state, status=409)
    except Unopenable as error:
        return arrival.say_failed(request, provider.pk, error.message, state, status=409)
    context = {"provider": provider, "address": address}
    return render(request, "school_accounts/leaving.html", context)
