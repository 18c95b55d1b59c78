import type { Artifact } from "../artifacts.ts";
import type { Person, Session, Tenant } from "../beliefs.ts";
import { errorIn, refuses, setsSession, succeeds, succeedsWith } from "../expectations.ts";
import { type Cookies, type Request, textAt } from "../http.ts";
import type { Roll } from "../roll.ts";
import { claimOn, emailsOf, hintOf, type Model, SLOTS, SOCIAL_SLOTS, subjectOf } from "../state.ts";
import type { Plan, Step } from "../step.ts";
import { bareOf, openSession, ownStep, retag } from "./build.ts";
import { newPerson } from "./passwords.ts";

/** Signs a user in at the identity provider and returns the redirect URL. */
export type Authorize = (url: string, person: { sub: string; email: string; name: string }) => Promise<string>;

/** Reads a user from the database after a redirect, which contains nothing. */
export type WhoIs = (
	tenantId: string,
	email: string,
) => Promise<{ userId: string; accountId: string; verified: boolean }>;

/** The credentials that a flow started with: one version of a tenant's config, or the application's. */
const sourceOf = ({ config }: Tenant): string => (config ? `config ${config.version}` : "global");

/** All tenants share subjects: the same one in two tenants is two users. */
export const startSocial =
	(authorize: Authorize): Plan =>
	(model, roll) => {
		const tenant = model.anyTenant(roll);
		const slot = roll.oneOf(SOCIAL_SLOTS);
		const path = tenant.tag === null ? "/sign-in/social" : "/tenant/sign-in/social";
		const body = { provider: "gitlab", callbackURL: "/home", errorCallbackURL: "/failed" };
		return {
			name: "social.start",
			request: { method: "POST", path, body, tenant: hintOf(tenant) },
			scope: tenant,
			claims: [claimOn(tenant, slot)],
			// the provider's pages are between this request and the next
			alone: true,
			check: succeedsWith("the provider's address", (json) => textAt(json, "url") !== ""),
			settle: async ({ json, cookies }) => {
				const person = { sub: subjectOf(slot), email: emailsOf(slot)[0], name: `${tenant.canary} social` };
				const value = await authorize(textAt(json, "url"), person);
				model.ring.add({ kind: "flow", tenant, slot, value, to: sourceOf(tenant), cookies });
			},
		};
	};

const callback = (url: string, cookies: Cookies | undefined): Request => ({ method: "GET", path: url, cookies });

/** The provider's redirect. A flow ends if its credentials changed meanwhile. */
export const finishSocial =
	(whoIs: WhoIs): Plan =>
	(model, roll) => {
		const flow = model.ring.usable("flow", roll, ({ userId }) => userId === undefined);
		if (!flow) return null;
		const { tenant, slot } = flow;
		const person = tenant.people.get(slot);
		if (person?.banned || (person && person.sessions.length >= 4)) return null;
		const opens = flow.to === sourceOf(tenant);
		return {
			name: opens ? "social.finish" : "social.finish-refused",
			request: callback(flow.value, flow.cookies),
			scope: tenant,
			claims: [claimOn(tenant, slot)],
			alone: true,
			check: (answer) =>
				opens ? (succeeds(answer) ?? (setsSession(answer) ? null : "set no session")) : refuses(answer),
			settle: async (answer) => {
				flow.usable = false;
				if (!opens) return;
				const known = person ?? newPerson(tenant, slot, { verified: true });
				if (!person) await meet(model, known, whoIs);
				tenant.people.set(slot, known);
				openSession(model, known, answer);
			},
		};
	};

const meet = async (model: Model, person: Person, whoIs: WhoIs): Promise<void> => {
	const { userId, accountId, verified } = await whoIs(person.tenant.id, person.email);
	const about = { tenant: person.tenant, slot: person.slot, to: person.email };
	if (person.userId === "") model.ring.add({ kind: "user", ...about, value: userId });
	model.ring.add({ kind: "account", ...about, value: accountId });
	Object.assign(person, { userId, verified, linkedAccount: accountId });
};

