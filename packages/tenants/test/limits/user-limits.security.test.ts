import { createAuthMiddleware } from "better-auth/api";
import { twoFactor, username } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { MANAGEMENT_KEY, ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";
import { ada, createLimited, knock, newAddress, signIn, statuses, unlisted } from "./limited-world.ts";

// threat 62
describe("limits.perUser", () => {
	it("counts attempts from all addresses together, in one tenant only", async () => {
		const { world, a, b } = await createLimited({ perUser: { window: 600, max: 5 } });
		for (const tenant of [a, b])
			await knock(world, "/sign-up/email", { tenant, body: { name: "Ada", email: ada, password: PASSWORD } });
		const seen = await statuses(20, () => signIn(world, a, ada));
		expect(seen).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
		// not even with the right password
		const right = await knock(world, "/sign-in/email", { tenant: a, body: { email: ada, password: PASSWORD } });
		expect(right.status).toBe(429);
		// another user: the same email in another tenant, and another email in this one
		expect((await signIn(world, b, ada)).status).toBe(401);
		expect((await signIn(world, a, "bob@example.com")).status).toBe(401);
	});

	it("responds alike to known and unknown emails", async () => {
		const { world, a } = await createLimited({ perUser: { window: 600, max: 2 } });
		await knock(world, "/sign-up/email", { tenant: a, body: { name: "Ada", email: ada, password: PASSWORD } });
		const known = await statuses(4, () => signIn(world, a, ada));
		expect(await statuses(4, () => signIn(world, a, "nobody@example.com"))).toEqual(known);
		expect(known).toEqual([401, 401, 429, 429]);
	});

	it("counts both endpoints, any letter case and extra names as one user", async () => {
		const { world, a } = await createLimited({ perUser: { window: 600, max: 4 } });
		expect((await signIn(world, a, ada)).status).toBe(401);
		expect((await signIn(world, a, "ADA@Example.com", "/tenant/sign-in/email")).status).toBe(401);
		expect((await signIn(world, a, ada, "/sign-in/email", { username: "x", phoneNumber: "1" })).status).toBe(401);
		expect((await signIn(world, a, ada, "/tenant/sign-in/email", { username: "y" })).status).toBe(401);
		expect((await signIn(world, a, ada, "/sign-in/email", { username: "z" })).status).toBe(429);
		expect((await signIn(world, a, ada, "/tenant/sign-in/email")).status).toBe(429);
	});

	it("counts usernames, with any email next to them", async () => {
		const limits = { perUser: { window: 600, max: 2 } };
		const { world, a } = await createLimited(limits, {
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, limits }, [username()]),
		});
		let number = 0;
		const send = () => {
			number += 1;
			const body = { username: "ada", password: "wrong horse battery", email: `${number}@example.com` };
			return knock(world, "/sign-in/username", { tenant: a, body });
		};
		expect(await statuses(3, send)).toEqual([401, 401, 429]);
	});

	it("limits the emails sent to a user", async () => {
		const { world, a } = await createLimited({ perUser: { window: 600, max: 3 } });
		await knock(world, "/sign-up/email", { tenant: a, body: { name: "Ada", email: ada, password: PASSWORD } });
		const seen = await statuses(10, () =>
			knock(world, "/request-password-reset", { tenant: a, body: { email: ada, redirectTo: "/reset" } }),
		);
		expect(seen.filter((status) => status === 200)).toHaveLength(3);
		expect(world.mails.filter(({ kind }) => kind === "reset")).toHaveLength(3);
		// sign-ins have a separate count
		expect((await signIn(world, a, ada)).status).toBe(401);
	});

	it("defaults to 100 attempts in ten minutes, and `false` turns it off", async () => {
		const usual = await createLimited({});
		const seen = await statuses(101, () => signIn(usual.world, usual.a, ada));
		expect(seen.slice(-2)).toEqual([401, 429]);
		const without = await createLimited({ perUser: false });
		expect(new Set(await statuses(101, () => signIn(without.world, without.a, ada)))).toEqual(new Set([401]));
	});

	it("counts across processes if there is a secondary storage, under keys without email addresses", async () => {
		const { world, a, b } = await createLimited({ perUser: { window: 600, max: 3 } }, { redis: true });
		const responses = await Promise.all(Array.from({ length: 12 }, () => signIn(world, a, ada)));
		expect(responses.filter(({ status }) => status === 401)).toHaveLength(3);
		expect((await signIn(world, b, ada)).status).toBe(401);
		const keys = (await world.redisKeys()).filter((key) => key.includes("limit.user:"));
		expect(keys).toHaveLength(2);
		expect(keys.join()).not.toContain("ada");
	});

	it("lets one address use up a quarter only, so that it cannot lock a user out", async () => {
		const { world, a } = await createLimited({ perUser: { window: 600, max: 8 } });
		const headers = { "x-forwarded-for": newAddress() };
		const body = { email: ada, password: "wrong horse battery" };
		const seen = [];
		// two endpoints, each with the engine's own limit of three
		for (const path of ["/sign-in/email", "/tenant/sign-in/email"])
			for (let number = 0; number < 3; number += 1)
				seen.push((await world.call(path, { tenant: a, headers, body })).status);
		expect(seen).toEqual([401, 401, 429, 429, 429, 429]);
		expect(await statuses(7, () => signIn(world, a, ada))).toEqual([...Array(6).fill(401), 429]);
	});

	it("normalizes usernames as the application does", async () => {
		const limits = { perUser: { window: 600, max: 3 } };
		const fold = (name: string) => name.toLowerCase().replaceAll("4", "a");
		const { world, a } = await createLimited(limits, {
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, limits }, [
				username({ usernameNormalization: fold }),
			]),
		});
		const seen = [];
		for (const name of ["ada", "4da", "AD4", "4D4"])
			seen.push(
				(await knock(world, "/sign-in/username", { tenant: a, body: { username: name, password: PASSWORD } })).status,
			);
		expect(seen).toEqual([401, 401, 401, 429]);
	});

	it("ignores spaces around an email, because an application's hook may trim them", async () => {
		const { world, a } = await createLimited({ perUser: { window: 600, max: 2 } });
		let blanks = "";
		const seen = await statuses(3, () => {
			blanks += " ";
			return signIn(world, a, `${ada}${blanks}`);
		});
		expect(seen.at(-1)).toBe(429);
	});

	it("counts password attempts with the user's own session", async () => {
		const limits = { perUser: { window: 600, max: 4 } };
		const { world, a, b } = await createLimited(limits, {
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, limits }, [twoFactor()]),
		});
		const signUp = async (tenant: string) => {
			const browser = new Browser();
			const body = { name: "Ada", email: ada, password: PASSWORD };
			await knock(world, "/sign-up/email", { tenant, browser, body });
			return browser;
		};
		const [browser, neighbor] = [await signUp(a), await signUp(b)];
		const wrong = { password: "wrong horse battery", newPassword: PASSWORD, currentPassword: "wrong horse battery" };
		const paths = ["/verify-password", "/change-password", "/delete-user", "/two-factor/enable"];
		const seen = [];
		for (const path of [...paths, ...paths]) seen.push((await knock(world, path, { browser, body: wrong })).status);
		expect(seen.map((status) => (status === 429 ? 429 : "tried"))).toEqual([
			...Array(4).fill("tried"),
			...Array(4).fill(429),
		]);
		const right = { password: PASSWORD };
		expect((await knock(world, "/verify-password", { browser: neighbor, body: right })).status).toBe(200);
	});

	it("counts for the session's user, even if the body names other users", async () => {
		const { world, a } = await createLimited({ perUser: { window: 600, max: 3 } });
		const browser = new Browser();
		await knock(world, "/sign-up/email", { tenant: a, browser, body: { name: "Ada", email: ada, password: PASSWORD } });
		let number = 0;
		const seen = await statuses(5, () => {
			number += 1;
			const body = {
				password: "wrong horse battery",
				email: `decoy-${number}@example.com`,
				username: `decoy-${number}`,
			};
			return knock(world, "/verify-password", { browser, body });
		});
		expect(seen).toEqual([400, 400, 400, 429, 429]);
	});

	it("counts a request that was passed to `getSession` before", async () => {
		const { world, a } = await createLimited({ perUser: { window: 600, max: 2 } });
		const seen = [];
		for (let number = 0; number < 3; number += 1) {
			const request = new Request(`${ORIGIN}/api/auth/sign-in/email`, {
				method: "POST",
				headers: {
					origin: ORIGIN,
					"content-type": "application/json",
					"x-tenant-id": a,
					"x-forwarded-for": newAddress(),
				},
				body: JSON.stringify({ email: ada, password: PASSWORD }),
			});
			await world.auth.api.getSession({ headers: request.headers, request });
			seen.push((await world.auth.handler(request)).status);
		}
		expect(seen).toEqual([401, 401, 429]);
	});

	it("allows a username normalization that throws or returns no string", async () => {
		const limits = { perUser: { window: 600, max: 50 } };
		const fold = (name: string) => {
			if (name === "odd") return null as unknown as string;
			throw new Error("no such name");
		};
		const { world, a } = await createLimited(limits, {
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, limits }, [
				username({ usernameNormalization: fold }),
				unlisted,
			]),
		});
		for (const name of ["odd", "thrown"]) {
			expect((await signIn(world, a, ada, "/sign-in/email", { username: name })).status).toBe(401);
			expect((await signIn(world, a, ada, "/unlisted/guess", { username: name })).status).toBe(200);
		}
	});

	it("limits the emails that `/change-email` sends to a new address", async () => {
		const { world, a } = await createLimited({ perUser: { window: 600, max: 3 } });
		const browser = new Browser();
		const body = { name: "Ada", email: ada, password: PASSWORD };
		await knock(world, "/sign-up/email", { tenant: a, browser, body });
		const seen = await statuses(6, () =>
			knock(world, "/change-email", { browser, body: { newEmail: "bob@example.com", callbackURL: "/" } }),
		);
		expect(seen).toEqual([200, 200, 200, 429, 429, 429]);
	});

	it("counts the requests that another instance's hook makes", async () => {
		const inner = await createLimited({ perUser: { window: 600, max: 2 } });
		const seen: number[] = [];
		const outer = await createLimited(
			{},
			{
				engine: {
					hooks: {
						before: createAuthMiddleware(async ({ path }) => {
							if (path === "/sign-in/email") seen.push((await signIn(inner.world, inner.a, ada)).status);
						}),
					},
				},
			},
		);
		for (let number = 0; number < 3; number += 1) await signIn(outer.world, outer.a, ada);
		expect(seen).toEqual([401, 401, 429]);
	});
});
