import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { redisStorage } from "@better-auth/redis-storage";
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import {
	admin,
	bearer,
	emailOTP,
	magicLink,
	multiSession,
	oneTimeToken,
	organization,
	phoneNumber,
	twoFactor,
	username,
} from "better-auth/plugins";
import type { Redis } from "ioredis";
import type { Pool } from "pg";
import { cheapHash } from "test-kit/cheap-hash";
import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import { served } from "test-kit/served";
import type { AppSettings, Message } from "./settings.ts";

type Post = (message: Message) => void;
type TenantsModule = typeof import("better-auth-tenants");

/** The engine as in an application: tenants, ten plugins, mail, GitLab. */
export const buildAuth = async (
	settings: AppSettings,
	{ baseURL, pool, redis, post }: { baseURL: string; pool: Pool; redis: Redis | null; post: Post },
) => {
	const { withTenants, createTenantHandler } = (await import(
		pathToFileURL(join(settings.source, "index.ts")).href
	)) as TenantsModule;
	const options: BetterAuthOptions = {
		baseURL,
		database: pool,
		...secretsOf(settings),
		...(redis && settings.redis
			? { secondaryStorage: redisStorage({ client: redis, keyPrefix: settings.redis.prefix }) }
			: {}),
		...(settings.sessionsInDatabaseToo ? { session: { storeSessionInDatabase: true } } : {}),
		...(settings.gitlab ? { socialProviders: { gitlab: settings.gitlab } } : {}),
		rateLimit: { enabled: false },
		logger: { level: "error", log: (level, message, ...rest) => console.error(level, message, ...rest) },
		...flows(settings, post),
		plugins: withTenants(
			{
				management: { keys: [MANAGEMENT_KEY] },
				tenantCache: { maxAge: settings.tenantCacheMaxAge ?? 5 },
				deletion: { drainTime: settings.deletionDrainTime ?? 0, batchSize: settings.deletionBatchSize ?? 1_000 },
				// its users open every mail in a browser of its own; test/unproven proves what ends then
				keepUnprovenPasswords: true,
				// the identity provider is on loopback
				oauth: { allowPrivateHosts: true },
			},
			plugins(post),
		),
	};
	if (!settings.skipMigrations) await (await getMigrations(options)).runMigrations();
	const auth = served(betterAuth(options), createTenantHandler);
	await auth.$context;
	return auth;
};

const FIRST_SECRET = "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe";

const secretsOf = ({ secrets }: AppSettings): Pick<BetterAuthOptions, "secret" | "secrets"> =>
	secrets
		? { secrets: secrets.map((value, index) => ({ version: index + 1, value })).reverse() }
		: { secret: FIRST_SECRET };

const flows = ({ hashing, requireEmailVerification = false }: AppSettings, post: Post): Partial<BetterAuthOptions> => {
	const mail =
		(kind: string) =>
		async ({ user, token, url }: { user: { email: string }; token: string; url: string }): Promise<void> =>
			post({ kind, to: user.email, secret: token, url });
	return {
		emailAndPassword: {
			enabled: true,
			requireEmailVerification,
			sendResetPassword: mail("reset"),
			...(hashing === "cheap" ? { password: cheapHash } : {}),
		},
		emailVerification: { sendVerificationEmail: mail("verify"), autoSignInAfterVerification: true },
		user: {
			changeEmail: { enabled: true, sendChangeEmailConfirmation: mail("change") },
			deleteUser: { enabled: true },
		},
	};
};

const plugins = (post: Post): BetterAuthPlugin[] => [
	admin(),
	bearer(),
	emailOTP({
		sendVerificationOTP: async ({ email, otp, type }) => post({ kind: `otp:${type}`, to: email, secret: otp }),
	}),
	magicLink({
		sendMagicLink: async ({ email, token, url }) => post({ kind: "magic", to: email, secret: token, url }),
	}),
	multiSession(),
	oneTimeToken(),
	organization({ sendInvitationEmail: async ({ id, email }) => post({ kind: "invitation", to: email, secret: id }) }),
	phoneNumber({
		sendOTP: async ({ phoneNumber, code }) => post({ kind: "phone", to: phoneNumber, secret: code }),
		sendPasswordResetOTP: async ({ phoneNumber, code }) => post({ kind: "phone-reset", to: phoneNumber, secret: code }),
	}),
	twoFactor({
		otpOptions: { sendOTP: async ({ user, otp }) => post({ kind: "second-factor", to: user.email, secret: otp }) },
	}),
	username(),
];

/** Encrypts every stored credential again, like an operator after a secret rotation. */
export const reencryptAll = async ({ source }: AppSettings, auth: object, batchSize: number) => {
	const { reencryptSecrets } = (await import(pathToFileURL(join(source, "index.ts")).href)) as TenantsModule;
	// the options are plain, so the type does not list the plugin's API
	return reencryptSecrets(auth as never, { batchSize });
};
