import type { Session, Tenant } from "../beliefs.ts";
import { isNobody, refusesWith } from "../expectations.ts";
import type { Request } from "../http.ts";
import type { Roll } from "../roll.ts";
import { claimOn } from "../state.ts";
import type { Plan } from "../step.ts";
import { retag } from "./build.ts";

type Call = Pick<Request, "method" | "path" | "body" | "query">;
const post = (path: string, body: Record<string, unknown> = {}): Call => ({ method: "POST", path, body });
const get = (path: string, query?: Record<string, string>): Call => ({ method: "GET", path, query });

/** Requests that require a session. */
const memberCall = ({ person }: Session, roll: Roll): Call =>
	roll.oneOf<Call>([
		get("/get-session"),
		get("/list-sessions"),
		get("/list-accounts"),
		get("/organization/list"),
		get("/one-time-token/generate"),
		get("/admin/list-users", { limit: "10" }),
		post("/update-user", { name: "moved" }),
		post("/update-session", { activeOrganizationId: "none" }),
		post("/revoke-sessions"),
		post("/revoke-other-sessions"),
		post("/change-email", { newEmail: "moved@shared.example" }),
		post("/change-password", { currentPassword: person.password ?? "none-at-all", newPassword: "password-moved-0" }),
		post("/delete-user", { password: person.password ?? "none-at-all" }),
		post("/two-factor/enable", { password: person.password ?? "none-at-all", method: "otp" }),
		post("/organization/create", { name: "moved", slug: `moved-${roll.below(1_000_000)}` }),
	]);

const hinted = (call: Call, tenant: Tenant, roll: Roll): Partial<Request> => {
	const way = roll.below(call.method === "POST" ? 3 : 2);
	if (way === 0) return { tenant: tenant.id };
	if (way === 1) return { query: { ...call.query, tenantId: tenant.id } };
	return { body: { ...call.body, tenantId: tenant.id } };
};

/** A session, live or not, with a hint for another tenant. */
export const hintElsewhere: Plan = (model, roll) => {
	const session = roll.chance(60) ? model.signedIn(roll) : model.ring.any("session", roll)?.session;
	const elsewhere = session && model.otherThan(session.tenant, roll);
	if (!session || !elsewhere) return null;
	const call = memberCall(session, roll);
	const credential = roll.chance(30) ? { bearer: session.token } : { cookies: session.cookies };
	return {
		name: session.live ? "replay.session-elsewhere" : "replay.dead-session-elsewhere",
		request: { ...call, ...credential, ...hinted(call, elsewhere, roll) },
		scope: elsewhere,
		mayChange: [],
		foreign: true,
		claims: [claimOn(session.tenant, session.person.slot)],
		check: session.live && call.path !== "/get-session" ? refusesWith(403, "SESSION_TENANT_MISMATCH") : isNobody,
	};
};

/** A session whose token is changed to name another tenant, with its old signature. */
export const forgeTag: Plan = (model, roll) => {
	const session = model.ring.any("session", roll)?.session;
	const elsewhere = session && model.otherThan(session.tenant, roll);
	if (!session || !elsewhere) return null;
	const token = retag(session.token, elsewhere);
	const cookies = new Map<string, string>();
	for (const [name, value] of session.cookies) {
		const signature = decodeURIComponent(value).slice(session.token.length);
		cookies.set(
			name.replace(session.token.toLowerCase(), token.toLowerCase()),
			encodeURIComponent(`${token}${signature}`),
		);
	}
	return {
		name: "replay.forged-tag",
		request: {
			...memberCall(session, roll),
			...(roll.chance(40) ? { bearer: token } : { cookies }),
			...(roll.chance(30) ? { tenant: elsewhere.id } : {}),
		},
		scope: elsewhere,
		mayChange: [],
		foreign: true,
		claims: [claimOn(session.tenant, session.person.slot)],
		check: isNobody,
	};
};

/** Two credentials of two tenants in one request: whichever counts, only its own tenant is affected. */
export const mixCredentials: Plan = (model, roll) => {
	const session = model.signedIn(roll);
	const other = model.ring.any("session", roll)?.session;
	if (!session || !other || other.tenant === session.tenant || other.live) return null;
	// a dead bearer token must neither hide the cookie nor use its tenant
	return {
		name: "replay.mixed-credentials",
		request: { ...get("/list-sessions"), cookies: session.cookies, bearer: other.token },
		scope: session.tenant,
		mayChange: [],
		foreign: true,
		claims: [claimOn(session.tenant, session.person.slot)],
		check: (answer) => (answer.status === 200 ? null : isNobody(answer)),
	};
};
