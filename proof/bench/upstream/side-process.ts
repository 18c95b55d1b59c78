import { pathToFileURL } from "node:url";
import type { BetterAuthOptions } from "better-auth";
import Database from "better-sqlite3";
import { Browser } from "test-kit/browser";
import { cheapHash } from "test-kit/cheap-hash";
import type { EngineCopy } from "./engine-copy.ts";
import { FLOWS, type FlowName, PASSWORD, type Stage } from "./flows.ts";
import { SETUPS, type Setup, type SetupName } from "./setups.ts";

// One copy of Better Auth in a process of its own: it spends nobody else's processor time.

export type Started = { endpoints: number };
export type Volley = { flow: FlowName; first: number; count: number; parallel: number };
/** microseconds of processor time per request */
export type Spent = { cpu: number };

const USERS = 50;
const [entry = "", setupName = "fixed"] = process.argv.slice(2);
const setup: Setup = SETUPS[setupName as SetupName];
const copy: EngineCopy = await import(pathToFileURL(entry).href);

const options: BetterAuthOptions = {
	database: new Database(":memory:"),
	baseURL: setup.baseURL,
	secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
	rateLimit: { enabled: false },
	logger: { level: "error" },
	emailAndPassword: { enabled: true, password: cheapHash },
	socialProviders: { gitlab: { issuer: "http://127.0.0.1:9", clientId: "bench", clientSecret: "bench-secret" } },
	plugins: setup.plugins(copy.plugins),
};
await (await copy.getMigrations(options)).runMigrations();
const auth = copy.betterAuth(options);

/** The response to the n-th request; throws unless it succeeds. */
const call: Stage["call"] = async (number, path, { body, browser } = {}) => {
	const origin = `http://${setup.hostOf(number)}`;
	const headers: Record<string, string> = { origin };
	if (body !== undefined) headers["content-type"] = "application/json";
	if (browser) headers.cookie = browser.header();
	const response = await auth.handler(
		new Request(`${origin}/api/auth${path}`, {
			method: body === undefined ? "GET" : "POST",
			headers,
			body: body === undefined ? null : JSON.stringify(body),
		}),
	);
	const text = await response.text();
	if (response.status >= 400) throw new Error(`${path} returned ${response.status} ${text}`);
	browser?.take(response);
	return text;
};

const users: Stage["users"] = [];
for (let number = 0; number < USERS; number += 1) {
	const browser = new Browser();
	const email = `user-${number}@example.com`;
	await call(number, "/sign-up/email", { browser, body: { name: "Ada", email, password: PASSWORD } });
	users.push({ email, browser });
}

const send = async ({ flow, first, count, parallel }: Volley): Promise<Spent> => {
	const act = FLOWS[flow];
	let next = first;
	// of this thread: the compiler's threads are busy at the start only
	const before = process.threadCpuUsage();
	await Promise.all(
		Array.from({ length: parallel }, async () => {
			while (next < first + count) await act({ call, users }, next++);
		}),
	);
	const { user, system } = process.threadCpuUsage(before);
	return { cpu: (user + system) / count };
};

process.on("message", (volley: Volley) => {
	send(volley).then(
		(spent) => process.send?.(spent),
		(error: unknown) => {
			console.error(error);
			process.exit(1);
		},
	);
});
process.send?.({ endpoints: Object.keys(auth.api).length } satisfies Started);
