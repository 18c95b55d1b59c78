import type { Artifact } from "../artifacts.ts";
import type { Person } from "../beliefs.ts";
import { refuses, refusesWith, setsSession, succeeds } from "../expectations.ts";
import { type Answer, type Request, valueAt } from "../http.ts";
import type { Roll } from "../roll.ts";
import { claimOf, claimOn, emailsOf, endSessions, hintOf, type Model } from "../state.ts";
import type { Plan, Step } from "../step.ts";
import { entry, member, messageIn, openSession, ownStep, sends } from "./build.ts";
import { isSignedIn } from "./passwords.ts";

/** The user that the email in a token currently identifies in its tenant. */
const meantBy = ({ tenant, slot, to }: Artifact): Person | null => {
	const person = tenant.people.get(slot);
	return person && person.email === to ? person : null;
};

const remember = (
	model: Model,
	kind: Artifact["kind"],
	person: Person,
	answer: Answer,
	sent: string,
	more: Partial<Artifact> = {},
): void => {
	const message = messageIn(answer, sent);
	if (!message) return;
	model.ring.add({ kind, tenant: person.tenant, slot: person.slot, value: message.secret, to: message.to, ...more });
};

/** A mail link works without a hint; sometimes it has one for its own tenant. */
const ownHint = ({ tenant }: Artifact, roll: Roll) => (roll.chance(30) ? { tenant: hintOf(tenant) } : {});

export const resetPassword: Plan = (model, roll) => {
	const minted = roll.chance(60) ? model.ring.usable("reset", roll) : null;
	if (!minted) {
		const person = model.anyPerson(roll);
		if (!person) return null;
		return ownStep(
			"reset.request",
			person,
			entry(person.tenant, "/request-password-reset", { email: person.email }, roll),
			{
				check: sends("reset", person.email),
				settle: (answer) => remember(model, "reset", person, answer, "reset", { userId: person.userId }),
			},
		);
	}
	// the token identifies the user, even after a change of email
	const person = minted.tenant.people.get(minted.slot);
	const alive = person && person.userId === minted.userId;
	const newPassword = model.nextPassword(minted.tenant, minted.slot);
	const body = { token: minted.value, newPassword };
	return {
		name: "reset.finish",
		request: { method: "POST", path: "/reset-password", body, ...ownHint(minted, roll) },
		scope: minted.tenant,
		claims: [claimOn(minted.tenant, minted.slot)],
		check: alive ? succeeds : refusesWith(400),
		settle: () => {
			minted.usable = false;
			if (person && alive) person.password = newPassword;
		},
	};
};

export const verifyEmail: Plan = (model, roll) => {
	const minted = roll.chance(60) ? model.ring.usable("verify", roll) : null;
	if (minted) return openVerifyLink(model, minted, roll);
	// without a session the engine takes half a second, so that timing reveals nothing
	const session = model.signedIn(roll, ({ verified }) => !verified);
	if (!session) return null;
	const { person } = session;
	const request = member(session, "POST", "/send-verification-email", { body: { email: person.email } }, roll);
	return ownStep("verify.request", person, request, {
		check: sends("verify", person.email),
		settle: (answer) => remember(model, "verify", person, answer, "verify"),
	});
};

const openVerifyLink = (model: Model, minted: Artifact, roll: Roll): Step => {
	const person = meantBy(minted);
	const request: Request = {
		method: "GET",
		path: "/verify-email",
		query: { token: minted.value },
		...ownHint(minted, roll),
	};
	const step = { request, scope: minted.tenant, claims: [claimOn(minted.tenant, minted.slot)] };
	if (!person) return { name: "verify.open", ...step, check: refusesWith(401) };
	if (minted.updateTo !== undefined) return finishEmailChange(model, minted, person, step);
	const opens = !person.verified && !person.banned;
	return {
		name: "verify.open",
		...step,
		check:
			person.banned && !person.verified
				? () => null
				: (answer) => succeeds(answer) ?? (opens ? isSignedIn(person, answer) : null),
		settle: (answer) => {
			person.verified = true;
			if (setsSession(answer)) openSession(model, person, answer);
		},
	};
};

/** The last step of a change of email. Without a session, the engine creates one. */
const finishEmailChange = (
	model: Model,
	minted: Artifact,
	person: Person,
	step: Pick<Step, "request" | "scope" | "claims">,
): Step => ({
	name: "email.change-finish",
	...step,
	check: person.banned ? refuses : succeeds,
	settle: (answer) => {
		minted.usable = false;
		if (person.banned) return;
		person.email = minted.updateTo ?? person.email;
		// Better Auth 1.7.7 verifies the new address with it; newer ones leave a user unverified who was
		person.verified = valueAt(answer.json, "user", "emailVerified") !== false;
		if (setsSession(answer)) openSession(model, person, answer);
	},
});

