import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChild } from "test-kit/servers/child";
import type { Environment } from "test-kit/service/service";
import type { Image } from "./builder.ts";

/** As in kubernetes.yaml. */
const MEMORY = 512 * 1024 * 1024;

/** The memory that a group of processes may use. Null if this machine cannot limit it. */
const limitMemory = () => {
	const name = `tenants-image-${process.pid}`;
	const kinds = [
		{ folder: join("/sys/fs/cgroup/memory", name), limit: "memory.limit_in_bytes", peak: "memory.max_usage_in_bytes" },
		{ folder: join("/sys/fs/cgroup", name), limit: "memory.max", peak: "memory.peak" },
	];
	for (const { folder, limit, peak } of kinds) {
		try {
			mkdirSync(folder);
			writeFileSync(join(folder, limit), String(MEMORY));
			return {
				join: `echo $$ > ${join(folder, "cgroup.procs")}`,
				peak: (): number => Number(readFileSync(join(folder, peak), "utf8")),
				close: (): void => rmdirSync(folder),
			};
		} catch {
			// the other kind, or none
		}
	}
	return null;
};

/** Reads nothing but its arguments: a path is never part of a script. */
const ENTER = `set -eu
root="$1"; user="$2"; folder="$3"; shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \\
	sh -c 'cd "$1"; shift; exec "$@"' enter "$folder" "$@"`;

/**
 * Runs programs of an image as an orchestrator would: its own root directory, read-only, without capabilities, as its user and with
 * 512 MiB. The network is that of the machine.
 */
export const contain = (image: Image, environment: Environment) => {
	const memory = limitMemory();
	const user = image.User.split(":")[0] ?? image.User;
	const own = Object.fromEntries(
		image.Env.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
	);
	const start = (program: string[]) =>
		startChild(
			"unshare",
			[
				...["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", `${memory?.join ?? ":"}\n${ENTER}`, "contained"],
				...[image.root, user, image.WorkingDir, ...program],
			],
			{ env: { PATH: process.env.PATH, ...own, ...environment } },
		);
	return {
		start,
		/** The image's own entry point. `stop` asks it to end, as an orchestrator does: `unshare` keeps a signal to itself. */
		serve: () => {
			const child = start([...image.Entrypoint, ...image.Cmd]);
			const stop = async (): Promise<number | null> => {
				const [inside] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
				process.kill(Number(inside), "SIGTERM");
				return child.exited;
			};
			return { ...child, stop };
		},
		/** Runs a program to its end. */
		run: async (program: string[]): Promise<{ code: number | null; text: string }> => {
			const child = start(program);
			const code = await child.exited;
			return { code, text: child.lines.join("\n") };
		},
		command: (...args: string[]): string[] => [...image.Entrypoint, ...args],
		/** bytes; null if this machine cannot limit memory */
		peak: (): number | null => memory?.peak() ?? null,
		close: (): void => memory?.close(),
	};
};
