#!/usr/bin/env bash
# Collects only what the server needs at run time: put-together.sh DIRECTORY
# Build the server first. Start it with `node DIRECTORY/apps/server/dist/main.js`.
set -euo pipefail
target="$1"
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

mkdir -p "$target/apps/server"
cp package.json pnpm-lock.yaml "$target/"
# native parts for every image that this may be copied into, wherever it is put together
{
	cat pnpm-workspace.yaml
	printf 'supportedArchitectures:\n  os: [linux]\n  cpu: [x64, arm64]\n  libc: [glibc, musl]\n'
} >"$target/pnpm-workspace.yaml"
cp apps/server/package.json "$target/apps/server/"
(cd "$target" && pnpm install --frozen-lockfile --prod --filter server)
cp -r apps/server/dist "$target/apps/server/"
rm "$target/package.json" "$target/pnpm-lock.yaml" "$target/pnpm-workspace.yaml"
node apps/server/scripts/write-sbom.ts "$target"
