import { admin, twoFactor } from "better-auth/plugins";
import { createWorld, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../src/index.ts";
import { withTenants } from "../../src/index.ts";
import { createTransferable, exportUsers, transferring, userNamed } from "./transferable.ts";

const ENGINE_HASH = `${"0f".repeat(16)}:${"1e".repeat(64)}`;
const withPassword = (password: string) => ({ accounts: [{ providerId: "credential", password }] });
const google = (accountId: string) => ({ accounts: [{ providerId: "google", accountId }] });

/** Rejected lines with their code. */
const BAD: [code: string, field: string, line: unknown][] = [
	["INVALID_USER", "the line", null],
	["INVALID_USER", "the line", "ada@example.com"],
	["INVALID_USER", "the line", []],
	["INVALID_USER", "email", { name: "nobody" }],
	["INVALID_USER", "email", userNamed("x", { email: "no address" })],
	["INVALID_USER", "email", userNamed("x", { email: "\u0430da@example.com" })],
	["INVALID_USER", "email", userNamed("x", { email: `${"x".repeat(250)}@example.com` })],
	["INVALID_USER", "name", userNamed("x", { name: "a\0b" })],
	["INVALID_USER", "image", userNamed("x", { image: 7 })],
	["INVALID_USER", "createdAt", userNamed("x", { createdAt: "yesterday" })],
	// the years 10000 and 1969
	["INVALID_USER", "createdAt", userNamed("x", { createdAt: "9999-12-31T23:59:59-23:59" })],
	["INVALID_USER", "updatedAt", userNamed("x", { updatedAt: "1970-01-01T00:00:00+00:01" })],
	["INVALID_USER", "id", userNamed("x", { id: "with space" })],
	["INVALID_USER", "id", userNamed("x", { id: "" })],
	["INVALID_USER", "tenantId", userNamed("x", { tenantId: "another" })],
	["INVALID_USER", "role", userNamed("x", { role: "admin" })],
	[
		"INVALID_USER",
		"accounts.0.accessToken",
		userNamed("x", { accounts: [{ providerId: "google", accountId: "1", accessToken: "t" }] }),
	],
	[
		"INVALID_USER",
		"accounts.0.userId",
		userNamed("x", { accounts: [{ providerId: "google", accountId: "1", userId: "u" }] }),
	],
	["INVALID_USER", "accounts.0.accountId", userNamed("x", { accounts: [{ providerId: "google" }] })],
	[
		"INVALID_USER",
		"accounts.0.password",
		userNamed("x", { accounts: [{ providerId: "google", accountId: "1", password: ENGINE_HASH }] }),
	],
	["INVALID_USER", "accounts", userNamed("x", { accounts: [google("1").accounts[0], google("1").accounts[0]] })],
	[
		"INVALID_USER",
		"accounts",
		userNamed("x", { accounts: [{ providerId: "credential" }, { providerId: "credential", accountId: "2" }] }),
	],
	["SECOND_FACTOR_NOT_MOVED", "", userNamed("x", { twoFactorEnabled: true })],
	["BAN_NOT_MOVED", "", userNamed("x", { banned: true })],
];

describe.each(["sqlite", "postgres"] as const)("import lines on %s", (database) => {
	it("are rejected one by one, with a code and without their values, and the others are imported", async () => {
		const { world, importUsers, usersOf, accountsOf } = await createTransferable({ database });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const good = Array.from({ length: BAD.length }, (_, n) => userNamed(`good-${n}`));
		const users = BAD.flatMap(([, , line], n) => [good[n], line]);
		const answer = await importUsers(a, users);
		expect(answer.status).toBe(200);
		expect(answer.json).toMatchObject({ imported: BAD.length, existing: 0 });
		expect(answer.json.refused.map(({ index, code }) => [index, code])).toEqual(
			BAD.map(([code], n) => [2 * n + 1, code]),
		);
		for (const [n, [, field]] of BAD.entries()) {
			const message = answer.json.refused[n]?.message;
			expect(message).toMatch(
				field ? new RegExp(`Check (.+, )?${field.replaceAll(".", "\\.")}(,|$)`) : /not transferred/,
			);
		}
		expect(answer.text).not.toMatch(/with space|yesterday|no address|0f0f/);
		expect([(await usersOf(a)).length, (await accountsOf(a)).length]).toEqual([BAD.length, BAD.length]);
		expect(await usersOf(b)).toEqual([]);
	});

	it("may omit nearly every field, and keep the values they have", async () => {
		const { world, importUsers, usersOf } = await createTransferable({ database });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const whole = {
			id: "auth0|5f7c8ec7",
			email: "Ada@Example.com",
			emailVerified: true,
			name: "",
			image: "https://example.com/ada.png",
			createdAt: "2001-02-03T04:05:06.000Z",
			updatedAt: "2011-02-03T05:05:06+01:00",
			accounts: [],
			twoFactorEnabled: false,
			banned: null,
		};
		expect((await importUsers(a, [whole, { email: "grace@example.com", name: "Grace" }])).json.imported).toBe(2);
		const [page] = await exportUsers(world, a);
		expect(page?.find(({ email }) => email === "ada@example.com")).toEqual({
			id: "auth0|5f7c8ec7",
			email: "ada@example.com",
			emailVerified: true,
			name: "",
			image: "https://example.com/ada.png",
			createdAt: "2001-02-03T04:05:06.000Z",
			updatedAt: "2011-02-03T04:05:06.000Z",
			accounts: [],
		});
		expect(page?.find(({ name }) => name === "Grace")).toMatchObject({
			emailVerified: false,
			image: null,
			accounts: [],
		});
		expect(await usersOf(b)).toEqual([]);
	});

	it("are rejected with one response for a taken id, in this tenant, in another or on the platform", async () => {
		const { world, importUsers, usersOf } = await createTransferable({ database });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await importUsers(a, [userNamed("ada", { id: "id-a" })]);
		await importUsers(b, [userNamed("ada", { id: "id-b" })]);
		const platform = (await world.call("/get-session", { browser: await world.signUp(undefined, "ada@example.com") }))
			.json.user.id;
		const before = [await usersOf(b), await usersOf("platform")];
		const ids = ["id-a", "id-b", platform, "id-free", "id-free"];
		const { json } = await importUsers(
			a,
			ids.map((id, n) => userNamed(`new-${n}`, { id })),
		);
		expect(json.imported).toBe(1);
		expect(json.refused.map(({ index, code }) => [index, code])).toEqual(
			[0, 1, 2, 4].map((index) => [index, "USER_ID_TAKEN"]),
		);
		expect(new Set(json.refused.map(({ message }) => message)).size).toBe(1);
		expect((await usersOf(a)).map(({ id }) => id).sort()).toEqual(["id-a", "id-free"]);
		expect([await usersOf(b), await usersOf("platform")]).toEqual(before);
	});

	it("are rejected as a whole for a taken account in this tenant, and not for another tenant's", async () => {
		const { world, importUsers, usersOf, accountsOf } = await createTransferable({ database });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await importUsers(b, [userNamed("ada", google("1"))]);
		expect((await importUsers(a, [userNamed("ada", google("1"))])).json.imported).toBe(1);
		const { json } = await importUsers(a, [
			userNamed("grace", google("1")),
			userNamed("edsger", google("2")),
			userNamed("barbara", google("2")),
			userNamed("tony", { accounts: [...google("3").accounts, { providerId: "github", accountId: "1" }] }),
			// two accounts whose names are taken, by different users
			userNamed("niklaus", { accounts: [{ providerId: "github", accountId: "2" }, ...google("4").accounts] }),
		]);
		expect(json).toMatchObject({ imported: 3, existing: 0 });
		expect(json.refused.map(({ index, code }) => [index, code])).toEqual([
			[0, "ACCOUNT_TAKEN"],
			// in the order of their emails, in which they are written
			[1, "ACCOUNT_TAKEN"],
		]);
		expect((await usersOf(a)).map(({ name }) => name)).toEqual(["ada", "barbara", "niklaus", "tony"]);
		expect((await accountsOf(a)).map(({ providerId, accountId }) => `${providerId} ${accountId}`)).toEqual([
			"github 1",
			"github 2",
			"google 1",
			"google 2",
			"google 3",
			"google 4",
		]);
	});

	it("are rejected alone if the database rejects them, user and accounts together", async () => {
		const { world, importUsers, usersOf, accountsOf } = await createTransferable({
			database,
			engine: { advanced: { disableOriginCheck: false, database: { generateId: "uuid" } } },
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const uuid = crypto.randomUUID();
		const { json } = await importUsers(a, [
			userNamed("ada"),
			userNamed("grace", { id: "no-uuid" }),
			userNamed("edsger", { id: uuid }),
		]);
		expect(json).toMatchObject({ imported: 2, refused: [{ index: 1, code: "INVALID_VALUE" }] });
		expect((await usersOf(a)).map(({ name }) => name)).toEqual(["ada", "edsger"]);
		expect((await usersOf(a))[1]?.id).toBe(uuid);
		expect(await accountsOf(a)).toHaveLength(2);
		expect(await usersOf(b)).toEqual([]);
	});
});

describe("password hashes", () => {
	it("are accepted in Better Auth's own form, and in others with acceptsPasswordHash", async () => {
		const foreign = ["$2b$10$abcdefghijklmnopqrstuv", "plain", "", `${ENGINE_HASH}0`, ENGINE_HASH.toUpperCase()];
		const users = [ENGINE_HASH, ...foreign].map((hash, n) => userNamed(`user-${n}`, withPassword(hash)));
		const plain = await createTransferable({ realHash: true });
		const [a, b] = [await plain.world.newTenant(), await plain.world.newTenant()];
		const answer = await plain.importUsers(a, users);
		expect(answer.json.imported).toBe(1);
		expect(answer.json.refused.map(({ code }) => code)).toEqual(foreign.map(() => "PASSWORD_HASH_NOT_ACCEPTED"));
		expect(answer.text).not.toContain("$2b$");
		expect((await plain.accountsOf(a)).map(({ password }) => password)).toEqual([ENGINE_HASH]);
		expect(await plain.accountsOf(b)).toEqual([]);

		const asked: string[] = [];
		const knowing = await createTransferable({
			tenantAuth: {
				transfer: {
					acceptsPasswordHash: (hash) => {
						asked.push(hash);
						return hash.startsWith("$2b$");
					},
				},
			},
		});
		const tenantId = await knowing.world.newTenant();
		await knowing.world.newTenant();
		expect((await knowing.importUsers(tenantId, users)).json.imported).toBe(1);
		expect(asked).toEqual([ENGINE_HASH, ...foreign]);
		expect((await knowing.accountsOf(tenantId)).map(({ password }) => password)).toEqual([foreign[0]]);
	});
});

describe("second factors and bans", () => {
	it("are exported, and rejected by the import, which would drop them", async () => {
		const entries: AuditEntry[] = [];
		const world = await createWorld({ allPlugins: withTenants(transferring(entries), [twoFactor(), admin()]) });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const name of ["ada", "grace", "edsger", "barbara"]) {
			const browser = await world.signUp(a, `${name}@example.com`);
			if (name === "ada") await world.call("/two-factor/enable", { browser, body: { password: PASSWORD } });
		}
		const set = (name: string, values: string) =>
			world.database.query(`update "user" set ${values} where "email" = '${name}@example.com'`);
		await set("ada", '"twoFactorEnabled" = 1');
		await set("grace", '"banned" = 1');
		await set("edsger", `"banned" = 1, "banExpires" = '2001-01-01T00:00:00.000Z'`);
		const [page = []] = await exportUsers(world, a);
		const said = page.map(({ email, twoFactorEnabled, banned }) => ({ email, twoFactorEnabled, banned }));
		expect(said.toSorted((one, other) => (one.email < other.email ? -1 : 1))).toEqual([
			{ email: "ada@example.com", twoFactorEnabled: true },
			{ email: "barbara@example.com" },
			// their ban has ended
			{ email: "edsger@example.com" },
			{ email: "grace@example.com", banned: true },
		]);
		const users = page.map((user) => ({ ...user, id: undefined }));
		const { json } = await world.call("/tenant/import-users", { operator: true, body: { tenantId: b, users } });
		expect(json).toMatchObject({ imported: 2, existing: 0 });
		expect(json.refused.map(({ code }) => code).sort()).toEqual(["BAN_NOT_MOVED", "SECOND_FACTOR_NOT_MOVED"]);
	});
});

describe("a batch", () => {
	it("has at most 2000 accounts, and the error says how to send more", async () => {
		const { world, importUsers, usersOf, accountsOf } = await createTransferable();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const users = Array.from({ length: 51 }, (_, user) =>
			userNamed(`user-${user}`, {
				accounts: Array.from({ length: 40 }, (_, n) => ({ providerId: "google", accountId: `${user}-${n}` })),
			}),
		);
		const answer = await importUsers(a, users);
		expect([answer.status, answer.code]).toEqual([400, "VALIDATION_ERROR"]);
		expect(answer.text).toContain("at most 2000 accounts in all; send fewer users per request");
		expect(await usersOf(a)).toEqual([]);
		expect((await importUsers(a, users.slice(0, 50))).json.imported).toBe(50);
		expect([(await accountsOf(a)).length, (await accountsOf(b)).length]).toEqual([2000, 0]);
	});

	it("has 1 to 500 users, and 500 take one statement per row and few more", async () => {
		const { world, importUsers, usersOf } = await createTransferable();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const users = Array.from({ length: 501 }, (_, n) => userNamed(`user-${n}`, { id: `id-${n}`, ...google(`g-${n}`) }));
		for (const sent of [users, [], undefined, "x", {}])
			expect((await importUsers(a, sent as unknown[])).status).toBe(400);
		expect(await usersOf(a)).toEqual([]);
		world.database.statements.length = 0;
		expect((await importUsers(a, users.slice(0, 500))).json).toEqual({ imported: 500, existing: 0, refused: [] });
		expect(world.database.statements.filter((sql) => /^insert/i.test(sql))).toHaveLength(1000);
		expect(world.database.statements.filter((sql) => /from "(user|account)"/.test(sql))).toHaveLength(3);
		// none of them is cut off by the engine's default limit of 100
		const [page = []] = await exportUsers(world, a);
		expect(page.map(({ accounts }) => accounts.length)).toEqual(Array(500).fill(1));
		expect((await importUsers(a, page)).json).toEqual({ imported: 0, existing: 500, refused: [] });
		const others = page.map((user) => ({ ...user, email: `other-${user.email}` }));
		expect((await importUsers(a, others)).json.refused).toHaveLength(500);
		expect(await usersOf(b)).toEqual([]);
	});
});
