#!/bin/sh
# Starts the program CHROMIUM with the session priority of the tests. Playwright gives the browser a session of its own, which would have
# the usual priority: it would wait for the workers it watches.
if [ -n "$SESSION_PRIORITY" ]; then
  # Raising it takes a privilege.
  { echo "$SESSION_PRIORITY" > /proc/self/autogroup; } 2> /dev/null
fi
exec "$CHROMIUM" "$@"
