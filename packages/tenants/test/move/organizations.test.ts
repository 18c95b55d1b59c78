import { runInNewContext } from "node:vm";
import { organization, twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { moveUsersToTenant, PLATFORM, runWithTenant } from "../../src/index.ts";
import { recipe } from "./support/recipe.ts";

const SCRIPT = recipe("organizations");

describe.each(["sqlite", "postgres", "mysql"] as const)("organizations that become tenants on %s", (database) => {
	it("moves members with their roles, reports users of several, and can run again", async () => {
		const world = await composedWorld([organization(), twoFactor()], {
			database,
			engine: { user: { additionalFields: { tenantRole: { type: "string", required: false, input: false } } } },
		});
		const { a, b, ok, call, whoami } = world;
		const { adapter } = await world.auth.$context;
		const ids: Record<string, string> = {};
		for (const name of ["owner", "member", "both", "alone", "rival"]) {
			const browser = await world.signUp(undefined, `${name}@example.com`);
			ids[name] = (await whoami(browser)).user.id;
		}
		const join = async (organizationId: string, name: string, role: string) =>
			adapter.create({
				model: "member",
				data: { organizationId, userId: ids[name], role, createdAt: new Date() },
			});
		const found = async (slug: string) =>
			(
				await adapter.create<Record<string, unknown>, { id: string }>({
					model: "organization",
					data: { name: slug, slug, createdAt: new Date() },
				})
			).id;
		// an existing tenant with the slug of an organization is used
		const [acme, north] = [await found("acme"), await found("north")];
		await join(acme, "owner", "owner");
		await join(acme, "member", "member");
		for (const group of [acme, north]) await join(group, "both", "admin");
		await join(north, "rival", "owner");
		await world.signUp(b, "rival@example.com");

		const lines: Record<string, unknown>[] = [];
		const run = async () => {
			lines.length = 0;
			const console = { log: (line: Record<string, unknown>) => lines.push(line) };
			await runInNewContext(`(async () => {${SCRIPT}})()`, { auth: world.auth, moveUsersToTenant, PLATFORM, console });
		};
		await run();
		expect(lines.map(({ userId, code, slug }) => [userId, code, slug])).toEqual([
			[ids.both, "SEVERAL_ORGANIZATIONS", "acme"],
			[ids.both, "SEVERAL_ORGANIZATIONS", "north"],
		]);
		const northId = (await call("/tenant/get", { operator: true, query: { slug: "north" } })).json.id;
		const users = await world.database.query('select "id", "tenantId", "tenantRole" from "user"');
		const where = (name: string) => {
			const { tenantId, tenantRole } = users.find(({ id }) => id === ids[name]) ?? {};
			return [tenantId, tenantRole];
		};
		expect(where("owner")).toEqual([a, "owner"]);
		expect(where("member")).toEqual([a, "member"]);
		expect(where("rival")).toEqual([northId, "owner"]);
		expect([where("both"), where("alone")]).toEqual([
			[PLATFORM, null],
			[PLATFORM, null],
		]);
		const left = await world.database.query('select "userId" from "member"');
		expect(left.map(({ userId }) => userId)).toEqual([ids.both, ids.both]);

		const signIn = async (tenant: string | undefined, name: string) => {
			const browser = new Browser();
			const body = { email: `${name}@example.com`, password: PASSWORD };
			return [(await call("/sign-in/email", { tenant, browser, body })).status, (await whoami(browser))?.user.id];
		};
		expect(await signIn(a, "owner")).toEqual([200, ids.owner]);
		expect(await signIn(undefined, "owner")).toEqual([401, undefined]);
		expect(await signIn(undefined, "both")).toEqual([200, ids.both]);

		// one membership less, and the next run moves the user
		const [first] = await world.database.query(`select "id" from "member" where "organizationId" = '${north}'`);
		await adapter.delete({ model: "member", where: [{ field: "id", value: String(first?.id) }] });
		await run();
		expect(lines).toEqual([]);
		expect(await signIn(a, "both")).toEqual([200, ids.both]);
		expect(await runWithTenant(a, () => adapter.count({ model: "user" }))).toBe(3);
		await ok("/ok");
	});
});
