import { randomBytes } from "node:crypto";
import type { SecondaryStorage } from "@better-auth/core/db";
import { redisStorage } from "@better-auth/redis-storage";
import { type BetterAuthOptions, type BetterAuthPlugin, generateId } from "better-auth";
import {
	admin,
	anonymous,
	bearer,
	customSession,
	deviceAuthorization,
	emailOTP,
	genericOAuth,
	jwt,
	lastLoginMethod,
	magicLink,
	multiSession,
	oAuthProxy,
	oauthPopup,
	oneTap,
	oneTimeToken,
	openAPI,
	organization,
	phoneNumber,
	siwe,
	twoFactor,
	username,
} from "better-auth/plugins";
import { createAccessControl } from "better-auth/plugins/access";
import { defaultStatements } from "better-auth/plugins/organization/access";
import { withTenants } from "better-auth-tenants";
import { tenantAdmin, tenantInvitations, tenantRoles } from "better-auth-tenants/admin";
import { tenantLifecycle } from "better-auth-tenants/lifecycle";
import { tenantPolicy } from "better-auth-tenants/policy";
import { Redis } from "ioredis";
import type { DatabaseKind } from "test-kit/databases";
import { createStripeServer } from "test-kit/stripe-server";
import { createWorld, MANAGEMENT_KEY, ORIGIN, type World } from "test-kit/world";
import { onTestFinished } from "vitest";
import { NOBODY, packagedPlugins, type StripeServer } from "./packaged-plugins.ts";

/** The mails and messages that the engine sent, newest last. */
type Outbox = { kind: string; to: string; secret: string }[];

export type SurfaceWorld = World & { outbox: Outbox; stripe: StripeServer; redis: Redis | null; redisPrefix: string };

/** In seconds. Codes and links are used long after they were sent, on a machine that does other work. */
const HOUR = 3_600;

/**
 * All bundled plugins except three: captcha and haveIBeenPwned call an internet service on every sign-in or password
 * (they have neither endpoints nor tables, and their hosts are fixed), and testUtils is for tests.
 */
const bundledPlugins = (outbox: Outbox, companions: boolean): BetterAuthPlugin[] => {
	const post = (kind: string, to: string, secret: string) => void outbox.push({ kind, to, secret });
	return [
		companions ? admin({ ...tenantRoles }) : admin(),
		anonymous(),
		bearer(),
		deviceAuthorization({ verificationUri: "/device" }),
		emailOTP({
			changeEmail: { enabled: true },
			expiresIn: HOUR,
			sendVerificationOTP: async ({ email, otp, type }) => post(`otp:${type}`, email, otp),
		}),
		genericOAuth({
			config: [
				{
					providerId: "generic",
					clientId: "surface",
					clientSecret: "surface-secret",
					authorizationUrl: "https://idp.example.com/authorize",
					tokenUrl: "https://127.0.0.1:9/token",
					getToken: async ({ code }) => ({ accessToken: `access-${code}`, refreshToken: `refresh-${code}` }),
					getUserInfo: async () => ({
						id: "subject-of-the-provider",
						email: "social@example.com",
						emailVerified: true,
						name: "Social",
						createdAt: new Date(),
						updatedAt: new Date(),
					}),
				},
			],
		}),
		jwt(),
		lastLoginMethod({ storeInDatabase: true }),
		magicLink({ expiresIn: HOUR, sendMagicLink: async ({ email, token }) => post("magic", email, token) }),
		multiSession(),
		oAuthProxy(),
		oauthPopup(),
		oneTap({ clientId: "surface" }),
		oneTimeToken({ expiresIn: HOUR / 60 }),
		openAPI(),
		organization({
			teams: { enabled: true },
			ac: createAccessControl<Record<string, readonly string[]>>(defaultStatements),
			dynamicAccessControl: { enabled: true },
			sendInvitationEmail: async ({ id, email }) => post("invitation", email, id),
		}),
		phoneNumber({
			expiresIn: HOUR,
			sendOTP: async ({ phoneNumber, code }) => post("phone", phoneNumber, code),
			sendPasswordResetOTP: async ({ phoneNumber, code }) => post("phone-reset", phoneNumber, code),
		}),
		siwe({
			domain: "localhost:3000",
			getNonce: async () => randomBytes(12).toString("hex"),
			verifyMessage: async ({ signature }) => signature === "0xsigned",
		}),
		twoFactor({
			twoFactorCookieMaxAge: HOUR,
			otpOptions: { period: HOUR / 60, sendOTP: async ({ user, otp }) => post("second-factor", user.email, otp) },
		}),
		username(),
		customSession(async (session) => ({ ...session, custom: true })),
	];
};

