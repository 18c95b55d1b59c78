import type { Session } from "../beliefs.ts";
import { isNobody, succeedsWith } from "../expectations.ts";
import { type Request, textAt } from "../http.ts";
import { claimOn, endSession, endSessions } from "../state.ts";
import type { Plan } from "../step.ts";
import { member, ownStep, retag } from "./build.ts";

/** A user reads their session: live sessions return the user, dead ones nothing. */
export const getSession: Plan = (model, roll) => {
	const found = roll.chance(50) ? model.ring.any("session", roll)?.session : model.signedIn(roll);
	return found ? lookAt(found, member(found, "GET", "/get-session", {}, roll)) : null;
};

/** A session must match the model: its own user's, or dead. */
const lookAt = (session: Session, request: Request) => {
	const { person, tenant } = session;
	// a hint for a deleted tenant is not found; without it, its cookies belong to no user
	const asked = tenant.alive ? request : { ...request, tenant: undefined };
	return {
		name: session.live ? "session.get" : "session.get-dead",
		request: asked,
		scope: tenant,
		mayChange: [],
		foreign: !tenant.alive,
		claims: [claimOn(tenant, person.slot)],
		check: session.live
			? succeedsWith(
					`user ${person.userId} with ${person.email}`,
					(json) => textAt(json, "user", "id") === person.userId && textAt(json, "user", "email") === person.email,
				)
			: isNobody,
	};
};

export const useSession: Plan = (model, roll) => {
	const session = model.signedIn(roll);
	if (!session) return null;
	const { person } = session;
	switch (roll.below(5)) {
		case 0:
			return ownStep("sessions.list", person, member(session, "GET", "/list-sessions", {}, roll), {
				mayChange: [],
				check: succeedsWith(
					`${person.sessions.length} sessions`,
					(json) =>
						Array.isArray(json) &&
						person.sessions.every(({ token }) => json.some((one) => textAt(one, "token") === token)),
				),
			});
		case 1:
			return ownStep("accounts.list", person, member(session, "GET", "/list-accounts", {}, roll), {
				mayChange: [],
				check: succeedsWith(
					"their accounts",
					(json) => Array.isArray(json) && json.every((one) => textAt(one, "userId") === person.userId),
				),
			});
		case 2: {
			const name = `${person.tenant.canary} person ${roll.below(1000)}`;
			return ownStep("user.update", person, member(session, "POST", "/update-user", { body: { name } }, roll));
		}
		case 3: {
			const other = roll.pick(person.sessions);
			if (!other) return null;
			const request = member(session, "POST", "/revoke-session", { body: { token: other.token } }, roll);
			return ownStep("session.revoke", person, request, { settle: () => endSession(other) });
		}
		default:
			return ownStep("sessions.revoke", person, member(session, "POST", "/revoke-sessions", { body: {} }, roll), {
				settle: () => endSessions(person),
			});
	}
};

export const useOneTimeToken: Plan = (model, roll) => {
	const minted = roll.chance(60) ? model.ring.usable("one-time", roll) : null;
	if (minted?.session) {
		const { session } = minted;
		const hint = minted.tenant.tag === null ? {} : { tenant: minted.tenant.id };
		const alive = session.live;
		return ownStep(
			"one-time.verify",
			session.person,
			{ method: "POST", path: "/one-time-token/verify", body: { token: minted.value }, ...hint },
			{
				check: alive
					? succeedsWith("its session", (json) => textAt(json, "user", "id") === session.person.userId)
					: isNobody,
				settle: () => {
					minted.usable = false;
				},
			},
		);
	}
	const session = model.signedIn(roll);
	if (!session) return null;
	return ownStep("one-time.generate", session.person, member(session, "GET", "/one-time-token/generate", {}, roll), {
		check: succeedsWith("a token", (json) => textAt(json, "token") !== ""),
		settle: ({ json }) => {
			const { tenant, person } = session;
			model.ring.add({
				kind: "one-time",
				tenant,
				slot: person.slot,
				value: textAt(json, "token"),
				to: person.email,
				session,
			});
		},
	});
};

/** Several sessions in one browser, of the same tenant and of others. */
export const useSeveralSessions: Plan = (model, roll) => {
	const session = model.signedIn(roll);
	const other = model.ring.any("session", roll)?.session;
	if (!session || !other) return null;
	const { person } = session;
	const foreign = other.tenant !== session.tenant;
	const cookies = new Map(session.cookies);
	for (const [name, value] of other.cookies) if (name.includes("_multi-")) cookies.set(name, value);
	const claims = [claimOn(session.tenant, person.slot), claimOn(other.tenant, other.person.slot)];
	const about = { foreign, claims, scope: session.tenant };
	if (roll.chance(50)) {
		return ownStep(
			"multi.list",
			person,
			{ method: "GET", path: "/multi-session/list-device-sessions", cookies },
			{
				...about,
				mayChange: [],
				check: succeedsWith(
					"only one's own",
					(json) =>
						Array.isArray(json) &&
						json.every((one) =>
							[...session.tenant.people.values()].some(({ userId }) => userId === textAt(one, "user", "id")),
						),
				),
			},
		);
	}
	const body = { sessionToken: roll.chance(80) ? other.token : retag(other.token, session.tenant) };
	const setActive = roll.chance(50);
	if (!foreign && body.sessionToken !== other.token) return null;
	const opens = !foreign && other.live;
	return ownStep(
		setActive ? "multi.set-active" : "multi.revoke",
		person,
		{ method: "POST", path: `/multi-session/${setActive ? "set-active" : "revoke"}`, cookies, body },
		{
			...about,
			...(foreign ? { mayChange: [] } : {}),
			// the engine silently accepts revoking an ended session
			check:
				opens || (!foreign && !setActive)
					? (answer) => (answer.status === 200 ? null : `answered ${answer.status}`)
					: isNobody,
			settle: () => {
				if (!foreign && !setActive && other.live) endSession(other);
			},
		},
	);
};
