# Copies the records every BACKUP_HOURS and keeps the last BACKUPS_KEPT copies. Touches `last` after each complete copy.
set -eu
cd /app
trap 'exit 0' TERM INT

while :; do
  name=$(date -u +%Y-%m-%dT%H%M%SZ)
  if node --disable-warning=ExperimentalWarning src/start/commands/backup.ts "/data/$name.part"; then
    mv "/data/$name.part" "/data/$name"
    touch /data/last
    # Names sort by time.
    ls -d /data/20*Z | head -n "-$BACKUPS_KEPT" | while read -r old; do rm -rf "$old"; done
    echo "backup $name is complete"
  else
    echo "backup $name failed; the last one is $(ls -d /data/20*Z 2> /dev/null | tail -n 1)" >&2
  fi
  rm -rf /data/*.part
  sleep "$((BACKUP_HOURS * 3600))" &
  wait $!
done
