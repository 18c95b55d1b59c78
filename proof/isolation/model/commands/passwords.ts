import type { Person, Tenant } from "../beliefs.ts";
import { refuses, refusesWith, setsSession, succeeds, succeedsWith } from "../expectations.ts";
import { type Answer, type Request, textAt, valueAt } from "../http.ts";
import type { Roll } from "../roll.ts";
import {
	claimOn,
	emailsOf,
	endPerson,
	endSession,
	endSessions,
	type Model,
	phoneOf,
	SLOTS,
	usernameOf,
} from "../state.ts";
import type { Plan, Step } from "../step.ts";
import { entry, member, openSession, ownStep } from "./build.ts";

const MOST_SESSIONS = 4;

/** Creates the first admin of each tenant, which is not possible otherwise. */
export type Promote = (userId: string) => Promise<void>;

export const signUp =
	(promote: Promote): Plan =>
	(model, roll) => {
		const tenant = model.anyTenant(roll);
		const missing = [0, 1, 2, 3, 4, 5].filter((slot) => !tenant.people.has(slot));
		// the admin first: other tenants' admins need a target
		const slot = missing.includes(0) ? 0 : roll.pick(missing);
		return slot === undefined ? signUpTaken(model, tenant, roll) : signUpAs(model, tenant, slot, roll, promote);
	};

const signUpRequest = (tenant: Tenant, slot: number, password: string, roll: Roll): Request => {
	const body = { name: `${tenant.canary} person`, email: emailsOf(slot)[0], password, username: usernameOf(slot) };
	return tenant.tag !== null && roll.chance(60)
		? entry(tenant, "/tenant/sign-up/email", body, roll)
		: entry(tenant, "/sign-up/email", body, roll, false);
};

export const newPerson = (tenant: Tenant, slot: number, known: Partial<Person>): Person => ({
	tenant,
	slot,
	userId: "",
	email: emailsOf(slot)[0],
	password: null,
	verified: false,
	banned: false,
	twoFactor: false,
	phone: false,
	linkedAccount: null,
	sessions: [],
	organizations: [],
	...known,
});

const signUpAs = (model: Model, tenant: Tenant, slot: number, roll: Roll, promote: Promote): Step => {
	const password = model.nextPassword(tenant, slot);
	return {
		name: "sign-up",
		request: signUpRequest(tenant, slot, password, roll),
		scope: tenant,
		claims: [claimOn(tenant, slot)],
		alone: slot === 0,
		check: succeedsWith("the new user", (json) => textAt(json, "user", "email") === emailsOf(slot)[0]),
		settle: async (answer) => {
			const userId = textAt(answer.json, "user", "id");
			const person = newPerson(tenant, slot, { userId, password });
			tenant.people.set(slot, person);
			model.ring.add({ kind: "user", tenant, slot, value: userId, to: person.email });
			openSession(model, person, answer, { admin: false });
			if (slot === 0) await promote(userId);
		},
	};
};

/** A taken email is always refused, and nothing about its user is revealed. */
const signUpTaken = (_model: Model, tenant: Tenant, roll: Roll): Step | null => {
	const person = roll.pick(
		[...tenant.people.values()].filter(({ slot, email }) => slot < SLOTS && email === emailsOf(slot)[0]),
	);
	if (!person) return null;
	return ownStep("sign-up.taken", person, signUpRequest(tenant, person.slot, "password-of-somebody-else", roll), {
		mayChange: [],
		check: refuses,
	});
};

/** One of the ways to sign in by password. */
export const passwordSignIn = (person: Person, tenant: Tenant, password: string, roll: Roll): Request => {
	const ways: [() => Request, ...(() => Request)[]] = [
		() => entry(tenant, "/sign-in/email", { email: person.email, password }, roll),
	];
	if (tenant.tag !== null) {
		ways.push(() => entry(tenant, "/tenant/sign-in/email", { email: person.email, password }, roll));
		ways.push(() => entry(tenant, "/tenant/sign-in/email", { email: person.email, password }, roll));
	}
	if (person.slot < SLOTS)
		ways.push(() => entry(tenant, "/sign-in/username", { username: usernameOf(person.slot), password }, roll));
	if (person.phone)
		ways.push(() => entry(tenant, "/sign-in/phone-number", { phoneNumber: phoneOf(person.slot), password }, roll));
	return roll.oneOf(ways)();
};

