import { createWorld, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";

/**
 * Values that end a string, add a condition, call a function, sleep or form an operator, in each supported dialect.
 */
const ATTACKS = [
	"' or '1'='1",
	"' or 1=1 --",
	"' or 1=1 #",
	"') or ('1'='1",
	'" or "1"="1',
	"`; drop table user; --",
	'\'; drop table "user"; --',
	"' union select null, null, null --",
	"' union all select email, password from account --",
	"' and pg_sleep(5) --",
	"' and sleep(5) --",
	"'||(select pg_sleep(5))||'",
	"1; waitfor delay '0:0:5' --",
	"\\' or 1=1 --",
	"%' or '%'='",
	"%",
	"_",
	"a' like 'a",
	"$1",
	"?",
	":tenantId",
	"{{tenantId}}",
	'{"$ne":null}',
	"[$ne]",
	"null",
	"0x27206f7220313d31",
	"ʼ or 1=1 --",
	"＇ or 1=1 --",
	"' or 1=1;\u0000",
	"*/ or 1=1 /*",
	"' or email like '%@%",
];

// threat 61
describe.each(["sqlite", "postgres", "mysql"] as const)("SQL injection into %s", (database) => {
	it("finds no user, changes no row and causes no error, in any text input", async () => {
		const world = await createWorld({ database });
		const a = await world.newTenant("acme");
		const b = await world.newTenant("umbrella");
		const victim = await world.signUp(a, "ada@example.com");
		await world.signUp(b, "ada@example.com");
		const everything = async () =>
			Promise.all(
				(database === "mysql" ? ["`user`", "`account`", "`tenant`"] : ['"user"', '"account"', '"tenant"']).map(
					(table) => world.database.query(`select * from ${table}`),
				),
			);
		const before = await everything();
		world.database.statements.length = 0;
		for (const attack of ATTACKS) {
			const operator = true;
			const calls: [string, Parameters<typeof world.call>[1]][] = [
				["/tenant/get", { operator, query: { slug: attack } }],
				["/tenant/get", { operator, query: { id: attack } }],
				["/tenant/list", { operator, query: { cursor: attack } }],
				["/tenant/list", { operator, query: { cursor: Buffer.from(`${attack}'`).toString("base64") } }],
				["/tenant/list", { operator, query: { limit: attack } }],
				["/tenant/update", { operator, body: { id: attack, name: "taken" } }],
				["/tenant/delete", { operator, body: { id: attack } }],
				["/tenant/oauth-config/list", { operator, query: { tenantId: attack } }],
				["/tenant/oauth-config/delete", { operator, body: { tenantId: a, providerId: attack } }],
				["/tenant/sign-in/email", { body: { tenantId: attack, email: "ada@example.com", password: PASSWORD } }],
				["/tenant/sign-in/email", { body: { tenantId: a, email: `${attack}@example.com`, password: PASSWORD } }],
				["/tenant/sign-in/email", { body: { tenantId: a, email: "ada@example.com", password: attack } }],
				["/tenant/sign-in/social", { body: { tenantId: a, provider: attack } }],
				["/verify-email", { tenant: a, query: { token: attack } }],
				["/reset-password", { tenant: a, body: { token: attack, newPassword: "taken over now" } }],
				["/revoke-session", { browser: victim.copy(), body: { token: attack } }],
			];
			for (const [path, call] of calls) {
				const answer = await world.call(path, call);
				const found = answer.status === 200 && path !== "/revoke-session";
				expect([path, attack, found, answer.status >= 500]).toEqual([path, attack, false, false]);
			}
		}
		// SQLite logs statements with their values inlined, and has none of these functions
		const sent = database === "sqlite" ? [] : world.database.statements;
		expect(sent.filter((statement) => /sleep|waitfor|union|drop|1=1/i.test(statement))).toEqual([]);
		expect(await everything()).toEqual(before);
		expect((await world.call("/get-session", { browser: victim })).json.user.email).toBe("ada@example.com");
	});
});
