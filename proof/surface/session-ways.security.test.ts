import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { endpointOf } from "better-auth-tenants/src/endpoints/endpoints.ts";
import { isEngineFrom } from "test-kit/engine-version";
import { expect, it } from "vitest";

/** Calls that create a session: directly, or for the user of a provider. */
const CREATES = /\.createSession\(|(?<!function )\bhandleOAuthUserInfo\(/g;

type Way = { calls: number; paths: string[] };

/** Where the engine and its plugins create sessions, and at which endpoints. */
const WAYS: Record<string, Way> = {
	"better-auth/api/routes/callback.mjs": { calls: 1, paths: ["/callback/:id"] },
	// before 1.7.18, links that change an email sign in, too
	"better-auth/api/routes/email-verification.mjs": { calls: isEngineFrom(18) ? 1 : 3, paths: ["/verify-email"] },
	"better-auth/api/routes/sign-in.mjs": { calls: 2, paths: ["/sign-in/social", "/sign-in/email"] },
	"better-auth/api/routes/sign-up.mjs": { calls: 1, paths: ["/sign-up/email"] },
	"better-auth/api/routes/update-user.mjs": { calls: 1, paths: ["/change-password"] },
	// called by the others
	"better-auth/oauth2/link-account.mjs": { calls: 1, paths: [] },
	"better-auth/plugins/admin/routes.mjs": { calls: 1, paths: ["/admin/impersonate-user"] },
	"better-auth/plugins/anonymous/index.mjs": { calls: 1, paths: ["/sign-in/anonymous"] },
	"better-auth/plugins/device-authorization/routes.mjs": { calls: 1, paths: ["/device/token"] },
	"better-auth/plugins/email-otp/routes.mjs": { calls: 3, paths: ["/email-otp/verify-email", "/sign-in/email-otp"] },
	"better-auth/plugins/magic-link/index.mjs": { calls: 1, paths: ["/magic-link/verify"] },
	"better-auth/plugins/oauth-proxy/index.mjs": { calls: 1, paths: ["/oauth-proxy-callback"] },
	"better-auth/plugins/one-tap/index.mjs": { calls: 1, paths: ["/one-tap/callback"] },
	"better-auth/plugins/phone-number/routes.mjs": { calls: 2, paths: ["/sign-in/phone-number", "/phone-number/verify"] },
	"better-auth/plugins/siwe/index.mjs": { calls: 1, paths: ["/siwe/verify"] },
	// has no endpoints, so nothing names the method
	"better-auth/plugins/test-utils/auth-helpers.mjs": { calls: 1, paths: [] },
	"better-auth/plugins/two-factor/index.mjs": { calls: 3, paths: ["/two-factor/enable", "/two-factor/disable"] },
	"better-auth/plugins/two-factor/otp/index.mjs": { calls: 1, paths: ["/two-factor/verify-otp"] },
	"better-auth/plugins/two-factor/totp/index.mjs": { calls: 1, paths: ["/two-factor/verify-totp"] },
	"better-auth/plugins/two-factor/verify-two-factor.mjs": { calls: 1, paths: ["/two-factor/verify-backup-code"] },
	"better-auth/plugins/username/index.mjs": { calls: 1, paths: ["/sign-in/username"] },
	"@better-auth/passkey/index.mjs": {
		calls: 2,
		paths: ["/passkey/verify-registration", "/passkey/verify-authentication"],
	},
	"@better-auth/sso/index.mjs": {
		calls: 2,
		paths: ["/sso/callback", "/sso/callback/:providerId", "/sso/saml2/sp/acs/:providerId"],
	},
};

const PACKAGES = [
	"better-auth",
	...["passkey", "api-key", "sso", "scim", "oauth-provider", "stripe"].map((name) => `@better-auth/${name}`),
];

const distOf = (name: string): string => {
	const entry = createRequire(import.meta.url).resolve(name);
	return `${entry.slice(0, entry.lastIndexOf(`/${name}/dist/`))}/${name}/dist`;
};

// threat 114
it("knows every place where the engine and its plugins create a session, so that a new one fails", () => {
	const found: Record<string, number> = {};
	for (const name of PACKAGES)
		for (const file of globSync("**/*.mjs", { cwd: distOf(name) })) {
			const calls = [...readFileSync(join(distOf(name), file), "utf8").matchAll(CREATES)].length;
			if (calls > 0) found[`${name}/${file}`] = calls;
		}
	expect(found).toEqual(Object.fromEntries(Object.entries(WAYS).map(([file, { calls }]) => [file, calls])));
});

// threat 114
it("names the method of every endpoint that creates a session", () => {
	const unnamed = Object.values(WAYS)
		.flatMap(({ paths }) => paths)
		.filter((path) => endpointOf(path).signsInWith === null);
	expect(unnamed).toEqual([]);
});
