import { Browser } from "test-kit/browser";
import { useIdentityProvider } from "test-kit/social";
import { describe, expect, it } from "vitest";
import { ADA, createPlanted, OWN_PASSWORD } from "./support/planted-world.ts";

const idp = useIdentityProvider();

const WAYS = [
	"the link of a mail",
	"a code",
	"a sign-in with a code",
	"a magic link",
	"a provider",
	"server code",
] as const;

describe.each([
	["without the plugin for administration", {}],
	["with it", { isAdministered: true }],
	["with it, on postgres", { isAdministered: true, database: "postgres" as const }],
	["with it, on mysql", { isAdministered: true, database: "mysql" as const }],
	["with sessions in Redis", { redis: true }],
])("an address that somebody else signed up with (%s)", (_, where) => {
	// threat 4
	it.each(WAYS)("loses the planted password and session when its owner proves it by %s", async (way) => {
		const world = await createPlanted({ ...where, idp: idp() });
		const { a, b, eve } = world;
		for (const browser of [eve.a, eve.b]) expect(await world.isSignedIn(browser)).toBe(true);
		const ada = new Browser();
		const proven = await world.prove[way]?.(ada);
		expect(proven?.status).toBeLessThan(400);
		expect(await world.users()).toEqual(
			expect.arrayContaining([
				[a, true],
				[b, false],
			]),
		);
		expect(await world.signIn(a)).toMatchObject({ status: 401, code: "INVALID_EMAIL_OR_PASSWORD" });
		expect((await world.byUsername(a)).status).toBe(401);
		expect(await world.isSignedIn(eve.a)).toBe(false);
		expect(await world.accountsIn(a)).toEqual(way === "a provider" ? ["gitlab"] : []);
		if (way !== "server code") expect(await world.isSignedIn(ada)).toBe(true);
		// the neighbor has lost nothing
		expect((await world.signIn(b)).status).toBe(200);
		expect(await world.isSignedIn(eve.b)).toBe(true);
		// and Ada chooses a password
		await world.call("/request-password-reset", { tenant: a, body: { email: ADA, redirectTo: "/reset" } });
		const body = { token: world.lastMail("reset").token, newPassword: OWN_PASSWORD };
		expect((await world.call("/reset-password", { tenant: a, body })).status).toBe(200);
		expect([(await world.signIn(a, OWN_PASSWORD)).status, (await world.signIn(a)).status]).toEqual([200, 401]);
	});
});
