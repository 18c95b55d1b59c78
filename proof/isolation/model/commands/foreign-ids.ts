import { both, refuses, refusesWith, setsSession, succeeds, succeedsWith } from "../expectations.ts";
import { valueAt } from "../http.ts";
import { claimOf, claimOn, emailsOf } from "../state.ts";
import type { Plan } from "../step.ts";
import { member, ownStep } from "./build.ts";

const quiet = { foreign: true, mayChange: [] };

/** A tenant's admin names a user of another tenant, which must look like a missing one. */
export const administrateElsewhere: Plan = (model, roll) => {
	const target = model.ring.any("user", roll);
	const tenant = target && model.otherThan(target.tenant, roll);
	const session = tenant && model.adminOf(tenant);
	if (!target || !session) return null;
	const userId = target.value;
	const claims = [claimOf(session.person), claimOn(target.tenant, target.slot)];
	const post = (path: string, body: Record<string, unknown>) => member(session, "POST", path, { body }, roll);
	const step = { ...quiet, claims };
	const missing = { ...step, check: refusesWith(404) };
	const victim = target.tenant.people.get(target.slot);
	switch (roll.below(10)) {
		case 0:
			return ownStep(
				"replay.user-id",
				session.person,
				member(session, "GET", "/admin/get-user", { query: { id: userId } }, roll),
				missing,
			);
		case 1:
			return ownStep("replay.user-id", session.person, post("/admin/ban-user", { userId }), missing);
		case 2:
			return ownStep(
				"replay.user-id",
				session.person,
				post("/admin/set-user-password", { userId, newPassword: "password-taken-over" }),
				missing,
			);
		case 3:
			return ownStep("replay.user-id", session.person, post("/admin/remove-user", { userId }), missing);
		case 4:
			return ownStep("replay.user-id", session.person, post("/admin/impersonate-user", { userId }), missing);
		case 5:
			return ownStep(
				"replay.user-id",
				session.person,
				post("/admin/update-user", { userId, data: { name: "taken over" } }),
				missing,
			);
		case 6:
			return ownStep("replay.user-id", session.person, post("/admin/list-user-sessions", { userId }), {
				...step,
				check: succeedsWith("no session", (json) => {
					const sessions = valueAt(json, "sessions");
					return Array.isArray(sessions) && sessions.length === 0;
				}),
			});
		case 7:
			return ownStep("replay.user-id", session.person, post("/admin/revoke-user-sessions", { userId }), step);
		case 8: {
			const sessionToken = victim && roll.pick(victim.sessions)?.token;
			if (!sessionToken) return null;
			return ownStep("replay.session-id", session.person, post("/admin/revoke-user-session", { sessionToken }), step);
		}
		default: {
			const query = { filterField: "tenantId", filterValue: target.tenant.id, filterOperator: "eq" };
			return ownStep(
				"replay.tenant-filter",
				session.person,
				member(session, "GET", "/admin/list-users", { query }, roll),
				{
					...step,
					check: (answer) => (succeeds(answer) === null ? noUsers(answer.json) : refuses(answer)),
				},
			);
		}
	}
};

const noUsers = (json: unknown): string | null => {
	const users = valueAt(json, "users");
	return Array.isArray(users) && users.length > 0 ? "listed somebody" : null;
};

/** A user names a session, an account or a field of someone else. */
export const nameForeign: Plan = (model, roll) => {
	const session = model.signedIn(roll);
	const elsewhere = session && model.otherThan(session.tenant, roll);
	if (!session || !elsewhere) return null;
	const { person } = session;
	switch (roll.below(4)) {
		case 0: {
			const other = model.ring.any("session", roll)?.session;
			if (!other || other.tenant === session.tenant) return null;
			const request = member(session, "POST", "/revoke-session", { body: { token: other.token } }, roll);
			return ownStep("replay.session-id", person, request, {
				...quiet,
				claims: [claimOf(person), claimOn(other.tenant, other.person.slot)],
			});
		}
		case 1: {
			const account = model.ring.any("account", roll);
			if (!account || account.tenant === session.tenant) return null;
			const body = { accountId: account.value };
			const path = roll.oneOf(["/unlink-account", "/get-access-token", "/refresh-token"]);
			return ownStep("replay.account-id", person, member(session, "POST", path, { body }, roll), {
				...quiet,
				check: refuses,
			});
		}
		case 2:
			// no user may write the field
			return ownStep(
				"smuggle.update-session",
				person,
				{ method: "POST", path: "/update-session", body: { tenantId: elsewhere.id }, cookies: session.cookies },
				{ ...quiet, check: refuses },
			);
		default: {
			const admin = model.adminOf(session.tenant);
			if (!admin || admin.person === person) return null;
			const body = { userId: person.userId, data: { tenantId: elsewhere.id } };
			return ownStep(
				"smuggle.admin-update",
				admin.person,
				{ method: "POST", path: "/admin/update-user", body, cookies: admin.cookies },
				{
					foreign: true,
					claims: [claimOf(admin.person), claimOf(person)],
					// for any response, the row must not move: the row oracle and the next sign-in check that
					check: (answer) => (answer.status >= 500 ? `answered ${answer.status}` : null),
				},
			);
		}
	}
};

/** An organization or an invitation of another tenant, instead of the one with the same name. */
export const organizeElsewhere: Plan = (model, roll) => {
	const invited = roll.chance(50);
	const target = model.ring.any(invited ? "invitation" : "organization", roll);
	const tenant = target && model.otherThan(target.tenant, roll);
	const person = tenant && (tenant.people.get(target.slot) ?? roll.pick([...tenant.people.values()]));
	const session = person && roll.pick(person.sessions);
	if (!target || !person || !session) return null;
	const claims = [claimOf(person), claimOn(target.tenant, target.slot)];
	const step = {
		foreign: true,
		claims,
		check: both(refuses, (answer) => (setsSession(answer) ? "set a session" : null)),
	};
	if (invited) {
		const body = { invitationId: target.value };
		const request = roll.chance(70)
			? member(
					session,
					"POST",
					`/organization/${roll.oneOf(["accept", "reject", "cancel"])}-invitation`,
					{ body },
					roll,
				)
			: member(session, "GET", "/organization/get-invitation", { query: { id: target.value } }, roll);
		return ownStep("replay.invitation", person, request, { ...step, mayChange: [] });
	}
	const organizationId = target.value;
	const read = (path: string) => member(session, "GET", path, { query: { organizationId } }, roll);
	const write = (path: string, body: Record<string, unknown>) =>
		member(session, "POST", path, { body: { organizationId, ...body } }, roll);
	const request = roll.oneOf([
		read("/organization/get-full-organization"),
		read("/organization/list-members"),
		read("/organization/list-invitations"),
		write("/organization/set-active", {}),
		write("/organization/update", { data: { name: "taken over" } }),
		write("/organization/delete", {}),
		write("/organization/leave", {}),
		write("/organization/invite-member", { email: emailsOf(1)[0], role: "owner" }),
		write("/organization/remove-member", { memberIdOrEmail: emailsOf(target.slot)[0] }),
	]);
	return ownStep("replay.organization", person, request, step);
};
