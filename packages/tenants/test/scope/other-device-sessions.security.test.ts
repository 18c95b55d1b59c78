import { multiSession } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import type { DatabaseKind } from "test-kit/databases";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";

type Where = { database?: DatabaseKind; redis?: boolean };

const EMAIL = "ada@example.com";

const start = async (where: Where = {}) => {
	const world = await composedWorld([multiSession()], where);
	const { a, b, call } = world;
	const shared = new Browser();
	const elsewhere = new Browser();
	const signIn = async (tenant: string | undefined, browser: Browser, email = EMAIL) => {
		const known = await call("/sign-in/email", { tenant, browser, body: { email, password: PASSWORD } });
		if (known.status === 200) return;
		await world.ok("/sign-up/email", { tenant, browser, body: { name: "Ada", email, password: PASSWORD } });
	};
	/** Signs in at the shared computer, to the platform and both tenants, and at another one. */
	const signInEverywhere = async () => {
		for (const tenant of [undefined, a, b]) {
			await signIn(tenant, elsewhere);
			await signIn(tenant, shared);
		}
	};
	const sessionsIn = async (tenant: string | undefined, browser: Browser): Promise<number> => {
		const others = new Browser();
		for (const [name, value] of browser.cookies) if (name.includes("_multi-")) others.cookies.set(name, value);
		return (await call("/multi-session/list-device-sessions", { tenant, browser: others })).json?.length ?? 0;
	};
	const counts = (browser: Browser) => Promise.all([undefined, a, b].map((tenant) => sessionsIn(tenant, browser)));
	return { ...world, shared, elsewhere, signInEverywhere, counts, sessionsIn };
};

describe.each([
	["sqlite", {}],
	["postgres", { database: "postgres" }],
	["Redis", { redis: true }],
] as [string, Where][])("signing out with the multi-session plugin (%s)", (_, where) => {
	// threat 170
	it("ends the sessions of the browser in every tenant, and no others", async () => {
		const world = await start(where);
		const { shared, elsewhere, counts } = world;
		await world.signInEverywhere();
		expect([await counts(shared), await counts(elsewhere)]).toEqual([
			[1, 1, 1],
			[1, 1, 1],
		]);
		// somebody else at the computer kept the cookies
		const kept = shared.copy();
		await world.ok("/sign-out", { method: "POST", browser: shared, body: {} });
		expect([...shared.cookies.keys()].filter((name) => name.includes("session_token"))).toEqual([]);
		expect([await counts(kept), await counts(elsewhere)]).toEqual([
			[0, 0, 0],
			[1, 1, 1],
		]);
	});
});

describe("signing out with the multi-session plugin", () => {
	// threat 170
	it("ends no session by a token without the signature of its tenant", async () => {
		const world = await start();
		const { shared, elsewhere, counts } = world;
		await world.signInEverywhere();
		const victim = [...elsewhere.cookies].filter(([name]) => name.includes("_multi-"));
		const signed = decodeURIComponent([...shared.cookies.values()].at(-1) ?? "");
		for (const [name, value] of victim) {
			const token = decodeURIComponent(value).split(".")[0];
			// with a signature of another tenant, and with none
			shared.cookies.set(name, encodeURIComponent(`${token}.${signed.slice(signed.lastIndexOf(".") + 1)}`));
			shared.cookies.set(`${name}2`, encodeURIComponent(`${token}.`));
		}
		await world.ok("/sign-out", { method: "POST", browser: shared, body: {}, tenant: undefined });
		expect(await counts(elsewhere)).toEqual([1, 1, 1]);
	});
});
