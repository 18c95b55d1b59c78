import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import {
	getCurrentDBAdapterAsyncLocalStorage,
	queueAfterTransactionHook,
	runWithRequestState,
} from "@better-auth/core/context";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { createConsumeOrder } from "../../src/scope/data/consume-order.ts";
import { createTenantContext, explicitTenant } from "../../src/scope/pin/tenant-context.ts";
import { newImpersonationToken } from "../../src/scope/sessions/impersonated-session.ts";
import { carriesSignedToken } from "../../src/scope/sessions/session-credential.ts";
import { newSessionToken, proofOf } from "../../src/scope/sessions/session-proof.ts";
import { tenantSessions } from "../../src/scope/sessions/sessions.ts";

describe("a new session", () => {
	const create = ({ users = ["ada"], pin = createTenantContext(), refuse = (): void => {} } = {}) => {
		const asked: unknown[] = [];
		const findOne = async (query: { where: { value: unknown }[] }) => {
			asked.push(query);
			return users.includes(String(query.where[0]?.value)) ? {} : null;
		};
		const pending = { currentProof: () => "sso" as const, onCreate: async () => ({ expiresAt: new Date(17) }) };
		const seen: string[] = [];
		const deactivated = { refuseSession: async () => void seen.push("deactivated") };
		const perUser = { begin: () => void seen.push("begun"), created: async () => void seen.push("created") };
		const sessions = tenantSessions(
			pin,
			{ findOne } as never as DBAdapter,
			{ assertSignIn: refuse },
			pending,
			deactivated,
			perUser,
		);
		const before = (session: object) => sessions.databaseHooks.session.create.before(session as never);
		return { sessions, before, asked, pending, perUser, seen };
	};
	const inAcme = <Result>(run: () => Result): Result => runWithTenant("acme", run);

	it("has a token of its tenant that no request sends", () => {
		const { sessions } = create();
		const { token } = sessions.session.additionalFields;
		expect(token).toMatchObject({ type: "string", required: true, unique: true, input: false });
		for (const tenantId of ["acme", "globex"]) {
			const created = runWithTenant(tenantId, token.defaultValue);
			expect([proofOf(created), created.endsWith(`~${btoa(tenantId).replaceAll("=", "")}`)]).toEqual(["sso", true]);
		}
	});

	it("keeps what it is created with, in its tenant, and ends as its rule says", async () => {
		const session = {
			token: newSessionToken("acme", null),
			userId: "ada",
			tenantId: "globex",
			expiresAt: new Date(99),
			ipAddress: "::1",
		};
		const { before, asked } = create();
		const data = { ...session, tenantId: "acme", expiresAt: new Date(17) };
		expect(await inAcme(() => before(session))).toEqual({ data });
		expect(asked).toEqual([{ model: "user", where: [{ field: "id", value: "ada" }], select: ["id"] }]);
	});

	// threat 40
	it("is refused for a user of another tenant, a foreign token, a wrong mark, or a closed platform", async () => {
		const [own, foreign] = [newSessionToken("acme", null), newSessionToken("globex", null)];
		const { before } = create();
		const refused = async (session: object, message: unknown, from = before) =>
			expect(inAcme(() => from(session))).rejects.toThrow(message as string);
		await refused(
			{ token: own, userId: "grace" },
			expect.objectContaining({ body: expect.objectContaining({ code: "REFERENCE_NOT_IN_TENANT" }) }),
		);
		await refused({ token: foreign, userId: "ada" }, "does not name its tenant");
		await refused({ token: own, userId: "ada", operatorId: "eve" }, "/tenant/impersonate only");
		await refused({ token: newImpersonationToken("acme"), userId: "ada" }, "/tenant/impersonate only");
		const closed = create({
			refuse: () => {
				throw new Error("the platform is closed");
			},
		});
		await refused({ token: own, userId: "ada" }, "the platform is closed", closed.before);
	});

	it("needs no lookup for a user whom the request has read", async () => {
		const pin = createTenantContext();
		await pin.ready();
		const { before, asked } = create({ pin, users: [] });
		await runWithRequestState(new WeakMap(), async () => {
			await pin.set("acme", {});
			pin.prove("acme", "user", "id", "ada");
			await before({ token: newSessionToken("acme", null), userId: "ada" });
		});
		expect(asked).toEqual([]);
	});

	it("is looked at again after it is stored, if users may be deactivated", async () => {
		const { sessions, before, seen } = create();
		await inAcme(() => before({ token: newSessionToken("acme", null), userId: "ada" }));
		await sessions.databaseHooks.session.create.after({} as never);
		// a session that is refused is gone before the others are counted
		expect(seen).toEqual(["begun", "deactivated", "created"]);
		const pin = createTenantContext();
		const { pending, perUser, seen: after } = create();
		const without = tenantSessions(pin, {} as never, { assertSignIn: () => {} }, pending, null, perUser);
		await without.databaseHooks.session.create.after({} as never);
		expect(after).toEqual(["created"]);
		const user = without.databaseHooks.user.create.before;
		await pin.ready();
		await runWithRequestState(new WeakMap(), async () => {
			await pin.set("acme", { headers: new Headers() });
			expect(await user({ id: "chosen" })).toStrictEqual({ data: { id: undefined } });
		});
	});
});

