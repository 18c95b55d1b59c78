import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { useGoogle } from "../policy/support/google.ts";
import { createHeld, type Held } from "./support/held-sign-in.ts";

const stores = [
	["sqlite", { database: "sqlite" }],
	["Redis", { database: "postgres", redis: true }],
] as const;

const REFUSED = [401, "SESSION_EXPIRED"];

type Ends = (held: Held) => Promise<unknown>;

const byOwner =
	(...paths: string[]): Ends =>
	async ({ act, inA }) => {
		for (const path of paths) expect((await act(inA.owner, path, inA.member)).status).toBe(200);
	};

/** What ends the sessions of the member of tenant A, except one. */
const ends: [string, Ends][] = [
	["an owner ends the user's sessions", byOwner("end-sessions")],
	["an owner resets the second factor", byOwner("reset-second-factor")],
	["an owner bans the user, and ends the ban", byOwner("ban", "unban")],
	[
		"the user changes the password",
		async ({ world, inA: { member } }) => {
			const body = { currentPassword: PASSWORD, newPassword: "a new password", revokeOtherSessions: true };
			await world.ok("/change-password", { browser: member.browser, body });
		},
	],
	[
		"an invitation raises the role",
		async ({ world, a, inA: { member }, lastToken }) => {
			const body = { tenantId: a, email: member.email, role: "owner" };
			await world.ok("/tenant/invitation/create", { operator: true, body });
			const accepted = { token: lastToken(), password: PASSWORD };
			await world.ok("/tenant/invitation/accept", { browser: member.browser, body: accepted });
		},
	],
];

describe.each(stores)("a sign-in that is running on %s", (_, where) => {
	// threat 138
	it.each(ends)("gives no session if meanwhile %s", async (name, end) => {
		const held = await createHeld(where);
		const { world, a, b, inA, inB, signInWhile, isSignedIn } = held;
		const { internalAdapter } = await world.auth.$context;
		await runWithTenant(a, () => internalAdapter.updateUser(inA.member.id, { emailVerified: true }));
		expect(await isSignedIn(await signInWhile(a, inA.member.email, () => end(held)))).toBe(false);
		// whoever ended the other sessions keeps their own
		const keepsOwn = /^(the user|an invitation)/.test(name);
		expect(await isSignedIn(inA.member.browser)).toBe(keepsOwn);
		// others, in both tenants
		expect(await isSignedIn(await signInWhile(a, inA.other.email, async () => {}))).toBe(true);
		expect(await isSignedIn(await signInWhile(b, inB.member.email, async () => {}))).toBe(true);
		expect(await isSignedIn(inB.member.browser)).toBe(true);
	});

	// threat 138
	it.each(["password", "magic link", "provider"])("gives no session by a %s, and the next one does", async (way) => {
		const idTokenOf = await useGoogle();
		const { world, a, b, holdWhile, isSignedIn, operate, lastToken } = await createHeld(where);
		const email = "ada@corp.example";
		const byProvider = async (tenant: string, browser: Browser) => {
			const body = { provider: "google", idToken: { token: await idTokenOf(email) } };
			return world.call("/sign-in/social", { tenant, browser, body });
		};
		const send = async (tenant: string, browser: Browser) => {
			if (way === "provider") return byProvider(tenant, browser);
			if (way === "password")
				return world.call("/sign-in/email", { tenant, browser, body: { email, password: PASSWORD } });
			await world.ok("/sign-in/magic-link", { tenant, body: { email } });
			return world.call("/magic-link/verify", { tenant, browser, query: { token: lastToken() } });
		};
		const join = async (tenant: string) => {
			const browser = new Browser();
			if (way === "provider") await byProvider(tenant, browser);
			else await world.ok("/sign-up/email", { tenant, browser, body: { name: "Ada", email, password: PASSWORD } });
			return (await world.ok("/get-session", { browser })).json.user as { id: string };
		};
		const [ada, neighbor] = [await join(a), await join(b)];
		const [mine, theirs, next] = [new Browser(), new Browser(), new Browser()];
		const end = async () => expect((await operate("end-sessions", ada)).status).toBe(200);
		const refused = await holdWhile(() => send(a, mine), end);
		expect([refused.status, refused.code]).toEqual(REFUSED);
		expect(await isSignedIn(mine)).toBe(false);
		await holdWhile(() => send(b, theirs), end);
		expect(await isSignedIn(theirs)).toBe(true);
		await send(a, next);
		expect(await isSignedIn(next)).toBe(true);
		expect(neighbor.id).not.toBe(ada.id);
	});

	// threat 138
	it("leaves nothing of the user after an erasure", async () => {
		const { world, inA, act } = await createHeld(where);
		await byOwner("end-sessions")({ act, inA } as Held);
		expect((await act(inA.owner, "erase", inA.member)).status).toBe(200);
		if (where.database === "postgres") return;
		const left = await world.database.query(`select "identifier" from "verification"`);
		expect(left.filter(({ identifier }) => String(identifier).includes(inA.member.id))).toEqual([]);
	});
});