/** A signed-in user links an account at the provider, and unlinks it. */
export const startLink =
	(authorize: Authorize): Plan =>
	(model, roll) => {
		const session = model.signedIn(roll, ({ slot, password }) => slot < SLOTS && password !== null);
		if (!session) return null;
		const { person, tenant } = session;
		if (person.linkedAccount !== null) return unlink(person, session);
		const body = { provider: "gitlab", callbackURL: "/home", errorCallbackURL: "/failed" };
		return ownStep(
			"link.start",
			person,
			{ method: "POST", path: "/link-social", body, cookies: session.cookies },
			{
				alone: true,
				check: succeedsWith("the provider's address", (json) => textAt(json, "url") !== ""),
				settle: async ({ json, cookies }) => {
					const identity = { sub: subjectOf(person.slot), email: person.email, name: `${tenant.canary} linked` };
					const value = await authorize(textAt(json, "url"), identity);
					const { slot, userId, email } = person;
					model.ring.add({
						kind: "flow",
						tenant,
						slot,
						value,
						to: sourceOf(tenant),
						cookies,
						session,
						userId,
						updateTo: email,
					});
				},
			},
		);
	};

const unlink = (person: Person, session: Session): Step =>
	ownStep(
		"link.remove",
		person,
		{ method: "POST", path: "/unlink-account", body: { accountId: person.linkedAccount }, cookies: session.cookies },
		{
			settle: () => {
				person.linkedAccount = null;
			},
		},
	);

export const finishLink =
	(whoIs: WhoIs): Plan =>
	(model, roll) => {
		const flow = model.ring.usable("flow", roll, ({ session }) => session?.live === true);
		const session = flow?.session;
		if (!flow || !session) return null;
		const { person, tenant } = session;
		if (person.userId !== flow.userId || person.email !== flow.updateTo || person.linkedAccount !== null) return null;
		const opens = flow.to === sourceOf(tenant);
		const cookies = new Map([...session.cookies, ...(flow.cookies ?? [])]);
		return ownStep(opens ? "link.finish" : "link.finish-refused", person, callback(flow.value, cookies), {
			alone: true,
			check: opens ? succeeds : refuses,
			settle: async () => {
				flow.usable = false;
				if (opens) await meet(model, person, whoIs);
			},
		});
	};

/** A provider's redirect for one tenant, changed to name another. */
export const replayFlow: Plan = (model, roll) => {
	const flow = model.ring.any("flow", roll);
	const elsewhere = flow && model.otherThan(flow.tenant, roll);
	if (!flow || !elsewhere) return null;
	const url = new URL(flow.value);
	const state = url.searchParams.get("state") ?? "";
	url.searchParams.set("state", roll.chance(70) ? retag(state, elsewhere) : bareOf(state));
	const bare = url.searchParams.get("state") === bareOf(state);
	if (bare && flow.tenant === model.platform) return null;
	if (roll.chance(50)) url.pathname = callbackPath(elsewhere, roll);
	return bent(model, flow, bare ? model.platform : elsewhere, url, roll);
};

const callbackPath = (tenant: Tenant, roll: Roll): string => {
	if (tenant.tag === null) return "/api/auth/callback/gitlab";
	return roll.chance(50) ? "/api/auth/tenant/callback/gitlab" : `/api/auth/tenant/callback/gitlab/${tenant.id}`;
};

const bent = (model: Model, flow: Artifact, scope: Tenant, url: URL, roll: Roll): Step => {
	const other = model.ring.any("flow", roll);
	const cookies = roll.chance(40) && other?.tenant === scope ? other.cookies : flow.cookies;
	return {
		name: "replay.state",
		request: { ...callback(url.href, cookies), ...(roll.chance(50) ? { tenant: hintOf(scope) } : {}) },
		scope,
		mayChange: [],
		foreign: true,
		claims: [claimOn(flow.tenant, flow.slot), claimOn(scope, flow.slot)],
		check: (answer) =>
			refuses(answer) ?? (answer.status === 302 && errorIn(answer.location) === null ? "went on" : null),
	};
};

/** A used state is invalid, in its own tenant too. */
export const replayUsedFlow: Plan = (model, roll) => {
	const flow = model.ring.any("flow", roll);
	if (!flow || (flow.usable && flow.tenant.alive)) return null;
	return {
		name: "replay.used-state",
		request: callback(flow.value, flow.cookies),
		scope: flow.tenant.alive ? flow.tenant : model.platform,
		mayChange: [],
		foreign: !flow.tenant.alive,
		claims: [claimOn(flow.tenant, flow.slot)],
		check: refuses,
	};
};
