/** What the table of examples/README.md shows about an example. */
type Listed = {
	name: string;
	framework: string;
	database: "SQLite" | "PostgreSQL" | "D1";
	tenantsBy: string;
};

/** An example that mounts the plugin: what the proof knows about it. */
export type Example = Listed & {
	/** Where the tenants' users are stored, to count them. */
	userTable: { table: string; tenantColumn: string };
	/** The other hosts of the tenants, if they have some. */
	domains?: { acme: string; globex: string };
	/** Whether there is something to build before `npm start`. */
	build: boolean;
	/** Arguments of `npm start`, where the port is not read from `.env`. */
	startArguments?: (port: number) => string[];
};

const BETTER_AUTH_TABLE = { table: `"user"`, tenantColumn: `"tenantId"` };

/** In the order of the table. Each has a folder in examples/ and is a template of packages/create. */
export const EXAMPLES: Example[] = [
	{
		name: "hono-react",
		framework: "Hono, React",
		database: "SQLite",
		tenantsBy: "custom domain, subdomain",
		userTable: BETTER_AUTH_TABLE,
		domains: { acme: "login.acme.test", globex: "login.globex.test" },
		build: true,
	},
	{
		name: "nextjs",
		framework: "Next.js, Drizzle",
		database: "PostgreSQL",
		tenantsBy: "subdomain",
		userTable: { table: `"user"`, tenantColumn: "tenant_id" },
		build: true,
	},
	{
		name: "sveltekit",
		framework: "SvelteKit",
		database: "SQLite",
		tenantsBy: "subdomain",
		userTable: BETTER_AUTH_TABLE,
		build: true,
	},
	{
		name: "cloudflare-workers",
		framework: "Cloudflare Workers, Hono",
		database: "D1",
		tenantsBy: "subdomain",
		userTable: BETTER_AUTH_TABLE,
		build: true,
		startArguments: (port) => ["--", "--port", String(port)],
	},
	{
		name: "express-kysely",
		framework: "Express, Kysely",
		database: "PostgreSQL",
		tenantsBy: "subdomain",
		userTable: BETTER_AUTH_TABLE,
		build: true,
	},
];

/** The application beside the service. It has a folder in examples/ too, and is no template: it needs a service that runs. */
export const OIDC_CLIENT: Listed = {
	name: "oidc-client",
	framework: "The service, Hono, openid-client",
	database: "PostgreSQL",
	tenantsBy: "subdomain, each an OpenID Connect issuer",
};

/** Every row of the table. */
export const LISTED: Listed[] = [...EXAMPLES, OIDC_CLIENT];

/** What CI uses in a browser: those that install and build in seconds, without a database server. It builds the others. */
export const SHORT = ["hono-react", "sveltekit"];
