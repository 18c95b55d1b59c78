import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { createAuthMiddleware } from "better-auth/api";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { createAdministered, type Person } from "../admin/support/administered.ts";
import { createGate, type Gate } from "../admin/support/gate.ts";
import { createRightsWorld, type RightsWorld, STORES, type Where } from "./support/rights-world.ts";

/** Sets up an authenticator app and returns its codes. */
const enrol = async ({ ok }: Pick<RightsWorld["world"], "ok">, { browser }: Person) => {
	const enabled = await ok("/two-factor/enable", { browser, body: { password: PASSWORD } });
	const shown = new URL(enabled.json.totpURI).searchParams.get("secret") ?? "";
	const code = (): Promise<string> => createOTP(new TextDecoder().decode(base32.decode(shown))).totp();
	await ok("/two-factor/verify-totp", { browser, body: { code: await code() } });
	return code;
};

/** A member of each tenant whose password was accepted, and who still has to enter a code. */
const createChallenged = async (where: Where) => {
	const rights = await createRightsWorld(where);
	const { world, a, b, inA, inB } = rights;
	const challenge = async (tenant: string, person: Person) => {
		const { email } = person;
		const code = await enrol(world, person);
		const pending = new Browser();
		const asked = await world.ok("/sign-in/email", { tenant, browser: pending, body: { email, password: PASSWORD } });
		expect(asked.json.twoFactorRedirect).toBe(true);
		return async (): Promise<number> =>
			(await world.call("/two-factor/verify-totp", { tenant, browser: pending, body: { code: await code() } })).status;
	};
	return { ...rights, inA, answerInA: await challenge(a, inA.member), answerInB: await challenge(b, inB.member) };
};

type End = (rights: RightsWorld) => Promise<unknown>;

const ENDS: [string, End][] = [
	["the end of all sessions", ({ operate, inA }) => operate("end-sessions", inA.member)],
	[
		"the user's own end of all sessions",
		({ world, inA }) => world.ok("/revoke-sessions", { browser: inA.member.browser, body: {} }),
	],
	[
		"the user's own end of the other sessions",
		({ world, inA }) => world.ok("/revoke-other-sessions", { browser: inA.member.browser, body: {} }),
	],
	[
		"a new password",
		({ world, inA }) =>
			world.ok("/change-password", {
				browser: inA.member.browser,
				body: { currentPassword: PASSWORD, newPassword: "another password", revokeOtherSessions: true },
			}),
	],
	[
		"a reset of the password",
		async ({ world, a, inA }) => {
			const { internalAdapter } = await world.auth.$context;
			await runWithTenant(a, () =>
				internalAdapter.createVerificationValue({
					identifier: "reset-password:link",
					value: inA.member.id,
					expiresAt: new Date(Date.now() + 60_000),
				}),
			);
			await world.ok("/reset-password", { tenant: a, body: { token: "link", newPassword: "another password" } });
		},
	],
	[
		"a ban that was lifted",
		async ({ operate, inA }) => {
			await operate("ban", inA.member);
			await operate("unban", inA.member);
		},
	],
];

describe.each(STORES)("a second factor that is asked for, in %s", (_, where) => {
	// threat 161
	it.each(ENDS)("signs nobody in after %s, and does in another tenant", async (_name, end) => {
		const challenged = await createChallenged(where);
		await end(challenged);
		expect([await challenged.answerInA(), await challenged.answerInB()]).toEqual([401, 200]);
	});
});

// threat 161: in Redis, no lock keeps the challenge from being written after the end
it("a sign-in that is under way while the sessions end leaves no challenge that counts", async () => {
	const waiting: { reached: Gate; released: Gate }[] = [];
	// before the two-factor plugin makes the challenge
	const after = createAuthMiddleware(async ({ path }) => {
		const gates = path === "/sign-in/email" ? waiting.shift() : undefined;
		gates?.reached.open();
		await gates?.released.opened;
	});
	const { world, a, b, inA, inB, operate } = await createAdministered({ redis: true, engine: { hooks: { after } } });
	const signInMeanwhile = async (tenant: string, person: Person): Promise<number> => {
		const code = await enrol(world, person);
		const gates = { reached: createGate(), released: createGate() };
		waiting.push(gates);
		const browser = new Browser();
		const body = { email: person.email, password: PASSWORD };
		const signingIn = world.call("/sign-in/email", { tenant, browser, body });
		await gates.reached.opened;
		await operate("end-sessions", inA.member).finally(gates.released.open);
		await signingIn;
		const answered = await world.call("/two-factor/verify-totp", { tenant, browser, body: { code: await code() } });
		return answered.status;
	};
	expect([await signInMeanwhile(a, inA.member), await signInMeanwhile(b, inB.member)]).toEqual([401, 200]);
});
