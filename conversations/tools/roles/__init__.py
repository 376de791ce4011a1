"""Tools for what the person works as: their personas, and the memory blocks that come with them."""

from conversations.tools.roles import memory_blocks, personas

TOOLS = (*personas.TOOLS, *memory_blocks.TOOLS)
