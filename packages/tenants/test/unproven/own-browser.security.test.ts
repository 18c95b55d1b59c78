import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { ADA, createPlanted, OWN_PASSWORD, type PlantedWorld } from "./support/planted-world.ts";

const COOKIE = "better-auth.tenant_sign_up";
const NOTE = "better-auth.tenant_password_removed";
const KEEPING = ["the link of a mail", "a code"] as const;
const hashed = {
	hash: async (password: string) => `${crypto.randomUUID()} ${password}`,
	verify: async ({ hash, password }: { hash: string; password: string }) =>
		hash.split(" ").slice(1).join(" ") === password,
};
/** Sign-up creates no session, and every hash is another. */
const required = () =>
	createPlanted({
		engine: {
			emailAndPassword: { enabled: true, requireEmailVerification: true, password: hashed },
		},
	});

const onlyCookie = (browser: Browser, name = COOKIE): Browser => {
	const other = new Browser();
	other.cookies.set(name, browser.cookies.get(name) ?? "");
	return other;
};

const outcomes = async ({ a, b, signIn }: PlantedWorld) => [(await signIn(a)).status, (await signIn(b)).status];

describe("the browser that signed up", () => {
	it.each(KEEPING)("keeps its password when it proves the address by %s", async (way) => {
		const world = await required();
		expect(await outcomes(world)).toEqual([403, 403]);
		const proven = await world.prove[way]?.(world.eve.a);
		expect([proven?.location ?? "", proven?.json?.passwordRemoved]).toEqual([
			way === "a code" ? "" : "/home?x=1#top",
			undefined,
		]);
		expect(await outcomes(world)).toEqual([200, 403]);
	});

	it.each(KEEPING)("keeps its session and password with the session alone, by %s", async (way) => {
		const world = await createPlanted({ isAdministered: true });
		const browser = onlyCookie(world.eve.a, "better-auth.session_token");
		await world.prove[way]?.(browser);
		expect(await outcomes(world)).toEqual([200, 200]);
		expect(await world.isSignedIn(world.eve.a)).toBe(true);
	});

	it("keeps its password if it sent it again later, and was told to verify the address", async () => {
		const world = await required();
		const browser = new Browser();
		expect(await world.signIn(world.a, PASSWORD, browser)).toMatchObject({ status: 403, code: "EMAIL_NOT_VERIFIED" });
		expect([...browser.cookies.keys()]).toEqual([COOKIE]);
		await world.prove["the link of a mail"]?.(browser);
		expect(await outcomes(world)).toEqual([200, 403]);
	});

	it("keeps the password that the proof itself sets", async () => {
		const world = await required();
		const { a, codes } = world;
		await world.ok("/email-otp/request-password-reset", { tenant: a, body: { email: ADA } });
		const body = { email: ADA, otp: codes.at(-1), password: OWN_PASSWORD };
		await world.ok("/email-otp/reset-password", { tenant: a, body });
		expect([(await world.signIn(a, OWN_PASSWORD)).status, (await world.signIn(a)).status]).toEqual([200, 401]);
	});
});

// threat 4
describe("another browser", () => {
	it.each([
		["a cookie of the other tenant's sign-up", ({ eve }: PlantedWorld) => onlyCookie(eve.b)],
		["a sign-up with the same address, which was taken", ({ a, signUp }: PlantedWorld) => signUp(a, ADA)],
		[
			"a wrong password",
			async ({ signIn, a }: PlantedWorld) => {
				const browser = new Browser();
				await signIn(a, "a guess of hers", browser);
				return browser;
			},
		],
		[
			"a session of somebody else",
			async (world: PlantedWorld) => {
				const browser = new Browser();
				await world.ok("/email-otp/send-verification-otp", {
					tenant: world.a,
					body: { email: "grace@example.com", type: "sign-in" },
				});
				const body = { email: "grace@example.com", otp: world.codes.at(-1) };
				await world.ok("/sign-in/email-otp", { tenant: world.a, browser, body });
				return browser;
			},
		],
	])("removes the password, with %s", async (_, open) => {
		const world = await required();
		const browser = await open(world);
		const proven = await world.prove["the link of a mail"]?.(browser);
		expect([proven?.location, browser.cookies.get(NOTE)]).toEqual(["/home?x=1#top", world.a]);
		expect(await outcomes(world)).toEqual([401, 403]);
	});

	it("is told in a JSON response, too", async () => {
		const world = await required();
		const proven = await world.prove["a code"]?.(new Browser());
		expect(proven?.json).toMatchObject({ status: true, passwordRemoved: true, user: { email: ADA } });
	});

	it("learns nothing from the cookie of a sign-up", async () => {
		const world = await required();
		const attributes = async (email: string) => {
			const body = { name: "Eve", email, password: PASSWORD };
			const { headers } = await world.ok("/sign-up/email", { tenant: world.a, body });
			return headers
				.getSetCookie()
				.map((line) => line.replace(/=[^;]*/, (value) => `=${decodeURIComponent(value).length}`));
		};
		const [taken, free] = [await attributes(ADA), await attributes("grace@example.com")];
		expect(taken).toEqual(free);
		expect(taken).toHaveLength(1);
		expect(taken[0]).toMatch(/HttpOnly/);
	});
});
