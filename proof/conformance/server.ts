import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { toNodeHandler } from "better-auth/node";
import { admin, twoFactor } from "better-auth/plugins";
import { type TenantAuthOptions, withTenants } from "better-auth-tenants";
import { tenantAdmin, tenantInvitations, tenantRoles } from "better-auth-tenants/admin";
import { tenantLifecycle } from "better-auth-tenants/lifecycle";
import { tenantPolicy } from "better-auth-tenants/policy";
import { served } from "test-kit/served";
import { KEEP_ALIVE } from "test-kit/servers/keep-alive";
import type { Variant } from "./check.ts";
import type { Setting } from "./settings.ts";
import { PLAYED } from "./social.ts";

type Mail = { to: string; url: string };

/** What all servers of a run share: they are one application, started with different options. */
export type Shared = {
	secret: string;
	managementKey: string;
	database: Pick<BetterAuthOptions, "database" | "secondaryStorage">;
	/** Better Auth's scrypt instead of a cheap hash; slow on purpose. */
	realHashing: boolean;
	issuer: string;
	globalClient: { clientId: string; clientSecret: string };
	listedUserIds: string[];
	mails: Mail[];
	setting: Setting;
};

type Options = { auth?: Partial<BetterAuthOptions>; tenants?: TenantAuthOptions; plugins?: BetterAuthPlugin[] };

const standard = (shared: Shared): TenantAuthOptions => ({
	management: { keys: [shared.managementKey] },
	deletion: { drainTime: 0 },
	oauth: { allowPrivateHosts: true },
});

/** How each variant differs from the standard server. */
const variants: Record<Variant | "standard", (shared: Shared) => Options> = {
	standard: (shared) => ({ tenants: standard(shared) }),
	resolver: (shared) => ({
		tenants: { ...standard(shared), resolveTenantId: async ({ headers }) => headers?.get("x-conformance-resolve") },
	}),
	header: (shared) => ({ tenants: { ...standard(shared), tenantHeader: "x-account" } }),
	withoutGlobal: (shared) => ({ tenants: standard(shared), auth: { socialProviders: {} } }),
	verification: (shared) => ({
		tenants: standard(shared),
		auth: {
			emailAndPassword: { ...emailAndPassword(shared), requireEmailVerification: true },
			emailVerification: {
				sendVerificationEmail: async ({ user, url }) => void shared.mails.push({ to: user.email, url }),
			},
		},
	}),
	admin: (shared) => ({
		tenants: standard(shared),
		plugins: [
			admin({ ...tenantRoles }),
			tenantAdmin(),
			tenantInvitations({
				acceptURL: "https://app.example.com/invitation",
				sendInvitation: ({ email, url }) => void shared.mails.push({ to: email, url }),
			}),
		],
	}),
	bare: () => ({}),
	basePath: (shared) => ({ tenants: standard(shared), auth: { basePath: "/identity" } }),
	operators: (shared) => ({
		tenants: {
			...standard(shared),
			management: {
				roles: ["admin"],
				userIds: shared.listedUserIds,
				authorize: ({ action, tenantId, session }) =>
					action === "oauth-config:list" &&
					String(session?.user.email).endsWith("@tenant-admins.example") &&
					session?.session.tenantId === tenantId,
			},
		},
	}),
	otherSecret: (shared) => ({ tenants: standard(shared), auth: { secret: [...shared.secret].reverse().join("") } }),
	lifecycle: (shared) => ({ tenants: standard(shared), plugins: [tenantLifecycle()] }),
	drainTime: (shared) => ({
		tenants: { ...standard(shared), deletion: { drainTime: 1 }, tenantCache: { maxAge: 1 } },
	}),
	publicHosts: (shared) => ({ tenants: { ...standard(shared), oauth: { allowPrivateHosts: false } } }),
	policy: (shared) => ({ tenants: standard(shared), plugins: [tenantPolicy()] }),
	secondFactor: (shared) => ({
		tenants: standard(shared),
		plugins: [admin({ ...tenantRoles }), tenantAdmin(), twoFactor(), tenantPolicy()],
	}),
};

export const variantNames = Object.keys(variants) as (Variant | "standard")[];

/** The Better Auth options of one server. All variants share a database with the tables of all of them. */
export const optionsOf = (variant: Variant | "standard", shared: Shared, origin: string): BetterAuthOptions => {
	const { auth, tenants = {}, plugins = [] } = variants[variant](shared);
	const { setting } = shared;
	const options: BetterAuthOptions = {
		baseURL: origin,
		secret: shared.secret,
		...shared.database,
		logger: process.env.CONFORMANCE_LOG ? { level: "debug" } : { disabled: true },
		rateLimit: { enabled: false },
		emailAndPassword: emailAndPassword(shared),
		socialProviders: { [PLAYED]: { ...shared.globalClient, issuer: shared.issuer } },
		user: { additionalFields: { role: { type: "string", required: false, input: false } } },
		databaseHooks: {
			user: {
				create: {
					before: async (user) => ({
						data: user.email.endsWith("@operators.example") ? { ...user, role: "admin" } : user,
					}),
				},
			},
		},
		plugins: withTenants(setting.tenants?.(tenants) ?? tenants, plugins),
		...auth,
	};
	return { ...options, ...setting.auth?.(options) };
};

/** Starts one variant on a free loopback port. */
export const startServer = async (variant: Variant | "standard", shared: Shared) => {
	const server = createServer(KEEP_ALIVE);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const options = optionsOf(variant, shared, origin);
	const auth = betterAuth(options);
	server.on("request", toNodeHandler(served(auth)));
	const stop = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	// a path in the base URL replaces the base path
	const { pathname } = new URL(String(options.baseURL));
	const base = origin + (pathname === "/" ? (options.basePath ?? "/api/auth") : pathname);
	return { base, stop, api: auth.api };
};

const emailAndPassword = ({ realHashing }: Shared): NonNullable<BetterAuthOptions["emailAndPassword"]> => ({
	enabled: true,
	...(!realHashing && { password: cheapHashing }),
});

/** A salted SHA-256, only suitable for a test that signs in a thousand times. */
const cheapHashing = {
	hash: async (password: string) => {
		const salt = randomBytes(8).toString("hex");
		return `${salt}:${sha256(salt + password)}`;
	},
	verify: async ({ hash, password }: { hash: string; password: string }) => {
		const [salt = "", digest] = hash.split(":");
		return sha256(salt + password) === digest;
	},
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
