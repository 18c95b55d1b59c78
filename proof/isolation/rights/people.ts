import { Browser } from "test-kit/browser";
import type { Person, Role, Tenant } from "./beliefs.ts";
import { createModel, type Model } from "./model.ts";
import type { World } from "./world.ts";

const PASSWORD = "the first password";

const SLOTS: Role[] = ["owner", "owner", "admin", "member", "member"];

/** Signs a user up, with a verified email, a session and a role. */
const join = async (world: World, tenant: Tenant, name: string, role: Role): Promise<Person> => {
	const email = `${name}@example.com`;
	const browser = new Browser();
	const body = { name, email, password: PASSWORD };
	const { json, text } = await world.ask("/sign-up/email", { tenant: tenant.id, browser, body });
	if (!json?.user) throw new Error(`no sign-up: ${text}`);
	const { id } = json.user;
	const isTrue = world.database.kind === "postgres" ? "true" : "1";
	await world.database.query(`update "user" set "emailVerified" = ${isTrue} where "id" = '${id}'`);
	if (role !== "member")
		await world.ask("/tenant/user/set-role", { isOperator: true, body: { tenantId: tenant.id, userId: id, role } });
	const began = world.scheduler.now();
	const person: Person = {
		tenant,
		id,
		email,
		roles: [{ role, writtenAt: () => 0 }],
		isGone: false,
		totp: null,
		hasTriedFactor: false,
		credentials: [],
	};
	const by = { kind: "password" as const, person, began, by: null, secret: PASSWORD, browser: null };
	person.credentials.push(by, { kind: "session", person, began, by, secret: "", browser });
	return person;
};

/** Two new tenants with their users: rounds do not depend on each other. */
export const startRound = async (world: World, name: string): Promise<Model> => {
	const tenants: Tenant[] = [];
	for (const slug of ["a", "b"]) {
		const body = { name: slug, slug: `${slug}-${name}` };
		const { json, text } = await world.ask("/tenant/create", { isOperator: true, body });
		if (!json?.id) throw new Error(`no tenant: ${text}`);
		const tenant: Tenant = { id: json.id, people: [] };
		for (const [slot, role] of SLOTS.entries()) tenant.people.push(await join(world, tenant, `${role}${slot}`, role));
		tenants.push(tenant);
	}
	return createModel(tenants);
};
