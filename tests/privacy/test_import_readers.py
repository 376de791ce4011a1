"""What is read of the exports of other assistants, format by format, and of broken ones."""

import io
import zipfile
from typing import Any

import pytest

from privacy.importing import reading
from privacy.importing.shapes import (
    ImportedConversation,
    ImportedMemory,
    NotAnImport,
    Skipped,
)
from tests.privacy.exports import as_json, chatgpt, claude, node, read, talk, zipped

SIMPLE = chatgpt(node("a", None), node("b", "a", "assistant", "Hi"), current="b")


def said(item: Any) -> list[tuple[str, str]]:
    """Who said what, by the first letter of their role."""
    (_, conversation) = read(as_json([item]))[0]
    assert isinstance(conversation, ImportedConversation), conversation
    return [(message.role[0], message.content) for message in conversation.messages]


def content(kind: str, **told: Any) -> dict[str, Any]:
    return {"content": {"content_type": kind, **told}}


CHATGPT: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "the active branch": (
        chatgpt(
            node("a", None), node("b", "a", "assistant", "No"), node("c", "a", "assistant", "Yes"),
            current="c",
        ),
        [("u", "Hello there"), ("a", "Yes")],
    ),
    "a current node that is not there: the newest leaf": (
        chatgpt(
            node("a", None, at=1.0), node("b", "a", "assistant", "New", 9.0),
            node("c", "a", "assistant", "Old", 5.0), current="gone",
        ),
        [("u", "Hello there"), ("a", "New")],
    ),
    "a circle": (
        chatgpt(node("a", "b"), node("b", "a", "assistant", "Round"), current="b"),
        [("u", "Hello there"), ("a", "Round")],
    ),
    "no message, no metadata, no moment": (
        chatgpt(
            {"id": "r", "parent": None, "message": None},
            node("a", "r", metadata=None, create_time=None),
            current="a",
        ),
        [("u", "Hello there")],
    ),
    "what is hidden, instructions, system and tools": (
        chatgpt(
            node("s", None, "system", "Be kind"),
            node("h", "s", metadata={"is_visually_hidden_from_conversation": True}),
            node("i", "h", **content("user_editable_context", user_profile="I am Ada")),
            node("a", "i"),
            node("t", "a", "tool", "42"),
            node("th", "t", "assistant", **content("thoughts", thoughts=[])),
            node("b", "th", "assistant", "Hi"),
            current="b",
        ),
        [("u", "Hello there"), ("a", "Hi")],
    ),
    "code": (
        chatgpt(
            node("a", None),
            node("b", "a", "assistant", **content("code", language="python", text="1 + 1")),
            current="b",
        ),
        [("u", "Hello there"), ("a", "```python\n1 + 1\n```")],
    ),
    "a picture and a recording": (
        chatgpt(
            node(
                "a", None,
                **content(
                    "multimodal_text",
                    parts=[
                        {"content_type": "image_asset_pointer"}, "Look",
                        {"content_type": "audio_transcription", "text": "I said so"},
                        {"content_type": "audio_asset_pointer"}, None, 7,
                    ],
                ),
            ),
            current="a",
        ),
        [("u", "[image]\nLook\nI said so\n[audio]")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHATGPT)
def test_of_a_chatgpt_conversation_what_its_owner_saw_is_read(name: str) -> None:
    item, expected = CHATGPT[name]
    assert said(item) == expected


HUMAN = {"uuid": "1", "sender": "human", "text": "Hello", "created_at": "2024-03-14T10:00:00Z"}
CLAUDE: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "text": (claude(HUMAN), [("u", "Hello")]),
    "blocks, without what was thought and looked up": (
        claude(
            HUMAN,
            {
                "sender": "assistant",
                "text": "Thinking. Hi",
                "content": [
                    {"type": "thinking", "thinking": "Hm"},
                    {"type": "tool_use", "name": "search"},
                    {"type": "text", "text": "Hi"},
                ],
            },
        ),
        [("u", "Hello"), ("a", "Hi")],
    ),
    "a file": (
        claude(HUMAN | {"attachments": [{"file_name": "plan.pdf"}, {}], "files": None}),
        [("u", "Hello\n[attachment: plan.pdf]\n[attachment]")],
    ),
    "an unknown sender and an empty message": (
        claude(HUMAN, {"sender": "robot", "text": "x"}, {"sender": "human", "text": " "}, None),
        [("u", "Hello")],
    ),
}


@pytest.mark.parametrize("name", CLAUDE)
def test_of_a_claude_conversation_what_was_said_is_read(name: str) -> None:
    item, expected = CLAUDE[name]
    assert said(item) == expected


def webui(messages: Any, current: str | None, **chat: Any) -> dict[str, Any]:
    history = {"messages": messages, "currentId": current}
    return {"id": "w-1", "title": "T", "chat": {"history": history} | chat, "created_at": 1.7e9}


