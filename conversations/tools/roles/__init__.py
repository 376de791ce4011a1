"""Tools for personas (what the user works as), and for the memory blocks of personas."""

from conversations.tools.roles import memory_blocks, personas

TOOLS = (*personas.TOOLS, *memory_blocks.TOOLS)
