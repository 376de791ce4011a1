"""The processes of an instance: database, web server and worker, and their supervisor."""
