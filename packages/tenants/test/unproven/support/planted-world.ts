import { apiKey } from "@better-auth/api-key";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { admin, emailOTP, magicLink, phoneNumber, username } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import type { DatabaseKind } from "test-kit/databases";
import type { IdentityProvider } from "test-kit/identity-provider";
import { globalProviders, startSocial } from "test-kit/social";
import { type Answer, PASSWORD } from "test-kit/world";
import { tenantAdmin, tenantRoles } from "../../../src/admin.ts";

export const ADA = "ada@example.com";
export const OWN_PASSWORD = "a password of her own";

type Where = {
	database?: DatabaseKind;
	redis?: boolean;
	engine?: Partial<BetterAuthOptions>;
	isAdministered?: boolean;
	plugins?: BetterAuthPlugin[];
	idp?: IdentityProvider;
};

/** Two tenants in which Eve signed up with Ada's address. */
export const createPlanted = async ({ isAdministered = false, idp, plugins = [], engine, ...where }: Where = {}) => {
	const codes: string[] = [];
	const links: string[] = [];
	const world = await composedWorld(
		[
			magicLink({ sendMagicLink: async ({ url }) => void links.push(url) }),
			emailOTP({ sendVerificationOTP: async ({ otp }) => void codes.push(otp) }),
			phoneNumber({ sendOTP: async ({ code }) => void codes.push(code) }),
			username(),
			apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: false } }),
			...(isAdministered ? [admin({ ...tenantRoles }), tenantAdmin()] : []),
			...plugins,
		],
		{
			...where,
			engine: {
				...(idp
					? {
							socialProviders: { gitlab: globalProviders(idp).gitlab },
							account: { accountLinking: { requireLocalEmailVerified: false } },
						}
					: {}),
				...engine,
			},
		},
	);
	const { a, b, call } = world;
	const last = (sent: string[]): string => sent.at(-1) ?? "";

	const plant = async (tenant: string): Promise<Browser> => {
		const browser = new Browser();
		const body = { name: "Eve", email: ADA, password: PASSWORD, username: "eve" };
		await world.ok("/sign-up/email", { tenant, browser, body });
		return browser;
	};
	const eve = { a: await plant(a), b: await plant(b) };

	const askCode = (type: string) =>
		world.ok("/email-otp/send-verification-otp", { tenant: a, body: { email: ADA, type } });
	/** Every way to prove the address in tenant A. */
	const prove: Record<string, (browser: Browser) => Promise<Answer>> = {
		"the link of a mail": async (browser) => {
			await world.ok("/send-verification-email", { tenant: a, body: { email: ADA, callbackURL: "/home?x=1#top" } });
			return call(world.lastMail("verify").url, { browser });
		},
		"a code": async (browser) => {
			await askCode("email-verification");
			return call("/email-otp/verify-email", { tenant: a, browser, body: { email: ADA, otp: last(codes) } });
		},
		"a sign-in with a code": async (browser) => {
			await askCode("sign-in");
			return call("/sign-in/email-otp", { tenant: a, browser, body: { email: ADA, otp: last(codes) } });
		},
		"a magic link": async (browser) => {
			await world.ok("/sign-in/magic-link", { tenant: a, body: { email: ADA, callbackURL: "/home" } });
			return call(last(links), { browser });
		},
		"a provider": async (browser) => {
			if (!idp) throw new Error("no provider");
			const person = { sub: "ada-1", email: ADA, name: "Ada", emailVerified: true };
			const { callback } = await startSocial(world, idp, a, person, "gitlab", browser);
			return call(callback, { browser });
		},
		"server code": async () => {
			await world.ok("/send-verification-email", { tenant: a, body: { email: ADA } });
			const { token } = world.lastMail("verify");
			await world.auth.api.verifyEmail({ query: { token } });
			return call("/ok");
		},
	};
	const signIn = (tenant: string, password = PASSWORD, browser = new Browser()): Promise<Answer> =>
		call("/sign-in/email", { tenant, browser, body: { email: ADA, password } });
	const byUsername = (tenant: string): Promise<Answer> =>
		call("/sign-in/username", { tenant, body: { username: "eve", password: PASSWORD } });
	const users = async () =>
		(await world.database.query(`select * from "user"`)).map((row) => [row.tenantId, Boolean(row.emailVerified)]);
	const accountsIn = async (tenant: string): Promise<unknown[]> =>
		(await world.database.query(`select * from "account"`))
			.filter(({ tenantId }) => tenantId === tenant)
			.map(({ providerId }) => providerId)
			.sort();
	const isSignedIn = async (browser: Browser): Promise<boolean> =>
		Boolean((await call("/get-session", { browser })).json?.user);
	return { ...world, eve, codes, prove, signIn, byUsername, users, accountsIn, isSignedIn };
};

export type PlantedWorld = Awaited<ReturnType<typeof createPlanted>>;