describe("a token with the signature of its tenant", () => {
	const sign = async (value: string, secret: string): Promise<string> => {
		const key = await crypto.subtle.importKey(
			"raw",
			new TextEncoder().encode(secret),
			{ name: "HMAC", hash: "SHA-256" },
			false,
			["sign"],
		);
		const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(value));
		return `${value}.${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
	};
	const carries = ({ cookie = null as string | null, authorization = "", plugin = true }) =>
		carriesSignedToken({
			headers: new Headers({ authorization }),
			getCookie: () => cookie,
			context: { secret: "acme's", hasPlugin: () => plugin, authCookies: { sessionToken: { name: "session" } } },
		} as never as GenericEndpointContext);

	it("is in the cookie or in the header", async () => {
		const signed = await sign("token", "acme's");
		for (const value of [signed, encodeURIComponent(signed)]) {
			expect(await carries({ cookie: value })).toBe(true);
			expect(await carries({ authorization: `Bearer ${value}` })).toBe(true);
			expect(await carries({ authorization: `Bearer other.token`, cookie: value })).toBe(true);
			expect(await carries({ authorization: `Bearer ${value}`, plugin: false })).toBe(false);
		}
		for (const value of [await sign("token", "globex's"), "token", "", `x${signed}`]) {
			expect(await carries({ cookie: value })).toBe(false);
			expect(await carries({ authorization: `Bearer ${value}` })).toBe(false);
		}
		expect(await carries({})).toBe(false);
	});
});

describe("a verification that is consumed", () => {
	const create = (options: object) => {
		const log: string[] = [];
		const adapter: object = {
			transaction: async (run: (inside: object) => unknown) => {
				log.push("connection");
				return run(adapter);
			},
		};
		const consume = async (identifier: string) => {
			log.push(`lock ${identifier}`);
			return null;
		};
		const application = { adapter, options, internalAdapter: { consumeVerificationValue: consume } };
		return { application, order: createConsumeOrder(application as never as AuthContext), log, consume };
	};

	it("takes a connection before the lock, once for each adapter", async () => {
		for (const options of [
			{},
			{ verification: { storeInDatabase: true } },
			{ secondaryStorage: {}, verification: { storeInDatabase: true } },
		]) {
			const { application, order, log, consume } = create(options);
			order();
			order();
			await application.internalAdapter.consumeVerificationValue("code");
			expect(log).toEqual(["connection", "lock code"]);
			application.internalAdapter = { consumeVerificationValue: consume };
			order();
			await application.internalAdapter.consumeVerificationValue("other");
			expect(log.slice(2)).toEqual(["connection", "lock other"]);
		}
	});

	it("takes none if it is in the storage only", () => {
		for (const options of [{ secondaryStorage: {} }, { secondaryStorage: {}, verification: {} }]) {
			const { application, order, consume } = create(options);
			order();
			expect(application.internalAdapter.consumeVerificationValue).toBe(consume);
		}
	});
});

describe("the current adapter of Better Auth", () => {
	const during = async <Result>(running: object, run: () => Promise<Result>): Promise<Result> =>
		(await getCurrentDBAdapterAsyncLocalStorage()).run(running as never, run);

	it("is a tenant's own inside runWithTenant, also in a transaction", async () => {
		const current = await getCurrentDBAdapterAsyncLocalStorage();
		for (const isTransactionActive of [false, true]) {
			const running = { adapter: "request's", isTransactionActive, pendingHooks: [] };
			await during(running, async () => {
				runWithTenant("acme", () => {
					const own = current.getStore() as unknown as typeof running;
					expect(own).not.toBe(running);
					expect(own).toMatchObject({ adapter: "request's", isTransactionActive });
					own.adapter = "acme's";
				});
				expect(running.adapter).toBe("request's");
			});
		}
		// outside of a request there is none
		runWithTenant("acme", () => expect(current.getStore()).toBeUndefined());
	});

	it("runs what waits for the commit in the tenant that queued it", async () => {
		const hooks: (() => Promise<void>)[] = [];
		const seen: unknown[] = [];
		const see = async (): Promise<void> => void seen.push(explicitTenant());
		await during({ adapter: {}, isTransactionActive: true, pendingHooks: hooks }, async () => {
			await queueAfterTransactionHook(see);
			for (const tenantId of ["acme", "globex"])
				await runWithTenant(tenantId, async () => {
					await queueAfterTransactionHook(see);
					const { pendingHooks } = (await getCurrentDBAdapterAsyncLocalStorage()).getStore() ?? {};
					expect(pendingHooks).toHaveLength(tenantId === "acme" ? 2 : 3);
				});
		});
		for (const hook of hooks) await hook();
		expect(seen).toEqual([undefined, "acme", "globex"]);
	});
});
