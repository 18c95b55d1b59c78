import { sso } from "@better-auth/sso";
import { createAuthEndpoint, getSessionFromCtx } from "better-auth/api";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { tenantLifecycle } from "../../src/lifecycle.ts";
import type { Person } from "../admin/support/administered.ts";
import { createGate, type Gate } from "../admin/support/gate.ts";
import { createRightsWorld, STORES } from "./support/rights-world.ts";

const REFUSED = [401, "SESSION_EXPIRED"];

describe.each(STORES)("a request that is under way on %s", (_, where) => {
	// threat 161
	it("does nothing after its tenant was suspended and restored without its sessions", async () => {
		const rights = await createRightsWorld({ ...where, plugins: [tenantLifecycle()] });
		const { world, a, inA, inB, holdWhile, stored } = rights;
		const restore = async () => {
			await world.ok("/tenant/suspend", { operator: true, body: { tenantId: a, reason: "stolen" } });
			await world.ok("/tenant/restore", { operator: true, body: { tenantId: a, endSessions: true } });
		};
		const makeKeyMeanwhile = async (person: Person) => {
			const { browser } = person;
			const { status, code } = await holdWhile(
				(headers) => world.call("/api-key/create", { browser: browser.copy(), headers, body: { name: "ci" } }),
				restore,
			);
			return [status, code, (await stored("apikey", person, "referenceId")).length];
		};
		expect(await makeKeyMeanwhile(inA.member)).toEqual([...REFUSED, 0]);
		expect(await makeKeyMeanwhile(inB.member)).toEqual([200, undefined, 1]);
	});

	// threat 161
	it("uses no invitation up after the sessions ended, though the role is no longer raised", async () => {
		const rights = await createRightsWorld(where);
		const { world, a, b, inA, inB, holdWhile, last, operate, verifyEmail } = rights;
		const acceptMeanwhile = async (tenant: string, person: Person) => {
			await verifyEmail(tenant, person);
			const invited = { tenantId: tenant, email: person.email, role: "admin" };
			await world.ok("/tenant/invitation/create", { operator: true, body: invited });
			const body = { token: last(), password: PASSWORD };
			await operate("set-role", person, { role: "owner" }, tenant);
			const { status, code } = await holdWhile(
				(headers) => world.call("/tenant/invitation/accept", { browser: person.browser.copy(), headers, body }),
				() => operate("end-sessions", inA.member),
			);
			const open = await world.call("/tenant/invitation/get", { query: { token: body.token } });
			return [status, code, open.status];
		};
		expect(await acceptMeanwhile(a, inA.member)).toEqual([...REFUSED, 200]);
		expect(await acceptMeanwhile(b, inB.member)).toEqual([200, undefined, 404]);
	});
});

describe.each(STORES.slice(0, 3))("an admin's request that is under way on %s", (_, where) => {
	// threat 161: a provider decides who signs in
	it("deletes no identity provider after a demotion", async () => {
		const waiting: { reached: Gate; released: Gate }[] = [];
		const endpoint = createAuthEndpoint("/drop", { method: "POST", requireHeaders: true }, async (ctx) => {
			await getSessionFromCtx(ctx);
			const gates = waiting.shift();
			gates?.reached.open();
			await gates?.released.opened;
			const where = [{ field: "providerId", value: "okta" }];
			await ctx.context.adapter.delete({ model: "ssoProvider", where });
			return ctx.json({ done: true });
		});
		const { world, a, b, inA, inB, operate } = await createRightsWorld({
			...where,
			plugins: [sso(), { id: "drop", endpoints: { drop: endpoint } }],
		});
		const { adapter } = await world.auth.$context;
		for (const tenantId of [a, b])
			await runWithTenant(tenantId, () =>
				adapter.create({
					model: "ssoProvider",
					data: { providerId: "okta", issuer: "https://okta.example", domain: "acme.example" },
				}),
			);
		const drop = async ({ admin }: typeof inA) => {
			const gates = { reached: createGate(), released: createGate() };
			waiting.push(gates);
			const dropping = world.call("/drop", { browser: admin.browser.copy(), body: {} });
			await gates.reached.opened;
			await operate("set-role", inA.admin, { role: "member" }).finally(gates.released.open);
			const { status, code } = await dropping;
			const left = await world.tenantsOf("ssoProvider");
			return [status, code, left.length];
		};
		expect(await drop(inA)).toEqual([...REFUSED, 2]);
		expect(await drop(inB)).toEqual([200, undefined, 1]);
	});
});
