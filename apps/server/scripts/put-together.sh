#!/usr/bin/env bash
# Puts together what the service needs at run time, and nothing else: put-together.sh FOLDER
# The package has to be built. The service then starts as `node FOLDER/apps/server/src/main.ts`.
set -euo pipefail
target="$1"
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

mkdir -p "$target/apps/server"
cp package.json pnpm-lock.yaml pnpm-workspace.yaml "$target/"
cp apps/server/package.json "$target/apps/server/"
(cd "$target" && pnpm install --frozen-lockfile --prod --filter server)

# the package as npm would install it, in place of a link to the checkout: it finds the service's own engine
installed="$target/apps/server/node_modules/better-auth-tenants"
rm -r "$installed"
mkdir "$installed"
cp -r package.json dist README.md LICENSE "$installed/"
cp -r apps/server/src "$target/apps/server/"
rm "$target/package.json" "$target/pnpm-lock.yaml" "$target/pnpm-workspace.yaml"
