import { createAuthMiddleware } from "better-auth/api";
import { bearer, jwt } from "better-auth/plugins";
import { MANAGEMENT_KEY, ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";
import { createImpersonable } from "./impersonating.ts";

const NAME = "better-auth.session_token";
const enc = (s: string) => [...s].map((c) => `%${c.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");

const shapes: [string, (v: string, own: string) => string][] = [
	["plain", (v) => `${NAME}=${v}`],
	["decoded", (v) => `${NAME}=${decodeURIComponent(v)}`],
	["quoted", (v) => `${NAME}="${v}"`],
	["half quoted", (v) => `${NAME}="${v}x`],
	["encoded all", (v) => `${NAME}=${enc(decodeURIComponent(v))}`],
	["encoded mark", (v) => `${NAME}=%69${v.slice(1)}`],
	["encoded quoted", (v) => `${NAME}="%69${v.slice(1)}"`],
	["double encoded", (v) => `${NAME}=%2569${v.slice(1)}`],
	["own first", (v, o) => `${NAME}=${o}; ${NAME}=${v}`],
	["own second", (v, o) => `${NAME}=${v}; ${NAME}=${o}`],
	["empty first", (v) => `${NAME}=; ${NAME}=${v}`],
	["no semicolon space", (v, o) => `a=b;${NAME}=${v};${NAME}=${o}`],
	["after a nameless", (v) => `a; b;;; ${NAME}=${v}`],
	["spaces", (v) => `  ${NAME}  =   ${v}   `],
	["tabs", (v) => `\t${NAME}\t=\t${v}\t`],
	["secure prefix", (v, o) => `__Secure-${NAME}=${v}; ${NAME}=${o}`],
	["secure prefix after", (v, o) => `${NAME}=${o}; __Secure-${NAME}=${v}`],
	["host prefix", (v) => `__Host-${NAME}=${v}`],
	["many", (v) => `${Array.from({ length: 400 }, (_, i) => `c${i}=${i}`).join("; ")}; ${NAME}=${v}`],
	["name in value", (v) => `x=${NAME}; ${NAME}=${v}`],
	["name eq in value", (v) => `x=y=${NAME}=${v}`],
	["encoded name", (v) => `better%2Dauth.session_token=${v}`],
	["upper name", (v) => `Better-Auth.Session_Token=${v}`],
	["nbsp", (v) => `\u00a0${NAME}\u00a0=\u00a0${v}`],
	["broken percent", (v) => `${NAME}=%zz; ${NAME}=${v}`],
	["broken percent inside", (v) => `${NAME}=${v}%zz`],
	["comma", (v) => `a=b, ${NAME}=${v}`],
	["equals first", (v) => `=; =x; ${NAME}=${v}`],
];

const moved = {
	id: "moved",
	hooks: {
		before: [
			{
				matcher: () => true,
				handler: createAuthMiddleware(async (ctx) => {
					const value = /app_session=([^;]+)/.exec(ctx.headers?.get("cookie") ?? "")?.[1];
					if (!value) return;
					const headers = new Headers(ctx.headers);
					headers.set("cookie", `${NAME}=${value}`);
					return { context: { headers } };
				}),
			},
		],
	},
};

describe.each([false, true])("an impersonated session (cookie cache: %s)", (cookieCache) => {
	const create = async () => {
		const operators: string[] = [];
		const all = withTenants(
			{
				management: { keys: [MANAGEMENT_KEY], userIds: operators, impersonation: {}, audit: () => undefined },
				tenantCache: { maxAge: 60 },
				deletion: { drainTime: 0 },
			},
			[bearer(), moved as never, jwt()],
		);
		const made = await createImpersonable({
			allPlugins: all,
			engine: { session: { cookieCache: { enabled: cookieCache } } },
		});
		operators.push(made.operatorId);
		const impersonated = made.operator.copy();
		expect((await made.impersonate({ browser: impersonated })).status).toBe(200);
		// the first read fills the cookie cache
		await made.world.call("/get-session", { browser: impersonated });
		const value = impersonated.cookies.get(NAME) ?? "";
		expect(decodeURIComponent(value)).toMatch(/^impersonated-/);
		return { ...made, impersonated, value, own: made.ada.cookies.get(NAME) ?? "" };
	};

	it("is restricted, however its cookie is written", async () => {
		const { world, value, own, impersonated } = await create();
		const data = impersonated.cookies.get("better-auth.session_data");
		for (const [label, shape] of shapes) {
			const cookie = shape(value, own) + (data ? `; better-auth.session_data=${data}` : "");
			const session = await world.call("/get-session", { headers: { cookie } });
			const isImpersonated = Boolean(session.json?.session?.operatorId);
			const tokened = session.headers.get("set-auth-jwt");
			const updated = await world.call("/update-user", { headers: { cookie }, body: { name: `N ${label}` } });
			const token = await world.call("/token", { headers: { cookie } });
			if (isImpersonated) {
				expect([label, updated.status, token.status, tokened]).toEqual([label, 403, 403, null]);
			}
			// as plain object headers, as request, and both
			for (const input of [
				{ headers: { cookie } as never },
				{ request: new Request(`${ORIGIN}/api/auth/get-session`, { headers: { cookie } }) },
				{ headers: new Headers({ cookie }), request: new Request(`${ORIGIN}/api/auth/get-session`) },
				{ headers: new Headers(), request: new Request(`${ORIGIN}/api/auth/get-session`, { headers: { cookie } }) },
			]) {
				const response = (await world.auth.api.getSession({
					...input,
					asResponse: true,
				} as never)) as unknown as Response;
				const json = (await response.json()) as { session?: { operatorId?: string } } | null;
				if (json?.session?.operatorId) expect([label, response.headers.get("set-auth-jwt")]).toEqual([label, null]);
				const updated = (await world.auth.api
					.updateUser({ ...input, body: { name: "X" }, asResponse: true } as never)
					.catch((error: { statusCode: number }) => ({ status: error.statusCode }))) as Response;
				if (json?.session?.operatorId) expect([label, updated.status]).toEqual([label, 403]);
			}
		}
	});

	it("gets no JWT if another plugin's hook puts it into the headers", async () => {
		const { world, value, a } = await create();
		const session = await world.call("/get-session", { tenant: a, headers: { cookie: `app_session=${value}` } });
		expect(session.headers.get("set-auth-jwt")).toBeNull();
	});

	// threat 74
	it("is restricted if another plugin's hook puts it into the headers", async () => {
		const { world, value, a } = await create();
		const call = { tenant: a, headers: { cookie: `app_session=${value}` }, body: { name: "Mallory" } };
		expect((await world.call("/update-user", call)).status).toBe(403);
	});
});
