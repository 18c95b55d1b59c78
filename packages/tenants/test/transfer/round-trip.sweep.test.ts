import { globalProviders, registerClient, signInSocially, useIdentityProvider } from "test-kit/social";
import { PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createTransferable, exportUsers, type Transferable, userNamed } from "./transferable.ts";

const idp = useIdentityProvider();

const signIn = (world: World, tenant: string, email: string, password = PASSWORD) =>
	world.call("/sign-in/email", { tenant, body: { email, password } });

/** Moves a tenant and its users between deployments, like a command line. */
const move = async (from: Transferable, to: Transferable, tenantId: string) => {
	const tenant = (await from.world.call("/tenant/get", { operator: true, query: { id: tenantId } })).json;
	const made = await to.importTenant(tenant);
	const answers = [];
	for (const page of await exportUsers(from.world, tenantId, 2)) answers.push(await to.importUsers(tenantId, page));
	return { tenant, made, answers };
};

describe.each(["sqlite", "postgres", "mysql"] as const)(
	"a tenant that moves to another deployment on %s",
	(database) => {
		it("keeps its ids, and its users sign in with their passwords", async () => {
			const engine = { socialProviders: globalProviders(idp()) };
			const from = await createTransferable({ database, engine });
			const to = await createTransferable({ database, engine });
			const [a, b] = [await from.world.newTenant("acme"), await from.world.newTenant("globex")];
			// one email in two tenants: two users with two passwords
			await from.world.signUp(a, "ada@example.com");
			await from.world.signUp(b, "ada@example.com", "another password 123");
			const browser = await from.world.signUp(a, "grace@example.com");
			for (const name of ["edsger", "barbara"]) await from.world.signUp(a, `${name}@example.com`);
			await from.world.call("/send-verification-email", { tenant: a, body: { email: "grace@example.com" } });
			await from.world.call("/verify-email", { browser, query: { token: from.world.lastMail("verify").token } });

			for (const tenantId of [a, b]) {
				const { tenant, made, answers } = await move(from, to, tenantId);
				expect(made.json).toEqual({ tenant, existing: false });
				expect(answers.map(({ json }) => json)).toEqual(
					(tenantId === a ? [2, 2] : [1]).map((imported) => ({ imported, existing: 0, refused: [] })),
				);
			}

			for (const tenantId of [a, b]) {
				const [old, moved] = [await exportUsers(from.world, tenantId), await exportUsers(to.world, tenantId)];
				expect(moved).toEqual(old);
			}
			expect((await to.usersOf(a)).map(({ email, emailVerified }) => [email, Boolean(emailVerified)])).toEqual([
				["ada@example.com", false],
				["barbara@example.com", false],
				["edsger@example.com", false],
				["grace@example.com", true],
			]);
			for (const [tenantId, email, password] of [
				[a, "ada@example.com", PASSWORD],
				[a, "grace@example.com", PASSWORD],
				[a, "edsger@example.com", PASSWORD],
				[b, "ada@example.com", "another password 123"],
			] as const) {
				const answer = await signIn(to.world, tenantId, email, password);
				expect([email, answer.status, answer.json.user?.tenantId]).toEqual([email, 200, tenantId]);
			}
			expect((await signIn(to.world, b, "ada@example.com")).status).toBe(401);
			expect((await signIn(to.world, b, "grace@example.com")).status).toBe(401);
			// no sign-up runs, so no mail is sent
			expect(to.world.mails).toEqual([]);
			// and the password account has the engine's name for it
			const accounts = await to.accountsOf(a);
			expect(accounts.map(({ accountId }) => accountId)).toEqual(accounts.map(({ userId }) => userId));
		});

		it("recognizes the users of its providers, of its own server and of the global one", async () => {
			const engine = { socialProviders: globalProviders(idp()) };
			const [from, to] = [
				await createTransferable({ database, engine }),
				await createTransferable({ database, engine }),
			];
			const [own, global] = [await from.world.newTenant("acme"), await from.world.newTenant("globex")];
			await registerClient(from.world, idp(), own, "client-acme");
			const person = { sub: "s-1", email: "ada@example.com" };
			const ids = new Map<string, string>();
			for (const tenantId of [own, global]) {
				const { browser } = await signInSocially(from.world, idp(), tenantId, person);
				ids.set(tenantId, (await from.world.call("/get-session", { browser })).json.user.id);
			}
			for (const tenantId of [own, global]) {
				const { answers } = await move(from, to, tenantId);
				expect(answers[0]?.json).toEqual({ imported: 1, existing: 0, refused: [] });
				const named = (rows: Record<string, unknown>[]) =>
					rows.map(({ userId, providerId, accountId }) => ({ userId, providerId, accountId }));
				expect(named(await to.accountsOf(tenantId))).toEqual(named(await from.accountsOf(tenantId)));
				// the subject names its server
				expect((await to.accountsOf(tenantId))[0]?.accountId).toMatch(/^s-1@[0-9a-f]{32}$/);
				for (const { accessToken, refreshToken, idToken, scope } of await to.accountsOf(tenantId))
					expect([accessToken, refreshToken, idToken, scope]).toEqual([null, null, null, null]);
			}
			await registerClient(to.world, idp(), own, "client-acme");
			for (const tenantId of [own, global]) {
				const { browser } = await signInSocially(to.world, idp(), tenantId, person);
				expect((await to.world.call("/get-session", { browser })).json.user.id).toBe(ids.get(tenantId));
				expect(await to.usersOf(tenantId)).toHaveLength(1);
				expect(await to.accountsOf(tenantId)).toHaveLength(1);
			}
		});

		it("can be imported again: existing users stay unchanged", async () => {
			const { world, importUsers, usersOf, accountsOf } = await createTransferable({ database });
			const [a, b] = [await world.newTenant(), await world.newTenant()];
			const users = Array.from({ length: 7 }, (_, n) => userNamed(`user-${n}`, { id: `id-${n}` }));
			expect((await importUsers(a, users)).json).toEqual({ imported: 7, existing: 0, refused: [] });
			const before = [await usersOf(a), await accountsOf(a)];
			const renamed = users.map((user) => ({ ...user, name: "Mallory", email: user.email.toUpperCase() }));
			expect((await importUsers(a, renamed)).json).toEqual({ imported: 0, existing: 7, refused: [] });
			expect([await usersOf(a), await accountsOf(a)]).toEqual(before);
			// new ids in the other tenant, which does not have these users
			const others = users.map((user) => ({ ...user, id: undefined }));
			expect((await importUsers(b, others)).json).toEqual({ imported: 7, existing: 0, refused: [] });
			expect([await usersOf(a), await accountsOf(a)]).toEqual(before);
		});

		it("is imported once by two concurrent runs", async () => {
			const { world, importUsers, usersOf, accountsOf } = await createTransferable({ database });
			const [a, b] = [await world.newTenant(), await world.newTenant()];
			const users = Array.from({ length: 40 }, (_, n) =>
				userNamed(`user-${n}`, {
					id: `id-${n}`,
					accounts: [
						{ providerId: "credential", password: "a".repeat(64) },
						{ providerId: "google", accountId: `g-${n}` },
					],
				}),
			);
			const answers = await Promise.all(
				Array.from({ length: 4 }, (_, n) => importUsers(a, n % 2 ? users : users.toReversed())),
			);
			for (const { status, json } of answers) {
				expect([status, json.imported + json.existing, json.refused]).toEqual([200, 40, []]);
			}
			expect(answers.reduce((sum, { json }) => sum + json.imported, 0)).toBe(40);
			expect([(await usersOf(a)).length, (await accountsOf(a)).length]).toEqual([40, 80]);
			expect(await usersOf(b)).toEqual([]);
		});
	},
);

