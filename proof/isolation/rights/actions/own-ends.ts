import { Browser } from "test-kit/browser";
import type { Credential, CredentialKind, Person, Role } from "../beliefs.ts";
import type { Model } from "../model.ts";
import { present } from "../present.ts";
import { endOf, type Plan } from "../step.ts";
import { changingRole, roleOf } from "./roles.ts";
import { pickSession, stepWith } from "./ways-in.ts";

/** A credential that the running request makes. */
const unmade = (kind: CredentialKind, person: Person, by: Credential | null, secret = ""): Credential => ({
	kind,
	person,
	began: 0,
	by,
	secret,
	browser: kind === "session" ? new Browser() : null,
});

/** Of two passwords that were set at the same time, either may hold: so it counts from its answer, not from its request. */
const addPassword = (model: Model, password: Credential, answered: number | null): void => {
	password.began = answered ?? 0;
	model.add(password);
};

/** A new password from a link. A mail would cost half a second, so server code stores the link. */
export const resetPassword: Plan = async ({ model, world, roll }) => {
	const person = model.anyPerson(roll);
	if (!person) return null;
	const token = `link${model.nextName()}x${person.id}`;
	const stored = await world
		.asServer(person.tenant.id, ({ internalAdapter }) =>
			internalAdapter.createVerificationValue({
				identifier: `reset-password:${token}`,
				value: person.id,
				expiresAt: new Date(Date.now() + 3_600_000),
			}),
		)
		// a suspended tenant has no links
		.catch(() => null);
	if (!stored) return null;
	const link = unmade("link", person, null);
	const password = unmade("password", person, link, `password ${model.nextName()}`);
	const body = { token, newPassword: password.secret };
	return stepWith("reset a password", link, {
		begin: ({ began }) => {
			// links stay, but not for a request that is under way
			link.began = began;
		},
		send: () => world.call("/reset-password", { tenant: person.tenant.id, body }),
		ends: () => [
			endOf("reset-password", person.tenant, person),
			endOf("new-password", person.tenant, person, { kept: password }),
		],
		settle: (_, { answered }) => addPassword(model, password, answered),
	});
};

export const changePassword: Plan = (given) => {
	const [session, { model, world, roll }] = [pickSession(given), given];
	if (!session?.browser) return null;
	const { person } = session;
	const { tenant } = person;
	const next = unmade("session", person, session);
	const browser = session.browser.copy();
	next.browser = browser;
	const password = unmade("password", person, null, `password ${model.nextName()}`);
	const revokeOtherSessions = roll.chance(60);
	const currentPassword = model.of(person, "password").at(-1)?.secret;
	const body = { currentPassword, newPassword: password.secret, revokeOtherSessions };
	return stepWith(revokeOtherSessions ? "change a password and end sessions" : "change a password", session, {
		begin: ({ began }) => {
			next.began = began;
		},
		send: () => world.call("/change-password", { browser, body }),
		ends: () => [
			...(revokeOtherSessions ? [endOf("end-sessions", tenant, person, { kept: next })] : []),
			endOf("new-password", tenant, person, { kept: password }),
		],
		settle: (_, { answered }) => {
			addPassword(model, password, answered);
			if (revokeOtherSessions) model.add(next);
		},
	});
};

export const revokeSessions: Plan = (given) => {
	const [session, { world, roll }] = [pickSession(given), given];
	if (!session) return null;
	const { person } = session;
	const [path, kept] = roll.oneOf([
		["/revoke-sessions", null],
		["/revoke-other-sessions", session],
	]);
	const call = { ...present(session), body: {} };
	return stepWith(path, session, {
		send: () => world.call(path, call),
		ends: () => [endOf("end-sessions", person.tenant, person, { kept })],
	});
};

/** Accepts an invitation that raises the role, with a session and the password. */
export const acceptInvitation: Plan = async (given) => {
	const [session, { model, world, roll }] = [pickSession(given), given];
	if (!session?.browser) return null;
	const { person, browser } = session;
	const before = roleOf(person);
	if (before === "owner") return null;
	const { email, tenant } = person;
	const role: Role = before === "admin" ? "owner" : roll.oneOf<Role>(["admin", "owner"]);
	const made = await world.ask("/tenant/invitation/create", {
		isOperator: true,
		body: { tenantId: tenant.id, email, role },
	});
	if (made.status !== 200) return null;
	const body = {
		token: world.outbox.get(`invitation ${email}`) ?? "",
		password: model.of(person, "password").at(-1)?.secret,
	};
	const changing = changingRole(person, role);
	return stepWith("accept an invitation", session, {
		begin: changing.begin,
		send: () => world.call("/tenant/invitation/accept", { browser, body }),
		// if the role was raised meanwhile, nothing else had to end
		ends: () => (changing.isRaise() ? [endOf("accept", tenant, person, { kept: session })] : []),
		undoes: { kinds: ["role"], tenant, person },
		leftovers: {
			person,
			tables: { apikey: "referenceId", deviceCode: "userId", twoFactor: "userId" },
			// one that the user has confirmed is no way in, and stays
			only: { twoFactor: `"verified" = false` },
		},
	});
};
