import { type Credential, type Person, ROLES } from "../beliefs.ts";
import type { Call } from "../call.ts";
import { present } from "../present.ts";
import { endOf, type Given, type Plan, type Step } from "../step.ts";
import { changingRole, roleOf } from "./roles.ts";

type By = { call: Call; admin: Credential | null; name: string };

/** An operator, or an admin or owner of the tenant other than the user whom it is about. */
export const someAdmin = (
	{ model, roll }: Given,
	{ tenant, ...rest }: Pick<Person, "tenant"> & { id?: string },
): By => {
	const admins = tenant.people.filter((one) => one.id !== rest.id && roleOf(one) !== "member" && !one.isGone);
	const person = roll.chance(55) ? roll.pick(admins) : undefined;
	const admin = (person && model.pick(person, "session", roll)) ?? null;
	return admin
		? { call: present(admin), admin, name: "an admin" }
		: { call: { isOperator: true }, admin: null, name: "an operator" };
};

export const rightOf = ({ admin }: By, role: "admin" | "owner" = "admin"): Step["right"] =>
	admin && { credential: admin, role };

type Act = Partial<Step> & { body?: object };

/** An endpoint about one user, called by an operator or an admin. */
const onUser =
	(path: string, actOn: (person: Person, given: Given) => Act | null): Plan =>
	(given) => {
		const person = given.model.anyPerson(given.roll);
		const act = person && actOn(person, given);
		if (!person || !act) return null;
		const { body: more, ...step } = act;
		const by = someAdmin(given, person);
		const body = { tenantId: person.tenant.id, userId: person.id, ...more };
		return {
			name: `${path} by ${by.name}`,
			right: rightOf(by),
			about: by.admin && given.roll.chance(50) ? by.admin.person : person,
			send: () => given.world.call(`/tenant/user/${path}`, { ...by.call, body }),
			...step,
		};
	};

export const ban = onUser("ban", (person) => ({ ends: () => [endOf("ban", person.tenant, person)] }));

export const unban = onUser("unban", (person) => ({ undoes: { kinds: ["ban"], tenant: person.tenant, person } }));

export const endSessions = onUser("end-sessions", (person) => ({
	ends: () => [endOf("end-sessions", person.tenant, person)],
}));

export const resetFactor = onUser("reset-second-factor", (person) => ({
	ends: () => [endOf("reset-factor", person.tenant, person)],
	leftovers: { person, tables: { twoFactor: "userId" } },
}));

export const remove = onUser("remove", (person) => ({
	ends: () => [endOf("remove", person.tenant, person)],
	settle: () => {
		person.isGone = true;
	},
	leftovers: { person, tables: { twoFactor: "userId", account: "userId", session: "userId" } },
}));

export const setRole = onUser("set-role", (person, { roll }) => {
	const role = roll.oneOf([...ROLES]);
	const { tenant } = person;
	const changing = changingRole(person, role);
	return {
		body: { role },
		name: `make a user ${role}`,
		begin: changing.begin,
		ends: () => [
			endOf("role", tenant, person, { role }),
			...(changing.isLower() ? [endOf("demote", tenant, person)] : []),
		],
		...(role === "member" ? {} : { undoes: { kinds: ["role" as const], tenant, person } }),
	};
});

/** What admins do besides: they read and write about others. */
export const administrate: Plan = (given) => {
	const { model, world, roll } = given;
	const person = model.anyPerson(roll);
	if (!person) return null;
	const tenantId = person.tenant.id;
	const admin = model.pick(person, "session", roll);
	if (!admin) return null;
	const email = `new${model.nextName()}@example.com`;
	const [path, call] = roll.oneOf<[string, Call]>([
		["/tenant/user/list", { query: { tenantId } }],
		["/tenant/user/create", { body: { tenantId, email, name: "New", role: "member" } }],
		["/tenant/invitation/create", { body: { tenantId, email, role: "member" } }],
	]);
	const sent = { ...present(admin), ...call };
	return {
		name: `${path} by an admin`,
		right: { credential: admin, role: "admin" },
		about: person,
		reads: !call.body,
		send: () => world.call(path, sent),
	};
};