describe("an export", () => {
	it("returns pages, with two queries each, and only what an import reads", async () => {
		const { world, importUsers } = await createTransferable({
			engine: { socialProviders: globalProviders(idp()) },
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const users = Array.from({ length: 7 }, (_, n) => userNamed(`user-${n}`));
		for (const tenantId of [a, b]) await importUsers(tenantId, users);
		await signInSocially(world, idp(), a, { sub: "s-1", email: "social@example.com" });
		const pages = await exportUsers(world, a, 3);
		expect(pages.map((page) => page.length)).toEqual([3, 3, 2]);
		const ids = pages.flat().map(({ id }) => id);
		expect(ids).toEqual(ids.toSorted());
		const inA = await world.database.query(`select "id" from "user" where "tenantId" = '${a}'`);
		expect(new Set(ids)).toEqual(new Set(inA.map(({ id }) => id)));

		const social = pages.flat().find(({ email }) => email === "social@example.com");
		expect(Object.keys(social ?? {}).sort()).toEqual(
			["accounts", "createdAt", "email", "emailVerified", "id", "image", "name", "updatedAt"].sort(),
		);
		expect(social?.accounts).toEqual([{ providerId: "gitlab", accountId: expect.stringMatching(/^s-1@/) }]);
		const told = JSON.stringify(pages);
		for (const word of ["Token", "token", "scope", "tenantId", "session"]) expect(told).not.toContain(word);

		world.database.statements.length = 0;
		const page = await world.call("/tenant/export-users", { operator: true, query: { tenantId: a, limit: "1000" } });
		expect([page.json.length, page.headers.get("link")]).toEqual([8, null]);
		const statements = world.database.statements.filter((sql) => /from "(user|account)"/.test(sql));
		expect(statements).toHaveLength(2);
		expect(page.headers.get("cache-control")).toBe("no-store");
	});

	it("reads a large page in batches of 100 users, each user exactly once", async () => {
		const { world, importUsers } = await createTransferable();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (let first = 0; first < 320; first += 160)
			for (const tenantId of [a, b])
				await importUsers(
					tenantId,
					Array.from({ length: 160 }, (_, number) => userNamed(`user-${first + number}`)),
				);
		world.database.statements.length = 0;
		const pages = await exportUsers(world, a, 300);
		const reads = world.database.statements.filter((sql) => /from "user"/.test(sql));
		expect(reads).toHaveLength(4);
		expect(pages.map((page) => page.length)).toEqual([300, 20]);
		const ids = pages.flat().map(({ id }) => id);
		expect(ids).toEqual([...new Set(ids)].toSorted());
		expect(pages.flat().every(({ accounts }) => accounts.length === 1)).toBe(true);
		const inA = await world.database.query(`select "id" from "user" where "tenantId" = '${a}'`);
		expect(new Set(ids)).toEqual(new Set(inA.map(({ id }) => id)));
	});

	it("rejects invented cursors and limits", async () => {
		const { world } = await createTransferable();
		const tenantId = await world.newTenant();
		await world.newTenant();
		const ask = (query: Record<string, string>) =>
			world.call("/tenant/export-users", { operator: true, query: { tenantId, ...query } });
		for (const cursor of ["%%%", "", btoa("a\0b"), btoa("x".repeat(256)), btoa("\xff")])
			expect([cursor, (await ask({ cursor })).code]).toEqual([cursor, "INVALID_CURSOR"]);
		for (const limit of ["0", "1001", "x", "1.5"]) expect([limit, (await ask({ limit })).status]).toEqual([limit, 400]);
		expect((await world.call("/tenant/export-users", { operator: true })).status).toBe(400);
	});

	it("is open to server code, whether enabled or not", async () => {
		const { world } = await createTransferable({ management: { transfer: false } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const { api } = world.auth;
		const users = [userNamed("ada"), userNamed("grace", { createdAt: new Date(0) })];
		expect(await api.importTenantUsers({ body: { tenantId: a, users } })).toMatchObject({ imported: 2 });
		const exported = await api.exportTenantUsers({ query: { tenantId: a } });
		expect(exported.map(({ email }) => email).sort()).toEqual(["ada@example.com", "grace@example.com"]);
		expect(exported.find(({ name }) => name === "grace")?.createdAt).toEqual(new Date(0));
		expect(await api.exportTenantUsers({ query: { tenantId: b } })).toEqual([]);
		const tenant = { id: "from-elsewhere", name: "Elsewhere", slug: "elsewhere" };
		expect(await api.importTenant({ body: tenant })).toMatchObject({ tenant, existing: false });
	});
});

describe("the engine's own password hashes", () => {
	it("are accepted without an option, and work after the move", async () => {
		const [from, to] = [await createTransferable({ realHash: true }), await createTransferable({ realHash: true })];
		const [a, b] = [await from.world.newTenant("acme"), await from.world.newTenant("globex")];
		for (const tenantId of [a, b]) {
			await from.world.signUp(tenantId, "ada@example.com", `the password of ${tenantId}`);
			await move(from, to, tenantId);
		}
		for (const tenantId of [a, b]) {
			const right = await signIn(to.world, tenantId, "ada@example.com", `the password of ${tenantId}`);
			expect(right.json.user.tenantId).toBe(tenantId);
			const neighbors = await signIn(
				to.world,
				tenantId,
				"ada@example.com",
				`the password of ${tenantId === a ? b : a}`,
			);
			expect(neighbors.status).toBe(401);
		}
	});
});
