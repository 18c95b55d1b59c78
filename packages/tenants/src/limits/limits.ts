import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { defineRequestState } from "@better-auth/core/context";
import type { SecondaryStorage } from "@better-auth/core/db";
import { APIError } from "@better-auth/core/error";
import { getIP } from "better-auth/api";
import { delegateOf } from "../engine/delegates.ts";
import { endpointOf } from "../engine/endpoints.ts";
import { peekState } from "../engine/request-state.ts";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { PLATFORM } from "../scope/platform.ts";
import { sha256Text } from "../sha256.ts";
import { type CountInWindow, countInWindow, type Limit } from "./count-in-window.ts";
import { namedPeople } from "./named-people.ts";

/** They hold over HTTP wherever the engine's own rate limits do, which count by address: `rateLimit.enabled`. */
export type LimitsOptions = {
	/**
	 * Requests of one tenant, from whatever addresses and to whatever paths, management and `/tenant/methods` apart. The
	 * next one is answered 429 `TOO_MANY_REQUESTS`; no other tenant notices. Anybody who names the tenant uses it up.
	 * @default false
	 */
	perTenant?: Limit | false;
	/**
	 * Requests of one tenant to one path that name the same e-mail, username or phone number, whether somebody has it or
	 * not, from whatever addresses: so many passwords may be tried at a person, and so many mails sent to him. The same for
	 * passwords that are tried with his session. One address may use up a quarter. Whoever uses up all of it keeps that
	 * person from signing in, too, until the window ends: keep it well above what people do.
	 * @default { window: 600, max: 100 }
	 */
	perPerson?: Limit | false;
};

type With = {
	limits: { perTenant: Limit | false; perPerson: Limit | false };
	/** the one that is scoped to the request's tenant */
	storage: SecondaryStorage | undefined;
};

/** A request and whom it is aimed at. */
type Aimed = { tenantId: string; path: string; people: string[] };

/** Of a person's limit, for one address: so that one alone keeps nobody out. */
const QUARTER = 4;

/** What a tenant, and whoever aims at one of its people, may send. */
export const createLimits = ({ limits: { perTenant, perPerson }, storage }: With) => {
	const countTenant = perTenant && countInWindow(perTenant, storage);
	const countPerson = perPerson && countInWindow(perPerson, storage);
	const countVisitor = perPerson && countInWindow({ ...perPerson, max: Math.ceil(perPerson.max / QUARTER) }, storage);
	/** by path: a request that is handed on to another endpoint is still one */
	const counted = new WeakMap<Request, string>();
	/** the tenant of a request that does not sign in by a name and may try a password all the same */
	const unnamed = defineRequestState<string | null>(() => null);

	const countPeople = async (ctx: GenericEndpointContext, { tenantId, path, people }: Aimed): Promise<void> => {
		if (!countPerson || !countVisitor || !ctx.request) return;
		const { secret, options } = ctx.context;
		const address = getIP(ctx.request, options);
		for (const person of people) {
			// people's addresses are nobody's keys; and nobody tries out, without the secret, whose they are
			const key = await sha256Text([secret, tenantId, path, person].join("\n"));
			if (address) await refuseIfLate(countVisitor, `visitor:${key}:${await sha256Text(address)}`);
			await refuseIfLate(countPerson, `person:${key}`);
		}
	};

	return {
		/** Counts a request once its tenant is known, and refuses it if it is one too many. */
		countRequest: async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
			if (!ctx.request || !ctx.context.rateLimit.enabled || endpointOf(ctx.path).kind === "management") return;
			const path = delegateOf(ctx.path ?? "");
			if (counted.get(ctx.request) === path) return;
			counted.set(ctx.request, path);
			// the platform is no tenant, but has people
			if (countTenant && tenantId !== PLATFORM) await refuseIfLate(countTenant, `tenant:${tenantId}`);
			const people = namedPeople(ctx);
			await countPeople(ctx, { tenantId, path, people });
			// elsewhere a name decides nothing: it would only hide whose password is tried
			if (countPerson && !(people.length > 0 && endpointOf(path).hashesPassword)) await unnamed.set(tenantId);
		},
		/** The same passwords, which may be tried at somebody so often by whoever has his session. */
		countPasswords: (password: AuthContext["password"]): AuthContext["password"] => ({
			...password,
			verify: async (data) => {
				const tenantId = peekState(unnamed);
				if (countPerson && tenantId)
					await refuseIfLate(countPerson, `password:${await sha256Text(`${tenantId}\n${data.hash}`)}`);
				return password.verify(data);
			},
		}),
	};
};

/** Tokens of sessions are looked for in the same storage, and none has a dot. */
const PREFIX = "limit.";

const refuseIfLate = async (count: CountInWindow, key: string): Promise<void> => {
	const seconds = await count(`${PREFIX}${key}`).catch(() => {
		throw refusal("SERVICE_UNAVAILABLE", "STORE_UNAVAILABLE", 1);
	});
	if (seconds > 0) throw refusal("TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS", seconds);
};

const refusal = (
	status: "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS",
	code: "STORE_UNAVAILABLE" | "TOO_MANY_REQUESTS",
	seconds: number,
): APIError =>
	new APIError(status, TENANT_AUTH_ERROR_CODES[code], {
		"cache-control": "no-store",
		"retry-after": String(seconds),
		// the engine's own, which its client knows
		"x-retry-after": String(seconds),
	});