ASKED = {"id": "1", "parentId": None, "role": "user", "content": "Hello", "timestamp": 1.7e9}
REPLIED = {"id": "2", "parentId": "1", "role": "assistant", "content": "Hi", "timestamp": 1.7e9}
LIBRE = {"messageId": "1", "parentMessageId": "0-0", "text": "Hello", "isCreatedByUser": True}
ANSWER = {"messageId": "2", "parentMessageId": "1", "sender": "GPT", "text": "Hi"}
BOTH = [("u", "Hello"), ("a", "Hi")]
OTHERS: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "Open WebUI": (webui({"1": ASKED, "2": REPLIED}, "2"), BOTH),
    "Open WebUI as a list": (
        {"id": "w", "chat": {"messages": [ASKED, REPLIED]}}, BOTH,
    ),
    "LibreChat as a list": (
        {"conversationId": "l", "title": "T", "messages": [LIBRE, ANSWER]}, BOTH,
    ),
    "LibreChat as a tree": (
        {"conversationId": "l", "messages": [LIBRE | {"children": [ANSWER]}], "recursive": True},
        BOTH,
    ),
    "LibreChat without parents": (
        {
            "conversationId": "l",
            "messages": [
                {"sender": "User", "text": "Hello"},
                {"sender": "GPT", "content": [{"type": "think", "think": "Hm"},
                                              {"type": "text", "text": {"value": "Hi"}}]},
            ],
        },
        BOTH,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_of_other_assistants_what_was_said_is_read(name: str) -> None:
    item, expected = OTHERS[name]
    assert said(item) == expected


FACT = {"id": "m", "memory": "Lives in Lisbon", "created_at": "2024-03-14T10:00:00Z"}
MEMORIES: dict[str, tuple[bytes, str]] = {
    "mem0 as results": (as_json({"relations": [], "results": [FACT]}), "mem0"),
    "mem0 with a mark of the encoding": (b"\xef\xbb\xbf" + as_json([FACT]), "mem0"),
    "Open WebUI": (
        as_json([{"id": "m", "user_id": "u", "content": "Lives in Lisbon", "created_at": 1.71e9}]),
        "open_webui",
    ),
    "lines": (b"[2024-03-14] - Lives in Lisbon\n", "list"),
    "lines of a list under a heading": (b"# Memories\n\n- 2024-03-14: Lives in Lisbon", "list"),
}


@pytest.mark.parametrize("name", MEMORIES)
def test_memories_are_read_with_their_moments(name: str) -> None:
    data, source = MEMORIES[name]
    ((told, memory),) = read(data)
    assert isinstance(memory, ImportedMemory)
    assert (told, memory.text) == (source, "Lives in Lisbon")
    assert memory.said_at is not None
    assert (memory.said_at.year, memory.said_at.month) == (2024, 3)


def memories(item: Any) -> list[tuple[str, str]]:
    """What is read of memories, and where it is from; in brackets why one stays behind."""
    found = read(as_json(item))
    return [
        (source, f"[{item.reason}]" if isinstance(item, Skipped) else item.text)
        for source, item in found
        if isinstance(item, Skipped | ImportedMemory)
    ]


HUMAN_BLOCK = {
    "id": "block-0",
    "label": "human",
    "limit": 5000,
    "value": "Lives in Lisbon\n\n- Likes tea",
}
PERSONA_BLOCK = {"id": "block-1", "label": "persona", "limit": 5000, "value": "I am Sam."}
AGENT = {"name": "Sam", "block_ids": ["block-0", "block-1"], "messages": [{"role": "system"}]}
LISBON = [("letta", "Lives in Lisbon"), ("letta", "Likes tea")]
REMEMBERED = {"conversations_memory": "**Work context**\n\nAda keeps bees.", "account_uuid": "a"}
BLOCKS: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "an agent file of Letta": (
        {"agents": [AGENT], "groups": [], "blocks": [HUMAN_BLOCK], "tools": [{"id": "tool-0"}]},
        LISBON,
    ),
    "an agent file of Letta as it was before": (
        {"agent_type": "memgpt_agent", "core_memory": [HUMAN_BLOCK], "messages": [{"role": "x"}]},
        LISBON,
    ),
    "what the assistant is told of itself": (
        [PERSONA_BLOCK, HUMAN_BLOCK], [("letta", "[it’s about the assistant]"), *LISBON],
    ),
    "an empty block and a damaged one": (
        [HUMAN_BLOCK | {"value": ""}, HUMAN_BLOCK | {"value": None}, HUMAN_BLOCK],
        [("letta", "[it has no text]"), ("letta", "[it has no text]"), *LISBON],
    ),
    "what Claude remembers of all conversations": ([REMEMBERED], [("claude", "Ada keeps bees.")]),
    "what Claude remembers of projects": (
        [REMEMBERED | {"project_memories": {"p-1": "* Writes a book about figs.", "p-2": None}}],
        [("claude", "Ada keeps bees."), ("claude", "Writes a book about figs.")],
    ),
    "where Claude remembers nothing": (
        [{"conversations_memory": "", "project_memories": {}}, REMEMBERED],
        [("claude", "[it has no text]"), ("claude", "Ada keeps bees.")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BLOCKS)
def test_of_texts_about_their_owner_each_line_is_a_memory(name: str) -> None:
    item, expected = BLOCKS[name]
    assert memories(item) == expected


def activity(title: str, html: str | None = "<p>Hi &amp; <b>welcome</b></p>", **told: Any) -> Any:
    items = {} if html is None else {"safeHtmlItem": [{"html": html}]}
    return (
        {
            "header": "Gemini Apps",
            "title": title,
            "time": "2024-03-09T16:00:00.123Z",
            "products": ["Gemini Apps"],
            "activityControls": ["Gemini Apps Activity"],
        }
        | items
        | told
    )


ACTIVITIES: dict[str, tuple[Any, list[tuple[str, str]] | str]] = {
    "a prompt with its answer": (
        activity("Prompted Where is Lisbon?"),
        [("u", "Where is Lisbon?"), ("a", "Hi & welcome")],
    ),
    "a prompt without an answer": (activity("Prompted Hello", None), [("u", "Hello")]),
    "as it was called before": (
        activity("Asked Hello", header="Bard", products=["Bard"]),
        [("u", "Hello"), ("a", "Hi & welcome")],
    ),
    "in another language": (
        activity("Eingegebener Prompt: Hallo", header="Gemini-Apps", products=["Gemini-Apps"]),
        [("u", "Eingegebener Prompt: Hallo"), ("a", "Hi & welcome")],
    ),
    "feedback": (activity("Gave feedback: Good response", None), "it isn’t a message to Gemini"),
    "another product": (
        activity("Searched for figs", header="Search", products=["Search"]),
        "it’s from another product",
    ),
    "a damaged one": (activity("Prompted x", header=7, products=None), "it’s from another product"),
}  # fmt: skip


@pytest.mark.parametrize("name", ACTIVITIES)
def test_of_the_activity_with_gemini_prompts_and_answers_are_read(name: str) -> None:
    item, expected = ACTIVITIES[name]
    if isinstance(expected, str):
        ((source, found),) = read(as_json([item]))
        assert (source, found) == ("gemini", Skipped(expected))
    else:
        assert said(item) == expected


@pytest.mark.parametrize("opened", ["<!--", "<![CDATA["])
def test_hostile_html_is_read_in_one_pass(opened: str) -> None:
    """A parser that looks for the end of each of them would take half an hour."""
    answer = said(activity("Prompted Hello", opened * 200_000 + "<p>Hi"))[1][1]
    assert answer.endswith("\nHi")


def test_a_prompt_to_gemini_is_a_conversation_of_its_own() -> None:
    long = "word " * 40
    items = [activity(f"Prompted {long}"), activity("Prompted Hello", time="2024-03-10T08:00:00Z")]
    found = [item for _, item in read(as_json(items)) if isinstance(item, ImportedConversation)]
    assert [item.started_at.day for item in found if item.started_at] == [9, 10]
    assert len(found[0].title) < 70 < len(found[0].messages[0].content)
    assert len({item.source_id for item in found}) == 2


BROKEN = [None, 7, [], {}, chatgpt(mapping=[]), chatgpt(), chatgpt(node("a", None, "tool"))]


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("broken", BROKEN, ids=str)
def test_one_broken_conversation_never_costs_the_others(broken: Any, place: int) -> None:
    items = [SIMPLE, SIMPLE]
    items.insert(place, broken)
    found = [item for _, item in read(as_json(items))]
    assert isinstance(found.pop(place), Skipped)
    assert all(isinstance(item, ImportedConversation) for item in found)


def with_member(name: str, data: bytes) -> bytes:
    made = io.BytesIO(zipped(conversations=[SIMPLE]))
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return made.getvalue()


HOSTILE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "This file is empty."),
    "another file": (b"%PDF-1.7 \xff\xfe", "isn’t a JSON file"),
    "an unknown object": (as_json({"x": {"y": [1]}}), "don’t recognise what’s in"),
    "half a file": (as_json([SIMPLE, SIMPLE])[:-40], "incomplete or damaged"),
    "half a ZIP": (zipped(conversations=[SIMPLE])[:-40], "isn’t a ZIP file, or it is damaged"),
    "a ZIP of something else": (zipped(x={"y": 1}), "no conversations or memories in this ZIP"),
    "a way out": (with_member("../../etc/passwd", b"x"), "doesn’t belong in"),
    "a bomb": (with_member("zeros.json", b"0" * 20_000_000), "compressed too much"),
    "a deep one": (b"[" * 100_000, "nested too deeply"),
    "a deep one inside": (b'[{"mapping":' * 1_000, "nested too deeply"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_export_is_refused_in_one_sentence_that_says_what_to_do(name: str) -> None:
    data, expected = HOSTILE[name]
    with pytest.raises(NotAnImport, match=expected) as refused:
        read(data)
    assert "Choose" in str(refused.value) or "upload it unchanged" in str(refused.value)


def test_an_item_is_read_up_to_a_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_LONGEST", 100_000)
    short = [talk(str(number), "Hello " * 1_000) for number in range(50)]
    assert len(read(as_json(short))) == 50
    with pytest.raises(NotAnImport, match="longer than I can read"):
        read(as_json([talk("long", "Hello " * 100_000)]))
