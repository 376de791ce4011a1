#!/bin/sh
# The three roles and the database of docs/deploy.md, once, when the image of PostgreSQL makes its cluster.
set -eu
psql --set=ON_ERROR_STOP=1 --username=postgres --dbname=postgres \
    --set=owner="$OWNER_PASSWORD" --set=site="$SITE_PASSWORD" --set=backup="$BACKUP_PASSWORD" <<'SQL'
create role throughline_owner login password :'owner';
create role throughline login password :'site' nosuperuser nobypassrls;
create role throughline_backup login password :'backup' bypassrls;
grant pg_read_all_data to throughline_backup;
create database throughline owner throughline_owner;
\connect throughline
create extension vector;
revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
alter function ts_match_vq(tsvector, tsquery) leakproof;
SQL
