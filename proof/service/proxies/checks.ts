import { request } from "node:http";
import { Browser } from "test-kit/browser";
import { PASSWORD, pick, show } from "test-kit/load/visitor";
import { type Address, type HostAnswer, type Sent, send } from "./host-request.ts";
import { CUSTOM_DOMAIN, PLATFORM_HOST } from "./samples.ts";
import { ACME_HOST, someAddress, someName, type Tenants } from "./services.ts";

export type Proxied = { address: Address; httpPort: number; tenants: Tenants };

export type Check = { name: string; run: (proxied: Proxied) => Promise<string[]> };

const SIGN_IN = "/api/auth/tenant/sign-in/email";
const BODY_LIMIT = 1_048_576;

/** Signs a new user up at a host, from their own address. */
const signUp = async (address: Address, host: string): Promise<string> => {
	const email = `${someName()}@example.com`;
	const body = { name: "Ada", email, password: PASSWORD };
	const answer = await send(address, { host, path: "/api/auth/tenant/sign-up/email", body, from: someAddress() });
	if (answer.status !== 200) throw new Error(`no sign-up at ${host}: ${show(answer)}`);
	return email;
};

const signIn = (address: Address, email: string, sent: Partial<Sent> & { host: string }): Promise<HostAnswer> =>
	send(address, { path: SIGN_IN, body: { email, password: PASSWORD }, from: someAddress(), ...sent });

const tenantOf = (answer: HostAnswer): unknown => pick(answer.json, "user", "tenantId");

const tenantHosts: Check = {
	name: "sign-in on two tenant hosts",
	run: async ({ address, tenants }) => {
		const wrong: string[] = [];
		const browsers: Record<string, Browser> = {};
		for (const [host, tenant] of [
			[ACME_HOST, tenants.acme],
			[CUSTOM_DOMAIN, tenants.globex],
		] as const) {
			const browser = new Browser();
			const answer = await signIn(address, await signUp(address, host), { host, browser });
			if (answer.status !== 200 || tenantOf(answer) !== tenant) wrong.push(`sign-in at ${host}: ${show(answer)}`);
			if (!answer.setCookies.some((cookie) => /^__Secure-.*; Secure/i.test(cookie)))
				wrong.push(`the session cookie of ${host} is not secure`);
			if (!answer.headers.has("strict-transport-security")) wrong.push(`${host} does not require HTTPS`);
			const session = await send(address, { host, path: "/api/auth/get-session", browser });
			if (pick(session.json, "session", "tenantId") !== tenant) wrong.push(`no session at ${host}: ${show(session)}`);
			browsers[host] = browser;
		}
		// cookies of one tenant at the host of the other
		const path = "/api/auth/get-session";
		const stolen = await send(address, { host: CUSTOM_DOMAIN, path, browser: browsers[ACME_HOST] ?? new Browser() });
		if (pick(stolen.json, "session") !== undefined) wrong.push(`a session at another tenant's host: ${show(stolen)}`);
		return wrong;
	},
};

const callerAddress: Check = {
	name: "the caller's address",
	run: async ({ address }) => {
		const attempt = (from: string, headers: Record<string, string> = {}) =>
			signIn(address, `${someName()}@example.com`, { host: ACME_HOST, from, headers });
		const attacker = someAddress();
		const seen: number[] = [];
		for (let last = 1; last <= 10 && !seen.includes(429); last += 1) {
			const forged = `203.0.113.${last}`;
			const { status } = await attempt(attacker, {
				...{ "x-forwarded-for": forged, "x-real-ip": forged, forwarded: `for=${forged}`, "x-client-address": forged },
			});
			seen.push(status);
		}
		const { status: neighbor } = await attempt(someAddress());
		return [
			...(seen.includes(429) ? [] : [`forged addresses escape the rate limit: ${seen.join(", ")}`]),
			...(neighbor === 401 ? [] : [`another caller is limited too: ${neighbor}`]),
		];
	},
};

const forgedHost: Check = {
	name: "a forged host",
	run: async ({ address, tenants }) => {
		const email = await signUp(address, ACME_HOST);
		const headers = { "x-forwarded-host": CUSTOM_DOMAIN, "x-forwarded-proto": "http", "x-forwarded-port": "80" };
		const answer = await signIn(address, email, { host: ACME_HOST, headers });
		return answer.status === 200 && tenantOf(answer) === tenants.acme ? [] : [`X-Forwarded-Host: ${show(answer)}`];
	},
};

const forgedTenant: Check = {
	name: "a forged tenant header",
	run: async ({ address, tenants }) => {
		const email = await signUp(address, ACME_HOST);
		const answer = await signIn(address, email, {
			host: PLATFORM_HOST,
			body: { tenantId: tenants.acme, email, password: PASSWORD },
			headers: { "X-Gateway-Tenant": tenants.globex },
		});
		return answer.status === 200 && tenantOf(answer) === tenants.acme ? [] : [`X-Gateway-Tenant: ${show(answer)}`];
	},
};

const otherHosts: Check = {
	name: "hosts of nobody",
	run: async ({ address }) => {
		const path = "/api/auth/ok";
		const reached = (answer: HostAnswer): boolean => pick(answer.json, "ok") === true;
		const wrong: string[] = [];
		if (!reached(await send(address, { host: PLATFORM_HOST, path }))) wrong.push("the platform's host is not served");
		if (reached(await send(address, { host: "evil.example", path }))) wrong.push("another host is served");
		if (reached(await send(address, { host: PLATFORM_HOST, path, headers: { host: "evil.example" } })))
			wrong.push("another host is served below an own name in TLS");
		return wrong;
	},
};

const largeBodies: Check = {
	name: "large bodies",
	run: async ({ address }) => {
		const wrong: string[] = [];
		for (const chunked of [false, true]) {
			const body = JSON.stringify({ email: "x".repeat(BODY_LIMIT) });
			const { status } = await signIn(address, "", { host: ACME_HOST, body, chunked });
			if (status !== 413) wrong.push(`a body above the limit${chunked ? ", in chunks" : ""}: ${status}`);
		}
		const fits = await signIn(address, "", { host: ACME_HOST, body: { email: "x".repeat(BODY_LIMIT - 1_000) } });
		if (fits.status !== 400) wrong.push(`a body below the limit: ${show(fits)}`);
		return wrong;
	},
};

const privatePaths: Check = {
	name: "private paths and plain HTTP",
	run: async ({ address, httpPort }) => {
		const wrong: string[] = [];
		for (const path of ["/readyz", "/livez", "/metrics"]) {
			const { status } = await send(address, { host: PLATFORM_HOST, path });
			if (status !== 404) wrong.push(`${path} is public: ${status}`);
		}
		const { status, location } = await plain(httpPort, PLATFORM_HOST, "/api/auth/ok?a=1");
		if (status !== 308 || !/^https:\/\/auth\.example\.com(:\d+)?\/api\/auth\/ok\?a=1$/.test(location))
			wrong.push(`plain HTTP: ${status} ${location}`);
		return wrong;
	},
};

const plain = (port: number, host: string, path: string): Promise<{ status: number; location: string }> =>
	new Promise((resolve, reject) => {
		request({ host: "127.0.0.1", port, path, headers: { host } }, (incoming) => {
			incoming.resume();
			resolve({ status: incoming.statusCode ?? 0, location: incoming.headers.location ?? "" });
		})
			.on("error", reject)
			.end();
	});

/** What has to hold behind every proxy. */
export const CHECKS = [
	tenantHosts,
	callerAddress,
	forgedHost,
	forgedTenant,
	otherHosts,
	largeBodies,
	privatePaths,
] satisfies Check[];
