import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Certificates } from "test-kit/certificates";
import { startChild } from "test-kit/servers/child";
import { freePort } from "test-kit/servers/free-port";
import { type Address, send } from "./host-request.ts";
import type { Kind, Places } from "./kinds.ts";
import { type Change, changedSample, PLATFORM_HOST } from "./samples.ts";

const execute = promisify(execFile);

type ProxyWith = { services: Places["services"]; certificates: Certificates; weakened?: readonly Change[] };

/** Starts a proxy with its sample, in front of these processes. */
export const startProxy = async (kind: Kind, { services, certificates, weakened = [] }: ProxyWith) => {
	const folder = await mkdtemp(join(tmpdir(), "proxy-"));
	const places: Places = { folder, https: await freePort(), http: await freePort(), services };
	for (const [name, content] of Object.entries(kind.files(certificates))) {
		await mkdir(dirname(join(folder, name)), { recursive: true });
		await writeFile(join(folder, name), content, { mode: 0o600 });
	}
	const file = join(folder, kind.sample);
	await writeFile(file, await changedSample(kind.sample, [...weakened, ...kind.changes(places)]));
	const [program, ...args] = kind.command(file, places);
	const child = startChild(program, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } });
	const address: Address = { port: places.https, ca: certificates.ca };
	const close = async (): Promise<void> => {
		// not SIGKILL, which would leave the workers of nginx behind
		await child.end("SIGTERM");
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await child.until(async () => (await send(address, { host: PLATFORM_HOST, path: "/api/auth/ok" })).status === 200);
	} catch (error) {
		await close();
		throw error;
	}
	return { address, httpPort: places.http, lines: child.lines, close };
};

/** Its version, as it says it. */
export const versionOf = async ({ version: [program, ...args] }: Kind): Promise<string> => {
	const { stdout, stderr } = await execute(program, args);
	return /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0] ?? "unknown";
};
