import { betterAuth } from "better-auth";
import { describe, expect, it } from "vitest";
import { createOriginCheck } from "../../src/http/origins.ts";

const PUBLIC = "https://auth.example.com";
const TRUSTED = ["https://app.example.com", "https://*.tenants.example.com", "http://*.local.test:8080"];

const ALLOWED = [
	PUBLIC,
	"https://app.example.com",
	"https://acme.tenants.example.com",
	"https://a.b.tenants.example.com",
	"http://acme.local.test:8080",
];
const FOREIGN = [
	"null",
	"",
	"*",
	"https://example.com",
	"http://app.example.com",
	"https://app.example.com:8443",
	"https://app.example.com.evil.test",
	"https://evil.test",
	"https://tenants.example.com",
	"https://eviltenants.example.com",
	"https://acme.tenants.example.com:444",
	"http://acme.tenants.example.com",
	"https://acme.tenants.example.com.evil.test",
	"https://evil.test/.tenants.example.com",
	"https://evil.test#.tenants.example.com",
	"https://evil.test?.tenants.example.com",
	"https://evil.test\\.tenants.example.com",
	"https://user@acme.tenants.example.com",
	"http://acme.local.test",
];

describe("origins", () => {
	const isTrusted = createOriginCheck([PUBLIC, ...TRUSTED]);

	it.each(ALLOWED)("%s may call", (origin) => expect(isTrusted(origin)).toBe(true));
	it.each(FOREIGN)("%j may not", (origin) => expect(isTrusted(origin)).toBe(false));

	it("trusts no origin that the engine does not trust", async () => {
		const auth = betterAuth({ baseURL: PUBLIC, trustedOrigins: TRUSTED, secret: "x".repeat(32) });
		const context = await auth.$context;
		for (const origin of [...ALLOWED, ...FOREIGN])
			if (isTrusted(origin)) expect(context.isTrustedOrigin(origin)).toBe(true);
	});
});
