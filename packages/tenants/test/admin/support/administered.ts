import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { admin } from "better-auth/plugins/admin";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import type { DatabaseKind } from "test-kit/databases";
import type { Answer } from "test-kit/world";
import type { TenantRole } from "../../../src/admin.ts";
import { tenantAdmin, tenantRoles } from "../../../src/admin.ts";

export type Person = { id: string; email: string; browser: Browser };

type Where = {
	database?: DatabaseKind;
	redis?: boolean;
	engine?: Partial<BetterAuthOptions>;
	plugins?: BetterAuthPlugin[];
};

/** Two tenants with an owner, an admin and two members each. */
export const createAdministered = async ({ plugins = [], ...where }: Where = {}) => {
	const world = await composedWorld([admin({ ...tenantRoles }), twoFactor(), ...plugins, tenantAdmin()], where);

	const rolesIn = async (tenantId: string): Promise<Record<string, string>> => {
		const rows = await world.database.query(`select "email", "role", "tenantId" from "user"`);
		const own = rows.filter((row) => row.tenantId === tenantId);
		return Object.fromEntries(own.map(({ email, role }) => [String(email), String(role)]));
	};

	const join = async (tenantId: string, name: string, role: TenantRole): Promise<Person> => {
		const email = `${name}@example.com`;
		const browser = await world.signUp(tenantId, email);
		const { user } = (await world.ok("/get-session", { browser })).json;
		if (role !== "member")
			await world.ok("/tenant/user/set-role", { operator: true, body: { tenantId, userId: user.id, role } });
		return { id: user.id, email, browser };
	};
	const people = async (tenantId: string) => ({
		owner: await join(tenantId, "owner", "owner"),
		admin: await join(tenantId, "admin", "admin"),
		member: await join(tenantId, "member", "member"),
		other: await join(tenantId, "other", "member"),
	});
	const [inA, inB] = [await people(world.a), await people(world.b)];

	/** Calls an endpoint about one user of tenant A, as one of its users. */
	const act = (
		by: Person,
		path: string,
		user: { id: string },
		more: object = {},
		tenantId = world.a,
	): Promise<Answer> =>
		world.call(`/tenant/user/${path}`, { browser: by.browser, body: { tenantId, userId: user.id, ...more } });
	const operate = (path: string, user: { id: string }, more: object = {}, tenantId = world.a): Promise<Answer> =>
		world.call(`/tenant/user/${path}`, { operator: true, body: { tenantId, userId: user.id, ...more } });
	const read = (by: Person, path: string, user: { id: string }, tenantId = world.a): Promise<Answer> =>
		world.call(`/tenant/user/${path}`, { browser: by.browser, query: { tenantId, userId: user.id } });

	return { world, a: world.a, b: world.b, inA, inB, rolesIn, join, act, operate, read };
};
