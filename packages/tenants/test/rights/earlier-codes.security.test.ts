import { magicLink } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import type { Answer } from "test-kit/world";
import { describe, expect, it } from "vitest";
import type { Person } from "../admin/support/administered.ts";
import { createRightsWorld, STORES, type Where } from "./support/rights-world.ts";

const STOLEN = "password of somebody else";

/** Two tenants whose users get links and codes by mail. */
const createMailed = async (where: Where) => {
	const magic: string[] = [];
	const rights = await createRightsWorld({
		...where,
		plugins: [magicLink({ sendMagicLink: async ({ token }) => void magic.push(token) })],
	});
	const { world, last, signIn, verifyEmail } = rights;
	type Use = () => Promise<Answer>;
	/** Sends a link or a code to the user, and returns how to use it. `browser` is then signed in, if it signs in. */
	const KINDS: Record<string, (tenant: string, email: string, browser: Browser) => Promise<Use>> = {
		"a link that sets a password": async (tenant, email, browser) => {
			await world.ok("/request-password-reset", { tenant, body: { email, redirectTo: "/reset" } });
			const { token } = world.lastMail("reset");
			return async () => {
				const answer = await world.call("/reset-password", { body: { token, newPassword: STOLEN } });
				for (const [name, value] of (await signIn(tenant, { email }, STOLEN)).cookies) browser.cookies.set(name, value);
				return answer;
			};
		},
		"a code that sets a password": async (tenant, email, browser) => {
			await world.ok("/email-otp/request-password-reset", { tenant, body: { email } });
			const otp = last();
			return async () => {
				const answer = await world.call("/email-otp/reset-password", {
					tenant,
					body: { email, otp, password: STOLEN },
				});
				for (const [name, value] of (await signIn(tenant, { email }, STOLEN)).cookies) browser.cookies.set(name, value);
				return answer;
			};
		},
		"a link that signs in": async (tenant, email, browser) => {
			await world.ok("/sign-in/magic-link", { tenant, body: { email } });
			const token = magic.at(-1) ?? "";
			return () => world.call("/magic-link/verify", { browser, query: { token } });
		},
		"a code that signs in": async (tenant, email, browser) => {
			await world.ok("/email-otp/send-verification-otp", { tenant, body: { email, type: "sign-in" } });
			const otp = last();
			return () => world.call("/sign-in/email-otp", { tenant, browser, body: { email, otp } });
		},
	};
	const send = async (kind: string, tenant: string, person: Person) => {
		const browser = new Browser();
		await verifyEmail(tenant, person);
		const use = await KINDS[kind]?.(tenant, person.email, browser);
		return { browser, use: async () => use?.() };
	};
	/** The owner of the mailbox sets a new password by another link. */
	const reset = async (tenant: string, { email }: Person): Promise<void> => {
		await world.ok("/request-password-reset", { tenant, body: { email, redirectTo: "/reset" } });
		const { token } = world.lastMail("reset");
		await world.ok("/reset-password", { body: { token, newPassword: "password of the owner" } });
	};
	return { ...rights, send, reset };
};
type Mailed = Awaited<ReturnType<typeof createMailed>>;

const ENDS: [string, (mailed: Mailed) => Promise<unknown>][] = [
	["the user set a new password", ({ reset, a, inA }) => reset(a, inA.member)],
	["an administrator ended the sessions", ({ operate, inA }) => operate("end-sessions", inA.member)],
	[
		"a ban that was lifted",
		async ({ operate, inA }) => {
			await operate("ban", inA.member);
			await operate("unban", inA.member);
		},
	],
];

const KINDS = [
	"a link that sets a password",
	"a code that sets a password",
	"a link that signs in",
	"a code that signs in",
];

const [RESET] = ENDS;

describe.each(STORES.filter(([name]) => ["sqlite", "Redis only, with postgres"].includes(name)))(
	"with codes in %s",
	(_, where) => {
		// threat 175
		it.each(KINDS)("%s does nothing after a new password, and works in another tenant", async (kind) => {
			const mailed = await createMailed(where);
			const { a, b, inA, inB, send, roleIn } = mailed;
			const [mine, theirs] = [await send(kind, a, inA.member), await send(kind, b, inB.member)];
			await RESET?.[1](mailed);
			await mine.use();
			expect(await roleIn(mine.browser)).toBeNull();
			expect((await theirs.use())?.status).toBe(200);
			expect(await roleIn(theirs.browser)).toBe("member");
			const next = await send(kind, a, inA.member);
			expect((await next.use())?.status).toBe(200);
			expect(await roleIn(next.browser)).toBe("member");
		});
	},
);

// threat 175
it.each(ENDS)("a link that signs in does nothing after %s", async (_, end) => {
	const mailed = await createMailed({});
	const { browser, use } = await mailed.send("a link that signs in", mailed.a, mailed.inA.member);
	await end(mailed);
	await use();
	expect(await mailed.roleIn(browser)).toBeNull();
});

// threat 175
it("a link that sets a password says that it is not valid", async () => {
	const { a, inA, send, reset } = await createMailed({});
	const { use } = await send("a link that sets a password", a, inA.member);
	await reset(a, inA.member);
	const answer = await use();
	expect([answer?.status, answer?.code]).toEqual([400, "INVALID_TOKEN"]);
});
