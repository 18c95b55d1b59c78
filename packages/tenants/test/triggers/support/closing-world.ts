import { apiKey } from "@better-auth/api-key";
import type { BetterAuthPlugin } from "better-auth";
import { admin } from "better-auth/plugins/admin";
import { Browser } from "test-kit/browser";
import type { DatabaseKind } from "test-kit/databases";
import type { IdentityProvider } from "test-kit/identity-provider";
import { globalProviders, startSocial } from "test-kit/social";
import { type Answer, createWorld, MANAGEMENT_KEY, PASSWORD } from "test-kit/world";
import { tenantAdmin, tenantInvitations, tenantRoles } from "../../../src/admin.ts";
import { tenantTriggerSteps, withTenants } from "../../../src/index.ts";
import { tenantLifecycle } from "../../../src/lifecycle.ts";
import { createStops } from "./stops.ts";

type Given = { database: DatabaseKind; companions?: boolean; idp?: IdentityProvider; triggers?: boolean };

/** A database with the triggers, and requests that can be stopped at every step. No drain time is configured. */
export const createClosingWorld = async ({ database, companions = false, idp, triggers = true }: Given) => {
	const stops = createStops();
	/** the tokens of invitations */
	const sent: string[] = [];
	const others: BetterAuthPlugin[] = companions
		? [
				admin({ ...tenantRoles }),
				tenantAdmin(),
				tenantLifecycle(),
				tenantInvitations({
					acceptURL: "https://app.example.com/invitation",
					sendInvitation: async ({ token }) => void sent.push(token),
				}),
			]
		: [];
	const world = await createWorld({
		database,
		engine: {
			socialProviders: idp ? globalProviders(idp) : {},
			user: { changeEmail: { enabled: true, updateEmailWithoutVerification: true } },
		},
		allPlugins: withTenants(
			{
				management: { keys: [MANAGEMENT_KEY] },
				tenantCache: { maxAge: 60 },
				oauth: { allowPrivateHosts: true },
			},
			[apiKey({ rateLimit: { enabled: false } }), ...others, ...(database === "sqlite" ? [stops.stopCalls] : [])],
		),
	});
	if (triggers) for (const sql of await tenantTriggerSteps(world.auth)) await world.database.query(sql);
	// the first request reads the catalog
	await world.call("/get-session", { tenant: await world.newTenant() });
	stops.stopStatements(world.database);

	const { tables } = await world.auth.$context;
	/** How many rows a tenant has in each table that has some. */
	const rowsOf = async (tenantId: string): Promise<Record<string, number>> => {
		const found: Record<string, number> = {};
		for (const { modelName, fields } of Object.values(tables)) {
			if (!fields.tenantId) continue;
			const rows = await world.database.query(`select "id" from "${modelName}" where "tenantId" = '${tenantId}'`);
			if (rows.length > 0) found[modelName] = rows.length;
		}
		return found;
	};

	const operate = (path: string, tenantId: string, more: object = {}): Promise<Answer> =>
		world.call(`/tenant/${path}`, { operator: true, body: { tenantId, ...more } });

	/** Whether something waits for a lock: what was stopped may hold it. */
	const isBlocked = async (): Promise<boolean> =>
		(
			await world.database.query(
				database === "postgres"
					? "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
					: "select 1 from information_schema.innodb_trx t join information_schema.processlist p on p.id = t.trx_mysql_thread_id where t.trx_state = 'LOCK WAIT' and p.db = database()",
			)
		).length > 0;

	/** Everything by which someone gets in: rows that are new, and columns that changed. */
	const waysIn = async (tenantId: string): Promise<string[]> => {
		const read = (sql: string) => world.database.query(`${sql} where "tenantId" = '${tenantId}'`);
		const found = [
			...(await read('select "id", "email" from "user"')),
			...(await read('select "id", "password" from "account"')),
			...(await read('select "id" from "session"')),
			...(await read('select "id" from "apikey"')),
			...(await read('select "id", "value" from "verification"')),
		];
		return found.map((row) => JSON.stringify(row)).sort();
	};

	/** Waits for an answer, or until it has to wait for the transaction of a request that was stopped. Returns which. */
	const orBlocked = async (answering: Promise<Answer>): Promise<boolean> => {
		let answered = false;
		void answering.finally(() => {
			answered = true;
		});
		while (!answered && (database === "sqlite" || !(await isBlocked())))
			// MariaDB updates its list of waiting transactions only if nobody has asked for 100 ms
			await new Promise((resolve) => setTimeout(resolve, database === "mysql" ? 150 : 5));
		return answered;
	};

	/** Requests that leave rows, by name. Each prepares itself in a tenant, and returns what sends it. */
	const flows: Record<string, (tenant: string) => Promise<() => Promise<Answer>>> = {
		"sign-up": async (tenant) => () => {
			const body = { name: "Bob", email: "bob@example.com", password: PASSWORD };
			return world.call("/sign-up/email", { tenant, browser: new Browser(), body });
		},
		"sign-in": async (tenant) => {
			await world.signUp(tenant, "ada@example.com");
			const body = { email: "ada@example.com", password: PASSWORD };
			return () => world.call("/sign-in/email", { tenant, browser: new Browser(), body });
		},
		"password reset": async (tenant) => {
			await world.signUp(tenant, "ada@example.com");
			return () => world.call("/request-password-reset", { tenant, body: { email: "ada@example.com" } });
		},
		"new password": async (tenant) => {
			await world.signUp(tenant, "ada@example.com");
			await world.call("/request-password-reset", { tenant, body: { email: "ada@example.com" } });
			const body = { token: world.lastMail("reset").token, newPassword: `${PASSWORD} again` };
			return () => world.call("/reset-password", { tenant, body });
		},
		"new email": async (tenant) => {
			const browser = await world.signUp(tenant, "ada@example.com");
			return () => world.call("/change-email", { browser, body: { newEmail: "new@example.com" } });
		},
		"API key": async (tenant) => {
			const browser = await world.signUp(tenant, "ada@example.com");
			return () => world.call("/api-key/create", { browser, body: { name: "ci" } });
		},
		...(idp
			? {
					"social callback": async (tenant: string) => {
						const ada = { sub: "7", email: "ada@example.com" };
						const { browser, callback } = await startSocial(world, idp, tenant, ada);
						return () => world.call(callback, { browser });
					},
				}
			: {}),
		...(companions
			? {
					invitation: async (tenant: string) => {
						const made = await operate("invitation/create", tenant, { email: "eve@example.com", role: "admin" });
						if (made.status !== 200) throw new Error(`not invited: ${made.text}`);
						const body = { token: sent.at(-1), name: "Eve", password: PASSWORD };
						return () => world.call("/tenant/invitation/accept", { browser: new Browser(), body });
					},
				}
			: {}),
	};

	return { ...world, ...stops, flows, rowsOf, waysIn, operate, orBlocked };
};

export type ClosingWorld = Awaited<ReturnType<typeof createClosingWorld>>;
