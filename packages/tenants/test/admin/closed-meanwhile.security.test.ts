import { admin } from "better-auth/plugins/admin";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../src/admin.ts";
import type { AuditEntry } from "../../src/index.ts";
import { lifecycleWorld } from "../lifecycle/support/lifecycle-world.ts";

describe.each(["sqlite", "postgres", "mysql"] as const)(
	"a tenant that is suspended during a call, on %s",
	(database) => {
		// threat 107
		it("keeps its users as they are", async () => {
			let during: (entry: AuditEntry) => Promise<unknown> = async () => {};
			const world = await lifecycleWorld([admin({ ...tenantRoles }), tenantAdmin()], {
				database,
				// the last thing that happens before the change
				tenants: { management: { audit: (entry) => during(entry).then(() => undefined) } },
			});
			const { a, b } = world;
			const idOf = async (tenant: string): Promise<string> => {
				const browser = await world.signUp(tenant, "ada@example.com");
				return String((await world.call("/get-session", { browser })).json.user.id);
			};
			const [inA, inB] = [await idOf(a), await idOf(b)];
			const changes: [path: string, more: object][] = [
				["set-role", { role: "admin" }],
				["ban", {}],
				["unban", {}],
				["remove", {}],
				["erase", {}],
				["create", { email: "eve@example.com", name: "Eve" }],
			];
			const usersOf = async (tenantId: string) =>
				(await world.database.query(`select "email", "role", "banned", "tenantId" from "user"`)).filter(
					(row) => row.tenantId === tenantId,
				);
			const before = await usersOf(a);
			const call = (path: string, more: object, tenantId: string, userId: string) =>
				world.call(`/tenant/user/${path}`, {
					operator: true,
					body: { tenantId, ...(path === "create" ? {} : { userId }), ...more },
				});
			for (const [path, more] of changes) {
				during = async ({ action, outcome }) => {
					if (action === `user:${path}` && outcome === "allowed") await world.suspend(a);
				};
				const refused = await call(path, more, a, inA);
				during = async () => {};
				expect([path, refused.status, refused.code]).toEqual([path, 403, "TENANT_SUSPENDED"]);
				await world.restore(a);
				expect([path, await usersOf(a)]).toEqual([path, before]);
			}
			// none of them fails for another reason
			for (const [path, more] of changes.filter(([name]) => name !== "erase"))
				expect([path, (await call(path, more, b, inB)).status]).toEqual([path, 200]);
		});
	},
);
