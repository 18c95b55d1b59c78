import { apiKey } from "@better-auth/api-key";
import { oauthProvider } from "@better-auth/oauth-provider";
import { scim } from "@better-auth/scim";
import { jwt, organization } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, PASSWORD } from "test-kit/world";
import { describe, expect, it, vi } from "vitest";
import { withTenants } from "../../src/index.ts";
import { rowsOf } from "./rows-of.ts";

type Api = Record<string, (input: object) => Promise<{ token: string }>>;

// threats 43 and 44
it("deletes what keys, clients, organizations and provisioning write while their tenant is deleted, in Redis too", async () => {
	const world = await createWorld({
		database: "postgres",
		redis: true,
		engine: { session: { storeSessionInDatabase: true } },
		allPlugins: withTenants(
			{
				management: { keys: [MANAGEMENT_KEY] },
				tenantCache: { maxAge: 0.1 },
				deletion: { drainTime: 1.5, batchSize: 5 },
			},
			[
				jwt(),
				organization(),
				apiKey({ rateLimit: { enabled: false } }),
				oauthProvider({
					loginPage: "/login",
					consentPage: "/consent",
					allowDynamicClientRegistration: true,
					silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
				}),
				scim({ connections: [], managedConnections: { credentialHashSecret: "s".repeat(40) } }),
			],
		),
	});
	const [gone, stays] = [await world.newTenant("gone"), await world.newTenant("stays")];
	const { tables } = await world.auth.$context;
	const counts = async (tenantId: string): Promise<Record<string, number>> => {
		const found: Record<string, number> = {};
		for (const { modelName, fields } of Object.values(tables)) {
			if (!fields.tenantId) continue;
			const [row] = await world.database.query(
				`select count(*) as n from "${modelName}" where "tenantId" = '${tenantId}'`,
			);
			if (Number(row?.n) > 0) found[modelName] = Number(row?.n);
		}
		return found;
	};
	const tokenOf = async (tenant: string) => {
		const body = {
			creationRequestId: "the same in every tenant",
			provisioningDomainId: "people",
			actorId: "operator",
			scopes: ["scim.users.write"],
			expiresAt: new Date(Date.now() + 86_400_000),
		};
		const api = world.auth.api as object as Api;
		const made = await api.createSCIMManagedConnection?.({ body, headers: new Headers({ "x-tenant-id": tenant }) });
		return made?.token ?? "";
	};
	const tokens = { [gone]: await tokenOf(gone), [stays]: await tokenOf(stays) };
	let ended = false;
	const load = async (tenant: string, worker: string) => {
		for (let n = 0; !ended; n += 1) {
			const name = `${worker}-${n}`;
			const email = `${name}@example.com`;
			const browser = new Browser();
			await world.call("/sign-up/email", { tenant, browser, body: { name, email, password: PASSWORD } });
			await Promise.all([
				world.call("/organization/create", { browser, body: { name, slug: name } }),
				world.call("/api-key/create", { browser, body: { name: "key" } }),
				world.call("/oauth2/create-client", { browser, body: { redirect_uris: ["https://client.example.com/cb"] } }),
				world.call("/token", { browser }),
				world.call("/request-password-reset", { tenant, body: { email } }),
				world.call("/scim/v2/Users", {
					headers: { authorization: `Bearer ${tokens[tenant]}` },
					body: {
						schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
						userName: `scim-${email}`,
						externalId: name,
						emails: [{ value: `scim-${email}`, primary: true }],
					},
				}),
			]);
		}
	};
	const workers = [gone, gone, gone, stays].map((tenant, n) => load(tenant, `w${n}`));
	const isFilled = async () => expect(Object.keys(await counts(gone)).length).toBeGreaterThan(8);
	await vi.waitFor(isFilled, { timeout: 120_000 });
	const before = await counts(stays);
	const answer = await world.call("/tenant/delete", { operator: true, body: { tenantId: gone } });
	ended = true;
	await Promise.all(workers);
	expect(answer.json).toEqual({ success: true });
	expect(await counts(gone)).toEqual({});
	expect((await world.redisKeys()).filter((key) => key.includes(gone))).toEqual([]);
	const after = await counts(stays);
	for (const [table, count] of Object.entries(before)) expect(after[table] ?? 0).toBeGreaterThanOrEqual(count);
	// a new tenant with its slug inherits nothing
	const again = await world.newTenant("gone");
	expect(await counts(again)).toEqual({});
});

describe.each(["postgres", "mysql"] as const)("deleting under load on %s", (database) => {
	// threat 44
	it("leaves no partial rows while sign-ups and sign-ins race it", async () => {
		const world = await createWorld({
			database,
			tenantAuth: { tenantCache: { maxAge: 0.1 }, deletion: { drainTime: 1.5, batchSize: 10 } },
		});
		const tenantId = await world.newTenant();
		const other = await world.newTenant();
		for (let n = 0; n < 30; n += 1) await world.signUp(tenantId, `before-${n}@example.com`);
		let deleted = false;
		const statuses = new Set<number>();
		const load = async (worker: number) => {
			for (let n = 0; !deleted; n += 1) {
				const body = { name: "x", email: `w${worker}-${n}@example.com`, password: "correct horse battery" };
				const up = await world.call("/sign-up/email", { tenant: tenantId, body });
				const reset = await world.call("/request-password-reset", {
					tenant: tenantId,
					body: { email: `before-${worker}@example.com` },
				});
				statuses.add(up.status).add(reset.status);
				expect((await world.call("/sign-up/email", { tenant: other, body })).status).toBe(200);
			}
		};
		const workers = Array.from({ length: 6 }, (_, worker) => load(worker));
		await new Promise((resolve) => setTimeout(resolve, 200));
		const answer = await world.call("/tenant/delete", { operator: true, body: { tenantId } });
		deleted = true;
		await Promise.all(workers);
		expect(answer.json).toEqual({ success: true });
		expect(await rowsOf(world, tenantId)).toBe(0);
		expect([...statuses].filter((status) => status >= 500)).toEqual([]);
		const orphans = await world.database.query(
			'select count(*) as n from "account" a where not exists (select 1 from "user" u where u."id" = a."userId")',
		);
		expect(Number(orphans[0]?.n)).toBe(0);
	});
});
