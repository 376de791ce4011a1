"""The processes of a copy: database, web server and worker, and what keeps them alive."""