export const changeEmail: Plan = (model, roll) => {
	const minted = roll.chance(60) ? model.ring.usable("change", roll) : null;
	if (minted?.updateTo !== undefined) {
		const person = meantBy(minted);
		const { updateTo } = minted;
		return {
			name: "email.change-confirm",
			request: { method: "GET", path: "/verify-email", query: { token: minted.value }, ...ownHint(minted, roll) },
			scope: minted.tenant,
			claims: [claimOn(minted.tenant, minted.slot)],
			check: person ? sends("verify", updateTo) : refusesWith(401),
			settle: (answer) => {
				minted.usable = false;
				if (person) remember(model, "verify", person, answer, "verify", { to: person.email, updateTo });
			},
		};
	}
	const session = model.signedIn(roll, ({ slot }) => slot !== 0);
	if (!session) return null;
	const { person } = session;
	const newEmail = emailsOf(person.slot).find((email) => email !== person.email) ?? "";
	const kind = person.verified ? "change" : "verify";
	return ownStep("email.change", person, member(session, "POST", "/change-email", { body: { newEmail } }, roll), {
		// unverified addresses are not asked to confirm
		check: sends(kind, person.verified ? person.email : newEmail),
		settle: (answer) => remember(model, kind, person, answer, kind, { to: person.email, updateTo: newEmail }),
	});
};

/** The first verification of an email inherits nothing: no password, no session, no linked account. */
const proveEmail = (person: Person): void => {
	if (person.verified) return;
	endSessions(person);
	person.password = null;
	person.linkedAccount = null;
	person.verified = true;
};

export const useMagicLink: Plan = (model, roll) => {
	const minted = roll.chance(60) ? model.ring.usable("magic", roll) : null;
	if (!minted) {
		const person = model.anyPerson(roll, ({ banned, sessions }) => !banned && sessions.length < 4);
		if (!person) return null;
		return ownStep(
			"magic.request",
			person,
			entry(person.tenant, "/sign-in/magic-link", { email: person.email }, roll),
			{
				check: sends("magic", person.email),
				settle: (answer) => remember(model, "magic", person, answer, "magic"),
			},
		);
	}
	const person = meantBy(minted);
	// for an unknown address, the engine would create a user, which is out of scope here
	if (!person || person.banned || person.sessions.length >= 4) return null;
	return ownStep(
		"magic.open",
		person,
		{ method: "GET", path: "/magic-link/verify", query: { token: minted.value }, ...ownHint(minted, roll) },
		{
			check: (answer) => succeeds(answer) ?? isSignedIn(person, answer),
			settle: (answer) => {
				minted.usable = false;
				proveEmail(person);
				openSession(model, person, answer);
			},
		},
	);
};

type OtpType = "sign-in" | "email-verification" | "forget-password";

export const useEmailOtp: Plan = (model, roll) => {
	const type: OtpType = roll.oneOf(["sign-in", "email-verification", "forget-password"]);
	const kind = `otp:${type}` as const;
	const minted = roll.chance(60) ? model.ring.usable(kind, roll) : null;
	if (!minted) {
		const person = model.anyPerson(roll, ({ banned, sessions }) => !banned && sessions.length < 4);
		if (!person) return null;
		return ownStep(
			`otp.send`,
			person,
			entry(person.tenant, "/email-otp/send-verification-otp", { email: person.email, type }, roll),
			{
				check: sends(kind, person.email),
				settle: (answer) => {
					model.ring.replace(kind, person.tenant, person.email);
					remember(model, kind, person, answer, kind);
				},
			},
		);
	}
	const person = meantBy(minted);
	if (!person || person.banned || person.sessions.length >= 4) return null;
	return redeemOtp(model, minted, person, type, roll);
};

const redeemOtp = (model: Model, minted: Artifact, person: Person, type: OtpType, roll: Roll): Step => {
	const body = { email: minted.to, otp: minted.value };
	const claims = [claimOf(person)];
	const use = (settle: (answer: Answer) => void) => (answer: Answer) => {
		minted.usable = false;
		settle(answer);
	};
	const { tenant } = person;
	switch (type) {
		case "sign-in":
			return ownStep("otp.sign-in", person, entry(tenant, "/sign-in/email-otp", body, roll), {
				claims,
				check: (answer) => succeeds(answer) ?? isSignedIn(person, answer),
				settle: use((answer) => {
					proveEmail(person);
					openSession(model, person, answer);
				}),
			});
		case "email-verification":
			return ownStep("otp.verify", person, entry(tenant, "/email-otp/verify-email", body, roll), {
				claims,
				settle: use((answer) => {
					person.verified = true;
					if (setsSession(answer)) openSession(model, person, answer);
				}),
			});
		case "forget-password": {
			const password = model.nextPassword(tenant, person.slot);
			return ownStep("otp.reset", person, entry(tenant, "/email-otp/reset-password", { ...body, password }, roll), {
				claims,
				settle: use(() => {
					person.password = password;
					person.verified = true;
				}),
			});
		}
	}
};
