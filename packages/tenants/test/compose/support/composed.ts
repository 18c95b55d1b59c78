import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import type { BetterAuthOptions } from "better-auth";
import {
	admin,
	anonymous,
	bearer,
	deviceAuthorization,
	emailOTP,
	jwt,
	magicLink,
	multiSession,
	organization,
	phoneNumber,
	siwe,
	twoFactor,
	username,
} from "better-auth/plugins";
import { cheapHash } from "test-kit/cheap-hash";
import { MANAGEMENT_KEY, ORIGIN } from "test-kit/world";
import { type TenantAuthOptions, withTenants } from "../../../src/index.ts";

/** The plugins of a grown application, with every kind of table and unique field. */
export const grownPlugins = () =>
	[
		organization({ teams: { enabled: true } }),
		passkey(),
		twoFactor(),
		username(),
		phoneNumber({ sendOTP: async () => {} }),
		apiKey(),
		admin(),
		anonymous(),
		bearer(),
		deviceAuthorization({ verificationUri: "/device" }),
		emailOTP({ sendVerificationOTP: async () => {} }),
		jwt(),
		magicLink({ sendMagicLink: async () => {} }),
		multiSession(),
		siwe({ domain: "localhost:3000", getNonce: async () => "nonce", verifyMessage: async () => false }),
	] as const;

/** Better Auth without tenants. */
export const engineOptions = (database: BetterAuthOptions["database"]) =>
	({
		database,
		baseURL: ORIGIN,
		secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
		// off, but with its table, which belongs to no tenant
		rateLimit: { enabled: false, storage: "database" },
		emailAndPassword: { enabled: true, password: cheapHash },
	}) satisfies BetterAuthOptions;

/** The same options, composed with tenants. */
export const composedOptions = (
	database: BetterAuthOptions["database"],
	tenants: TenantAuthOptions = {},
	logger: BetterAuthOptions["logger"] = { disabled: true },
) => ({
	...engineOptions(database),
	logger,
	plugins: withTenants(
		{ management: { keys: [MANAGEMENT_KEY] }, deletion: { drainTime: 0 }, ...tenants },
		grownPlugins(),
	),
});