export const signIn: Plan = (model, roll) => {
	const person = model.anyPerson(roll);
	if (!person) return null;
	if (person.sessions.length >= MOST_SESSIONS) return revokeOthers(person, roll);
	const request = passwordSignIn(person, person.tenant, person.password ?? "password-never-set", roll);
	if (person.password === null) return ownStep("sign-in.no-password", person, request, { check: refusesWith(401) });
	if (person.banned) return ownStep("sign-in.banned", person, request, { check: refuses });
	return ownStep(person.twoFactor ? "sign-in.challenge" : "sign-in", person, request, {
		check: (answer) => succeeds(answer) ?? (person.twoFactor ? isChallenge(answer) : isSignedIn(person, answer)),
		settle: (answer) => {
			if (!person.twoFactor) openSession(model, person, answer);
			else
				model.ring.add({
					kind: "challenge",
					tenant: person.tenant,
					slot: person.slot,
					value: person.userId,
					to: person.email,
					cookies: answer.cookies,
				});
		},
	});
};

const isChallenge = (answer: Answer): string | null =>
	valueAt(answer.json, "twoFactorRedirect") === true && !setsSession(answer)
		? null
		: "did not require the second factor";

export const isSignedIn = (person: Person, answer: Answer): string | null => {
	if (!setsSession(answer)) return "set no session";
	const id = textAt(answer.json, "user", "id");
	return id === "" || id === person.userId ? null : `signed in another user than ${person.userId}`;
};

const revokeOthers = (person: Person, roll: Roll): Step | null => {
	const session = roll.pick(person.sessions);
	if (!session) return null;
	return ownStep(
		"sessions.revoke-others",
		person,
		member(session, "POST", "/revoke-other-sessions", { body: {} }, roll),
		{
			settle: () => endSessions(person, session),
		},
	);
};

export const signOut: Plan = (model, roll) => {
	const session = model.signedIn(roll);
	if (!session) return null;
	const request: Request = { method: "POST", path: "/sign-out", body: {}, cookies: session.cookies };
	return ownStep("sign-out", session.person, request, { settle: () => endSession(session) });
};

export const changePassword: Plan = (model, roll) => {
	const session = model.signedIn(roll, ({ password }) => password !== null);
	if (!session) return null;
	const { person } = session;
	const newPassword = model.nextPassword(person.tenant, person.slot);
	const right = roll.chance(80);
	// the right password of the wrong tenant is the wrong password
	const wrong = model.namesake(person, roll)?.password ?? "password-of-nobody";
	const revokeOtherSessions = roll.chance(40);
	const body = { currentPassword: right ? person.password : wrong, newPassword, revokeOtherSessions };
	return ownStep(
		right ? "password.change" : "password.change-wrong",
		person,
		member(session, "POST", "/change-password", { body }, roll),
		{
			foreign: !right,
			...(right ? {} : { mayChange: [] }),
			check: right ? succeeds : refusesWith(400, "INVALID_PASSWORD"),
			settle: (answer) => {
				if (!right) return;
				person.password = newPassword;
				if (!revokeOtherSessions) return;
				endSessions(person);
				openSession(model, person, answer);
			},
		},
	);
};

export const deleteUser: Plan = (model, roll) => {
	// admins are not deleted here
	const session = model.signedIn(roll, ({ slot, password }) => slot !== 0 && password !== null);
	if (!session) return null;
	const { person } = session;
	const right = roll.chance(70);
	const wrong = model.namesake(person, roll)?.password ?? "password-of-nobody";
	const body = { password: right ? person.password : wrong };
	return ownStep(
		right ? "user.delete" : "user.delete-wrong",
		person,
		member(session, "POST", "/delete-user", { body }, roll),
		{
			foreign: !right,
			...(right ? {} : { mayChange: [] }),
			check: right ? succeeds : refusesWith(400, "INVALID_PASSWORD"),
			settle: () => {
				if (right) endPerson(person);
			},
		},
	);
};
