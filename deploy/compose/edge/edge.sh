# Runs HAProxy. Adds TURN when Caddy has got its certificate, and loads each renewed one; open connections go on.
set -eu

run=/run/troupe
mkdir -p "$run/conf.d" "$run/certificate"
cp /etc/troupe/common.cfg "$run/conf.d/"

# The newest certificate: a changed authority leaves the old one behind.
certificate() {
  ls -t /caddy/caddy/certificates/*/"$TURN_DOMAIN/$TURN_DOMAIN.crt" 2> /dev/null | head -n 1
}

# Copies the certificate if it differs from the one in use. The key is written first by Caddy.
renew() {
  found=$(certificate)
  [ -n "$found" ] && [ -s "${found%.crt}.key" ] || return 1
  cmp -s "$found" "$run/certificate/turn.crt" && return 1
  cp "${found%.crt}.key" "$run/certificate/turn.key"
  cp "$found" "$run/certificate/turn.crt"
  cp /etc/troupe/turn.cfg "$run/conf.d/"
}

renew || echo "no certificate of $TURN_DOMAIN yet: TURN over TLS waits for it"
haproxy -W -db -f "$run/conf.d" &
proxy=$!
trap 'kill -TERM "$proxy"' TERM INT

while kill -0 "$proxy" 2> /dev/null; do
  # In the background, so that a signal ends it.
  sleep 5 &
  wait $! || true
  if renew; then
    echo "using a new certificate of $TURN_DOMAIN"
    kill -USR2 "$proxy"
  fi
done
wait "$proxy"
