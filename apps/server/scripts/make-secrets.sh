#!/usr/bin/env bash
# Creates the secrets that compose.yaml mounts: make-secrets.sh [DIRECTORY]. Existing files are kept.
#
# Compose mounts each file with its owner and mode, and the containers run as different users, so the files are readable for all. The
# directory is not: on this machine, only you can reach them.
set -euo pipefail
directory="${1:-$(dirname "${BASH_SOURCE[0]}")/../secrets}"
mkdir -p "$directory"
chmod 700 "$directory"
cd "$directory"

# keep NAME: writes its input, unless there is such a file already
keep() {
	# reads its input in any case: a writer without a reader fails
	if [[ -e "$1" ]]; then cat >/dev/null; else cat >"$1"; fi
	chmod 444 "$1"
}
for name in auth-secret management-key postgres-password redis-password; do openssl rand -hex 32 | keep "$name"; done
printf 'postgres://auth:%s@postgres:5432/auth\n' "$(<postgres-password)" | keep database-url
printf 'requirepass %s\n' "$(<redis-password)" | keep redis-config
