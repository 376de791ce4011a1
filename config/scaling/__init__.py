"""Past one server: big tables in partitions by owner, and the same tables distributed by Citus."""
