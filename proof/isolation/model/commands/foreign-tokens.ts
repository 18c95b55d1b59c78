import type { Artifact, ArtifactKind } from "../artifacts.ts";
import type { Tenant } from "../beliefs.ts";
import { refuses, refusesWith } from "../expectations.ts";
import type { Request } from "../http.ts";
import type { Roll } from "../roll.ts";
import { claimOn, hintOf, type Model } from "../state.ts";
import type { Plan, Step } from "../step.ts";
import { bareOf, entry, retag } from "./build.ts";
import { passwordSignIn } from "./passwords.ts";

/** A token in another tenant's context: unchanged with a hint, untagged with a hint, or with the other tenant's tag. */
const presented = (artifact: Artifact, elsewhere: Tenant, roll: Roll): { token: string; hint: Partial<Request> } => {
	const id = hintOf(elsewhere);
	// no hint, and the token's tenant is gone or it has no tag: the platform
	if (id === undefined) return { token: bareOf(artifact.value), hint: roll.chance(30) ? { tenant: elsewhere.id } : {} };
	const hint = roll.chance(70) ? { tenant: id } : { query: { tenantId: id } };
	switch (roll.below(4)) {
		case 0:
			return { token: artifact.value, hint };
		case 1:
			return { token: retag(artifact.value, elsewhere), hint: {} };
		case 2:
			return { token: retag(artifact.value, elsewhere), hint };
		default:
			return { token: bareOf(artifact.value), hint };
	}
};

const LINKS = ["reset", "verify", "change", "magic", "one-time"] as const;
type LinkKind = (typeof LINKS)[number];

const linkCalls = (token: string): Record<LinkKind, Request[]> => {
	const verify: Request = { method: "GET", path: "/verify-email", query: { token } };
	return {
		reset: [
			{ method: "POST", path: "/reset-password", body: { token, newPassword: "password-taken-over" } },
			{ method: "GET", path: `/reset-password/${encodeURIComponent(token)}`, query: { callbackURL: "/home" } },
		],
		verify: [verify],
		change: [verify],
		magic: [{ method: "GET", path: "/magic-link/verify", query: { token, callbackURL: "/home" } }],
		"one-time": [{ method: "POST", path: "/one-time-token/verify", body: { token } }],
	};
};

/** A mail token, used or not, in another tenant: it must not work there. */
export const replayLink: Plan = (model, roll) => {
	const kind = roll.oneOf(LINKS);
	const artifact = model.ring.any(kind, roll);
	const elsewhere = artifact && model.otherThan(artifact.tenant, roll);
	if (!artifact || !elsewhere) return null;
	const { token, hint } = presented(artifact, elsewhere, roll);
	// sometimes at another endpoint than intended
	const calls = linkCalls(token)[roll.chance(85) ? kind : roll.oneOf(LINKS)];
	const call = roll.pick(calls);
	if (!call) return null;
	// never mailed, so it has no tag
	if (call.path === "/one-time-token/verify") hint.tenant = elsewhere.id;
	const namesake = elsewhere.people.get(artifact.slot);
	const session = roll.chance(30) && namesake ? roll.pick(namesake.sessions) : undefined;
	return {
		...foreignStep(`replay.${kind}`, artifact, elsewhere),
		request: {
			...call,
			...hint,
			...(hint.query ? { query: { ...call.query, ...hint.query } } : {}),
			...(session ? { cookies: session.cookies } : {}),
		},
		check: refuses,
	};
};

const foreignStep = (name: string, artifact: Artifact, elsewhere: Tenant) => ({
	name,
	scope: elsewhere,
	mayChange: [] as Tenant[],
	foreign: true,
	claims: [claimOn(artifact.tenant, artifact.slot), claimOn(elsewhere, artifact.slot)],
});

const CODES = ["otp:sign-in", "otp:email-verification", "otp:forget-password", "phone", "phone-reset"] as const;

const codeCall = (kind: (typeof CODES)[number], to: string, code: string): [string, Record<string, unknown>] => {
	const newPassword = "password-taken-over";
	switch (kind) {
		case "otp:sign-in":
			return ["/sign-in/email-otp", { email: to, otp: code }];
		case "otp:email-verification":
			return ["/email-otp/verify-email", { email: to, otp: code }];
		case "otp:forget-password":
			return ["/email-otp/reset-password", { email: to, otp: code, password: newPassword }];
		case "phone":
			return ["/phone-number/verify", { phoneNumber: to, code }];
		case "phone-reset":
			return ["/phone-number/reset-password", { phoneNumber: to, otp: code, newPassword }];
	}
};

/** A one-time code of one tenant, for the same address in another. */
export const replayCode: Plan = (model, roll) => {
	const kind = roll.oneOf(CODES);
	const artifact = model.ring.any(kind, roll);
	const elsewhere = artifact && model.otherThan(artifact.tenant, roll);
	if (!artifact || !elsewhere) return null;
	const open = model.ring.pending(kind, elsewhere, artifact.to);
	// one in a million has the same six digits
	if (open?.value === artifact.value) return null;
	const [path, body] = codeCall(kind, artifact.to, artifact.value);
	return {
		...foreignStep(`replay.${kind}`, artifact, elsewhere),
		request: entry(elsewhere, path, body, roll),
		// the engine counts the wrong guess in the tenant where it was made
		mayChange: [elsewhere],
		check: refuses,
		settle: () => {
			if (!open) return;
			open.attempts += 1;
			if (open.attempts >= 2) open.usable = false;
		},
	};
};

/** The cookies and code of a sign-in that waits for its second factor, in another tenant. */
export const replayChallenge: Plan = (model, roll) => {
	const artifact = model.ring.any(roll.oneOf<ArtifactKind>(["challenge", "second-factor"]), roll);
	const elsewhere = artifact && model.otherThan(artifact.tenant, roll);
	if (!artifact?.cookies || !elsewhere) return null;
	const cookies = new Map(artifact.cookies);
	const flow = roll.chance(40) ? model.ring.any("challenge", roll) : null;
	const mixed = flow && flow.tenant === elsewhere ? flow.cookies?.get("better-auth.tenant_flow") : undefined;
	if (mixed) cookies.set("better-auth.tenant_flow", mixed);
	const code = artifact.kind === "second-factor" ? artifact.value : "000000";
	const [path, body] = roll.oneOf<[string, Record<string, unknown>]>([
		["/two-factor/verify-otp", { code }],
		["/two-factor/verify-otp", { code }],
		["/two-factor/send-otp", {}],
	]);
	return {
		...foreignStep("replay.second-factor", artifact, elsewhere),
		request: { method: "POST", path, body, cookies, ...(mixed ? {} : { tenant: elsewhere.id }) },
		check: refusesWith(401),
	};
};

/** The right password of the wrong tenant. */
export const useNamesakesPassword: Plan = (model: Model, roll: Roll): Step | null => {
	const person = model.anyPerson(roll, ({ password }) => password !== null);
	const elsewhere = person && (model.namesake(person, roll)?.tenant ?? model.otherThan(person.tenant, roll));
	if (!person?.password || !elsewhere) return null;
	const namesake = elsewhere.people.get(person.slot) ?? person;
	const session = roll.chance(25) ? roll.pick(person.sessions) : undefined;
	return {
		name: "replay.password",
		request: {
			...passwordSignIn(namesake, elsewhere, person.password, roll),
			...(session ? { cookies: session.cookies } : {}),
		},
		scope: elsewhere,
		mayChange: [],
		foreign: true,
		claims: [claimOn(person.tenant, person.slot), claimOn(elsewhere, person.slot)],
		check: refusesWith(401),
	};
};
