import { isNobody, refuses, succeedsWith } from "../expectations.ts";
import { textAt, valueAt } from "../http.ts";
import { claimOf, claimOn, endPerson, endSession, endSessions, SLOTS, SOCIAL_SLOTS } from "../state.ts";
import type { Plan } from "../step.ts";
import { member, ownStep } from "./build.ts";

const ALL_SLOTS = [...Array(SLOTS).keys(), ...SOCIAL_SLOTS];

/** A tenant's admin manages the users of their tenant. */
export const administrate: Plan = (model, roll) => {
	const tenant = model.anyTenant(roll);
	const session = model.adminOf(tenant);
	const person = roll.pick([...tenant.people.values()].filter(({ slot }) => slot !== 0));
	if (!session || !person) return null;
	const boss = session.person;
	const claims = [claimOf(boss), claimOf(person)];
	const { userId } = person;
	const post = (path: string, body: Record<string, unknown>) => member(session, "POST", path, { body }, roll);
	// a banned user is unbanned soon
	switch (person.banned ? 0 : roll.below(9)) {
		case 0:
			return person.banned
				? ownStep("admin.unban", boss, post("/admin/unban-user", { userId }), {
						claims,
						settle: () => {
							person.banned = false;
						},
					})
				: ownStep("admin.ban", boss, post("/admin/ban-user", { userId, banReason: tenant.canary }), {
						claims,
						settle: () => {
							person.banned = true;
							endSessions(person);
						},
					});
		case 1: {
			const newPassword = model.nextPassword(tenant, person.slot);
			return ownStep("admin.set-password", boss, post("/admin/set-user-password", { userId, newPassword }), {
				claims,
				settle: () => {
					person.password = newPassword;
				},
			});
		}
		case 2:
			return ownStep("admin.revoke-sessions", boss, post("/admin/revoke-user-sessions", { userId }), {
				claims,
				settle: () => endSessions(person),
			});
		case 3: {
			const ended = roll.pick(person.sessions);
			if (!ended) return null;
			return ownStep("admin.revoke-session", boss, post("/admin/revoke-user-session", { sessionToken: ended.token }), {
				claims,
				settle: () => endSession(ended),
			});
		}
		case 4:
			if (roll.chance(60)) return null;
			return ownStep("admin.remove", boss, post("/admin/remove-user", { userId }), {
				claims,
				settle: () => endPerson(person),
			});
		case 5:
			return ownStep(
				"admin.get-user",
				boss,
				member(session, "GET", "/admin/get-user", { query: { id: userId } }, roll),
				{
					claims,
					mayChange: [],
					check: succeedsWith(
						"the user",
						(json) => textAt(json, "id") === userId && textAt(json, "email") === person.email,
					),
				},
			);
		case 6:
			return ownStep(
				"admin.update",
				boss,
				post("/admin/update-user", { userId, data: { name: `${tenant.canary} renamed` } }),
				{
					claims,
				},
			);
		case 7: {
			const own = new Set([...tenant.people.values()].map((one) => one.userId));
			const query = { searchValue: "person", searchField: "email", searchOperator: "contains", limit: "50" };
			return ownStep("admin.list-users", boss, member(session, "GET", "/admin/list-users", { query }, roll), {
				// no user may be added or removed meanwhile
				claims: ALL_SLOTS.map((slot) => claimOn(tenant, slot)),
				mayChange: [],
				check: succeedsWith(`the ${own.size} users of the tenant`, (json) => {
					const users = valueAt(json, "users");
					return (
						Array.isArray(users) &&
						users.length === own.size &&
						valueAt(json, "total") === own.size &&
						users.every((user) => own.has(textAt(user, "id")))
					);
				}),
			});
		}
		default:
			return ownStep("admin.list-sessions", boss, post("/admin/list-user-sessions", { userId }), {
				claims,
				mayChange: [],
				check: succeedsWith(`${person.sessions.length} sessions at least`, (json) => {
					const sessions = valueAt(json, "sessions");
					return (
						Array.isArray(sessions) &&
						person.sessions.every(({ token }) => sessions.some((one) => textAt(one, "token") === token))
					);
				}),
			});
	}
};

/** A user who is not an admin may do none of it. */
export const administrateWithoutRight: Plan = (model, roll) => {
	const session = model.signedIn(roll, ({ slot }) => slot !== 0);
	const target = model.ring.any("user", roll);
	if (!session || !target) return null;
	const body = { userId: target.value, newPassword: "password-taken-over", role: "admin" };
	const path = roll.oneOf([
		"/admin/set-user-password",
		"/admin/set-role",
		"/admin/remove-user",
		"/admin/impersonate-user",
	]);
	return ownStep("admin.without-right", session.person, member(session, "POST", path, { body }, roll), {
		foreign: target.tenant !== session.tenant,
		mayChange: [],
		check: (answer) => refuses(answer) ?? isNobody(answer),
	});
};
