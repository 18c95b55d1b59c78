import { apiKey } from "@better-auth/api-key";
import { scim } from "@better-auth/scim";
import { createAuthMiddleware } from "better-auth/api";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createGate } from "../admin/support/gate.ts";

const SCOPES = ["scim.users.read", "scim.users.write"] as const;
const EMAIL = "ada@corp.example";
type Connect = (input: object) => Promise<{ token: string }>;

/** Two tenants in which a directory created Ada, who then set a password and made an API key. */
const createProvisioned = async (database: "sqlite" | "postgres" | "mysql") => {
	let held: { reached: () => void; released: Promise<void> } | null = null;
	/** runs after everything that can refuse a session, and before it is written */
	const beforeSession = async (): Promise<void> => {
		const now = held;
		held = null;
		now?.reached();
		await now?.released;
	};
	const databaseHooks = { session: { create: { before: beforeSession } } };
	let uncommitted: (() => Promise<unknown>) | null = null;
	/** Runs something when a directory has ended the sessions of a user, before its transaction commits. */
	const beforeCommit = createAuthMiddleware(async ({ context }) => {
		const { internalAdapter } = context;
		const deleteUserSessions: typeof internalAdapter.deleteUserSessions = async (userId) => {
			await internalAdapter.deleteUserSessions(userId);
			const now = uncommitted;
			uncommitted = null;
			await now?.();
		};
		context.internalAdapter = { ...internalAdapter, deleteUserSessions };
	});
	const isChange = ({ path }: { path?: string }) => path === "/scim/v2/Users/:userId";
	const plugins = [
		scim({ connections: [], managedConnections: { credentialHashSecret: "s".repeat(40) } }),
		apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: false } }),
		{
			id: "hold",
			init: () => ({ options: { databaseHooks } }),
			hooks: { before: [{ matcher: isChange, handler: beforeCommit }] },
		},
	];
	const world = await composedWorld(plugins, { database });
	const { auth, call, ok } = world;
	const connect = (auth.api as object as { createSCIMManagedConnection: Connect }).createSCIMManagedConnection;
	const signIn = (tenant: string, browser = new Browser()) =>
		call("/sign-in/email", { tenant, browser, body: { email: EMAIL, password: PASSWORD } });
	const provision = async (tenant: string) => {
		const connection = {
			creationRequestId: "one connection in each tenant",
			provisioningDomainId: "people",
			actorId: "operator",
			scopes: SCOPES,
			expiresAt: new Date(Date.now() + 86_400_000),
		};
		const { token } = await connect({ body: connection, headers: new Headers({ "x-tenant-id": tenant }) });
		const headers = { authorization: `Bearer ${token}` };
		const person = {
			schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
			userName: EMAIL,
			emails: [{ value: EMAIL, primary: true, type: "work" }],
			active: true,
		};
		const made = await ok("/scim/v2/Users", { headers, body: person });
		await ok("/request-password-reset", { tenant, body: { email: EMAIL } });
		await ok("/reset-password", { tenant, body: { newPassword: PASSWORD, token: world.lastMail("reset").token } });
		const browser = new Browser();
		await signIn(tenant, browser);
		const { key } = (await ok("/api-key/create", { browser, body: { name: "ci" } })).json;
		const path = `/scim/v2/Users/${made.json.id}`;
		const setActive = (value: boolean) => {
			const Operations = [{ op: "replace", path: "active", value }];
			const body = { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], Operations };
			return call(path, { headers, method: "PATCH", body });
		};
		const remove = () => call(path, { headers, method: "DELETE" });
		const outcome = async () => {
			const { status, code } = await signIn(tenant);
			const byKey = await call("/get-session", { tenant, headers: { "x-api-key": String(key) } });
			return [status, code, byKey.json?.user?.email ?? null];
		};
		/** Signs in, while something else happens before the session is written. */
		const signInWhile = async (meanwhile: () => Promise<unknown>) => {
			const [reached, released] = [createGate(), createGate()];
			held = { reached: reached.open, released: released.opened };
			const browser = new Browser();
			const signing = signIn(tenant, browser);
			await reached.opened;
			await meanwhile().finally(released.open);
			const { status } = await signing;
			const now = await call("/get-session", { tenant, browser });
			return [status, now.json?.user?.email ?? null];
		};
		/** Signs in in the middle of a change of the directory. */
		const signInDuring = async (change: () => Promise<unknown>) => {
			const browser = new Browser();
			const answers: number[] = [];
			uncommitted = async () => answers.push((await signIn(tenant, browser)).status);
			await change();
			const now = await call("/get-session", { tenant, browser });
			return [...answers, now.json?.user?.email ?? null];
		};
		return { setActive, remove, outcome, signInWhile, signInDuring };
	};
	return { a: await provision(world.a), b: await provision(world.b) };
};

const WORKS = [200, undefined, EMAIL];
const REFUSED = [403, "USER_DEACTIVATED", null];

// threat 172
describe.each(["sqlite", "postgres", "mysql"] as const)("a user whom the directory of a tenant, on %s,", (database) => {
	it("deactivates does not sign in there until it activates them again, and does in the other tenant", async () => {
		const { a, b } = await createProvisioned(database);
		expect(await a.outcome()).toEqual(WORKS);
		await a.setActive(false);
		expect([await a.outcome(), await b.outcome()]).toEqual([REFUSED, WORKS]);
		await a.setActive(true);
		expect(await a.outcome()).toEqual(WORKS);
	});

	it("deletes does not sign in there", async () => {
		const { a, b } = await createProvisioned(database);
		await a.remove();
		expect([await a.outcome(), await b.outcome()]).toEqual([REFUSED, WORKS]);
	});

	it("deactivates or deletes while they sign in gets no session", async () => {
		const { a, b } = await createProvisioned(database);
		expect(await a.signInWhile(() => b.setActive(false))).toEqual([200, EMAIL]);
		expect(await a.signInWhile(() => a.setActive(false))).toEqual([403, null]);
		await a.setActive(true);
		expect(await a.signInWhile(() => a.remove())).toEqual([403, null]);
	});
});

// threat 172: the other databases let no session be written before the transaction ends
it("a user who signs in before a deactivation is committed keeps no session, and does in the other tenant", async () => {
	const { a, b } = await createProvisioned("postgres");
	expect(await a.signInDuring(() => a.setActive(false))).toEqual([200, null]);
	await a.setActive(true);
	expect(await a.signInDuring(() => a.remove())).toEqual([200, null]);
	expect(await b.outcome()).toEqual(WORKS);
});
