import { afterEach, expect, it } from "vitest";
import { EVERY_PLUGIN } from "../support/every-plugin.ts";
import { makeWorld, PASSWORD } from "./world.ts";

/** Nothing listens there: no test here gets as far as sending a mail. */
const MAIL = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "Test <test@example.com>" };

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});
/** Windows so long that a slow machine stays within one. */
const LIMITED = {
	RATE_LIMIT: "true",
	RATE_LIMIT_WINDOW: "600",
	RATE_LIMIT_MAX: "4",
	SIGN_IN_RATE_LIMIT_WINDOW: "600",
	MAIL_RATE_LIMIT_WINDOW: "600",
};
const limitedWorld = async (environment = {}) => {
	const world = await makeWorld({ ...LIMITED, ...environment });
	closers.push(world.close);
	return world;
};
/** Each test uses its own address, because counts without Redis are kept for the whole process. */
let callers = 0;
const caller = () => {
	callers += 1;
	return { "x-client-address": `198.51.${100 + (callers >> 8)}.${callers & 255}` };
};

it("shares counts between processes through Redis", async () => {
	const world = await limitedWorld({ REDIS_URL: "redis://127.0.0.1:6379" });
	const processes = [world, world.open(), world.open()];
	const headers = caller();
	const statuses = [];
	for (let count = 0; count < 6; count += 1) {
		const process = processes[count % processes.length] ?? world;
		statuses.push((await process.call("/ok", { headers })).status);
	}
	expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
	// another caller is not limited
	expect((await world.call("/ok", { headers: caller() })).status).toBe(200);
});

it("counts by address and path over all tenants, so a header does not buy more attempts", async () => {
	const world = await limitedWorld({ REDIS_URL: "redis://127.0.0.1:6379", SIGN_IN_RATE_LIMIT_MAX: "3" });
	const headers = caller();
	const body = { email: "ada@example.com", password: PASSWORD };
	const statuses = [];
	for (const tenant of [world.acme.id, world.globex.id, world.acme.id, world.globex.id, world.acme.id])
		statuses.push((await world.call("/tenant/sign-in/email", { tenant, headers, body })).status);
	expect(statuses).toEqual([401, 401, 401, 429, 429]);
});

it("counts in the process without Redis", async () => {
	const world = await limitedWorld();
	const headers = caller();
	const statuses = [];
	for (let count = 0; count < 5; count += 1) statuses.push((await world.call("/ok", { headers })).status);
	expect(statuses).toEqual([200, 200, 200, 200, 429]);
});

it("does not limit if limits are turned off", async () => {
	const world = await limitedWorld({ RATE_LIMIT: "false" });
	const headers = caller();
	for (let count = 0; count < 8; count += 1) expect((await world.call("/ok", { headers })).status).toBe(200);
});

it("has a rule for each endpoint that Better Auth limits more strictly", async () => {
	const world = await limitedWorld({ RATE_LIMIT_MAX: "100", ...EVERY_PLUGIN, ...MAIL });
	const refused = new Set<string>();
	for (const { path, method } of endpointsOf(world.auth.api)) {
		// paths can share a count
		const headers = caller();
		// none of Better Auth's own rules allows more than five
		for (let count = 0; count < 6; count += 1)
			if ((await world.call(path, { method, headers, ...(method === "POST" ? { body: {} } : {}) })).status === 429)
				refused.add(path);
	}
	// closed here, so its limit harms nobody
	expect([...refused]).toEqual(["/oauth2/register"]);
});

/** Endpoints that anybody can call, without those whose path has parameters. */
const endpointsOf = (api: object): { path: string; method: string }[] =>
	Object.values(api).flatMap(({ path, options }) => {
		const [method] = [options?.method ?? []].flat();
		const isPublic = typeof path === "string" && !path.includes(":") && !options?.metadata?.SERVER_ONLY;
		return isPublic && (method === "GET" || method === "POST") ? [{ path, method }] : [];
	});
