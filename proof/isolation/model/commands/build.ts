import type { Person, Session, Tenant } from "../beliefs.ts";
import { type Check, succeeds } from "../expectations.ts";
import type { Answer, Cookies, Request } from "../http.ts";
import type { Roll } from "../roll.ts";
import { claimOf, hintOf, type Model } from "../state.ts";
import type { Step } from "../step.ts";

type Input = { body?: Record<string, unknown>; query?: Record<string, string> };

/** A request of a user who is not signed in and names the tenant in the header, query or body. */
export const entry = (
	tenant: Tenant,
	path: string,
	body: Record<string, unknown>,
	roll: Roll,
	bodyHint = true,
): Request => {
	const id = hintOf(tenant);
	const request: Request = { method: "POST", path, body };
	if (id === undefined) return request;
	const way = roll.below(bodyHint ? 3 : 2);
	if (way === 0) return { ...request, tenant: id };
	if (way === 1) return { ...request, query: { tenantId: id } };
	return { ...request, body: { ...body, tenantId: id } };
};

/** A request of a signed-in user, by cookie or bearer, mostly without a hint, sometimes with their own tenant's. */
export const member = (
	session: Session,
	method: Request["method"],
	path: string,
	input: Input,
	roll: Roll,
): Request => ({
	method,
	path,
	...input,
	...(roll.chance(25) ? { bearer: session.token } : { cookies: session.cookies }),
	...(roll.chance(25) ? { tenant: session.tenant.id } : {}),
});

/** A step of one user in their own tenant. */
export const ownStep = (
	name: string,
	person: Person,
	request: Request,
	rest: Partial<Step> & { check?: Check } = {},
): Step => ({
	name,
	request,
	scope: person.tenant,
	claims: [claimOf(person)],
	check: succeeds,
	...rest,
});

const SESSION_COOKIE = "better-auth.session_token";

const sessionTokenIn = (cookies: Cookies): string | null => {
	const signed = cookies.get(SESSION_COOKIE);
	if (!signed) return null;
	const value = decodeURIComponent(signed);
	return value.slice(0, value.lastIndexOf("."));
};

/** Records a session that a response created. */
export const openSession = (
	model: Model,
	person: Person,
	answer: Answer,
	{ admin = person.slot === 0 } = {},
): Session | null => {
	const token = sessionTokenIn(answer.cookies);
	if (token === null) return null;
	const cookies = new Map(
		[...answer.cookies].filter(([name, value]) => name.includes("session_token") && value !== ""),
	);
	const session: Session = { tenant: person.tenant, person, token, cookies, live: true, admin };
	person.sessions.push(session);
	model.ring.add({
		kind: "session",
		tenant: person.tenant,
		slot: person.slot,
		value: token,
		to: person.email,
		cookies,
		session,
	});
	return session;
};

/** Replaces the tag of a token, like a forger for another tenant. */
export const retag = (token: string, tenant: Tenant): string => {
	const bare = token.split("~")[0] ?? token;
	return tenant.tag === null ? bare : `${bare}~${tenant.tag}`;
};

export const bareOf = (token: string): string => token.split("~")[0] ?? token;

/** The message of a kind that a response caused. */
export const messageIn = (answer: Answer, kind: string) => answer.outbox.find((message) => message.kind === kind);

/** Succeeds and sends exactly one message of a kind to a user. */
export const sends =
	(kind: string, to: string): Check =>
	(answer) => {
		const wrong = succeeds(answer);
		if (wrong) return wrong;
		const [message, ...more] = answer.outbox;
		return message?.kind === kind && message.to === to && more.length === 0
			? null
			: `sent ${JSON.stringify(answer.outbox.map(({ kind, to }) => [kind, to]))} instead of ${kind} to ${to}`;
	};
