#!/bin/sh
# The command line on the matches of the service, as its user and with its settings: /usr/local/bin/companion
set -eu
export COMPANION_INSTANCE=/var/lib/companion
# Line by line, as systemd reads it: to a shell, spaces and characters such as & and $ would mean something.
if [ -e /etc/companion.env ]; then
    while read -r line || [ -n "$line" ]; do
        case $line in
            '#'* | ';'*) continue ;;
            *=*) ;;
            *) continue ;;
        esac
        value=${line#*=}
        case $value in
            \"*\" | \'*\') value=${value#?} value=${value%?} ;;
        esac
        export "${line%%=*}=$value"
    done < /etc/companion.env
fi
exec runuser -u companion -- /opt/companion/.venv/bin/companion "$@"
