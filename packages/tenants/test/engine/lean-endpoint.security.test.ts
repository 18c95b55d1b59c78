import { optionsMiddleware } from "@better-auth/core/api";
import { formCsrfMiddleware, signInEmail } from "better-auth/api";
import type { Middleware } from "better-call";
import { createWorld, ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { leanEndpoint } from "../../src/engine/lean-endpoint.ts";

const ORIGINS = [
	undefined,
	ORIGIN,
	"null",
	"",
	"https://evil.example",
	`${ORIGIN}.evil.example`,
	"https://sub.acme.test",
];
const SITES = [undefined, "same-origin", "same-site", "cross-site", "none", " "];
const MODES = [undefined, "navigate", "cors", "same-origin", " "];
const COOKIES = [undefined, "better-auth.session_token=x"];
const REFERERS = [undefined, `${ORIGIN}/form`, "https://evil.example/form"];

/** Every combination of the headers that tell where a form comes from. */
const HEADERS = ORIGINS.flatMap((origin) =>
	SITES.flatMap((site) =>
		MODES.flatMap((mode) =>
			COOKIES.flatMap((cookie) =>
				REFERERS.map((referer) =>
					Object.fromEntries(
						Object.entries({ origin, "sec-fetch-site": site, "sec-fetch-mode": mode, cookie, referer }).filter(
							(entry): entry is [string, string] => entry[1] !== undefined,
						),
					),
				),
			),
		),
	),
);

const outcomeOf = async (middleware: Middleware, context: object, headers: Record<string, string>): Promise<string> => {
	const request = new Request(`${ORIGIN}/api/auth/sign-in/email`, { method: "POST", headers });
	const input = { request, headers: request.headers, context, path: "/sign-in/email", method: "POST" };
	try {
		await middleware({ ...input, returnHeaders: true, asResponse: false } as never);
		return "accepted";
	} catch (error) {
		return (error as { body?: { code?: string } }).body?.code ?? String(error);
	}
};

// threat 51
describe("a lean endpoint", () => {
	it("accepts and rejects the same requests as Better Auth's check of forms", async () => {
		const { auth } = await createWorld({
			engine: {
				trustedOrigins: ["https://*.acme.test"],
				advanced: { disableOriginCheck: false, disableCSRFCheck: false },
			},
		});
		const context = await auth.$context;
		const lean = leanEndpoint(signInEmail()).options.use ?? [];
		expect(lean).toHaveLength(1);
		const seen = new Map<string, number>();
		for (const headers of HEADERS) {
			const expected = await outcomeOf(formCsrfMiddleware, context, headers);
			expect([headers, await outcomeOf(lean[0] as Middleware, context, headers)]).toEqual([headers, expected]);
			seen.set(expected, (seen.get(expected) ?? 0) + 1);
		}
		expect([...seen.keys()].toSorted()).toEqual([
			"CROSS_SITE_NAVIGATION_LOGIN_BLOCKED",
			"INVALID_ORIGIN",
			"MISSING_OR_NULL_ORIGIN",
			"accepted",
		]);
	});

	it("leaves out only a middleware that does nothing", async () => {
		expect(signInEmail().options.use).toEqual([formCsrfMiddleware, optionsMiddleware]);
		expect(await optionsMiddleware({} as never)).toEqual({});
	});

	it("leaves other endpoints as they are", () => {
		leanEndpoint(signInEmail());
		expect(signInEmail().options.use).toEqual([formCsrfMiddleware, optionsMiddleware]);
	});
});
