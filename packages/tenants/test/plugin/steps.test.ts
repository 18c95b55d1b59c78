import { expect, it } from "vitest";
import { createResponseFloor } from "../../src/features/email/response-floor.ts";
import { afterSteps, checks } from "../../src/plugin/steps.ts";
import { PLATFORM } from "../../src/scope/pin/platform.ts";
import { createTenantContext } from "../../src/scope/pin/tenant-context.ts";

type Parts = Parameters<typeof checks>[0];

/** Of endpoints, those that no step names. */
const PLAIN = "/update-session";

it("an endpoint has the checks that are for it, in their order", () => {
	const named = new Map<unknown, string>();
	const part = (name: string) => {
		const run = () => {};
		named.set(run, name);
		return run;
	};
	const parts = new Proxy({}, { get: (_, name: string) => part(name) }) as Parts;
	const checksOf = checks(parts);
	const of = (path: string) => checksOf(path).map(({ run }) => named.get(run));
	const everywhere = [
		"orderConsumption",
		"countRequest",
		"restrictImpersonation",
		"withholdPending",
		"prepareProviders",
	];
	expect(of(PLAIN)).toEqual(everywhere);
	for (const [path, more] of [
		["/sign-in/email", ["assertPlatformOpen", "standInLine"]],
		["/sign-up/email", ["assertPlatformOpen", "standInLine"]],
		["/get-session", ["skipCachedSessions"]],
		["/token", ["skipCachedSessions"]],
		["/device/approve", ["guardGrants"]],
		["/oauth2/token", ["guardGrants"]],
		["/passkey/verify-authentication", ["assertPasskeyOrigin"]],
		["/passkey/generate-register-options", ["nameTenant"]],
		["/two-factor/enable", ["nameTenant"]],
	] as const) {
		const extra = of(path).filter((name) => !everywhere.includes(String(name)));
		expect([path, extra]).toEqual([path, [...more]]);
	}
});

it("an endpoint has the steps after it that are for it", () => {
	const stepsOf = afterSteps(
		createTenantContext(),
		createResponseFloor(() => PLATFORM),
	);
	const plain = new Set(stepsOf(PLAIN));
	const more = (path: string): number => stepsOf(path).filter((step) => !plain.has(step)).length;
	expect(stepsOf(PLAIN).length).toBeGreaterThan(5);
	for (const [path, count] of [
		["/update-user", 0],
		// renews cookies, hides impersonated sessions
		["/get-session", 2],
		// ends the sessions of other tenants
		["/sign-out", 1],
		["/oauth2/introspect", 1],
		["/oauth2/userinfo", 1],
		["/sign-in/email-otp", 1],
		["/two-factor/verify-totp", 1],
		["/two-factor/disable", 1],
		// answers alike whether the address is taken, and takes as long
		["/sign-up/email", 2],
	] as const)
		expect([path, more(path)]).toEqual([path, count]);
});

it("what nobody has read has every check that may refuse it", () => {
	expect(checks({} as Parts)("/unheard-of")).toHaveLength(5);
});
