import { redisStorage } from "@better-auth/redis-storage";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { createTenantHandler, limitConcurrency, tenantAuth, withKeyScan } from "better-auth-tenants";
import type { Redis } from "ioredis";
import type { Pool } from "pg";
import { cheapHash } from "test-kit/cheap-hash";
import { ADDRESS_HEADER, MANAGEMENT_KEY, type ServerSettings } from "./settings.ts";

type Parts = { baseURL: string; pool: Pool; redis: Redis | null };

/** The engine with tenants, as in an application. */
export const buildAuth = async (settings: ServerSettings, { baseURL, pool, redis }: Parts) => {
	const { rateLimit, limits } = limitsOf(settings);
	const options: BetterAuthOptions = {
		database: pool,
		baseURL,
		secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
		emailAndPassword: { enabled: true, ...(settings.hashing === "cheap" ? { password: cheapHash } : {}) },
		advanced: { ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] } },
		rateLimit,
		...(redis && settings.redis
			? { secondaryStorage: withKeyScan(redisStorage, { client: redis, keyPrefix: settings.redis.prefix }) }
			: {}),
		plugins: [
			tenantAuth({
				...settings.tenants,
				limits,
				management: { keys: [MANAGEMENT_KEY], transfer: settings.transfer === true },
				transfer: { acceptsPasswordHash },
			}),
		],
	};
	await (await getMigrations(options)).runMigrations();
	const auth = betterAuth(options);
	await auth.$context;
	const { inFlightPerTenant } = settings;
	const handler = createTenantHandler(auth);
	return inFlightPerTenant === undefined
		? handler
		: limitConcurrency({ ...auth, handler }, { perTenant: inFlightPerTenant });
};

/** Better Auth's limit counts by address and path, ours by tenant. */
const limitsOf = ({ signInLimit }: ServerSettings) => {
	if (!signInLimit) return { rateLimit: { enabled: false }, limits: {} };
	const { by, ...limit } = signInLimit;
	return {
		rateLimit: { enabled: true, customRules: { "/sign-in/email": by === "address" && limit, "/**": false as const } },
		limits: by === "tenant" ? { perTenant: limit } : {},
	};
};

/** Hashes of the engine's scrypt, and the cheap ones. */
const acceptsPasswordHash = (hash: string): boolean => /^([0-9a-f]{64}|[0-9a-f]{32}:[0-9a-f]{128})$/.test(hash);
