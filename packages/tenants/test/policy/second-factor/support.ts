import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import type { BetterAuthPlugin } from "better-auth";
import { admin, bearer, emailOTP, jwt, magicLink, multiSession, oneTimeToken, twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { type Answer, type CallOptions, PASSWORD } from "test-kit/world";
import { tenantPolicy } from "../../../src/policy.ts";

export const EMAIL = "ada@example.com";
const SESSION_COOKIE = "better-auth.session_token";
export const REFUSED = [401, "SECOND_FACTOR_REQUIRED"];

type Given = NonNullable<Parameters<typeof composedWorld>[1]> & {
	plugins?: BetterAuthPlugin[];
	/** plugins that come after the policy */
	after?: BetterAuthPlugin[];
	/** in place of `admin()` */
	adminPlugin?: BetterAuthPlugin;
	policy?: Parameters<typeof tenantPolicy>[0];
	twoFactorOptions?: Parameters<typeof twoFactor>[0];
};

/** Two tenants with policies and second factors. `post` has every code and link that was sent. */
export const secondFactorWorld = async ({
	plugins = [],
	after = [],
	adminPlugin = admin(),
	policy,
	twoFactorOptions,
	...given
}: Given = {}) => {
	const post: { kind: string; to: string; secret: string }[] = [];
	const world = await composedWorld(
		[
			// before the policy, so their hooks run first
			jwt(),
			bearer(),
			multiSession(),
			oneTimeToken({ setOttHeaderOnNewSession: true }),
			magicLink({
				sendMagicLink: async ({ email, token }) => void post.push({ kind: "magic", to: email, secret: token }),
			}),
			emailOTP({
				sendVerificationOTP: async ({ email, otp }) => void post.push({ kind: "otp", to: email, secret: otp }),
			}),
			adminPlugin,
			...plugins,
			twoFactor({
				otpOptions: {
					sendOTP: async ({ user, otp }) => void post.push({ kind: "factor", to: user.email, secret: otp }),
				},
				...twoFactorOptions,
			}),
			tenantPolicy(policy),
			...after,
		],
		given,
	);
	const { call, ok } = world;
	const require = async (tenantId: string, rules: object = { secondFactor: "required" }): Promise<Answer> =>
		ok("/tenant/policy/update", { operator: true, body: { tenantId, policy: rules } });
	const last = (kind: string): string => post.findLast((sent) => sent.kind === kind)?.secret ?? "nothing was sent";

	const enroll = (browser: Browser, options: CallOptions = {}) => enrollIn(world, browser, options);
	const signIn = async (tenant: string, browser = new Browser(), body: object = {}): Promise<Answer> =>
		call("/sign-in/email", { tenant, browser, body: { email: EMAIL, password: PASSWORD, ...body } });
	const magic = async (tenant: string, browser = new Browser()): Promise<Answer> => {
		await ok("/sign-in/magic-link", { tenant, body: { email: EMAIL } });
		return call("/magic-link/verify", { tenant, browser, query: { token: last("magic"), callbackURL: "/home" } });
	};
	/** The status and code of an endpoint that needs a session. */
	const asMember = async (options: CallOptions): Promise<[number, string | undefined]> => {
		const { status, code } = await call("/list-sessions", options);
		return [status, code];
	};
	const sessions = (tenantId: string): Promise<Record<string, unknown>[]> =>
		world.database.query(`select * from "session" where "tenantId" = '${tenantId}'`);
	return { ...world, post, last, require, enroll, signIn, magic, asMember, sessions };
};

/** Sets up an authenticator app for a signed-in user. Returns what creates its codes. */
export const enrollIn = async (
	{ ok }: { ok: (path: string, options: CallOptions) => Promise<Answer> },
	browser: Browser,
	options: CallOptions = {},
) => {
	const enabled = await ok("/two-factor/enable", { browser, body: { password: PASSWORD }, ...options });
	const secret = base32.decode(new URL(enabled.json.totpURI).searchParams.get("secret") ?? "");
	const code = async (): Promise<string> => createOTP(new TextDecoder().decode(secret)).totp();
	const verified = await ok("/two-factor/verify-totp", { browser, ...options, body: { code: await code() } });
	return { code, verified, backupCodes: enabled.json.backupCodes as string[] };
};

export const tokenIn = (browser: Browser): string =>
	decodeURIComponent(browser.cookies.get(SESSION_COOKIE) ?? "").split(".")[0] ?? "";
