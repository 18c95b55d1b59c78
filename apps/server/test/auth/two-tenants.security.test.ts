import { linkIn } from "test-kit/servers/smtp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInRequest } from "../../src/lib/request-context.ts";
import { makeHostWorld } from "./host-world.ts";
import { cookieHeader, PASSWORD, type Process } from "./world.ts";

const EVIL_HOST = "login.globex.com";
const VICTIM = "victim@example.com";
const KEY = "a-management-key-for-tests-of-hosts-only";

let service: Awaited<ReturnType<typeof makeHostWorld>>;
let smtp: typeof service.smtp;
let world: typeof service.world;
beforeAll(async () => {
	service = await makeHostWorld(
		{ TENANT_RESOLVER: "path,header,custom-domain,subdomain", MANAGEMENT_KEYS: KEY },
		({ acme, globex }) => ({ [EVIL_HOST]: globex.id, "acme.app.example.com": acme.id }),
	);
	({ smtp, world } = service);
	const { acme } = world;
	for (const email of [VICTIM, "proven@example.com"]) {
		const { cookies } = await world.signUp(acme.id, email);
		const { pathname, search } = new URL(linkIn(await smtp.mailTo(email)));
		const headers = { cookie: cookieHeader(cookies) };
		expect((await world.call(`${pathname}${search}`, { headers })).status).toBe(302);
	}
}, 60_000);
afterAll(() => service.close());

const atPath = <Result>(tenantSlug: string | null, work: () => Result): Result =>
	runInRequest({ requestId: "1", tenantSlug, tenantId: null, provider: null }, work);
const reset = (process: Process, host: string, headers: Record<string, string> = {}, more = {}) =>
	process.call("/request-password-reset", { host, headers, body: { email: VICTIM, redirectTo: "/new", ...more } });
const resets = () => smtp.mails.filter((mail) => mail.subject?.includes("Reset")).length;

describe("a request that names two tenants", () => {
	it.each(["path,custom-domain", "custom-domain,path", "subdomain,path,custom-domain"])(
		"is refused with %s, and mails no link to another tenant's host",
		async (TENANT_RESOLVER) => {
			const process = world.open({ TENANT_RESOLVER });
			const before = resets();
			const answer = await atPath("acme", () => reset(process, EVIL_HOST));
			expect([answer.status, answer.json.code]).toEqual([409, "TENANT_SCOPE_CONFLICT"]);
			// naming the same tenant twice is fine, and the mail links to the public URL or to the tenant's host
			expect((await atPath("acme", () => reset(process, "auth.example.com"))).status).toBe(200);
			await expect.poll(resets).toBe(before + 1);
			for (const mail of smtp.mails) expect(mail.raw).not.toContain(EVIL_HOST);
		},
	);

	it("is refused if any of path, host and the gateway's header disagree", async () => {
		const gateway = (id: string) => ({ "x-gateway-tenant": id });
		const { acme, globex } = world;
		const answers = [
			await reset(world, EVIL_HOST, gateway(acme.id)),
			await reset(world, "globex.app.example.com", gateway(acme.id)),
			await atPath("acme", () => reset(world, "auth.example.com", gateway(globex.id))),
			await atPath("acme", () => reset(world, "globex.app.example.com")),
		];
		for (const { status, json } of answers) expect([status, json.code]).toEqual([409, "TENANT_SCOPE_CONFLICT"]);
		const agreed = await atPath("acme", () => reset(world, "acme.app.example.com", gateway(acme.id)));
		expect(agreed.status).toBe(200);
		await expect.poll(() => smtp.mails.some((mail) => mail.raw.includes("https://acme.app.example.com"))).toBe(true);
	});

	it("belongs to its host's tenant even if body, query or header name another", async () => {
		const { acme } = world;
		const before = resets();
		expect((await reset(world, EVIL_HOST, { "x-tenant-id": acme.id }, { tenantId: acme.id })).status).toBe(200);
		// globex has no such user
		expect(resets()).toBe(before);
	});
});

describe("a tenant's host", () => {
	const signIn = async () => {
		const body = { email: "proven@example.com", password: PASSWORD };
		const { cookies } = await world.call("/tenant/sign-in/email", { tenant: world.acme.id, body });
		return cookieHeader(cookies);
	};

	it("rejects a session of another tenant, on user and management endpoints", async () => {
		const headers = { cookie: await signIn(), origin: `https://${EVIL_HOST}` };
		const member = await world.call("/list-sessions", { host: EVIL_HOST, headers });
		expect([member.status, member.json.code]).toEqual([403, "SESSION_TENANT_MISMATCH"]);
		const management = await world.call("/tenant/list", { host: EVIL_HOST, headers });
		expect([management.status, management.json.code]).toEqual([403, "TENANT_HOST_MISMATCH"]);
		const withKey = await world.call("/tenant/list", { host: EVIL_HOST, headers: { authorization: `Bearer ${KEY}` } });
		expect(withKey.status).toBe(200);
	});

	it("rejects a provider's callback for another tenant's sign-in", async () => {
		const begun = await world.call("/tenant/sign-in/social", {
			tenant: world.acme.id,
			body: { provider: "gitlab", callbackURL: "/home" },
		});
		const state = new URL(String(begun.json.url)).searchParams.get("state") ?? "";
		const query = new URLSearchParams({ code: "code", state });
		const ended = await world.call(`/tenant/callback/gitlab?${query}`, {
			host: EVIL_HOST,
			headers: { cookie: cookieHeader(begun.cookies) },
		});
		expect([ended.status, ended.json.code]).toEqual([403, "TENANT_HOST_MISMATCH"]);
		expect(ended.cookies.join()).not.toContain("session_token");
	});

	it("serves no platform request", async () => {
		const lost = await world.call("/callback/gitlab?code=code&state=made-up", { host: EVIL_HOST });
		expect([lost.status, lost.json.code]).toEqual([403, "TENANT_HOST_MISMATCH"]);
	});
});

it("refuses every unassigned host below the tenants' domain, also for management", async () => {
	const headers = { authorization: `Bearer ${KEY}` };
	for (const host of ["nobody", "x.acme", "acme.x", "a_b", "-"].map((label) => `${label}.app.example.com`))
		for (const path of ["/ok", "/tenant/list", "/get-session", "/callback/gitlab?state=x&code=y"]) {
			const { status, json } = await world.call(path, { host, headers });
			expect([host, path, status, json.code]).toEqual([host, path, 404, "TENANT_NOT_FOUND"]);
		}
	expect((await world.call("/tenant/list", { host: "app.example.com", headers })).status).toBe(200);
});
