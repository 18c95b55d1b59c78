import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { admin } from "better-auth/plugins";
import { type TenantAuthOptions, tenantAuth, withTenants } from "better-auth-tenants";
import { assertTenantIsolation, findTenantLeaks } from "better-auth-tenants/testing";
import type { DatabaseKind } from "test-kit/databases";
import { createWorld } from "test-kit/world";
import { describe, expect, it, vi } from "vitest";
import {
	cachesForAll,
	countsInHook,
	deletesEverywhere,
	keepsOwnTable,
	pointsAcross,
	type RawDatabase,
	readsRaw,
	redirectsWithName,
	soundNotes,
	tellsTokenInHeader,
	tellsWhatIsTaken,
	trustsBody,
	writesRaw,
} from "./leaky-plugins.ts";

type Make = (raw: RawDatabase) => BetterAuthPlugin;
type With = { database?: DatabaseKind; tenantAuth?: TenantAuthOptions; plugins?: BetterAuthPlugin[] };

/** An engine with one custom plugin that has its own connection. */
const engineWith = async (make: Make, { database = "sqlite", plugins = [], ...given }: With = {}) => {
	const raw: RawDatabase = {
		query: () => {
			throw new Error("not connected yet");
		},
	};
	const plugin = make(raw);
	const options = { deletion: { drainTime: 0 }, ...given.tenantAuth };
	const world = await createWorld({
		database,
		engine: { logger: { disabled: true } },
		allPlugins: withTenants(options, [plugin, ...plugins]),
	});
	raw.query = world.database.query;
	const paths = Object.values(plugin.endpoints ?? {}).flatMap(({ path }) => path ?? []);
	return { ...world, paths };
};

// each sends hundreds of calls
vi.setConfig({ testTimeout: 300_000 });

const LEAKS: [what: string, make: Make, endpoint: string, found: RegExp][] = [
	["reads by id through its own connection", readsRaw, "GET /notes/read", /reveals B's note\.text/],
	["writes by id through its own connection", writesRaw, "POST /notes/write", /changes note\.text of B/],
	[
		"caches the first response for everyone",
		cachesForAll,
		"GET /notes/recent",
		/reveals B's note\.text|reveals A's note/,
	],
	["returns a session token in a header", tellsTokenInHeader, "GET /notes/last-seen", /reveals .* session/],
	["takes the tenant from the body", trustsBody, "POST /notes/people", /reveals B's user\.name/],
	["redirects with another user's name", redirectsWithName, "GET /notes/greet/:userId", /reveals B's user\.name/],
	[
		"counts all rows in an after-hook",
		countsInHook,
		"GET /notes/status",
		/returns a different response \(body\.total\)/,
	],
	[
		"reveals what is taken elsewhere",
		tellsWhatIsTaken,
		"POST /notes/is-taken",
		/returns a different response \(body\.taken\)/,
	],
	[
		"points at another tenant's row",
		pointsAcross,
		"POST /notes/give",
		/sets note\.userId to a row in user that belongs/,
	],
	["uses a table the engine does not know", keepsOwnTable, "GET /notes/lines", /reveals a value that only its owner/],
	["deletes the rows of all tenants", deletesEverywhere, "POST /notes/clear", /deletes a row in note that belongs to/],
];

// threat 65
describe.each(["sqlite", "postgres"] as const)("a custom plugin on %s", (database) => {
	it.each(LEAKS)("is caught when it %s", async (_, make, endpoint, found) => {
		const { auth, paths } = await engineWith(make, { database });
		const { leaks, reached } = await findTenantLeaks(auth, { only: paths });
		expect(reached).toContain(endpoint);
		const whats = leaks.filter((leak) => leak.endpoint === endpoint).map(({ what }) => what);
		expect(whats).toContainEqual(expect.stringMatching(found));
		expect(leaks.filter((leak) => leak.endpoint !== endpoint)).toEqual([]);
	});

	it("passes when it uses the engine's adapter", async () => {
		const { auth, paths } = await engineWith(soundNotes, { database });
		const { leaks, reached, notExercised } = await findTenantLeaks(auth, { only: paths });
		expect(leaks).toEqual([]);
		expect(notExercised).toEqual([]);
		expect(reached).toHaveLength(paths.length);
	});
});

// threat 49
it("catches a management option that admits every tenant's admin to every tenant", async () => {
	const authorize: NonNullable<TenantAuthOptions["management"]>["authorize"] = ({ session }) =>
		session?.user.role === "admin";
	const { auth } = await engineWith(soundNotes, { tenantAuth: { management: { authorize } }, plugins: [admin()] });
	const { leaks } = await findTenantLeaks(auth, { only: ["/tenant/get", "/tenant/update"] });
	expect(leaks.map(({ endpoint, what }) => `${endpoint} ${what}`)).toEqual(
		expect.arrayContaining([
			expect.stringMatching(/^GET \/tenant\/get reveals B's tenant\.name/),
			expect.stringMatching(/^POST \/tenant\/update changes .*tenant\.name.* of B/),
		]),
	);
});

describe("a table without a tenant", () => {
	it("is refused at startup with the plugin's message", async () => {
		const { options } = await createWorld({ engine: { logger: { disabled: true } } });
		const auth = betterAuth({ ...options, plugins: [tenantAuth(), soundNotes()] });
		await expect(assertTenantIsolation(auth)).rejects.toThrow('the table "note" has no tenant');
	});

	it("is reported if it passed the startup check", async () => {
		const { auth } = await engineWith(soundNotes);
		// as if the startup check had missed it
		delete (await auth.$context).tables.note?.fields.tenantId;
		const { leaks } = await findTenantLeaks(auth, { only: [] });
		expect(leaks.map(({ endpoint, what }) => `${endpoint} ${what}`)).toEqual([
			"table note has no tenant column, so every tenant reads and writes the same rows",
		]);
	});
});

describe("the error of assertTenantIsolation", () => {
	it("names endpoint, leak and caller, and a call with placeholders for ids", async () => {
		const { auth, paths } = await engineWith(readsRaw);
		const error: unknown = await assertTenantIsolation(auth, { only: paths }).catch((thrown: unknown) => thrown);
		const text = error instanceof Error ? error.message : "";
		expect(text).toMatch(/^\d+ leaks between tenants:/);
		expect(text).toContain("GET /notes/read reveals B's note.text\n   how: session of A, ");
		expect(text).toContain(
			"curl -X GET '/notes/read?noteId=<B note.id>' -H 'cookie: <session of A>' -H 'x-tenant-id: A'",
		);
	});
});