const engineOptions = (outbox: Outbox): Partial<BetterAuthOptions> => {
	const post =
		(kind: string) =>
		async ({ user, token }: { user: { email: string }; token: string }): Promise<void> =>
			void outbox.push({ kind, to: user.email, secret: token });
	return {
		logger: { disabled: true },
		emailAndPassword: {
			enabled: true,
			sendResetPassword: post("reset"),
			password: {
				hash: async (password) => `${password}!`,
				verify: async ({ hash, password }) => hash === `${password}!`,
			},
		},
		emailVerification: { sendVerificationEmail: post("verify"), autoSignInAfterVerification: true },
		user: {
			changeEmail: { enabled: true, sendChangeEmailConfirmation: post("change") },
			deleteUser: { enabled: true, sendDeleteAccountVerification: post("delete") },
		},
		socialProviders: { google: { clientId: "surface", clientSecret: "surface-secret" } },
		advanced: { disableOriginCheck: false, database: { generateId: () => generateId(32) } },
		trustedOrigins: [ORIGIN, NOBODY],
	};
};

export type SurfaceOptions = {
	bare?: boolean;
	database?: DatabaseKind;
	redis?: boolean;
	/** instead of Redis */
	storage?: SecondaryStorage;
	/** with the companions of tenantAuth(), which close some endpoints of the engine in tenants */
	companions?: boolean;
	/** plugins that only observe the others */
	watching?: BetterAuthPlugin[];
	onFinished?: (close: () => Promise<void>) => void;
};

/** The engine with every plugin that starts here, with tenants or without. */
export const createSurface = async ({
	bare = false,
	database = "sqlite",
	redis = false,
	storage,
	companions = false,
	watching = [],
	onFinished = onTestFinished,
}: SurfaceOptions = {}): Promise<SurfaceWorld> => {
	const outbox: Outbox = [];
	const stripe = await createStripeServer(onFinished);
	const plugins = [
		...bundledPlugins(outbox, companions),
		...packagedPlugins(stripe),
		...(companions
			? [
					tenantAdmin(),
					tenantInvitations({
						acceptURL: "https://app.example.com/invitation",
						sendInvitation: ({ email, token }) =>
							void outbox.push({ kind: "tenant-invitation", to: email, secret: token }),
					}),
				]
			: []),
		...watching,
	];
	const redisPrefix = `surface-${randomBytes(6).toString("hex")}:`;
	const client = redis ? new Redis(process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379") : null;
	if (client) {
		onFinished(async () => {
			const keys = await client.keys(`${redisPrefix}*`);
			if (keys.length > 0) await client.del(...keys);
			client.disconnect();
		});
	}
	const secondaryStorage = client ? redisStorage({ client, keyPrefix: redisPrefix }) : storage;
	const world = await createWorld({
		database,
		onFinished,
		engine: {
			...engineOptions(outbox),
			...(secondaryStorage
				? {
						secondaryStorage,
						// the OAuth provider's tokens point at sessions
						session: { storeSessionInDatabase: true },
					}
				: {}),
		},
		allPlugins: bare
			? plugins
			: withTenants(
					{
						management: {
							keys: [MANAGEMENT_KEY],
							// an admin manages their own tenant; deleting it would end the sweep
							authorize: ({ action, tenantId, session }) =>
								action !== "tenant:delete" &&
								tenantId !== null &&
								session?.session.tenantId === tenantId &&
								session.user.role === "admin",
							audit: () => {},
							impersonation: {},
							transfer: true,
						},
						tenantCache: { maxAge: 60 },
						deletion: { drainTime: 0 },
					},
					[tenantLifecycle(), ...plugins, tenantPolicy()],
				),
	});
	return { ...world, outbox, stripe, redis: client, redisPrefix };
};

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];
type Endpoint = { name: string; path: string | undefined; methods: Method[] };

/** The endpoints of the running engine, as listed by itself. */
export const endpointsOf = ({ auth }: Pick<World, "auth">): Endpoint[] =>
	Object.entries(auth.api as Record<string, unknown>).map(([name, endpoint]) => {
		const { path, options } = endpoint as {
			path?: string;
			options: { method: Method | Method[]; metadata?: { SERVER_ONLY?: boolean } };
		};
		return { name, path: options.metadata?.SERVER_ONLY ? undefined : path, methods: [options.method].flat() };
	});
