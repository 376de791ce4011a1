"""The search page."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.http import require_GET

from accounts.access.pages import PersonRequest, person_page
from accounts.support import formatting
from conversations.models import Conversation, Topic
from conversations.search import message_search, search_parameters
from conversations.search.message_search import MOST, Result, SearchResults
from conversations.search.search_parameters import Query
from conversations.search.search_query import Role

# How many topics can be chosen.
_TOPICS = 100


@require_GET
@person_page
def search(request: PersonRequest) -> HttpResponse:
    """Show the search form and its results."""
    try:
        query = search_parameters.read(request.user.pk, request.GET)
    except Conversation.DoesNotExist:
        raise Http404 from None
    results = SearchResults()
    if not query.problems:
        results = message_search.find(request.user.pk, query.search, query.count)
    context = {
        "query": query,
        "found": results,
        "asked": query.search.is_anything and not query.problems,
        "groups": _groups(query, results),
        "titles": [] if query.search.title_only else _lines(results.titles),
        "topics": list(Topic.objects.filter(user=request.user).order_by("name")[:_TOPICS]),
        "memory_on": request.user.memory_on,
        "most": MOST,
        **_links(query, results, memory_on=request.user.memory_on),
    }
    status = 422 if query.problems else 200
    return render(request, "conversations/search.html", context, status=status)


def _groups(query: Query, matches: SearchResults) -> list[dict[str, Any]]:
    """Return the results grouped by conversation, or as one group; numbered from 1."""
    parts: list[tuple[Conversation | None, list[Result]]] = [(None, matches.results)]
    if query.grouped:
        parts = list(matches.by_conversation)
    groups, number = [], 1
    for conversation, results in parts:
        if results:
            groups.append({"conversation": conversation, "lines": _lines(results, number)})
        number += len(results)
    return groups


def _lines(results: list[Result], first: int = 1) -> list[dict[str, Any]]:
    today = now()
    return [
        {"number": number, "result": result, "day": formatting.day(result.said_at, today)}
        for number, result in enumerate(results, start=first)
    ]


def _links(query: Query, results: SearchResults, *, memory_on: bool) -> dict[str, Any]:
    """Return the URLs for more results and for searches with fewer filters."""
    shown = len(results.results)
    more = query.address(show=str(shown + search_parameters.STEP)) if shown < results.total else ""
    return {
        "more": more,
        "next_number": shown + 1,
        "tries": [] if results.total else list(_tries(query, results, memory_on=memory_on)),
    }


def _tries(query: Query, results: SearchResults, *, memory_on: bool) -> list[tuple[str, str]]:
    """Return suggestions if nothing is found: (URL, label)."""
    search, tries = query.search, []
    if results.narrowed:
        tries.append((query.address(anytime="1"), "Search all dates and treat the date as words"))
    bare = " ".join(query.typed["q"].translate(_NO_QUOTES).split())
    if bare != query.typed["q"]:
        tries.append((query.address(q=bare), "Search without the quotes"))
    if search.title_only:
        tries.append((query.address(title=""), "Search messages, not only titles"))
    elif search.role == Role.PERSON:
        tries.append((query.address(role="both"), "Search my answers too"))
    if search.topic or search.since or search.until:
        fewer = query.address(topic="", since="", until="")
        tries.append((fewer, "Search all topics and dates"))
    if query.conversation:
        tries.append((query.address(conversation=""), "Search all conversations"))
    if memory_on and not search.plain and search.text and not search.title_only:
        tries.append(
            (
                query.address(plain="1"),
                "Search for exact words, including messages from when memory was off",
            )
        )
    return tries


_NO_QUOTES = str.maketrans(dict.fromkeys('"“”„«»', " "))
