import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import type { Database } from "test-kit/run-database";
import { Pool } from "undici";
import { type Message, OUTBOX_HEADER } from "../app/settings.ts";
import type { RunningApp } from "../app/start-app.ts";

const PASSWORD = "correct horse battery";

type Person = { tenant: "tenantA" | "tenantB" | null; admin: boolean; generation: number };
type Called = { status: number; json: Record<string, unknown> | null; cookie: string; sent: Message[] };
type Options = { body?: unknown; tenant?: string | undefined; cookie?: string | undefined; operator?: boolean };

/**
 * The users behind the requests: users of two tenants and of the platform, an admin, a tenant that may be deleted, and
 * the currently valid tokens. Hostile requests sign users out, rename and delete them, so they are renewed before every
 * batch.
 */
export const createPeople = async (app: RunningApp, database: Database) => {
	const port = Number(new URL(app.origin).port);
	const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 2 });
	const known: Record<string, string> = { origin: app.origin, key: MANAGEMENT_KEY, password: PASSWORD };
	const people: Record<string, Person> = {
		A: { tenant: "tenantA", admin: false, generation: 0 },
		adminA: { tenant: "tenantA", admin: true, generation: 0 },
		B: { tenant: "tenantB", admin: false, generation: 0 },
		Victim: { tenant: "tenantA", admin: false, generation: 0 },
		platform: { tenant: null, admin: false, generation: 0 },
	};

	const call = async (path: string, { body, tenant, cookie, operator }: Options = {}): Promise<Called> => {
		const response = await pool.request({
			path: `/api/auth${path}`,
			method: body === undefined ? "GET" : "POST",
			headers: {
				host: `localhost:${port}`,
				origin: app.origin,
				...(body === undefined ? {} : { "content-type": "application/json" }),
				...(tenant ? { "x-tenant-id": tenant } : {}),
				...(cookie ? { cookie } : {}),
				...(operator ? { authorization: `Bearer ${MANAGEMENT_KEY}` } : {}),
			},
			body: body === undefined ? null : JSON.stringify(body),
			signal: AbortSignal.timeout(20_000),
		});
		const text = await response.body.text();
		const cookies = [response.headers["set-cookie"] ?? []].flat().map((line) => line.split(";")[0] ?? "");
		const outbox = response.headers[OUTBOX_HEADER];
		return {
			status: response.statusCode,
			json: text.startsWith("{") ? JSON.parse(text) : null,
			cookie: cookies.join("; "),
			sent: typeof outbox === "string" ? JSON.parse(Buffer.from(outbox, "base64").toString()) : [],
		};
	};

	let made = 0;
	const renewTenant = async (name: string): Promise<void> => {
		const there = known[name] ? await call(`/tenant/get?id=${known[name]}`, { operator: true }) : null;
		if (there?.status === 200) return;
		const slug = `isolation-${++made}-${Math.random().toString(36).slice(2, 8)}`;
		const created = await call("/tenant/create", { operator: true, body: { name, slug } });
		known[name] = String(created.json?.id);
	};

	const renewPerson = async (name: string, person: Person): Promise<void> => {
		const tenant = person.tenant ? known[person.tenant] : undefined;
		const alive = known[`cookie${name}`] ? await call("/get-session", { cookie: known[`cookie${name}`] }) : null;
		if (alive?.json?.user) return;
		person.generation += 1;
		const email = `${name.toLowerCase()}-${person.generation}-${made}@example.com`;
		const signedUp = await call("/sign-up/email", { tenant, body: { name, email, password: PASSWORD } });
		const user = signedUp.json?.user as { id: string } | undefined;
		if (!user)
			throw new Error(`bad input: ${name} could not sign up: ${signedUp.status} ${JSON.stringify(signedUp.json)}`);
		if (person.admin) await database.query(`update "user" set role = 'admin' where id = $1`, [user.id]);
		Object.assign(known, {
			[`email${name}`]: email,
			[`user${name}`]: user.id,
			[`token${name}`]: String(signedUp.json?.token),
			[`cookie${name}`]: signedUp.cookie,
		});
	};

	/** Mail tokens, an organization, an OAuth state: what a request needs to pass the first check. */
	const renewArtifacts = async (): Promise<void> => {
		const [tenant, email, cookie] = [known.tenantA, known.emailA, known.cookieA];
		const mailed = async (path: string, body: object) => (await call(path, { tenant, body })).sent[0]?.secret ?? "none";
		known.magic = await mailed("/sign-in/magic-link", { email });
		known.reset = await mailed("/request-password-reset", { email, redirectTo: "/reset" });
		known.verify = await mailed("/send-verification-email", { email });
		known.oneTime = String((await call("/one-time-token/generate", { cookie })).json?.token ?? "none");
		const social = await call("/tenant/sign-in/social", { tenant, body: { provider: "gitlab", callbackURL: "/home" } });
		known.state = URL.parse(String(social.json?.url))?.searchParams.get("state") ?? "none";
		const [account] = await database.query(`select id from account where "userId" = $1`, [known.userA]);
		known.accountA = String(account?.id ?? "none");
		const organization = await call("/organization/create", { cookie, body: { name: "Ours", slug: `ours-${++made}` } });
		known.organization = String(organization.json?.id ?? "none");
		const [member] = await database.query(`select id from member where "organizationId" = $1`, [known.organization]);
		known.member = String(member?.id ?? "none");
		const invitation = await call("/organization/invite-member", {
			cookie,
			body: { email: known.emailVictim, role: "member", organizationId: known.organization },
		});
		known.invitation = String(invitation.json?.id ?? "none");
	};

	return {
		known,
		call,
		renew: async (): Promise<void> => {
			for (const tenant of ["tenantA", "tenantB", "victim"]) await renewTenant(tenant);
			for (const [name, person] of Object.entries(people)) await renewPerson(name, person);
			await renewArtifacts();
		},
		close: () => pool.destroy(),
	};
};
