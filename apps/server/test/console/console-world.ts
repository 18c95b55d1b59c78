import pg from "pg";
import { Browser } from "test-kit/browser";
import { AUTH_URL, MANAGEMENT_KEY } from "../support/environment.ts";
import { createWorld } from "../support/world.ts";

export const PASSWORD = "correct horse battery";
const BASE = "/api/auth";

export type Person = { id: string; browser: Browser };
export type Answer = { status: number; code: string | undefined; json: Record<string, unknown>; headers: Headers };
type Call = { as?: Person | "key" | null; body?: object; headers?: Record<string, string> };

/** The service with its console: two tenants with an owner, an admin and a member each, and an operator. */
export const startConsole = async (environment: Record<string, string> = {}) => {
	const world = await createWorld({
		environment: {
			CONSOLE: "true",
			PLUGINS: "admin,tenant-admin,two-factor",
			MANAGEMENT_ROLES: "admin",
			PLATFORM_SIGN_UP: "true",
			PAGES: "true",
			TENANT_RESOLVER: "path",
			TENANT_LIFECYCLE: "true",
			TENANT_POLICY: "true",
			TENANT_CACHE_MAX_AGE: "0",
			...environment,
		},
	});
	const service = await world.start();
	const pool = new pg.Pool({ connectionString: world.database.url });

	const call = async (
		path: string,
		{ as = null, body, headers = {} }: Call = {},
		at = service.url,
	): Promise<Answer> => {
		const response = await fetch(`${at}${BASE}${path}`, {
			method: body ? "POST" : "GET",
			headers: {
				origin: AUTH_URL,
				...(body ? { "content-type": "application/json" } : {}),
				...(as === "key" ? { authorization: `Bearer ${MANAGEMENT_KEY}` } : {}),
				...(as !== null && as !== "key" ? { cookie: as.browser.header() } : {}),
				...headers,
			},
			...(body ? { body: JSON.stringify(body) } : {}),
		});
		if (as !== null && as !== "key") as.browser.take(response);
		const json = (await response.json().catch(() => ({}))) as Record<string, unknown>;
		return { status: response.status, code: json?.code as string | undefined, json, headers: response.headers };
	};

	/** Signs somebody up, in a tenant or on the platform, and gives them a role. */
	const join = async (tenantId: string | null, name: string, role: string): Promise<Person> => {
		const person: Person = { id: "", browser: new Browser() };
		const body = { name, email: `${name}@example.com`, password: PASSWORD };
		const path = tenantId === null ? "/sign-up/email" : "/tenant/sign-up/email";
		const { json } = await call(path, { as: person, body: { ...body, ...(tenantId === null ? {} : { tenantId }) } });
		person.id = (json.user as { id: string }).id;
		await pool.query(`update "user" set "role" = $2 where "id" = $1`, [person.id, role]);
		return person;
	};
	const populate = async (slug: string) => {
		const { json } = await call("/tenant/create", { as: "key", body: { name: slug.toUpperCase(), slug } });
		const id = String(json.id);
		return {
			id,
			slug,
			owner: await join(id, "owner", "owner"),
			admin: await join(id, "admin", "admin"),
			member: await join(id, "member", "member"),
		};
	};
	const [acme, globex] = [await populate("acme"), await populate("globex")];
	return {
		world,
		service,
		pool,
		call,
		join,
		acme,
		globex,
		operator: await join(null, "operator", "admin"),
		close: async (): Promise<void> => {
			await pool.end();
			await world.close();
		},
	};
};

export type ConsoleWorld = Awaited<ReturnType<typeof startConsole>>;
