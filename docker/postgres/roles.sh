#!/bin/sh
# Runs once, when the database's volume is empty: the owner of the tables, and the application's role, which owns nothing.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres \
    -v owner_password="$OWNER_PASSWORD" -v app_password="$APP_PASSWORD" <<'SQL'
CREATE ROLE nardy_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE nardy_app LOGIN PASSWORD :'app_password';
CREATE DATABASE nardy OWNER nardy_owner;
REVOKE CONNECT, TEMPORARY ON DATABASE nardy FROM PUBLIC;
GRANT CONNECT, TEMPORARY ON DATABASE nardy TO nardy_app;
SQL
