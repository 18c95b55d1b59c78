import { betterAuth } from "better-auth";
import { Browser } from "test-kit/browser";
import { errorOf, signInSocially, useIdentityProvider } from "test-kit/social";
import { describe, expect, it } from "vitest";
import { tenantAuth } from "../../src/index.ts";
import { useRogueServer } from "./support/rogue-server.ts";
import {
	ada,
	callbackOf,
	count,
	createPair,
	createSocialPair,
	register,
	rowsElsewhere,
	start,
	userOf,
	VICTIM,
	verifyEverybody,
} from "./support/two-tenants.ts";

const idp = useIdentityProvider();
const { rogue, signInByRogue } = useRogueServer();

describe("a tenant's rogue server", () => {
	// threat 5
	it.each(["another tenant", "the platform"])(
		"creates a new user for an email that only %s has, and changes no user, account or session elsewhere",
		async (whose) => {
			const { world, a, b } = await createPair();
			const owner = await world.signUp(whose === "another tenant" ? b : undefined, VICTIM);
			await verifyEverybody(world);
			await register(world, a, "gitlab", { options: { issuer: rogue.issuer } });
			const before = await rowsElsewhere(world, a);
			const victim = await userOf(world, owner);
			const { answer, user } = await signInByRogue(world, a, { id: 7, email: VICTIM, email_verified: true });
			expect([answer.location, user.tenantId, user.id === victim.id]).toEqual(["/home", a, false]);
			expect(await rowsElsewhere(world, a)).toEqual(before);
			expect((await userOf(world, owner)).id).toBe(victim.id);
			for (const table of ["user", "account", "session"]) {
				expect([table, await count(world, table, `"tenantId" = '${a}'`)]).toEqual([table, 1]);
			}
		},
	);

	// threat 5
	it("is not trusted by the provider's name: no user is linked without a verified email", async () => {
		const { world, a, b } = await createSocialPair(idp(), {
			account: { accountLinking: { enabled: true, trustedProviders: ["gitlab"] } },
		});
		for (const place of [a, b, undefined]) await world.signUp(place, ada.email);
		await verifyEverybody(world);
		const unverified = { ...ada, emailVerified: false };
		expect(errorOf((await signInSocially(world, idp(), a, unverified)).answer)).toBe("account_not_linked");
		await register(world, b, "gitlab", { options: { issuer: rogue.issuer } });
		for (const verified of [true, false]) {
			const { answer } = await signInByRogue(world, b, { id: 7, email: ada.email, email_verified: verified });
			expect(errorOf(answer)).toBe("account_not_linked");
		}
		expect(await count(world, "account", `"providerId" = 'gitlab'`)).toBe(0);
		// the application's trust applies on the platform
		expect((await signInSocially(world, idp(), undefined, unverified)).answer.location).toBe("/home");
	});

	// threat 23
	it("is not called at a private address, even if its config was registered while that was allowed", async () => {
		const { world, a, b } = await createPair();
		await register(world, a, "gitlab", { options: { issuer: rogue.issuer } });
		await register(world, b, "gitlab", { options: { issuer: rogue.issuer.replace("127.0.0.1", "localhost") } });
		const strict = betterAuth({ ...world.options, plugins: [tenantAuth({ oauth: { allowPrivateHosts: false } })] });
		for (const tenantId of [a, b]) {
			const browser = new Browser();
			// started where it is allowed, completed where it is not
			const callback = callbackOf(await start(world, tenantId, "gitlab", browser));
			const hits = rogue.seen.length;
			const response = await strict.handler(new Request(callback, { headers: { cookie: browser.header() } }));
			expect(response.headers.get("location")).toBe("/failed?error=invalid_code");
			expect(rogue.seen.length).toBe(hits);
		}
		expect(await count(world, "user")).toBe(0);
		const hits = rogue.seen.length;
		expect((await signInByRogue(world, a, { id: 7, email: VICTIM })).answer.location).toBe("/home");
		expect(rogue.seen.length).toBe(hits + 2);
	});
});
