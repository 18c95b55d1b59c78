import { type BetterAuthOptions, betterAuth } from "better-auth";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import { getMigrations } from "better-auth/db/migration";
import { createTenantHandler, limitConcurrency, type TenantAuthOptions, tenantAuth } from "better-auth-tenants";

export type Settings = {
	origin: string;
	secret: string;
	managementKey: string;
	/** D1 has no interactive transactions */
	hasTransactions: boolean;
};

type Variant = { auth?: Partial<BetterAuthOptions>; tenants?: TenantAuthOptions };
type Database = NonNullable<BetterAuthOptions["database"]>;

/** The deployments that proof/conformance knows, each below its own path, because a worker has one port. */
const variantsOf = ({ secret, managementKey, hasTransactions }: Settings): Record<string, Variant> => {
	const database = { database: { requireTransactions: hasTransactions } };
	const standard = {
		...database,
		management: { keys: [managementKey] },
		deletion: { drainTime: 0 },
		oauth: { allowPrivateHosts: true },
	};
	return {
		standard: { tenants: standard },
		resolver: {
			tenants: { ...standard, resolveTenantId: async ({ headers }) => headers?.get("x-conformance-resolve") },
		},
		header: { tenants: { ...standard, tenantHeader: "x-account" } },
		withoutGlobal: { tenants: standard, auth: { socialProviders: {} } },
		bare: { tenants: database },
		basePath: { tenants: standard },
		otherSecret: { tenants: standard, auth: { secret: [...secret].reverse().join("") } },
		drainTime: { tenants: { ...standard, deletion: { drainTime: 1 }, tenantCache: { maxAge: 1 } } },
		publicHosts: { tenants: { ...standard, oauth: { allowPrivateHosts: false } } },
	};
};

const pathOf = (name: string): string =>
	name === "standard" ? "/api/auth" : name === "basePath" ? "/identity" : `/${name}/auth`;

const optionsOf = (name: string, { auth, tenants }: Variant, database: Database, settings: Settings) => ({
	baseURL: settings.origin,
	basePath: pathOf(name),
	secret: settings.secret,
	database,
	logger: { disabled: true },
	telemetry: { enabled: false },
	rateLimit: { enabled: false },
	emailAndPassword: { enabled: true, password: cheapHash },
	socialProviders: { gitlab: { clientId: "global-client", clientSecret: "global-secret" } },
	user: { additionalFields: { role: { type: "string" as const, required: false, input: false } } },
	plugins: [tenantAuth(tenants)],
	...auth,
});

/** One application for every runtime: a function from Request to Response. */
export const createApp = (database: Database, settings: Settings) => {
	const variants = Object.entries(variantsOf(settings));
	const handlers = variants.map(([name, variant]) => {
		const auth = betterAuth(optionsOf(name, variant, database, settings));
		return { path: `${pathOf(name)}/`, handle: createTenantHandler(auth) };
	});
	const [standard = ["standard", {}]] = variants;
	const bounded = betterAuth(optionsOf("bounded", standard[1] as Variant, database, settings));
	// one at a time, so that most requests wait
	handlers.push({ path: `${pathOf("bounded")}/`, handle: limitConcurrency(bounded, { runningPerTenant: 1 }) });
	return async (request: Request): Promise<Response> => {
		const { pathname } = new URL(request.url);
		if (pathname === "/probe") {
			const { runMigrations } = await getMigrations(optionsOf(standard[0], standard[1] as Variant, database, settings));
			await runMigrations();
			return Response.json({ variants: variants.map(([name]) => [name, pathOf(name)]), scrypt: await probeScrypt() });
		}
		const found = handlers.find(({ path }) => pathname.startsWith(path));
		return found ? found.handle(request) : new Response(null, { status: 404 });
	};
};

/** Better Auth's own hash works here. The run uses a cheap one, because it signs in a thousand times. */
const probeScrypt = async (): Promise<boolean> => {
	const hash = await hashPassword("correct horse");
	return (
		(await verifyPassword({ hash, password: "correct horse" })) && !(await verifyPassword({ hash, password: "x" }))
	);
};

const digest = async (text: string): Promise<string> =>
	[...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))].join(".");

const cheapHash = {
	hash: async (password: string) => {
		const salt = crypto.randomUUID();
		return `${salt}:${await digest(salt + password)}`;
	},
	verify: async ({ hash, password }: { hash: string; password: string }) => {
		const [salt = "", kept] = hash.split(":");
		return (await digest(salt + password)) === kept;
	},
};
