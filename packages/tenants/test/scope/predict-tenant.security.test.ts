import { createAuthMiddleware } from "better-auth/api";
import { bearer, emailOTP } from "better-auth/plugins";
import fc from "fast-check";
import { createWorld, MANAGEMENT_KEY, ORIGIN } from "test-kit/world";
import { expect, it } from "vitest";
import { currentTenantId } from "../../src/index.ts";
import { readSentBody } from "../../src/resolve/sent-body.ts";
import { withTag } from "../../src/scope/pin/tag.ts";
import { predictTenantOf } from "../../src/scope/request/predict-tenant.ts";

/** At least one endpoint of each kind, by method. */
const PATHS: [method: "GET" | "POST", path: string][] = [
	["POST", "/sign-in/email"],
	["POST", "/tenant/sign-in/email"],
	["GET", "/ok"],
	["GET", "/get-session"],
	["POST", "/unlink-account"],
	["GET", "/list-sessions"],
	["POST", "/refresh-token"],
	["GET", "/verify-email"],
	["POST", "/reset-password"],
	["POST", "/email-otp/check-verification-otp"],
	["POST", "/send-verification-email"],
	["GET", "/tenant/list"],
	["POST", "/tenant/create"],
];

/** A world that reports the tenant of each request, with a session in each of two tenants. */
const createTelling = async () => {
	const pinned = new Map<string, string | null>();
	const telling = {
		id: "telling",
		hooks: {
			before: [
				{
					matcher: () => true,
					handler: createAuthMiddleware(async ({ headers }) => {
						pinned.set(headers?.get("x-number") ?? "", currentTenantId());
					}),
				},
			],
		},
	};
	const world = await createWorld({ plugins: [telling, bearer(), emailOTP({ sendVerificationOTP: async () => {} })] });
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const [ofA, ofB] = [await world.signUp(a, "ada@example.com"), await world.signUp(b, "ada@example.com")];
	const ofPlatform = await world.signUp(undefined, "ada@example.com");
	const tokenOf = ({ cookies }: typeof ofA) => decodeURIComponent(cookies.get("better-auth.session_token") ?? "");
	const forged = (tenant: string) => `better-auth.session_token=${withTag("made-up", tenant)}.signature`;

	let number = 0;
	/** The predicted tenant of a request, and the actual one. */
	const compare = async (
		path: string,
		init: RequestInit,
	): Promise<{ foreseen: string | null; actual?: string | null }> => {
		number += 1;
		const headers = new Headers({ origin: ORIGIN, ...(init.headers as Record<string, string>) });
		headers.set("x-number", String(number));
		const request = new Request(`${ORIGIN}/api/auth${path}`, { ...init, headers });
		const context = await world.auth.$context;
		const sent = await readSentBody(request);
		const [endpoint = ""] = path.split("?");
		const foreseen =
			sent && (await predictTenantOf({ context } as never)(context as never, { path: endpoint, request, ...sent }));
		await world.auth.handler(request);
		const actual = pinned.get(String(number));
		return { foreseen, ...(actual === undefined ? {} : { actual }) };
	};
	return {
		a,
		b,
		compare,
		cookies: [ofA, ofB, ofPlatform].map((one) => one.header()),
		forged,
		tokens: [ofA, ofB].map(tokenOf),
	};
};

const jsonOf = (body: unknown): { text: string; type: string } => ({
	text: JSON.stringify(body),
	type: "application/json",
});

// threat 78
it("predicts the tenant that Better Auth uses or none, for any request", async () => {
	const { a, b, compare, cookies, forged, tokens } = await createTelling();
	const tenant = fc.constantFrom(a, b);
	const bodies = fc.oneof(
		fc.constant(jsonOf({})),
		tenant.map((tenantId) => jsonOf({ tenantId })),
		tenant.map((tenantId) => jsonOf({ tenantId, token: withTag("made-up", b) })),
		fc.constant(jsonOf({ tenantId: [a, b] })),
		fc.constant(jsonOf([{ tenantId: a }])),
		fc.constant(jsonOf({ tenantId: a, more: "x".repeat(9_000) })),
		tenant.map((id) => ({
			text: `{"tenantId":"${a}","\\u0074enantId":"${id}"}`,
			type: "Application/JSON; charset=utf-8",
		})),
		tenant.map((id) => ({ text: `\uFEFF{"tenantId":"${id}"}`, type: "application/problem+json" })),
		tenant.map((id) => ({ text: `tenantId=${a}&tenantId=${id}`, type: "application/x-www-form-urlencoded" })),
		tenant.map((id) => ({ text: `{"tenantId":"${id}"}`, type: "text/plain" })),
		fc.constant({ text: "{", type: "application/json" }),
	);
	const queries = fc.oneof(
		fc.constant(""),
		tenant.map((id) => `tenantId=${id}`),
		tenant.map((id) => `tenantId=${a}&tenantId=${id}`),
		tenant.map((id) => `tenant%49d=${id}`),
		tenant.map((id) => `token=${withTag("made-up", id)}`),
		fc.constant("tenantId="),
	);
	const header = fc.option(fc.oneof(tenant, fc.constant("made-up"), fc.constant(`${a}, ${b}`)), { nil: undefined });
	const cookie = fc.option(fc.constantFrom(...cookies, forged(a), forged(b), `x=1; ${cookies[1]}; ${cookies[0]}`), {
		nil: undefined,
	});
	const bearerToken = fc.option(fc.constantFrom(...tokens, MANAGEMENT_KEY, withTag("made-up", b)), { nil: undefined });
	let told = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.record({ endpoint: fc.constantFrom(...PATHS), body: bodies, query: queries, header, cookie, bearerToken }),
			async ({ endpoint: [method, path], body, query, header, cookie, bearerToken }) => {
				const headers = {
					...(header === undefined ? {} : { "x-tenant-id": header }),
					...(cookie === undefined ? {} : { cookie }),
					...(bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` }),
				};
				const length = { "content-length": String(Buffer.byteLength(body.text)) };
				const { foreseen, actual } = await compare(
					`${path}?${query}`,
					method === "GET"
						? { headers }
						: { method, headers: { ...headers, ...length, "content-type": body.type }, body: body.text },
				);
				if (foreseen === null || actual === undefined) return;
				told += 1;
				expect(foreseen).toBe(actual);
			},
		),
		{ numRuns: 600 },
	);
	// it must predict some
	expect(told).toBeGreaterThan(90);
});

it("predicts the tenant of a hint and of a session, and none if it takes a lookup", async () => {
	const { a, b, compare, cookies } = await createTelling();
	const body = JSON.stringify({ tenantId: b });
	const post = {
		method: "POST",
		body,
		headers: { "content-type": "application/json", "content-length": String(body.length) },
	};
	expect(await compare("/get-session", { headers: { "x-tenant-id": a } })).toEqual({ foreseen: a, actual: a });
	expect(await compare("/get-session", { headers: { cookie: cookies[1] ?? "" } })).toEqual({ foreseen: b, actual: b });
	expect(await compare(`/sign-in/email?tenantId=${a}`, post)).toEqual({ foreseen: b, actual: b });
	expect(await compare("/ok", { headers: { cookie: cookies[1] ?? "" } })).toEqual({
		foreseen: "platform",
		actual: "platform",
	});
	// a lookup of the session decides between two tenants
	expect(await compare("/list-sessions", { headers: { cookie: cookies[1] ?? "", "x-tenant-id": a } })).toEqual({
		foreseen: null,
	});
});
