#!/bin/sh
# The command line on the matches of the service, as its user and with its settings: /usr/local/bin/companion
set -eu
set -a
COMPANION_INSTANCE=/var/lib/companion
if [ -e /etc/companion.env ]; then . /etc/companion.env; fi
set +a
exec runuser -u companion -- /opt/companion/.venv/bin/companion "$@"
