import { refusesWith, succeeds } from "../expectations.ts";
import type { Cookies, Request } from "../http.ts";
import type { Roll } from "../roll.ts";
import { claimOn, endSession, hintOf } from "../state.ts";
import type { Plan } from "../step.ts";
import { member, messageIn, openSession, ownStep } from "./build.ts";
import { isSignedIn } from "./passwords.ts";

/** Turns the second factor on and off. The engine replaces the session. */
export const switchSecondFactor: Plan = (model, roll) => {
	const session = model.signedIn(roll, ({ password }) => password !== null);
	if (!session) return null;
	const { person } = session;
	const wrong = roll.chance(20) ? model.namesake(person, roll)?.password : undefined;
	const on = !person.twoFactor;
	const body = { password: wrong ?? person.password, ...(on ? { method: "otp" } : {}) };
	const request = member(session, "POST", on ? "/two-factor/enable" : "/two-factor/disable", { body }, roll);
	if (wrong) {
		return ownStep("second-factor.wrong-password", person, request, {
			foreign: true,
			mayChange: [],
			check: refusesWith(400, "INVALID_PASSWORD"),
		});
	}
	return ownStep(on ? "second-factor.enable" : "second-factor.disable", person, request, {
		settle: (answer) => {
			person.twoFactor = on;
			endSession(session);
			openSession(model, person, answer);
		},
	});
};

/**
 * There is no session between the password and the code: the challenge's cookies identify the user, with or without a
 * hint.
 */
const challengeRequest = (
	path: string,
	body: Record<string, unknown>,
	cookies: Cookies,
	hint: string | undefined,
): Request => ({
	method: "POST",
	path,
	body,
	cookies,
	tenant: hint,
});

export const answerChallenge: Plan = (model, roll) => {
	const code = roll.chance(60) ? model.ring.usable("second-factor", roll) : null;
	const waiting = code ?? model.ring.usable("challenge", roll);
	if (!waiting?.cookies) return null;
	const { tenant, slot, cookies } = waiting;
	const person = tenant.people.get(slot);
	// the challenge identifies the user; deleted, banned or busy users are skipped
	if (!person || person.userId !== (code ? code.userId : waiting.value) || person.banned || person.sessions.length >= 4)
		return null;
	const hint = ownHint(tenant.tag === null ? undefined : hintOf(tenant), roll);
	if (!code) {
		return ownStep("second-factor.send", person, challengeRequest("/two-factor/send-otp", {}, cookies, hint), {
			check: (answer) => succeeds(answer) ?? (messageIn(answer, "second-factor") ? null : "sent no code"),
			settle: (answer) => {
				waiting.usable = false;
				const value = messageIn(answer, "second-factor")?.secret ?? "";
				model.ring.add({
					kind: "second-factor",
					tenant,
					slot,
					value,
					to: person.email,
					cookies,
					userId: person.userId,
				});
			},
		});
	}
	return ownStep(
		"second-factor.verify",
		person,
		challengeRequest("/two-factor/verify-otp", { code: code.value }, cookies, hint),
		{
			claims: [claimOn(tenant, slot)],
			// a user who turned it off meanwhile has no challenge, but the code is used up
			check: (answer) =>
				person.twoFactor ? (succeeds(answer) ?? isSignedIn(person, answer)) : refusesWith(400)(answer),
			settle: (answer) => {
				code.usable = false;
				if (person.twoFactor) openSession(model, person, answer);
			},
		},
	);
};

const ownHint = (id: string | undefined, roll: Roll): string | undefined => (roll.chance(50) ? id : undefined);
