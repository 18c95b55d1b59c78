import { apiKey } from "@better-auth/api-key";
import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { AuthContext, BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import {
	deviceAuthorization,
	emailOTP,
	jwt,
	oneTimeToken,
	organization,
	phoneNumber,
	username,
} from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import type { DatabaseKind } from "test-kit/databases";
import { type Answer, PASSWORD } from "test-kit/world";
import { expect } from "vitest";
import { tenantInvitations } from "../../../src/admin.ts";
import { runWithTenant } from "../../../src/index.ts";
import { tenantPolicy } from "../../../src/policy.ts";
import { createAdministered, type Person } from "../../admin/support/administered.ts";
import { createGate } from "../../admin/support/gate.ts";

export type Where = {
	database?: DatabaseKind;
	redis?: boolean;
	session?: BetterAuthOptions["session"];
	/** API keys in Redis instead of the database */
	storedKeys?: boolean;
	/** the jwt plugin, with which `/get-session` never reads a cached session */
	issuesTokens?: boolean;
	plugins?: BetterAuthPlugin[];
};

/** Every place of sessions, and every database. */
export const STORES: [string, Where][] = [
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["mysql", { database: "mysql" }],
	["Redis only, with postgres", { database: "postgres", redis: true }],
	["Redis only, with mysql", { database: "mysql", redis: true }],
	["Redis and postgres", { database: "postgres", redis: true, session: { storeSessionInDatabase: true } }],
];

/** Two tenants whose users have many ways in. A request with the header `x-hold` waits before it first writes. */
export const createRightsWorld = async ({
	session,
	storedKeys,
	issuesTokens = true,
	plugins = [],
	...where
}: Where = {}) => {
	/** the codes and tokens that were sent */
	const sent: string[] = [];
	let held: { reached: () => void; released: Promise<void> } | null = null;
	const hold = holdingWrites(async () => {
		const now = held;
		held = null;
		now?.reached();
		await now?.released;
	});
	const administered = await createAdministered({
		...where,
		plugins: [
			...(issuesTokens ? [jwt()] : []),
			apiKey({
				enableSessionForAPIKeys: true,
				rateLimit: { enabled: false },
				...(storedKeys ? { storage: "secondary-storage" } : {}),
			}),
			phoneNumber({ sendOTP: async ({ code }) => void sent.push(code) }),
			emailOTP({ sendVerificationOTP: async ({ otp }) => void sent.push(otp) }),
			username(),
			oneTimeToken(),
			deviceAuthorization({ verificationUri: "/device" }),
			organization(),
			tenantPolicy(),
			tenantInvitations({
				acceptURL: "https://app.example.com/invitation",
				sendInvitation: async ({ token }) => void sent.push(token),
			}),
			hold,
			...plugins,
		],
		engine: session ? { session } : {},
	});
	const { world, a, inA } = administered;
	const last = (): string => sent.at(-1) ?? "";

	/** Sends a request that has read everything when something else happens, and writes afterwards. */
	const holdWhile = async (
		send: (headers: Record<string, string>) => Promise<Answer>,
		meanwhile: () => Promise<unknown>,
	): Promise<Answer> => {
		const [reached, released] = [createGate(), createGate()];
		held = { reached: reached.open, released: released.opened };
		const sending = send({ "x-hold": "yes" });
		await Promise.race([reached.opened, sending]);
		expect(held).toBeNull();
		await meanwhile().finally(released.open);
		return sending;
	};

	const verifyEmail = async (tenant: string, { id }: Person): Promise<void> => {
		const { internalAdapter } = await world.auth.$context;
		await runWithTenant(tenant, () => internalAdapter.updateUser(id, { emailVerified: true }));
	};

	/** Makes a user an owner by an invitation, which they accept in a session of their own. Returns that session. */
	const acceptAsOwner = async (tenant: string, person: Person): Promise<Browser> => {
		await verifyEmail(tenant, person);
		const browser = await signIn(tenant, person);
		const body = { tenantId: tenant, email: person.email, role: "owner" };
		await world.ok("/tenant/invitation/create", { operator: true, body });
		await world.ok("/tenant/invitation/accept", { browser, body: { token: last(), password: PASSWORD } });
		return browser;
	};

	const signIn = async (tenant: string, { email }: Pick<Person, "email">, password = PASSWORD): Promise<Browser> => {
		const browser = new Browser();
		await world.call("/sign-in/email", { tenant, browser, body: { email, password } });
		return browser;
	};

	/** Sign-ins at the same moment. A storage then loses its list of these sessions. */
	const crowd = async (tenant: string, person: Person): Promise<Browser[]> => {
		const browsers = await Promise.all(Array.from({ length: 8 }, () => signIn(tenant, person)));
		await world.dropKeys("active-sessions-");
		return browsers;
	};

	const roleIn = async (browser: Browser): Promise<string | null> =>
		(await world.call("/get-session", { browser: browser.copy() })).json?.user?.role ?? null;

	/** How many of the sessions are alive. */
	const alive = async (browsers: Browser[]): Promise<number> => {
		const roles = await Promise.all(browsers.map(roleIn));
		return roles.filter((role) => role !== null).length;
	};

	const keyOf = async (browser: Browser): Promise<string> =>
		String((await world.ok("/api-key/create", { browser, body: { name: "ci" } })).json.key);

	const byKey = (path: string, key: string, body?: object): Promise<Answer> =>
		world.call(path, { tenant: a, headers: { "x-api-key": key }, ...(body ? { body } : {}) });

	const stored = async (table: string, user: { id: string }, field = "userId") =>
		(await world.database.query(`select * from "${table}"`)).filter((row) => row[field] === user.id);

	const ban = async () => expect((await administered.act(inA.owner, "ban", inA.member)).status).toBe(200);

	return {
		...administered,
		last,
		holdWhile,
		verifyEmail,
		acceptAsOwner,
		signIn,
		crowd,
		roleIn,
		alive,
		keyOf,
		byKey,
		stored,
		ban,
	};
};

/** Not deletions: plugins delete expired rows in the background. */
const WRITES = ["create", "update", "updateMany", "transaction"];

/** Waits before writes of requests that ask for it, outside of transactions. */
const holdingWrites = (wait: () => Promise<void>): BetterAuthPlugin => ({
	id: "hold",
	init: ({ adapter }: AuthContext) => {
		const isHeld = () => tryGetCurrentAuthEndpointContext()?.headers?.get("x-hold") === "yes";
		const entries = Object.entries(adapter).map(([name, method]: [string, unknown]) => {
			if (!WRITES.includes(name) || typeof method !== "function") return [name, method];
			const held = async (...given: unknown[]) => {
				if (isHeld()) await wait();
				return method(...given);
			};
			return [name, held];
		});
		// in place, because others have a reference to it
		Object.assign(adapter, Object.fromEntries(entries));
	},
});

export type RightsWorld = Awaited<ReturnType<typeof createRightsWorld>>;
