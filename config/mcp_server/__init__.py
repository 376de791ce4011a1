"""The MCP server; its tools call the REST API in the same process."""
