# What the public image does at the first start: a database with the owner and password of its settings.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  initdb --auth-host=scram-sha-256 --auth-local=trust --username="$POSTGRES_USER" --pwfile=/tmp/password > /dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -w -o "-c listen_addresses=''" start > /dev/null
  createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl -w -m fast stop > /dev/null
fi
exec postgres -c listen_addresses='*'
