#!/usr/bin/env bash
# Puts together what the service needs at run time, and nothing else: put-together.sh FOLDER
# The service has to be built. It then starts as `node FOLDER/apps/server/dist/main.js`.
set -euo pipefail
target="$1"
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

mkdir -p "$target/apps/server"
cp package.json pnpm-lock.yaml pnpm-workspace.yaml "$target/"
cp apps/server/package.json "$target/apps/server/"
(cd "$target" && pnpm install --frozen-lockfile --prod --filter server)
cp -r apps/server/dist "$target/apps/server/"
rm "$target/package.json" "$target/pnpm-lock.yaml" "$target/pnpm-workspace.yaml"
