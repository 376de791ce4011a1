"""The server of the Model Context Protocol: its tools call the REST API in the same process."""
